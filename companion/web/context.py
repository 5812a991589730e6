"""All that the pages for phones consist of besides the web."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.present.output import Recent
from companion.referee.people.store import KeptPeople
from companion.web.coach_cache import Reports
from companion.web.match_cache import Honours, Library
from companion.web.ports import Room

if TYPE_CHECKING:
    from pathlib import Path

    from companion.present.simulated_hands import Hands
    from companion.web.common.addresses import Whereabouts
    from companion.web.pairing import Pairing


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
