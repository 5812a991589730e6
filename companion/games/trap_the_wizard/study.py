"""Trap the Wizard as it is studied."""

from __future__ import annotations

from typing import Final

from companion.games.trap_the_wizard.rules import (
    CaptivesBroughtHome,
    DieCast,
    JokerCaptured,
    WizardCaptured,
)
from companion.present.subject import Deed, Subject, done_by
from companion.text import Text

SUBJECT: Final = Subject(
    code="rolls",
    unit=Text("rolls of the die"),
    span=DieCast,
    points=Text("points"),
    deeds=(
        Deed("captured", Text("captured wizards"), done_by(WizardCaptured)),
        Deed("lost", Text("lost wizards"), done_by(WizardCaptured, "victim")),
        Deed("came_home", Text("came home with captives"), done_by(CaptivesBroughtHome)),
        Deed("jokers", Text("took the joker"), done_by(JokerCaptured)),
    ),
)
