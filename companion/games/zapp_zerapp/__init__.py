"""Zapp Zerapp: its rules, words, page, lights, terminal and players."""
