"""The doctor: every check of the computer and of the table as a finding with the one thing to do.

It must not know devices, pages or the command line: what it judges is handed to it, and what it
reads of the system it reads from folders and files that can be named.

    computer    Python, groups, the speed of the I2C bus, and what `workshop.health` tells
    network     the port of the pages, and whether phones find this computer by its name
    firmware    which versions the boards run, and which came with this program
    parts       hub, light board and what hangs on the pins, as they tell it themselves
    stoppers    who is heard, whose battery lasts, what ails whom
"""
