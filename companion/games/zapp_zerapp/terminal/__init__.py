"""Zapp Zerapp in the terminal: an evening with shaken barrels, its ring, and what it came to."""
