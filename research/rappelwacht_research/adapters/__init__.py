"""Every game as an environment of other libraries, for whoever studies or trains players.

They need these libraries, as README.md here says; nothing else here imports them.
"""
