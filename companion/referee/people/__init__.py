"""People and their privacy: names and animals, where they sit, and the file that keeps them.

A match is played by colours, and its journal knows nobody. Who sat where is kept beside it, so that
people are forgotten everywhere at once, and no file of a match tells of them.
"""
