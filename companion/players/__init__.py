"""What players of all games share: how people call their levels, and how the better ones search.

It must not know any one game.
"""
