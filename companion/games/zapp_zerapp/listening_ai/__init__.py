"""Bots that play Zapp Zerapp by ear, without hardware: shake barrels, remember, choose."""
