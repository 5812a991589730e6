"""Finds which barrel stands at which seat, by pads and stoppers; people are asked if it is unsure.

What people say outranks what sensors say. A seat whose pad says nothing has only people: `set_down`
ranks for them what may stand there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.sensing import seat_state
from companion.sensing.contact import ContactState, apply
from companion.sensing.events import Placed, SampleRequest, Taken
from companion.sensing.observations import (
    FOREVER_US,
    NEVER_US,
    ChoosingBegan,
    ChoosingEnded,
    MeasuredTime,
    PadChanged,
    Settled,
    StopperMessage,
)
from companion.sensing.pad_assignment import assign
from companion.sensing.pad_likelihood import PadQuestion, in_hand, may_come
from companion.sensing.pad_model import Kinds, expected
from companion.sensing.seat_state import Known, SeatEvents, SeatState, certain_before
from companion.sensing.settings import PlacementSettings, Settings

BarrelsAsked = tuple[dict[int, ContactState], tuple[SampleRequest, ...]]


def unsure_barrels(seats: Iterable[SeatState], settings: Settings) -> list[PadQuestion]:
    """Return the seats where something stands, and it is not certain yet what."""
    return [
        seat.question
        for seat in seats
        if seat.question is not None
        and seat.question.opened_us is None
        and seat.said is None
        and not certain_before(seat, settings)
    ]


def request_samples(
    questions: Iterable[PadQuestion],
    barrels: Mapping[int, ContactState],
    now_us: int,
    settings: PlacementSettings,
) -> BarrelsAsked:
    """Return which barrels are asked now, and for what; that they were asked is remembered."""
    asked_now, wanted = dict[int, ContactState](), list[SampleRequest]()
    for question in questions:
        for who, barrel in barrels.items():
            if who in asked_now or barrel.ahead_us is None:
                continue
            times = [at_us for at_us in times_us(question, settings) if at_us <= now_us]
            if not times or barrel.asked_us >= times[-1]:
                continue
            if _doubtful(question, barrel, now_us, settings):
                begin_us = now_us - barrel.ahead_us - 1000 * settings.ask_back_ms
                wanted.append(SampleRequest(who, max(0, begin_us), settings.ask_ms))
                asked_now[who] = replace(barrel, asked_us=now_us)
    return asked_now, tuple(wanted)


def times_us(question: PadQuestion, settings: PlacementSettings) -> list[int]:
    """Return when to ask, again and again."""
    return [question.closed_us[-1] + 1000 * after_ms for after_ms in settings.asks_ms]


def _doubtful(
    question: PadQuestion, barrel: ContactState, now_us: int, settings: PlacementSettings
) -> bool:
    """Return whether it would help to know that it is still in the air."""
    return (
        in_hand(question, barrel, settings)
        and barrel.speaks(now_us, settings)
        and may_come(question, barrel, settings) > settings.ask_least
    )


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
    pads: Mapping[str, Kinds] = field(default_factory=dict)  # learned before this choosing
    now_us: int = NEVER_US
    due_us: int | None = None  # when something follows from hearing nothing

    @property
    def learned(self) -> dict[str, Kinds]:
        """Return what was learned of each seat's pad."""
        new = {colour: seat.kinds for colour, seat in self.seats.items() if seat.kinds}
        return {**self.pads, **new}


Seen = StopperMessage | PadChanged | Settled | ChoosingBegan | ChoosingEnded


