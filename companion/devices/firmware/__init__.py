"""The firmware of the boards: which files, and how they are compiled."""
