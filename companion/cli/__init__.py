"""The command line: one module a command, its options, and what is played in the terminal."""
