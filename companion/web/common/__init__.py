"""What every page of ours stands on: the gate, the language, faults, addresses."""
