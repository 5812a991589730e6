"""Liar's dice in a package of its own: how somebody else writes a game in which dice are hidden."""
