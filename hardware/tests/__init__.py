"""The plans in hardware/: read, checked, and drawn."""
