"""Finds which barrel stands at which seat: each says its name to the pad that it stands on.

A name counts once it was read twice, with the barrel's weight on its foot, while the pad is closed;
or, of one that can weigh, for longer than any pad is late, if that one says nothing. Where no name
comes, because a barrel or a receiver is dead or a set has none, nothing is certain: one SET at the
time of the pad's edge, and nobody else in the air, is likely, and everything else is asked.

What people say holds until something new happens at that seat; a name outranks all that is only
likely. What a stopper tells may arrive late: what is older changes nothing newer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.sensing.events import Placed, SecondPlaced, Stayed, Taken
from companion.sensing.name_word import TOUCHES
from companion.sensing.observations import (
    EVENT_NUMBERS,
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
from companion.sensing.settings import PlacementSettings, Settings

MOVED = 2  # events at least: LIFT and SET
SeatEvents = tuple[Placed | SecondPlaced | Stayed | Taken, ...]


# --- one barrel ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ContactState:
    """One barrel, as far as its stopper has told."""

    heard_us: int = LONG_AGO_US  # when it was heard last
    mark: tuple[int, int] | None = None  # its boot and its newest event; None: none came yet
    down: MeasuredTime | None = None  # its newest SET…
    touch: int = -1  # …and what its words say of that since then
    stood_us: int = LONG_AGO_US  # the newest time at which it stood on its foot
    aloft_us: int = LONG_AGO_US  # … at which it did not
    off_us: int = LONG_AGO_US  # … and the first such since it stood

    @property
    def aloft(self) -> bool:
        """Whether the newest that is known is that it does not stand."""
        return self.aloft_us > self.stood_us

    def speaks(self, now_us: int, settings: PlacementSettings) -> bool:
        """Return whether it was heard lately, so that it would say what is done to it."""
        return now_us - self.heard_us <= settings.silent_ms * 1000


def touched(
    barrel: ContactState, felt: StopperMessage, settings: PlacementSettings
) -> ContactState:
    """Return what is known of a barrel after one more of its messages."""
    at_us = felt.moment.at_us
    barrel = replace(barrel, heard_us=max(barrel.heard_us, felt.heard_us))
    if "event" in felt.fields:
        event = (felt.boot, int(felt.fields["event"]))
        newest = max(barrel.mark or event, event)
        barrel = replace(barrel, mark=newest)
    match felt.name:
        case "SET":
            if barrel.down is None or at_us > barrel.down.at_us:
                blind_us = 500 * int(felt.fields.get("blind_ms", 0))
                touch = int(felt.fields.get("event", -1)) % TOUCHES
                down = MeasuredTime(at_us - blind_us, felt.moment.doubt_us + blind_us)
                barrel = replace(barrel, down=down, touch=touch)
            return stand(barrel, at_us)
        case "LIFT" | "FLIP":
            return _float(barrel, at_us)
        case "STILL":
            return stand(barrel, at_us)
        case "FEATURES" if not felt.unread:
            load_mg, old_us = int(felt.fields["load_mg"]), at_us - settings.load_old_ms * 1000
            most_mg = int(felt.fields.get("load_max_mg", load_mg))  # a kicked table makes it hop
            if load_mg < settings.floats_mg:
                return barrel if most_mg > settings.stands_mg else _float(barrel, old_us)
            return stand(barrel, old_us) if load_mg > settings.stands_mg else barrel
    return barrel


def stand(barrel: ContactState, at_us: int) -> ContactState:
    """Let it stand on its foot at a time."""
    return replace(barrel, stood_us=max(barrel.stood_us, at_us))


def _float(barrel: ContactState, at_us: int) -> ContactState:
    """Let it be off its foot at a time."""
    if at_us <= barrel.stood_us:
        return replace(barrel, aloft_us=max(barrel.aloft_us, at_us))
    off_us = min(barrel.off_us, at_us) if barrel.aloft else at_us
    return replace(barrel, aloft_us=max(barrel.aloft_us, at_us), off_us=off_us)


# --- one seat ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamesHeard:
    """Equal words of one barrel at one seat, one after the other."""

    first: NameRead
    newest: NameRead
    since_us: int  # when it began to say so since its SET, though words between were lost
    count: int = 1

    def known(self, settings: PlacementSettings) -> bool:
        """Return whether it stands there: two equal words with weight; else it is still, too."""
        spans_us = self.newest.at_us - self.first.at_us
        still = self.newest.weighs or spans_us >= settings.still_ms * 1000
        return self.count >= settings.equal_words and still

    def proves(self, settings: PlacementSettings) -> bool:
        """Return whether the pad itself is not needed to know that: it may be stuck or dazzled.

        One without a cell may be in a hand for as long as it likes.
        """
        spans_us = self.newest.at_us - self.first.at_us
        lasts = self.count > settings.equal_words and spans_us >= settings.pad_late_ms * 1000
        return lasts and self.newest.weighs


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat."""

    colour: str
    playing: bool = False
    closed_us: int | None = None  # when its pad closed; None: nothing stands there, as far as known
    opened_us: int | None = None  # … and when it opened again
    pad_says: bool = True  # False: names alone say that something stands there
    settled: Settled | None = None
    placed: Placed | None = None  # as it was told last
    names: Mapping[int, NamesHeard] = field(default_factory=dict)  # by stopper
    seconds: frozenset[int] = frozenset()  # barrels that were told to stand beside the first

    @property
    def remembers(self) -> bool:
        """Whether nobody says what stands there; it did before the power was cut."""
        return self.settled is not None and self.settled.remembered

    def claims(self, stopper: int) -> bool:
        """Return whether people say that this barrel stands there."""
        return (
            self.settled is not None
            and self.settled.stopper == stopper
            and not self.settled.remembered
        )

    def is_certain(self, settings: Settings) -> bool:
        """Return whether what was told last was certain."""
        return self.placed is not None and self.placed.confidence >= settings.certain

    def named_since(self, stopper: int, at_us: int) -> bool:
        """Return whether a barrel has said its name there after a time."""
        heard = self.names.get(stopper)
        return heard is not None and heard.newest.at_us > at_us


