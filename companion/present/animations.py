"""Animations: what people are shown of each event, one after another, and how long at least.

An event needs no picture: its sentence is shown a while all the same. A game that knows how its
events look brings `Animations`, a part of its plugin. Moments are made of what everybody may know.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import groupby
from typing import Any, ClassVar, Final

from markupsafe import Markup

from companion.core.game import Event, Outcome
from companion.core.plugin import PLUGINS
from companion.present.fouls import foul_sentence
from companion.present.viewer import Viewer
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot, TableEvent, What
from companion.system.text import SeatName, seat_word

LOG: Final = logging.getLogger(__name__)
KEPT: Final = 40  # moments that a phone can still catch up with
MADE: Final = 2 * 7 * KEPT  # for every language and role, though seldom all are read
Spot = tuple[float, float]  # in the units of the board's picture


class AnimationKind(Enum):
    """What sort of thing happened, as a page shows it and as it sounds."""

    PLAIN = "plain"
    DICE = "dice"
    CARD = "card"
    MOVE = "move"
    BANISH = "banish"
    TRICK = "trick"
    REVEAL = "reveal"
    FOUL = "foul"
    WIN = "win"


LEAST_MS: Final = {
    AnimationKind.PLAIN: 700,
    AnimationKind.DICE: 900,
    AnimationKind.CARD: 700,
    AnimationKind.MOVE: 700,
    AnimationKind.BANISH: 1200,
    AnimationKind.TRICK: 1500,
    AnimationKind.REVEAL: 1500,
    AnimationKind.FOUL: 1500,
    AnimationKind.WIN: 3000,
}
TURNED_MS: Final = 3500  # in which all barrels are turned at once, and seats find their order
FIELD_MS: Final = 180  # in which a piece goes from one field to the next
ARRIVED_MS: Final = 300  # … and for which it stands where it came to


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece of the board's picture goes from where it stands over these spots, one by one."""

    piece: str  # its data-pawn…
    step: str  # …and its data-step,
    end: str  # which becomes this
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class EventPicture:
    """How an event looks; what is left out, it has not."""

    kind: AnimationKind = AnimationKind.PLAIN
    least_ms: int = 0  # 0: as usual for its kind
    number: int | None = None  # that the dice show, or a barrel
    dice: int = 1  # … of which only the sum is known, if there are several
    limit: int | None = None  # up to which a revealed number counts
    walks: tuple[PieceMove, ...] = ()
    drawings: tuple[Markup, ...] = ()  # cards or tokens
    goes_to: str = ""  # the id of the element that these go to in the end
    order: tuple[str, ...] = ()  # seats, one after another
    shows: tuple[tuple[str, int], ...] = ()  # which seats' barrels are turned at once, to what

    def __post_init__(self) -> None:
        """Raise a ValueError for what no page could draw."""
        if self.number is None and self.kind in {AnimationKind.DICE, AnimationKind.REVEAL}:
            raise ValueError(f"a picture of the kind {self.kind.value} needs a number")
        if self.kind is AnimationKind.DICE and self.dice == 1 and self.number not in range(1, 7):
            raise ValueError(f"no die shows {self.number}")


PLAIN: Final = EventPicture()


@dataclass(frozen=True, slots=True)
class Animations:
    """How the events of a game look, by the view before them and the settings of the match."""

    part: ClassVar[str] = "moments"

    picture: Callable[[Event, Any, Any, Viewer], EventPicture | None]


@dataclass(frozen=True, slots=True)
class Animation:
    """One thing that people are shown."""

    id: str
    version: int
    kind: str
    sentence: str
    aloud: str  # the same, to everybody who hears it
    least_ms: int
    seat: str  # whose it is; empty: nobody's
    picture: EventPicture
    brief: str = ""  # what is written of several at once, if that is too much to read


class RecentEvents:
    """The newest events of the match that is played; one thread updates it, any may read."""

    def __init__(self) -> None:
        self._newest: tuple[str | None, tuple[TableEvent, ...]] = None, ()  # of this match

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        """Keep what happened; what a correction overtakes is no longer shown."""
        match, kept = self._newest
        if snapshot.match != match:
            kept = ()
        for event in events:
            kept = (event,) if event.corrects else (*kept, event)
        self._newest = snapshot.match, kept[-KEPT:]

    def moments(self, now: Snapshot, reader: Viewer) -> list[Animation]:
        """Return what a reader of a snapshot is shown of it, the oldest first."""
        match, kept = self._newest
        known = [event for event in kept if event.version <= now.version]
        return [*at_once(moments(known, reader))] if match == now.match else []


