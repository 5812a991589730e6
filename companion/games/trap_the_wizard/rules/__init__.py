"""Trap the Wizard: a dice game in which wizards capture each other, and bring home their catch.

Marks such as TW-3 number the facts of the rulebook; `tests/games/trap_the_wizard` tells each of
them in a test that bears its number. A *place* is a field of the board, or the own start. A wizard
that is captured rides under its captor: it is part of the captor's *load*.
"""

from companion.games.trap_the_wizard.rules.board import *
from companion.games.trap_the_wizard.rules.events import *
from companion.games.trap_the_wizard.rules.model import *
from companion.games.trap_the_wizard.rules.rounds import *
