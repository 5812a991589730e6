"""The live stream: tells every phone the newest state as soon as there is one.

The table's thread only rings; each phone's thread then takes whatever is newest, so that a slow
reader skips what is outdated and nothing waits for a phone.

Once all places are taken, one who only watches makes room: the oldest from where most of them
watch. A phone that plays along always gets that place, and another watcher if fewer watch from
where it is. So nobody keeps anybody out, and a household behind one address has all that is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from threading import Condition
from time import monotonic
from typing import Final, Self

STREAMS: Final = 48
HEARTBEAT_S: Final = 10.0  # a phone that hears nothing for longer calls again
HELLO: Final = b"retry: 1000\n\n"  # sent at once, so that the phone knows that the line is open
HEARTBEAT: Final = b"event: beat\ndata: {}\n\n"  # not a comment: pages do not hear those


@dataclass(frozen=True, slots=True)
class Sent:
    """What a phone gets: one line of text, and a mark by which it is recognised.

    >>> Sent.of('{"a": 1}').mark == Sent.of('{"a": 1}').mark
    True
    """

    text: str
    mark: str

    @classmethod
    def of(cls, text: str) -> Self:
        """Return a text with its mark: the same for the same text, also after a restart."""
        return cls(text, blake2b(text.encode(), digest_size=9).hexdigest())


@dataclass(frozen=True, slots=True)
class Line:
    """The line to one phone: where it comes from, whether it plays along, and its end."""

    origin: str
    plays: Callable[[], bool] = bool
    gone: Callable[[], bool] = bool
    hang_up: Callable[[], object] = bool  # has it be gone soon, also if it reads nothing


class Stream:
    """Everybody who listens."""

    def __init__(self, limit: int = STREAMS, heartbeat_s: float = HEARTBEAT_S) -> None:
        self.serial = 0  # counts whatever is new
        self.closed = False
        self._listening: list[Listening] = []  # the oldest first
        self._limit, self.heartbeat_s = limit, heartbeat_s
        self._bell = Condition()

    @property
    def held(self) -> int:
        """Return how many listen now."""
        return len(self._listening)

    def changed(self) -> None:
        """Say that there is something new; the table's thread calls this and never waits."""
        with self._bell:
            self.serial += 1
            self._bell.notify_all()

    def stir(self) -> None:
        """Let everybody look whether their phone is still there."""
        with self._bell:
            self._bell.notify_all()

    def close(self) -> None:
        """End every stream; nobody can listen any more."""
        self.closed = True
        self.stir()

    def listen(
        self, event: str, newest: Callable[[], Sent], seen: str | None, line: Line
    ) -> Listening | None:
        """Return what to send to a phone that last saw `seen`; None: too many listen."""
        with self._bell:
            if self.closed or not (self.held < self._limit or self._made_room(line)):
                return None
            listening = Listening(self, event, newest, seen, line)
            self._listening.append(listening)
        return listening

    def _made_room(self, line: Line) -> bool:
        """Have a watcher end for the sake of another phone; False: nobody has to."""
        watching = [one for one in self._listening if not one.line.plays()]
        count = Counter(one.line.origin for one in watching)
        most = max(watching, key=lambda one: count[one.line.origin], default=None)
        if most is None:
            return False
        if not line.plays() and count[line.origin] + 1 >= count[most.line.origin]:
            return False
        self._listening.remove(most)
        most.line.hang_up()
        self._bell.notify_all()
        return True

    def wait(self, serial: int, ended: Callable[[], bool], most_s: float) -> None:
        """Wait until something is new or over, but not for longer than this."""
        with self._bell:
            self._bell.wait_for(lambda: ended() or self.serial != serial, most_s)

    def has(self, listening: Listening) -> bool:
        """Tell whether somebody still has a place."""
        return listening in self._listening

    def left(self, listening: Listening) -> None:
        """Give a place back; once more does no harm."""
        with self._bell:
            if listening in self._listening:
                self._listening.remove(listening)


class Listening(Iterator[bytes]):
    """What one phone gets, piece by piece; whoever sends it closes it."""

    def __init__(
        self,
        stream: Stream,
        event: str,
        newest: Callable[[], Sent],
        seen: str | None,
        line: Line,
    ) -> None:
        self._stream, self._event, self._newest, self.line = stream, event, newest, line
        self._seen = seen
        self._serial: int | None = None  # of what was sent last; None: nothing yet
        self._beats_s = 0.0  # when something has to be sent, be it nothing but a heartbeat

    def __next__(self) -> bytes:
        """Return the next piece as soon as there is one."""
        piece = self._next()
        self._beats_s = monotonic() + self._stream.heartbeat_s
        return piece

    def _next(self) -> bytes:
        if self._serial is None:
            self._serial = -1
            return HELLO
        while not self._ended():
            if self._serial == self._stream.serial:
                rest_s = max(0.0, self._beats_s - monotonic())
                self._stream.wait(self._serial, self._ended, rest_s)
            self._serial = self._stream.serial  # before looking, so that nothing new is missed
            sent = self._newest()
            if sent.mark != self._seen:
                self._seen = sent.mark
                return f"event: {self._event}\nid: {sent.mark}\ndata: {sent.text}\n\n".encode()
            if monotonic() >= self._beats_s:  # also where what is new concerns others alone
                return HEARTBEAT
        raise StopIteration

    def _ended(self) -> bool:
        return self._stream.closed or self.line.gone() or not self._stream.has(self)

    def close(self) -> None:
        """Give the place back, once."""
        self._stream.left(self)
