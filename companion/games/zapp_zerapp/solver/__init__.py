"""Solves Zapp Zerapp for two and writes what it found; only this needs numpy."""
