"""Finds which barrel stands at which seat: each says its name to the pad that it stands on.

A name counts once it was read twice, with the barrel's weight on its foot, while the pad is closed;
or, of one that can weigh, for longer than any pad is late, if that one says nothing. Where no name
comes, because a barrel or a receiver is dead or a set has none, nothing is certain: one SET at the
time of the pad's edge, and nobody else in the air, is likely, and everything else is asked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.sensing import seat_state
from companion.sensing.contact import ContactState, apply, stand
from companion.sensing.events import Placed, SecondPlaced, Taken
from companion.sensing.observations import (
    FOREVER_US,
    LONG_AGO_US,
    ChoosingBegan,
    ChoosingEnded,
    MeasuredTime,
    NameRead,
    PadChanged,
    Settled,
    StopperMessage,
)
from companion.sensing.seat_state import SeatEvents, SeatState
from companion.sensing.settings import Settings


@dataclass(frozen=True, slots=True)
class Placement:
    """All seats and barrels.

    >>> state, events = step(Placement(), Settled("red", 4, 1_000_000), Settings())
    >>> events[0].seat, events[0].stopper, events[0].confidence
    ('red', 4, 1.0)
    """

    seats: Mapping[str, SeatState] = field(default_factory=dict)
    barrels: Mapping[int, ContactState] = field(default_factory=dict)
    choosing_us: tuple[int, int] | None = None  # from when to when
    now_us: int = LONG_AGO_US
    due_us: int | None = None  # when something follows from hearing nothing


Seen = StopperMessage | PadChanged | NameRead | Settled | ChoosingBegan | ChoosingEnded


def step(state: Placement, seen: Seen, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Handle what was seen; return what there is to tell of it, and of the time before."""
    at_us = seen.heard_us if isinstance(seen, StopperMessage) else seen.at_us
    state, before = advance(state, at_us, settings)
    state = replace(state, now_us=max(state.now_us, at_us))
    state, events = _take(state, seen, settings)
    state, after = _review(state, settings)
    return state, (*before, *events, *after)


