"""Drivers of the hardware: hub, light board, and what hangs on the pins of seats.

A part that is missing or broken is never an exception here: it is a state with a sentence.
"""