def handle_name(seat: SeatState, word: NameRead, settings: Settings) -> SeatState:
    """Note a word; one without weight says nothing, as a hand may hold that barrel."""
    if not word.stands:
        return seat
    before, rules = seat.names.get(word.stopper), settings.seating
    heard = NamesHeard(word, word, word.at_us)
    if before is not None and before.newest.touch == word.touch:
        heard = replace(heard, since_us=before.since_us)
        gap_us = word.at_us - before.newest.at_us
        if gap_us <= rules.word_gap_ms * 1000:
            heard = replace(heard, first=before.first, count=before.count + 1)
    return replace(seat, names={**seat.names, word.stopper: heard})


def handle_edge(
    seat: SeatState, seen: PadChanged, begins: bool, settings: Settings
) -> tuple[SeatState, SeatEvents]:
    """Handle an edge: something is put down, a finger pressed once more, or it is taken away."""
    if not seen.occupied:
        if seat.closed_us is None:
            seat = replace(seat, names={})  # of what stood there before and was not chosen
        elif seat.opened_us is None:
            seat = replace(seat, opened_us=seen.at_us, pad_says=True)
        return seat, ()
    opened_us, bounce_us = seat.opened_us, 1000 * settings.seating.bounce_ms
    if seat.closed_us is not None:
        if not seat.pad_says:  # it was late, or shone upon
            return replace(seat, pad_says=True), ()
        if opened_us is not None and seen.at_us - opened_us < bounce_us:
            return replace(seat, opened_us=None), ()
    events: SeatEvents = ()
    if seat.closed_us is not None and seat.placed is not None:
        at_us = opened_us or seen.at_us  # perhaps nobody saw it open
        events = (taken_event(seat.placed, at_us, settings),)
    nothing = seat.settled is not None and seat.settled.stopper is None
    empty = cleared(seat) if nothing or seat.closed_us is not None else seat
    if not begins:
        return replace(empty, closed_us=None, opened_us=None), events
    return replace(empty, closed_us=seen.at_us, opened_us=None, pad_says=True), events


def cleared(seat: SeatState) -> SeatState:
    """Return a seat where nothing stands any more."""
    return SeatState(seat.colour, seat.playing)


def taken_event(placed: Placed, at_us: int, settings: Settings) -> Taken:
    """Say that what stood there is gone, by name if that was certain."""
    certain = placed.confidence >= settings.certain
    return Taken(placed.seat, placed.stopper if certain else None, MeasuredTime(at_us, 0))