def advance(state: Placement, now_us: int, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Advance the time; return what follows from hearing nothing, however seldom this is called."""
    events: SeatEvents = ()
    while state.due_us is not None and state.due_us <= now_us:
        state, more = _review(replace(state, now_us=state.due_us), settings)
        events = (*events, *more)
    return state, events


def _take(state: Placement, seen: Seen, settings: Settings) -> tuple[Placement, SeatEvents]:
    match seen:
        case StopperMessage(stopper=stopper):
            before = state.barrels.get(stopper, ContactState())
            after = apply(before, seen, settings.seating)
            stayed = [seat_state.stayed(seat, seen) for seat in state.seats.values()]
            events = tuple(event for of_seat in stayed for event in of_seat)
            return replace(state, barrels={**state.barrels, stopper: after}), events
        case NameRead():
            return _name(state, seen, settings), ()
        case PadChanged(colour=colour):
            span, seat = state.choosing_us, state.seats.get(colour, SeatState(colour))
            begins = seat.playing and span is not None and span[0] <= seen.at_us <= span[1]
            seat, events = seat_state.handle_edge(seat, seen, begins, settings)
            return _with(state, seat), events
        case Settled():
            return _settle(state, seen, settings)
        case ChoosingBegan():  # with empty seats; what stands on a pad already was not chosen
            seats = {
                colour: SeatState(colour, playing=True, names=_names(state, colour))
                for colour in seen.seats
            }
            return replace(state, seats=seats, choosing_us=(seen.at_us, FOREVER_US)), ()
        case ChoosingEnded():
            began_us = state.choosing_us[0] if state.choosing_us else seen.at_us
            return replace(state, choosing_us=(began_us, seen.at_us)), ()


def _names(state: Placement, colour: str) -> Mapping[int, seat_state.NamesHeard]:
    return state.seats[colour].names if colour in state.seats else {}


def _with(state: Placement, *seats: SeatState) -> Placement:
    return replace(state, seats={**state.seats, **{seat.colour: seat for seat in seats}})


# --- what comes in ----------------------------------------------------------------------------


def _name(state: Placement, word: NameRead, settings: Settings) -> Placement:
    """Note a name; whoever says it on its foot stands, whatever the radio has told so far."""
    seat = state.seats.get(word.colour, SeatState(word.colour))
    state = _with(state, seat_state.handle_name(seat, word, settings))
    barrel = state.barrels.get(word.stopper)
    if barrel is None or not (word.stands and word.weighs):
        return state
    return replace(state, barrels={**state.barrels, word.stopper: stand(barrel, word.at_us)})


def _settle(state: Placement, settled: Settled, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Take people's word; whom they name stands nowhere else."""
    seat = state.seats.get(settled.colour, SeatState(settled.colour))
    moment = MeasuredTime(settled.at_us, 0)
    if settled.stopper is None:
        events: SeatEvents = ()
        if seat.placed is not None:
            events = (Taken(seat.colour, seat.placed.stopper, moment),)
        return _with(state, replace(seat_state.cleared(seat), settled=settled)), events
    stopper = None if settled.stopper < 0 else settled.stopper
    if seat.closed_us is not None:
        moment = MeasuredTime(seat.closed_us, settings.seating.edge_doubt_ms * 1000)
    only = () if stopper is None else (stopper,)
    placed = Placed(
        seat.colour, stopper, moment, 1.0, only, settled.mark, remembered=settled.remembered
    )
    events = (placed,)
    state = _with(state, replace(seat, settled=settled, placed=placed))
    for other in state.seats.values():
        if stopper is None or other.colour == seat.colour or not _counts(other, settings):
            continue
        if (
            other.settled.stopper if other.settled else other.placed and other.placed.stopper
        ) == stopper:
            events = (*events, Taken(other.colour, stopper, MeasuredTime(settled.at_us, 0)))
            stays = replace(other, placed=None, names={}, seconds=frozenset())
            state = _with(state, seat_state.cleared(other) if other.settled else stays)
    return state, events


# --- what follows -----------------------------------------------------------------------------


def _review(state: Placement, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Judge all seats again; return what is to be told, and know when to judge again."""
    events: SeatEvents = ()
    for judge in (_leave, _read, _guess):
        for colour in tuple(state.seats):
            state, more = judge(state, state.seats[colour], settings)
            events = (*events, *more)
    due = (at_us for seat in state.seats.values() for at_us in _due_us(state, seat, settings))
    due_us = min((at_us for at_us in due if at_us > state.now_us), default=None)
    return replace(state, due_us=due_us), events


def _leave(state: Placement, seat: SeatState, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Tell that a seat is empty: its barrel says so, or its pad, and no name speaks against it."""
    rules, placed = settings.seating, seat.placed
    stopper = placed.stopper if placed is not None and _counts(seat, settings) else None
    barrel = None if stopper is None else state.barrels.get(stopper)
    opened_us, since_us = seat.opened_us, _since_us(seat)
    at_us = None
    grace_us = 1000 * rules.grace_ms
    if opened_us is not None:
        lifted = barrel is not None and barrel.aloft and barrel.aloft_us > opened_us - grace_us
        waits_ms = rules.asks_ms if stopper is not None else rules.bounce_ms
        if lifted or state.now_us >= opened_us + 1000 * waits_ms:
            if not lifted and stopper is not None and seat.named_since(stopper, opened_us):
                return _with(state, replace(seat, opened_us=None, pad_says=False)), ()
            at_us = opened_us
    elif barrel is not None and barrel.aloft and barrel.aloft_us > since_us:
        if seat.remembers and barrel.aloft_us <= since_us + grace_us:
            return state, ()
        at_us = barrel.off_us if state.now_us >= barrel.off_us + grace_us else None
    if at_us is None:
        return state, ()
    events = () if placed is None else (seat_state.taken_event(placed, at_us, settings),)
    return _with(state, _emptied(seat, stopper)), events


def _emptied(seat: SeatState, gone: int | None) -> SeatState:
    """Return a seat that its barrel has left; who was beside it may stand there still."""
    rest = {who: heard for who, heard in seat.names.items() if who != gone}
    if seat.opened_us is None and seat.seconds and seat.closed_us is not None:
        return replace(seat, settled=None, placed=None, names=rest, seconds=frozenset())
    return seat_state.cleared(seat)


def _counts(seat: SeatState, settings: Settings) -> bool:
    return seat.settled is not None or seat.is_certain(settings)


def _since_us(seat: SeatState) -> int:
    """Return since when its barrel cannot have been lifted without leaving."""
    if seat.settled is not None:
        return seat.settled.at_us
    return LONG_AGO_US if seat.placed is None else seat.placed.moment.at_us


def _read(state: Placement, seat: SeatState, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Tell who has said its name on a pad: the first stands there, another one beside it."""
    events: SeatEvents = ()
    others = tuple(state.seats.values())
    for stopper, heard in sorted(seat.names.items(), key=lambda item: item[1].first.at_us):
        if not heard.known(settings.seating) or not _is_there(state, seat, heard, settings):
            continue
        if any(other.colour != seat.colour and other.claims(stopper) for other in others):
            continue  # people know better, until it leaves there
        first = seat.placed
        if seat.settled is not None and not seat.remembers:
            continue  # people know better
        if first is None or not seat.is_certain(settings) or seat.remembers:
            state, seat, more = _placed_by_name(state, seat, heard, settings)
            events = (*events, *more)
        elif first.stopper not in {None, stopper} and stopper not in seat.seconds:
            assert first.stopper is not None
            if seat.named_since(first.stopper, heard.first.at_us):  # both speak
                seat = replace(seat, seconds=seat.seconds | {stopper})
                at = _when(state, seat, heard, settings)
                events = (*events, SecondPlaced(seat.colour, first.stopper, stopper, at))
                state = _with(state, seat)
    return state, events


def _is_there(
    state: Placement, seat: SeatState, heard: seat_state.NamesHeard, settings: Settings
) -> bool:
    """Return whether something stands on the pad: as it says itself, or as names prove."""
    rules, span = settings.seating, state.choosing_us
    if seat.opened_us is not None:
        return False
    if seat.closed_us is not None:
        return heard.newest.at_us >= seat.closed_us - 1000 * rules.pad_late_ms
    if not seat.playing or span is None or not heard.proves(rules):
        return False
    return span[0] <= heard.since_us <= heard.first.at_us <= span[1]


def _placed_by_name(
    state: Placement, seat: SeatState, heard: seat_state.NamesHeard, settings: Settings
) -> tuple[Placement, SeatState, SeatEvents]:
    stopper, events = heard.newest.stopper, list[Placed | Taken]()
    for other in state.seats.values():
        stood = other.placed
        if other.colour != seat.colour and stood is not None and stood.stopper == stopper:
            if _counts(other, settings):
                at_us = other.opened_us or heard.first.at_us
                events.append(seat_state.taken_event(stood, at_us, settings))
            state = _with(state, seat_state.cleared(other))
    if seat.remembers and seat.placed is not None and seat.placed.stopper != stopper:
        events.append(seat_state.taken_event(seat.placed, heard.first.at_us, settings))
    barrel = state.barrels.get(stopper)
    at = _when(state, seat, heard, settings)
    mark = None if barrel is None else barrel.mark
    placed = Placed(seat.colour, stopper, at, settings.seating.named, (stopper,), mark)
    pad_says = seat.pad_says and seat.closed_us is not None
    closed_us = heard.first.at_us if seat.closed_us is None else seat.closed_us
    seat = replace(seat, placed=placed, settled=None, closed_us=closed_us, pad_says=pad_says)
    return _with(state, seat), seat, (*events, placed)


def _when(
    state: Placement, seat: SeatState, heard: seat_state.NamesHeard, settings: Settings
) -> MeasuredTime:
    """Return when it was set down: as its SET says if its words belong to that, or its pad."""
    barrel, rules = state.barrels.get(heard.newest.stopper), settings.seating
    if barrel is not None and barrel.down is not None and barrel.touch == heard.newest.touch:
        near_us = abs(barrel.down.at_us - heard.first.at_us)
        if heard.newest.weighs and near_us < 1000 * rules.word_gap_ms:
            return barrel.down
    at_us = heard.first.at_us if seat.closed_us is None or seat.placed else seat.closed_us
    return MeasuredTime(at_us, rules.edge_doubt_ms * 1000)


def _guess(state: Placement, seat: SeatState, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Tell what is only likely, or ask, where no name came in time; again when that changes."""
    rules = settings.seating
    if seat.closed_us is None or seat.opened_us is not None or _counts(seat, settings):
        return state, ()
    if state.now_us < seat.closed_us + 1000 * rules.asks_ms:
        return state, ()
    likely = _likely(state, seat, settings)
    sure = len(likely) == 1
    candidates = likely if sure else (*likely, *_others(state, likely, settings))
    best = candidates[0] if candidates else None
    confidence = rules.likely if sure else rules.asked
    at = MeasuredTime(seat.closed_us, rules.edge_doubt_ms * 1000)
    barrel = None if best is None else state.barrels.get(best)
    mark = None if barrel is None else barrel.mark
    placed = Placed(seat.colour, best, at, confidence, candidates, mark)
    before = seat.placed
    if before is not None and set(before.candidates) == set(candidates):
        return state, ()
    return _with(state, replace(seat, placed=placed)), (placed,)


def _likely(state: Placement, seat: SeatState, settings: Settings) -> tuple[int, ...]:
    """Return who may stand there by its SET: one alone if nobody else was in the air then."""
    rules, closed_us = settings.seating, seat.closed_us
    assert closed_us is not None
    near_us, apart = 1000 * rules.near_ms, dict[int, int]()
    elsewhere = _elsewhere(state, settings)
    for who, barrel in state.barrels.items():
        if who not in elsewhere and barrel.down is not None:
            off_us = abs(barrel.down.at_us - closed_us) - barrel.down.doubt_us
            if off_us < near_us:
                apart[who] = off_us
    aloft = [
        who
        for who, barrel in state.barrels.items()
        if barrel.aloft and barrel.off_us <= closed_us + near_us
        if who not in apart and who not in elsewhere
    ]
    silent = [] if apart or aloft else _thirteenth(state, elsewhere, settings)
    return (*sorted(apart, key=lambda who: (apart[who], who)), *sorted(aloft), *silent)


def _thirteenth(state: Placement, elsewhere: set[int], settings: Settings) -> list[int]:
    """Return who is not heard, if all others are accounted for: they stand, or were named."""
    silent = [
        who
        for who in range(1, settings.seating.barrels + 1)
        if who not in elsewhere
        and not state.barrels.get(who, ContactState()).speaks(state.now_us, settings.seating)
    ]
    return silent if len(silent) == 1 else []


def _elsewhere(state: Placement, settings: Settings) -> set[int]:
    """Return who is known to stand at a seat."""
    return {
        seat.placed.stopper
        for seat in state.seats.values()
        if seat.placed is not None and seat.placed.stopper is not None and _counts(seat, settings)
    }


def _others(state: Placement, likely: tuple[int, ...], settings: Settings) -> tuple[int, ...]:
    """Return all others that may stand there: people know."""
    known = _elsewhere(state, settings) | set(likely)
    return tuple(sorted(who for who in state.barrels if who not in known))


def _due_us(state: Placement, seat: SeatState, settings: Settings) -> Iterator[int]:
    """Yield the times at which something follows from hearing nothing."""
    rules = settings.seating
    if seat.closed_us is not None:
        yield seat.closed_us + 1000 * rules.asks_ms
    if seat.opened_us is not None:
        yield seat.opened_us + 1000 * rules.bounce_ms
        yield seat.opened_us + 1000 * rules.asks_ms
    barrel = None if seat.placed is None else state.barrels.get(seat.placed.stopper or 0)
    if barrel is not None and barrel.aloft:
        yield barrel.off_us + 1000 * rules.grace_ms
