"""The leaves that touch hardware: hub port, light board, seats.

A part that is missing or broken is never an exception here: it is a state with a sentence.
"""
