"""Register-level models of the chips on the table."""
