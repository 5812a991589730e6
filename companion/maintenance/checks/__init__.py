"""The doctor: every check of the computer and of the table as a finding with the one thing to do.

It must not know devices, pages or the command line: what it judges is handed to it, and what it
reads of the system it reads from folders and files that can be named.

    computer       Python, groups, the I2C bus, firmware, the voice, and what `health` tells
    network        the port of the pages, the computer's name, its Wi-Fi, and proxies
    stoppers       who is heard, whose battery lasts, what ails whom, and what hangs on the pins
    stopper_bench  one stopper, tried thoroughly
"""
