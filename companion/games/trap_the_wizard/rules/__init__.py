"""Trap the Wizard: a dice game in which wizards capture each other, and bring home their catch.

Marks such as TW-3 number the facts of the rulebook; `tests/games/trap_the_wizard` tells each of
them in a test that bears its number. A *place* is a field of the board, or the own start. A wizard
that is captured rides under its captor: it is part of the captor's *load*.
"""

from companion.games.trap_the_wizard.rules.board import PLAYERS, SPOKED, START, Board, Robe
from companion.games.trap_the_wizard.rules.events import (
    AnotherTurn,
    CaptivesBroughtHome,
    CaptivesFreed,
    CaptivesHandedOver,
    CaptivesReleased,
    CatchCounted,
    DieCast,
    JokerCaptured,
    JokerLeft,
    JokerWentBack,
    NoWay,
    PointsGivenUp,
    PointsLeftOver,
    TrapShut,
    TrapWon,
    TurnPassed,
    WizardCaptured,
    WizardReturned,
    WizardSetOut,
    WizardWalked,
)
from companion.games.trap_the_wizard.rules.model import (
    Again,
    Leave,
    Move,
    Pass,
    Phase,
    Roll,
    Settings,
    State,
    View,
    Wizard,
)
from companion.games.trap_the_wizard.rules.rounds import TrapTheWizard

__all__ = [
    "PLAYERS",
    "SPOKED",
    "START",
    "Again",
    "AnotherTurn",
    "Board",
    "CaptivesBroughtHome",
    "CaptivesFreed",
    "CaptivesHandedOver",
    "CaptivesReleased",
    "CatchCounted",
    "DieCast",
    "JokerCaptured",
    "JokerLeft",
    "JokerWentBack",
    "Leave",
    "Move",
    "NoWay",
    "Pass",
    "Phase",
    "PointsGivenUp",
    "PointsLeftOver",
    "Robe",
    "Roll",
    "Settings",
    "State",
    "TrapShut",
    "TrapTheWizard",
    "TrapWon",
    "TurnPassed",
    "View",
    "Wizard",
    "WizardCaptured",
    "WizardReturned",
    "WizardSetOut",
    "WizardWalked",
]
