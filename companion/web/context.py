"""The context of all pages: the table, pairing, people, and the caches of earlier matches."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Lock
from time import monotonic
from typing import IO, TYPE_CHECKING, Final
from weakref import finalize

from companion.present.animations import RecentEvents
from companion.referee.people.store import KeptPeople
from companion.web import match_cache, ports
from companion.web.cafe import KeptCafe
from companion.web.common.tls import Https

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.present.simulated_hands import Hands
    from companion.web.common.addresses import OwnAddresses
    from companion.web.first_run_page import FirstRun
    from companion.web.pairing import Pairing
    from companion.web.wifi_page import OwnWifi


OPEN_S: Final = 45.0  # a page that was asked for so long ago may still be open
KEPT_S: Final = 600.0  # for so long a phone may fetch what was made for it, or go on with a file


class HeldFile:
    """A file without a name on the disk, which is closed with this, whoever else knows of it."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        finalize(self, file.close)


class OpenSetup:
    """Whether somebody has the set-up page open, which asks again and again."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s, self._seen_s = clock_s, -inf

    def see(self) -> None:
        """Note that a phone has asked for it."""
        self._seen_s = self._clock_s()

    def __bool__(self) -> bool:
        return self._clock_s() < self._seen_s + OPEN_S


class Uploads:
    """A file that a phone sends in parts, as no request is large: nobody need keep all in memory.

    Nothing of it is left behind, whatever ends the program.

    >>> uploads = Uploads()
    >>> uploads.add("phone", 0, 5, b"abc"), uploads.whole("phone")
    (3, None)
    >>> uploads.add("phone", 3, 5, b"de"), uploads.add("phone", 3, 5, b"de")
    (5, 5)
    >>> uploads.whole("phone").read()
    b'abcde'
    """

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._lock, self._clock_s = Lock(), clock_s
        self._phone, self._size, self._got = "", 0, 0
        self._held: HeldFile | None = None
        self._used_s = -inf

    def add(self, phone: str, at: int, size: int, data: bytes, folder: Path | None = None) -> int:
        """Take the part of a file that begins there, or once more; return how much there is.

        What begins at 0 is a new one, in the place of any other. LookupError: it is another part
        than the next one.
        """
        with self._lock:
            if not at:
                self._held = None  # first: there may be no room for both
                self._held = HeldFile(TemporaryFile(dir=folder))  # noqa: SIM115 - it waits for its parts
                self._phone, self._size, self._got = phone, size, 0
            self._used_s = self._clock_s()
            if self._held is None or (phone, size) != (self._phone, self._size):
                raise LookupError(at)
            if at + len(data) != self._got:  # else its answer was lost
                if at != self._got or at + len(data) > size:
                    raise LookupError(at)
                self._held.file.write(data)
                self._got += len(data)
            return self._got

    def whole(self, phone: str) -> IO[bytes] | None:
        """Return a phone's file, once all of it is there."""
        with self._lock:
            if self._held is None or phone != self._phone or self._got < self._size:
                return None
            self._used_s = self._clock_s()
            self._held.file.seek(0)
            return self._held.file

    def forget(self, unused_s: float = -inf) -> None:
        """Delete it, if nobody has used it for so long."""
        with self._lock:
            if self._clock_s() >= self._used_s + unused_s:
                self._held = None


class CareDesk:
    """What was made for a phone to fetch, and what it has unlocked: nothing for any other phone."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self.clock_s, self.wrong_s = clock_s, list[float]()  # when passphrases were wrong
        self.busy = Lock()  # one thing is done at a time
        self._lock, self._used_s = Lock(), -inf
        self._made: tuple[str, HeldFile, str] | None = None  # for which phone, by which name
        self._plain: tuple[IO[bytes], HeldFile] | None = None  # of what it sent, and what that is

    def keep(self, phone: str, made: IO[bytes], name: str) -> None:
        """Keep what was made for a phone until it is fetched."""
        with self._lock:
            self._made, self._used_s = (phone, HeldFile(made), name), self.clock_s()

    def fetch(self, phone: str) -> tuple[IO[bytes], str] | None:
        """Return what was made for a phone, to be read from its start and closed, and its name."""
        with self._lock:
            if self._made is None or not phone or self._made[0] != phone:
                return None
            _, made, name = self._made
            return Path(f"/proc/self/fd/{made.file.fileno()}").open("rb"), name

    def unlock(self, sent: IO[bytes], plain: IO[bytes]) -> None:
        """Keep what is in a file that was sent; as long as that is there it is open."""
        with self._lock:
            self._plain, self._used_s = (sent, HeldFile(plain)), self.clock_s()

    def unlocked(self, sent: IO[bytes]) -> IO[bytes] | None:
        """Return what is in just this file; None: nobody has unlocked it."""
        with self._lock:
            if self._plain is None or self._plain[0] is not sent:
                return None
            self._used_s = self.clock_s()
            return self._plain[1].file

    def forget(self, unused_s: float = -inf) -> None:
        """Delete all of it, if nobody has used it for so long."""
        with self._lock:
            if self.clock_s() >= self._used_s + unused_s:
                self._made = self._plain = None


@dataclass(frozen=True, slots=True)
class WebContext:
    """All that the pages consist of besides the web."""

    room: ports.TablePort
    pairing: Pairing
    here: OwnAddresses  # the names and addresses by which phones may call us
    # people's by seat, if any sit there; None: the table is real
    hands: Mapping[str, Hands] | None = None
    folder: Path | None = None  # where the table keeps what it must not lose; None: nowhere
    recent: RecentEvents = field(default_factory=RecentEvents)  # what happened last
    people: KeptPeople = field(default_factory=KeptPeople)
    set_up: OpenSetup = field(default_factory=OpenSetup)
    cafe: KeptCafe = field(default_factory=KeptCafe)
    first_run: FirstRun | None = None  # None: nothing is asked, as the table is for one evening
    https: Https = field(default_factory=Https)
    own_wifi: OwnWifi | None = None  # which the table can open for phones; None: it has none
    uploads: Uploads = field(default_factory=Uploads)
    desk: CareDesk = field(default_factory=CareDesk)
    restored: Event = field(default_factory=Event)  # a backup waits for the table to begin anew
    library: match_cache.MatchCache = field(init=False)

    def __post_init__(self) -> None:
        """Let all pages read the past in one place."""
        object.__setattr__(self, "library", match_cache.MatchCache(self.room))

    def forget_files(self, unused_s: float = -inf) -> None:
        """Delete what phones sent and what was made for them, if it was not used for so long."""
        self.uploads.forget(unused_s)
        self.desk.forget(unused_s)

    @property
    def home(self) -> str:
        """Return where people play: at a simulated table the barrels are on the page, too."""
        return "/simulated" if self.hands else "/"
