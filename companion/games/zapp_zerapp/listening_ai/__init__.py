"""Barrels shaken, heard and kept by people who are made up: Zapp Zerapp without any hardware."""
