"""Levels of players: what all games share."""
