"""The context of all pages: the table, pairing, people, and the caches of earlier matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.present.animations import RecentEvents
from companion.referee.people.store import KeptPeople
from companion.web import coach_cache, match_cache, ports

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.present.simulated_hands import Hands
    from companion.web.common.addresses import OwnAddresses
    from companion.web.pairing import Pairing


@dataclass(frozen=True, slots=True)
class WebContext:
    """All that the pages consist of besides the web."""

    room: ports.TablePort
    pairing: Pairing
    here: OwnAddresses  # the names and addresses by which phones may call us
    hands: Mapping[str, Hands] | None = None  # people's by seat; None: the table is real
    folder: Path | None = None  # where the table keeps what it must not lose; None: nowhere
    recent: RecentEvents = field(default_factory=RecentEvents)  # what happened last
    people: KeptPeople = field(default_factory=KeptPeople)
    library: match_cache.MatchCache = field(init=False)
    honours: match_cache.AwardCache = field(init=False)
    reports: coach_cache.CoachReports = field(init=False)

    def __post_init__(self) -> None:
        """Let all pages read the past in one place."""
        object.__setattr__(self, "library", match_cache.MatchCache(self.room))
        object.__setattr__(self, "honours", match_cache.AwardCache(self.library))
        object.__setattr__(self, "reports", coach_cache.CoachReports(self.library))

    @property
    def home(self) -> str:
        """Return where people play: at a simulated table the barrels are on the page, too."""
        return "/" if self.hands is None else "/simulated"
