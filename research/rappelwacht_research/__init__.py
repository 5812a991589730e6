"""What only researchers need: studies of games, the solver, other settings, adapters."""
