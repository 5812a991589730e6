"""All that the pages for phones consist of besides the web."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.outputs.web.honours import Honours
from companion.outputs.web.library import Library
from companion.outputs.web.recent import Recent
from companion.outputs.web.reports import Reports
from companion.outputs.web.room import Room
from companion.people.kept_people import KeptPeople

if TYPE_CHECKING:
    from pathlib import Path

    from companion.frame.addresses import Whereabouts
    from companion.outputs.web.pairing import Pairing
    from companion.present.hands import Hands


@dataclass(frozen=True, slots=True)
class Phones:
    """All that the pages consist of besides the web."""

    room: Room
    pairing: Pairing
    here: Whereabouts  # the names and addresses by which phones may call us
    hands: Hands | None = None  # a person's at a simulated table; None: the table is real
    folder: Path | None = None  # where the table keeps what it must not lose; None: nowhere
    recent: Recent = field(default_factory=Recent)  # what happened last
    people: KeptPeople = field(default_factory=KeptPeople)
    library: Library = field(init=False)
    honours: Honours = field(init=False)
    reports: Reports = field(init=False)

    def __post_init__(self) -> None:
        """Let all pages read the past in one place."""
        object.__setattr__(self, "library", Library(self.room))
        object.__setattr__(self, "honours", Honours(self.library))
        object.__setattr__(self, "reports", Reports(self.library))

    @property
    def home(self) -> str:
        """Return where people play: at a simulated table the barrels are on the page, too."""
        return "/" if self.hands is None else "/simulated"
