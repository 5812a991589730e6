"""Drivers: chips as readings and states; they must not know barrels, radios or the game."""
