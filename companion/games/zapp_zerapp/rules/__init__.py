"""Zapp Zerapp: a race of sorcerers' apprentices around a mountain, steered by rattle barrels.

Marks such as ZZ-16 number the facts of the rulebook; `tests/games/zapp_zerapp` tells each of them
in a test that bears its number. A *step* is counted by a colour on its own way, 1 to 24, with 0 for
its start and 25 for its city; a *field* is an index of the ring, 0 to 23, the same for everybody.
"""

from companion.games.zapp_zerapp.rules.board import *
from companion.games.zapp_zerapp.rules.model import *
from companion.games.zapp_zerapp.rules.rounds import *