def moments(events: Iterable[TableEvent], reader: Viewer) -> list[Animation]:
    """Return what people are told of what happened, the oldest first."""
    return list(_moments(events, reader))


def at_once(shown: Iterable[Animation]) -> Iterator[Animation]:
    """Yield what people are shown, one moment after another.

    Barrels that are turned at once are one moment, with the order of moves that comes of them.
    """
    for (_, turned), run in groupby(shown, lambda each: (each.version, _turned(each))):
        if turned:
            yield _joined([*run])
        else:
            yield from run


def _turned(animation: Animation) -> bool:
    plain = animation.picture.kind is AnimationKind.PLAIN
    return animation.picture.kind is AnimationKind.REVEAL or (
        plain and bool(animation.picture.order)
    )


def _joined(run: Sequence[Animation]) -> Animation:
    first, last = run[0], run[-1]
    reveals = [animation for animation in run if animation.picture.kind is AnimationKind.REVEAL]
    if len(run) == 1 or not reveals:
        return first
    shows = tuple((animation.seat, animation.picture.number or 0) for animation in reveals)
    return replace(
        first,
        sentence=" ".join(animation.sentence for animation in run),
        aloud=" ".join(animation.aloud for animation in run),
        least_ms=TURNED_MS,
        seat=first.seat if len(reveals) == 1 else "",
        brief=last.sentence,
        picture=replace(first.picture, shows=shows, order=last.picture.order),
    )


def _moments(events: Iterable[TableEvent], reader: Viewer) -> Iterator[Animation]:
    won, last = -1, (-1, "")  # the version in which a game itself said who has won; what was said
    for event in events:
        moment = _moment(event, reader)
        if isinstance(event.what, Event) and moment.picture.kind is AnimationKind.WIN:
            won = event.version
        if isinstance(event.what, Outcome) and won == event.version:
            continue  # the game has said so itself
        spoken = event.version, moment.sentence
        if not moment.sentence or (moment.picture == PLAIN and last == spoken):
            continue  # said once more it tells nothing, such as six cards for one player
        last = spoken
        yield moment


@lru_cache(maxsize=MADE)
def _moment(happened: TableEvent, reader: Viewer) -> Animation:
    picture, text = _picture(happened, reader), sentence(happened.what, reader)
    return Animation(
        f"moment-{happened.version}-{happened.number}",
        happened.version,
        picture.kind.value,
        text,
        sentence(happened.what, reader.as_all()) if reader.seat else text,
        least_ms(picture),
        _seat(happened.what),
        picture,
    )


def _picture(happened: TableEvent, reader: Viewer) -> EventPicture:
    match happened.what:
        case Event() as event:
            return pictured(event, happened.before, happened, reader)
        case Foul():
            return EventPicture(AnimationKind.FOUL)
        case Outcome(winners):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, winners)))
    return PLAIN


def sentence(what: What, reader: Viewer) -> str:
    """Return what happened, in words."""
    match what:
        case Foul() as foul:
            return foul_sentence(foul, reader)
        case Outcome(winners):
            seats = tuple(map(SeatName, winners))
            return reader.say("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=seats)
    return reader.say(what)


def pictured(event: Event, before: Any, of: Snapshot | TableEvent, reader: Viewer) -> EventPicture:
    """Return how an event looks; one that its game does not speak of is plain."""
    plugin = PLUGINS.get(of.game or "")
    part = None if plugin is None else plugin.part(Animations)
    if plugin is None or part is None:
        return PLAIN
    try:
        return part.picture(event, before, of.settings, reader) or PLAIN
    except Exception:
        if not plugin.do_without(Animations.part):
            raise
        LOG.exception("The events of the game %s are shown without animations.", of.game)
        return PLAIN


def least_ms(picture: EventPicture) -> int:
    """Return for how long something is shown at least; a piece needs its time for each field."""
    fields = max((len(walk.spots) for walk in picture.walks), default=0)
    walks_ms = fields * FIELD_MS + ARRIVED_MS if picture.kind is AnimationKind.MOVE else 0
    return picture.least_ms or max(LEAST_MS[picture.kind], walks_ms)


def _seat(what: object) -> str:
    if isinstance(what, Foul):
        return what.raised.seat or ""
    seat = getattr(what, "seat", None)
    return seat_word(seat) if isinstance(seat, int) and seat >= 0 else ""
