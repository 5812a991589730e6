"""The contract of all games, pure: no files, clocks, screens, nor chance of their own."""
