"""The coach: what of a match was luck and what was skill, told after its end; of any game."""
