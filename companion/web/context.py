"""The context of all pages: the table, pairing, people, and the caches of earlier matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Final

from companion.present.animations import RecentEvents
from companion.referee.people.store import KeptPeople
from companion.web import coach_cache, match_cache, ports
from companion.web.cafe import KeptCafe
from companion.web.common.tls import Https

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.present.simulated_hands import Hands
    from companion.web.common.addresses import OwnAddresses
    from companion.web.first_run_page import FirstRun
    from companion.web.pairing import Pairing
    from companion.web.wifi_page import OwnWifi


OPEN_S: Final = 45.0  # a page that was asked for so long ago may still be open


class OpenSetup:
    """Whether somebody has the set-up page open, which asks again and again."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s, self._seen_s = clock_s, -inf

    def see(self) -> None:
        """Take that a phone asks for it."""
        self._seen_s = self._clock_s()

    def __bool__(self) -> bool:
        return self._clock_s() < self._seen_s + OPEN_S


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
    set_up: OpenSetup = field(default_factory=OpenSetup)
    cafe: KeptCafe = field(default_factory=KeptCafe)
    first_run: FirstRun | None = None  # None: nothing is asked, as the table is for one evening
    https: Https = field(default_factory=Https)
    own_wifi: OwnWifi | None = None  # which the table can open for phones; None: it has none
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
