"""The Witches of Blackmore as they are studied."""

from __future__ import annotations

from typing import Final

from companion.games.blackmore.rules import TrickWon, TrumpLaid
from companion.present.subject import Deed, Subject, done_by
from companion.text import Text

SUBJECT: Final = Subject(
    code="tricks",
    unit=Text("tricks"),
    span=TrickWon,
    points=Text("points"),
    deeds=(
        Deed("tricks", Text("won tricks"), done_by(TrickWon)),
        Deed("trumps", Text("changed the trump"), done_by(TrumpLaid)),
    ),
)
