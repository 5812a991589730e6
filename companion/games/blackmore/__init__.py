"""The Witches of Blackmore: its rules, words, page, lights, terminal and players."""
