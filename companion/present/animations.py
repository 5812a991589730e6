"""What people are shown of each event, one after another, and for how long at least.

An event needs no picture: its sentence is shown a while all the same. A game that knows how its
events look brings `Animations`, a part of its kit. Moments are made of what everybody may know.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, Final

from markupsafe import Markup

from companion.core.game import Event, Outcome
from companion.core.plugin import KITS
from companion.present.fouls import foul_sentence
from companion.present.viewer import Viewer
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.system.text import SeatName, Text, seat_word

WITHDRAWN: Final = "withdrawn"


def begun(now: Snapshot) -> Iterator[Text]:
    """Yield who plays, once a match has begun."""
    if now.match is not None:
        seats = tuple(SeatName[seat.colour.upper()] for seat in now.seats)
        yield Text("{seats:and} {seats:#plays|play}.", seats=seats)


def put_right(then: Snapshot, now: Snapshot) -> Iterator[Text]:
    """Yield what people have undone or put right between two snapshots of a match."""
    if now.version == then.version:
        return
    rules = then.unrules
    if now.dropped > then.dropped or (now.acted == then.acted and now.view != then.view):
        yield Text("An earlier entry was corrected.")
    elif now.acted < then.acted:
        for event in then.undoes[:1]:
            yield Text("Taken back: {what}", what=Text(event.template, **event.values))
    elif rules is not None and _upheld(rules, now) is None:
        yield Text("A ruling is taken back.")
    elif then.over and not now.over:
        yield Text("The match goes on.")


def ruled(then: Snapshot, now: Snapshot) -> Iterator[Foul]:
    """Yield the fouls on which the table has ruled since, and those withdrawn."""
    known = {foul.raised.foul: _state(foul) for foul in then.fouls}
    for foul in now.fouls:
        state = _state(foul)
        if state is not None and known.get(foul.raised.foul, state) != state:
            yield foul


def _state(foul: Foul) -> object:
    """Return how a foul ended; None: it did not yet."""
    return WITHDRAWN if foul.raised.weight == WITHDRAWN else foul.upheld


def _upheld(ruling: Foul, now: Snapshot) -> bool | None:
    """Return how the table has ruled on this foul by now."""
    same = (foul.upheld for foul in now.fouls if foul.raised.foul == ruling.raised.foul)
    return next(same, None)


LOG: Final = logging.getLogger(__name__)
NOTHING: Final = Snapshot(-1)
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
    AnimationKind.REVEAL: 3000,
    AnimationKind.FOUL: 1500,
    AnimationKind.WIN: 3000,
}
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


What = Event | Foul | Outcome | Text  # what happened; a text says it of the match itself


@dataclass(frozen=True, slots=True, eq=False)  # each is itself: what is made of it is kept
class Remembered:
    """Something that happened, and with which version of the table people can know of it."""

    version: int
    number: int  # among what came with it
    what: What
    game: str | None
    settings: Any
    before: Any = None  # how everybody saw the game before; None: that is not known


@dataclass(frozen=True, slots=True)
class AnimationBuffer:
    """The newest of what happened in a match."""

    seen: Snapshot = NOTHING  # up to which all is remembered
    kept: tuple[Remembered, ...] = ()


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


def remembered(memory: AnimationBuffer, now: Snapshot) -> AnimationBuffer:
    """Return a memory after one more snapshot; it costs no more than what is new in it."""
    then = memory.seen
    if now.at_us < then.at_us or (now.match == then.match and now.version < then.version):
        return memory
    if now.match != then.match:
        news = () if then is NOTHING else begun(now)  # otherwise it began long ago
        return AnimationBuffer(now, _numbered(None, now, [*news, *now.happened, *now.fouls]))
    kept = memory.kept
    if then.happened and not now.happened and now.acted <= then.acted:
        kept = ()  # taken back, or put right: what came of it is no longer shown
    return AnimationBuffer(now, (*kept, *_numbered(then.view, now, _new(then, now)))[-KEPT:])


def _new(then: Snapshot, now: Snapshot) -> list[What]:
    """Return what happened since: events follow one upon another, or start over with a deed."""
    goes_on = bool(then.happened and now.happened) and then.happened[0] is now.happened[0]
    new: list[What] = [*put_right(then, now)]
    new += now.happened[len(then.happened) if goes_on else 0 :]
    new += ruled(then, now)
    new += now.fouls[len(then.fouls) :]
    if now.outcome is not None and then.outcome is None:
        new.append(now.outcome)
    return new


def _numbered(before: Any, now: Snapshot, new: list[Any]) -> tuple[Remembered, ...]:
    return tuple(
        Remembered(now.version, place, what, now.game, now.settings, before)
        for place, what in enumerate(new[-KEPT:])
    )


def moments(memory: AnimationBuffer, now: Snapshot, reader: Viewer) -> list[Animation]:
    """Return what people are shown of what is remembered, the oldest first."""
    if memory.seen.match != now.match:
        return []
    return list(_moments(memory, now.version, reader))


def _moments(memory: AnimationBuffer, version: int, reader: Viewer) -> Iterator[Animation]:
    won, last = -1, (-1, "")  # the version in which a game itself said who has won; what was said
    for memory_entry in memory.kept:
        if memory_entry.version > version:
            return
        moment = _moment(memory_entry, reader)
        if isinstance(memory_entry.what, Event) and moment.picture.kind is AnimationKind.WIN:
            won = memory_entry.version
        if isinstance(memory_entry.what, Outcome) and won == memory_entry.version:
            continue  # the game has said so itself
        spoken = memory_entry.version, moment.sentence
        if not moment.sentence or (moment.picture == PLAIN and last == spoken):
            continue  # said once more it tells nothing, such as six cards for one player
        last = spoken
        yield moment


@lru_cache(maxsize=MADE)
def _moment(memory_entry: Remembered, reader: Viewer) -> Animation:
    picture, sentence = _picture(memory_entry, reader), _said(memory_entry.what, reader)
    return Animation(
        f"moment-{memory_entry.version}-{memory_entry.number}",
        memory_entry.version,
        picture.kind.value,
        sentence,
        _said(memory_entry.what, reader.as_all()) if reader.seat else sentence,
        least_ms(picture),
        _seat(memory_entry.what),
        picture,
    )


def _picture(memory_entry: Remembered, reader: Viewer) -> EventPicture:
    match memory_entry.what:
        case Event() as event:
            return pictured(event, memory_entry.before, memory_entry, reader)
        case Foul():
            return EventPicture(AnimationKind.FOUL)
        case Outcome(winners):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, winners)))
    return PLAIN


def _said(what: What, reader: Viewer) -> str:
    match what:
        case Foul() as foul:
            return foul_sentence(foul, reader)
        case Outcome(winners):
            seats = tuple(map(SeatName, winners))
            return reader.say("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=seats)
    return reader.say(what)


def pictured(event: Event, before: Any, of: Snapshot | Remembered, reader: Viewer) -> EventPicture:
    """Return how an event looks; one that its game does not speak of is plain."""
    kit = KITS.get(of.game or "")
    part = None if kit is None else kit.part(Animations)
    if kit is None or part is None:
        return PLAIN
    try:
        return part.picture(event, before, of.settings, reader) or PLAIN
    except Exception:
        if not kit.do_without(Animations.part):
            raise
        LOG.exception("What happens in the game %s is told without pictures.", of.game)
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
