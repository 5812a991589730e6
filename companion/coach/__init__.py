"""The coach: what was luck and what was skill, told after a match or in practice; of any game."""
