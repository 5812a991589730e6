"""What belongs on the boards: which files, and how they are compiled."""