def step(state: Placement, seen: Seen, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Take what was seen; return what there is to tell of it and of the time that passed before."""
    at_us = seen.heard_us if isinstance(seen, StopperMessage) else seen.at_us
    state, before = advance(state, at_us, settings)
    state, after = _take(replace(state, now_us=max(state.now_us, at_us)), seen, settings)
    return state, (*before, *after)


def advance(state: Placement, now_us: int, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Let time pass; return what follows from hearing nothing, however seldom this is called."""
    events: SeatEvents = ()
    while state.due_us is not None and state.due_us <= now_us:
        state, more = _review(replace(state, now_us=state.due_us), settings)
        events = (*events, *more)
    return state, events


def _take(state: Placement, seen: Seen, settings: Settings) -> tuple[Placement, SeatEvents]:
    match seen:
        case StopperMessage():
            return _feel(state, seen, settings)
        case PadChanged():
            return _pad(state, seen, settings)
        case Settled():
            return _settle(state, seen, settings)
        case ChoosingBegan():
            return _begin(state, seen)
        case ChoosingEnded():
            began_us = state.choosing_us[0] if state.choosing_us else seen.at_us
            return replace(state, choosing_us=(began_us, seen.at_us)), ()


def unassigned_set_downs(state: Placement) -> tuple[int, ...]:
    """Return the stoppers that were set down in this choosing and stand at no seat, newest first.

    Some were only put back. People choose among them for a seat whose pad does not work.
    """
    began_us = state.choosing_us[0] if state.choosing_us else NEVER_US
    taken = {seat.placed.stopper for seat in state.seats.values() if seat.placed}
    last = {
        who: barrel.down.to_us
        for who, barrel in state.barrels.items()
        if barrel.down is not None and not barrel.aloft and who not in taken
    }
    recent = [who for who, at_us in last.items() if at_us >= began_us]
    return tuple(sorted(recent, key=lambda who: (-last[who], who)))


def _with(state: Placement, *seats: SeatState) -> Placement:
    return replace(state, seats={**state.seats, **{seat.colour: seat for seat in seats}})


def _sure(state: Placement, settings: Settings) -> bool:
    """Return whether there is nothing that one more sign of life could settle."""
    return all(
        not seat.remembers
        and (
            seat.question is None
            or seat.said is not None
            or (seat.question.opened_us is None and seat_state.certain_before(seat, settings))
        )
        for seat in state.seats.values()
    )


# --- what comes in ----------------------------------------------------------------------------


def _feel(
    state: Placement, felt: StopperMessage, settings: Settings
) -> tuple[Placement, SeatEvents]:
    """Take a message; most say nothing new about who stands where."""
    before = state.barrels.get(felt.stopper, ContactState())
    after = apply(before, felt, settings.seating)
    state = replace(state, barrels={**state.barrels, felt.stopper: after})
    if before.aloft == after.aloft and before.down == after.down and _sure(state, settings):
        return state, ()
    stayed = tuple(
        event for seat in state.seats.values() for event in seat_state.stayed(seat, felt)
    )
    state, events = _review(state, settings)
    return state, (*stayed, *events)


def _begin(state: Placement, began: ChoosingBegan) -> tuple[Placement, SeatEvents]:
    """Begin with empty seats; what stands on a pad already was not chosen."""
    pads = state.learned
    new = [SeatState(colour, playing=True, kinds=pads.get(colour, ())) for colour in began.seats]
    empty = {seat.colour: seat for seat in new}
    choosing_us = (began.at_us, FOREVER_US)
    return replace(state, seats=empty, choosing_us=choosing_us, pads=pads, due_us=None), ()


def _pad(state: Placement, seen: PadChanged, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Take a pad's edge; what is set down while nobody chooses was not chosen."""
    seat, span = state.seats.get(seen.colour, SeatState(seen.colour)), state.choosing_us
    begins = seat.playing and span is not None and span[0] <= seen.at_us <= span[1]
    after, events = seat_state.handle_edge(seat, seen, begins, settings)
    state, more = _review(_with(state, after), settings)
    return state, (*events, *more)


def _settle(state: Placement, settled: Settled, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Take people's word; whom they name stands nowhere else."""
    seat = state.seats.get(settled.colour, SeatState(settled.colour))
    moment = MeasuredTime(settled.at_us, 0)
    if settled.stopper is None:
        events: SeatEvents = ()
        if seat.placed is not None:
            events = (Taken(seat.colour, seat.placed.stopper, moment),)
        state = _with(state, replace(seat, question=None, said=None, placed=None))
    else:
        stopper = None if settled.stopper < 0 else settled.stopper
        if seat.question is not None:
            moment = MeasuredTime(seat.question.closed_us[0], settings.seating.edge_doubt_ms * 1000)
            named = None if stopper is None else state.barrels.get(stopper)
            seat = seat_state.learn(seat, named, settings)
        only = () if stopper is None else (stopper,)
        placed = Placed(
            seat.colour, stopper, moment, 1.0, only, settled.mark, remembered=settled.remembered
        )
        events = (placed,)
        state = _with(state, replace(seat, said=settled, placed=placed))
        for other in state.seats.values():
            if stopper is not None and other.colour != seat.colour and _said_of(other) == stopper:
                events = (*events, Taken(other.colour, stopper, MeasuredTime(settled.at_us, 0)))
                state = _with(state, replace(other, said=None, placed=None, question=None))
    state, more = _review(state, settings)
    return state, (*events, *more)


def _said_of(seat: SeatState) -> int | None:
    return seat.said.stopper if seat.said else None


# --- what follows -----------------------------------------------------------------------------


def _review(state: Placement, settings: Settings) -> tuple[Placement, SeatEvents]:
    """Judge all seats again; return what is to be told, and know when to judge again.

    What one seat's pad has taught counts for the others at once, not when the next message comes.
    """
    events: SeatEvents = ()
    for _ in range(len(state.seats) + 1):
        before = [bool(seat.kinds) for seat in state.seats.values()]
        state, more = _judged(state, settings)
        events = (*events, *more)
        if before == [bool(seat.kinds) for seat in state.seats.values()]:
            break
    unsure = unsure_barrels(state.seats.values(), settings)
    who, wanted = request_samples(unsure, state.barrels, state.now_us, settings.seating)
    state = replace(state, barrels={**state.barrels, **who})
    return replace(state, due_us=_due(state, unsure, settings)), (*events, *wanted)


def _judged(state: Placement, settings: Settings) -> tuple[Placement, SeatEvents]:
    events: SeatEvents = ()
    for seat in state.seats.values():
        after, more = seat_state.keep_settled(seat, Known(state.barrels, state.now_us, settings))
        state, events = _note(_with(state, after), more), (*events, *more)
    state = _expect(state, settings)
    settled = {_said_of(seat) for seat in state.seats.values()}
    free = {who: barrel for who, barrel in state.barrels.items() if who not in settled}
    unsaid = [seat for seat in state.seats.values() if seat.question and not seat.said]
    questions = [seat.question for seat in unsaid if seat.question]
    settled_count = len(state.barrels) - len(free)
    beliefs = assign(questions, free, state.now_us, settings.seating, settled_count)
    for colour, belief in zip([seat.colour for seat in unsaid], beliefs, strict=True):
        known = Known(free, state.now_us, settings)
        after, more = seat_state.update(state.seats[colour], belief, known)
        state, events = _note(_with(state, after), more), (*events, *more)
    return state, events


def _expect(state: Placement, settings: Settings) -> Placement:
    """Let pads about which nothing is known yet be like the others."""
    others = [seat.kinds for seat in state.seats.values() if seat.kinds]
    kinds = expected(others, settings.seating.pads)
    new = [
        replace(seat, question=replace(seat.question, kinds=kinds))
        for seat in state.seats.values()
        if seat.question and not seat.kinds and seat.question.kinds != kinds
    ]
    return _with(state, *new) if new else state


def _note(state: Placement, events: SeatEvents) -> Placement:
    """Remember at the other seats which barrel stood at this one, when it is gone."""
    for event in events:
        if isinstance(event, Taken) and event.stopper is not None:
            others = [seat for seat in state.seats.values() if seat.colour != event.seat]
            state = _with(
                state, *(seat_state.stood_elsewhere(seat, event.stopper) for seat in others)
            )
    return state


def _due(state: Placement, unsure: list[PadQuestion], settings: Settings) -> int | None:
    """Return the next time at which something follows from silence, or is to be asked."""
    grace_us = settings.seating.grace_ms * 1000
    due = {at_us for seat in state.seats.values() for at_us in seat_state.due_us(seat, settings)}
    due |= {at_us for question in unsure for at_us in times_us(question, settings.seating)}
    if due or any(seat.said for seat in state.seats.values()):
        due |= {barrel.off_us + grace_us for barrel in state.barrels.values()}
        due |= {barrel.up.from_us + grace_us for barrel in state.barrels.values() if barrel.up}
    return min((at_us for at_us in due if at_us > state.now_us), default=None)
