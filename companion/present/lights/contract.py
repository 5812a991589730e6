"""The contract of a game's lights: what they show, what a button offers, and what that means.

A game without lights of its own is lit by whose turn it is.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.core.game import TABLE, Seat
from companion.core.plugin import PLUGINS
from companion.present.lights import legend, patterns
from companion.present.lights.canvas import LAMPS, LightCanvas, breathe
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot
from companion.system.text import SEATS

Draw = Callable[[LightCanvas, Snapshot, Any, int], None]  # a game's view, at a time
Tell = Callable[[Snapshot, Any], Iterable[legend.LegendEntry]]  # what matters most first
DrawOffer = Callable[[LightCanvas, Snapshot, SeatView, ButtonOption, int], bool]  # False: not drawn
TellOffer = Callable[[Snapshot, ButtonOption], Iterable[legend.LegendEntry]]


@dataclass(frozen=True, slots=True)
class Lights:
    """What the lights show of a game, and what it means; both get what everybody may know."""

    part: ClassVar[str] = "lights"

    draw: Draw  # a match that goes on
    tell: Tell
    draw_offer: DrawOffer = lambda *_: False  # an action that a button has brought up
    tell_offer: TellOffer = lambda *_: (legend.WAITS,)
    draw_left: Draw = lambda *_: None  # a match that was given up
    tell_left: Tell = lambda *_: ()
    melody: Callable[[Snapshot], patterns.Melody] = lambda _: patterns.SILENT  # after an action


def lights_of(game: str | None) -> Lights:
    lights = None if game is None or game not in PLUGINS else PLUGINS[game].part(Lights)
    return lights or BY_TURNS


def elsewhere(seats: Iterable[Seat]) -> Iterator[legend.LegendEntry]:
    """Tell what is shown of those of the seats that have no lights."""
    if max(seats, default=0) >= LAMPS:
        yield legend.ELSEWHERE


def _breathe(picture: LightCanvas, now: Snapshot, view: Any, at_us: int) -> None:
    breathe(picture, _turns(now, view), at_us)


def _tell(now: Snapshot, view: Any) -> Iterator[legend.LegendEntry]:
    turns = _turns(now, view)
    if any(seat in range(LAMPS) for seat in turns):
        yield legend.TURN
    yield from elsewhere(turns)


def _turns(now: Snapshot, view: Any) -> tuple[Seat, ...]:
    """Return who may do something; a throw or a draw, where nobody chooses, is anybody's."""
    turns: tuple[Seat, ...] = getattr(view, "turns", ())
    return turns if turns != (TABLE,) else tuple(SEATS.index(seat.colour) for seat in now.seats)


BY_TURNS: Final = Lights(_breathe, _tell)
