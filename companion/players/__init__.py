"""Players that the companion can seat at a game: they see what one seat sees, never a state."""
