"""The live stream: tells every phone the newest state as soon as there is one.

It must not know pages nor the table. The table's thread only rings; each phone's thread then takes
whatever is newest, so that a slow reader skips what is outdated and nothing waits for a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from threading import Condition
from typing import Final, Self

STREAMS: Final = 48
HEARTBEAT_S: Final = 10.0  # a phone that hears nothing for longer calls again
HELLO: Final = b"retry: 1000\n\n"  # sent at once, so that the phone knows that the line is open
HEARTBEAT: Final = b"event: beat\ndata: {}\n\n"  # not a comment, of which pages hear nothing


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


class Stream:
    """Everybody who listens."""

    def __init__(self, limit: int = STREAMS, heartbeat_s: float = HEARTBEAT_S) -> None:
        self.serial = 0  # counts whatever is new
        self.held = 0  # how many listen now
        self.closed = False
        self._limit, self._heartbeat_s = limit, heartbeat_s
        self._bell = Condition()

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
        self, event: str, newest: Callable[[], Sent], seen: str | None, gone: Callable[[], bool]
    ) -> Listening | None:
        """Return what to send to a phone that last saw `seen`; None: too many listen."""
        with self._bell:
            if self.closed or self.held >= self._limit:
                return None
            self.held += 1
        return Listening(self, event, newest, seen, gone)

    def rung(self, serial: int, gone: Callable[[], bool]) -> bool:
        """Wait until there is something else to do than to send a heartbeat."""
        with self._bell:
            return self._bell.wait_for(
                lambda: self.closed or gone() or self.serial != serial, self._heartbeat_s
            )

    def left(self) -> None:
        """Give a place back."""
        with self._bell:
            self.held -= 1


class Listening(Iterator[bytes]):
    """What one phone gets, piece by piece; whoever sends it closes it."""

    def __init__(
        self,
        stream: Stream,
        event: str,
        newest: Callable[[], Sent],
        seen: str | None,
        gone: Callable[[], bool],
    ) -> None:
        self._stream, self._event, self._newest, self._gone = stream, event, newest, gone
        self._seen = seen
        self._serial: int | None = None  # of what was sent last; None: nothing yet
        self._left = False

    def __next__(self) -> bytes:
        """Return the next piece as soon as there is one."""
        if self._serial is None:
            self._serial = -1
            return HELLO
        while not (self._stream.closed or self._gone()):
            rung = self._serial != self._stream.serial or self._stream.rung(
                self._serial, self._gone
            )
            self._serial = self._stream.serial  # before looking, so that nothing new is missed
            sent = self._newest()
            if sent.mark != self._seen:
                self._seen = sent.mark
                return f"event: {self._event}\nid: {sent.mark}\ndata: {sent.text}\n\n".encode()
            if not rung:
                return HEARTBEAT
        raise StopIteration

    def close(self) -> None:
        """Give the place back, once."""
        if not self._left:
            self._left = True
            self._stream.left()
