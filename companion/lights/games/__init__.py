"""What each game has the lights show: one module a game, each a `draw`."""
