"""The stopper: what its chips say becomes events, and the events become packets."""
