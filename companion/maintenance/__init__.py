"""The workshop: enrolling the barrels, trying every part, and how all of it is. Never in a match.

The table's thread owns it, as it owns the match: wishes come in as commands (`wishes`), and what
anybody may see is published as a value that never changes (`now`).

    wishes ──> workbench ──> shown
                  ├── vitals      what each stopper says of itself
                  ├── enrolling   thirteen weights become thirteen numbers
                  └── trying      one light, all, or a seat's

How the computer itself is, `health` tells whoever asks.
"""