def stayed(seat: SeatState, felt: StopperMessage) -> SeatEvents:
    """Tell that what is only remembered stood there until now: so few events say no LIFT and SET.

    Whoever moves a barrel has it tell a LIFT and a SET at least, and then this is one LIFT more.
    """
    settled = seat.settled
    if (
        settled is None
        or settled.stopper != felt.stopper
        or not settled.remembered
        or settled.mark is None
    ):
        return ()
    boot, event = settled.mark
    if felt.name != "LIFT" or felt.moment.at_us <= settled.at_us or felt.fields.get("blind_ms"):
        return ()
    follows = felt.boot == boot and 0 < (felt.fields["event"] - event) % EVENT_NUMBERS <= MOVED
    return (Stayed(seat.colour, felt.stopper),) if follows else ()


# --- all of them ---------------------------------------------------------------------------------


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
            after = touched(before, seen, settings.seating)
            stays = [stayed(seat, seen) for seat in state.seats.values()]
            events = tuple(event for of_seat in stays for event in of_seat)
            return replace(state, barrels={**state.barrels, stopper: after}), events
        case NameRead():
            return _name(state, seen, settings), ()
        case PadChanged(colour=colour):
            span, seat = state.choosing_us, state.seats.get(colour, SeatState(colour))
            begins = seat.playing and span is not None and span[0] <= seen.at_us <= span[1]
            seat, events = handle_edge(seat, seen, begins, settings)
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


def _names(state: Placement, colour: str) -> Mapping[int, NamesHeard]:
    return state.seats[colour].names if colour in state.seats else {}


def _with(state: Placement, *seats: SeatState) -> Placement:
    return replace(state, seats={**state.seats, **{seat.colour: seat for seat in seats}})


# --- what comes in ----------------------------------------------------------------------------


def _name(state: Placement, word: NameRead, settings: Settings) -> Placement:
    """Note a name; whoever says it on its foot stands, whatever the radio has told so far."""
    seat = state.seats.get(word.colour, SeatState(word.colour))
    state = _with(state, handle_name(seat, word, settings))
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
        return _with(state, replace(cleared(seat), settled=settled)), events
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
            state = _with(state, cleared(other) if other.settled else stays)
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
    events = () if placed is None else (taken_event(placed, at_us, settings),)
    return _with(state, _emptied(seat, stopper)), events


def _emptied(seat: SeatState, gone: int | None) -> SeatState:
    """Return a seat that its barrel has left; who was beside it may stand there still."""
    rest = {who: heard for who, heard in seat.names.items() if who != gone}
    if seat.opened_us is None and seat.seconds and seat.closed_us is not None:
        return replace(seat, settled=None, placed=None, names=rest, seconds=frozenset())
    return cleared(seat)


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


def _is_there(state: Placement, seat: SeatState, heard: NamesHeard, settings: Settings) -> bool:
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
    state: Placement, seat: SeatState, heard: NamesHeard, settings: Settings
) -> tuple[Placement, SeatState, SeatEvents]:
    stopper, events = heard.newest.stopper, list[Placed | Taken]()
    for other in state.seats.values():
        stood = other.placed
        if other.colour != seat.colour and stood is not None and stood.stopper == stopper:
            if _counts(other, settings):
                at_us = other.opened_us or heard.first.at_us
                events.append(taken_event(stood, at_us, settings))
            state = _with(state, cleared(other))
    if seat.remembers and seat.placed is not None and seat.placed.stopper != stopper:
        events.append(taken_event(seat.placed, heard.first.at_us, settings))
    barrel = state.barrels.get(stopper)
    at = _when(state, seat, heard, settings)
    mark = None if barrel is None else barrel.mark
    placed = Placed(seat.colour, stopper, at, settings.seating.named, (stopper,), mark)
    pad_says = seat.pad_says and seat.closed_us is not None
    closed_us = heard.first.at_us if seat.closed_us is None else seat.closed_us
    seat = replace(seat, placed=placed, settled=None, closed_us=closed_us, pad_says=pad_says)
    return _with(state, seat), seat, (*events, placed)


def _when(state: Placement, seat: SeatState, heard: NamesHeard, settings: Settings) -> MeasuredTime:
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
