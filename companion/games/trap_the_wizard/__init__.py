"""Trap the Wizard: its rules, words, page, lights, terminal and players."""
