"""Who sits at the table: names and animals, and the one file in which they stand.

A match is played by colours, and its journal knows nobody. Who sat where is kept beside it, so that
people are forgotten everywhere at once, and no file of a match tells of them.
"""
