"""What the terminal needs of a game without barrels, beside what phones say of it.

It must not know any one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from companion.core.game import Event, Game, Seat, seat_word
from companion.present.page import GamePage
from companion.present.reader import Reader
from companion.present.screen import Screen
from companion.referee.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be chosen."""

    text: str  # in the game's notation
    said: str
    group: str = ""  # what is chosen first, where there would be too many choices …
    within: str = ""  # … and then


@dataclass(frozen=True, slots=True)
class Look:
    """How one game looks in the terminal; a view is that of whoever reads."""

    page: GamePage  # its words
    picture: Callable[[Screen, Reader, Any, Any], Iterable[str]]  # of settings and a view
    hand: Callable[[Reader, Any], Iterable[str]]  # what only the reader sees
    offers: Callable[[Snapshot, Reader], Iterable[Offer]]
    milestone: type[Event]  # after it whoever just watches is shown a picture
    quiet: tuple[type[Event], ...] = ()  # what needs no line of its own

    def drawn(
        self, screen: Screen, game: Game[Any], state: Any, seat: Seat | None
    ) -> Iterable[str]:
        """Return where all stand, as one seat may see it; None: as everybody may."""
        view, reader = game.view(state, seat), reader_of(screen, seat)
        return self.picture(screen, reader, game.settings, view)


def reader_of(screen: Screen, seat: Seat | None) -> Reader:
    """Return a seat at the keyboard as the phones' words know it; None: somebody who watches."""
    return Reader(screen.language, None if seat is None else seat_word(seat))
