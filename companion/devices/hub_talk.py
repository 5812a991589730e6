"""What one opening of a line says, from its first byte to its last: whose it is, then its messages.

It must not know ports or states, and reads no clock; so a recording gives the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion import wire


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the hub, and when its last byte arrived on the host's clock."""

    at_us: int
    said: wire.Said


Listener = Callable[[Heard], None]


class Talk:
    """Bytes in, messages out, as soon as the right hub has told its id.

    `wanted` is that id, such as "24:0a:c4:00:00:01"; None takes any hub.
    """

    def __init__(self, wanted: str | None) -> None:
        self._line = wire.Line(wire.FROM_HUB)
        self._wanted = wanted.lower() if wanted else None
        self.hub: str | None = None  # the id, once it is the right one
        self.other: str | None = None  # the id of a wrong one
        self.foreign: int | None = None  # the version of a language that we do not speak
        self.early = 0  # messages that came before the id

    @property
    def losses(self) -> Mapping[str, int]:
        """Return how many frames were lost, and to what."""
        return self._line.losses

    def feed(self, at_us: int, data: bytes) -> tuple[list[Heard], int]:
        """Return the messages for us, and how many whole frames there were at all."""
        said = self._line.hear(data)
        heard: list[Heard] = []
        for one in said:
            if isinstance(one, wire.Foreign):
                self.foreign = one.version
            elif self._ours(one):
                heard.append(Heard(at_us, one))
        return heard, len(said)

    def _ours(self, said: wire.Said) -> bool:
        address = getattr(said.fields, "hub", None)
        if address is not None:
            self._meet(bytes(address).hex(":"))
        if self.hub is None:
            self.early += 1
        return self.hub is not None

    def _meet(self, found: str) -> None:
        if self._wanted in (None, found):
            self.hub, self.other = found, None
        else:
            self.hub, self.other = None, found
