"""Every game as an environment of other libraries, for whoever studies or trains players.

They need these libraries, which the extra `research` brings; nothing else here imports them.
"""
