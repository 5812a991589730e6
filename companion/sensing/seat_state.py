"""The state of one seat: what its pad and people say, and what was published of it.

What people say holds until something new happens there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.sensing.contact import MOVED, ContactState
from companion.sensing.events import Placed, SampleRequest, Stayed, Taken
from companion.sensing.observations import (
    EVENT_NUMBERS,
    NEVER_US,
    MeasuredTime,
    PadChanged,
    Settled,
    StopperMessage,
)
from companion.sensing.pad_assignment import PadAssignment
from companion.sensing.pad_likelihood import UNFELT, PadQuestion, has_left, set_down_fit
from companion.sensing.pad_model import Kinds, learned, remembered, usual
from companion.sensing.settings import PlacementSettings, Settings

HARDLY = 0.9  # of the likeliest one's chance: the order of equals depends on rounding
SeatEvents = tuple[Placed | Stayed | Taken | SampleRequest, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """All that an answer rests on, apart from the seat."""

    barrels: Mapping[int, ContactState]
    now_us: int
    settings: Settings

    def named(self, placed: Placed | None) -> ContactState | None:
        """Return the barrel that was named, if any was."""
        if placed is None or placed.stopper is None:
            return None
        return self.barrels.get(placed.stopper)


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat."""

    colour: str
    playing: bool = False
    question: PadQuestion | None = None  # None: nothing stands there, as far as the pad says
    said: Settled | None = None
    placed: Placed | None = None  # as it was told last
    kinds: Kinds = ()  # how likely each kind of pad is; empty: as usual

    @property
    def remembers(self) -> bool:
        """Whether nobody says what stands there; it did before the power was cut."""
        return self.said is not None and self.said.remembered


def handle_edge(
    seat: SeatState, seen: PadChanged, begins: bool, settings: Settings
) -> tuple[SeatState, SeatEvents]:
    """Take an edge: a question begins, a finger pressed once more, or somebody takes it away."""
    question = seat.question
    if not seen.occupied:
        if question is not None and question.opened_us is None:
            seat = replace(seat, question=replace(question, opened_us=seen.at_us))
        return seat, ()
    if question is not None and _bounced(question, seen.at_us, settings):
        closed_us = question.closed_us
        if seat.placed is None:  # else the new edge is not new evidence
            closed_us = (*closed_us, seen.at_us)[-settings.seating.edges_kept :]
        return replace(seat, question=replace(question, closed_us=closed_us, opened_us=None)), ()
    events: SeatEvents = ()
    if question is not None and seat.placed is not None:
        at_us = question.opened_us or seen.at_us  # perhaps nobody saw it open
        events = (taken(seat.placed, at_us, settings),)
        seat = replace(seat, said=None, placed=None)
    if not begins:
        return replace(seat, question=None), events
    kinds = remembered(seat.kinds, settings.seating.pads) if seat.kinds else ()
    return replace(seat, question=PadQuestion((seen.at_us,), kinds=kinds)), events


def taken(placed: Placed, at_us: int, settings: Settings) -> Taken:
    """Say that what stood there is gone, by name if that was certain."""
    certain = placed.confidence >= settings.certain
    return Taken(placed.seat, placed.stopper if certain else None, MeasuredTime(at_us, 0))


def keep_settled(seat: SeatState, known: Known) -> tuple[SeatState, SeatEvents]:
    """Believe what people said until afterwards the pad opens, or that barrel says it is lifted.

    What is only remembered ends also where nobody heard the lift, but hears that it is in the air.
    """
    rules, settled, now_us = known.settings.seating, seat.said, known.now_us
    if settled is None or settled.stopper is None or seat.placed is None:
        return seat, ()
    barrel = known.barrels.get(settled.stopper)
    lifted_us = barrel.up.from_us if barrel is not None and barrel.up is not None else NEVER_US
    opened_us = seat.question.opened_us if seat.question else None
    if opened_us is not None and opened_us > settled.at_us:
        over = lifted_us >= opened_us - rules.grace_ms * 1000
        over = over or now_us >= opened_us + rules.late_ms * 1000
        at_us = opened_us
    else:
        grace_us = rules.grace_ms * 1000
        over = lifted_us > settled.at_us and now_us >= lifted_us + grace_us
        at_us = lifted_us
        if not over and seat.remembers and barrel is not None and barrel.aloft:
            over, at_us = barrel.aloft_us > settled.at_us + grace_us, barrel.off_us
    if not over:
        return seat, ()
    gone = replace(seat, said=None, placed=None, question=None)
    return gone, (taken(seat.placed, at_us, known.settings),)


def stayed(seat: SeatState, felt: StopperMessage) -> SeatEvents:
    """Tell that what is only remembered stood there until now: so few events say no LIFT and SET.

    Whoever moves a barrel has it tell a LIFT and a SET at least, and then this is one LIFT more.
    """
    settled = seat.said
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


def update(seat: SeatState, belief: PadAssignment, known: Known) -> tuple[SeatState, SeatEvents]:
    """Tell who stands at a seat, as soon as it is certain or will not become so by waiting."""
    question, settings = seat.question, known.settings
    if question is None:
        return seat, ()
    placed = _believed(seat, question, belief, known)
    if placed.confidence >= settings.certain or question.opened_us is not None:
        seat = replace(seat, kinds=belief.kinds)
    if question.opened_us is not None:
        return _leave(seat, question.opened_us, placed, known)
    before, barrel = seat.placed, known.named(seat.placed)
    if before and barrel and certain_before(seat, settings) and _left(question, barrel, known):
        gone = taken(before, barrel.off_us, settings)  # though the pad is closed: it is stuck
        return replace(seat, question=None, placed=None), (gone,)
    certain = placed.confidence >= settings.certain
    waits = known.now_us < question.closed_us[0] + settings.seating.late_ms * 1000
    if (waits and not certain) or not _differs(placed, before, settings):
        return seat, ()
    return replace(seat, placed=placed), (placed,)


def learn(seat: SeatState, barrel: ContactState | None, settings: Settings) -> SeatState:
    """Learn which kind of pad this is, from a barrel that people say stands there."""
    if seat.question is None or barrel is None:
        return seat
    down, pads = barrel.down_by(seat.question.opened_us), settings.seating.pads
    if down is None or not down.told:
        return seat
    fits = [set_down_fit(pad, seat.question, barrel) for pad in pads]
    before = seat.question.kinds or usual(pads)
    return replace(seat, kinds=learned(before, fits))


def certain_before(seat: SeatState, settings: Settings) -> bool:
    """Return whether what was told last was certain."""
    return seat.placed is not None and seat.placed.confidence >= settings.certain


def stood_elsewhere(seat: SeatState, stopper: int) -> SeatState:
    """Rule out for good that this barrel closed the pad."""
    if seat.question is None:
        return seat
    elsewhere = seat.question.elsewhere | {stopper}
    return replace(seat, question=replace(seat.question, elsewhere=elsewhere))


def due_us(seat: SeatState, settings: Settings) -> Iterator[int]:
    """Return the times at which something follows from hearing nothing."""
    if seat.question is not None:
        rules, closed_us = settings.seating, seat.question.closed_us
        late_us = rules.late_ms * 1000
        for pad in rules.pads:
            for after_us in (late_us, 1000 * rules.muted_ms):
                yield closed_us[0] + after_us + round(1000 * pad.ahead_ms)
        yield closed_us[-1] + rules.hand_ms * 1000
        if seat.question.opened_us is not None:
            yield seat.question.opened_us + late_us


def _bounced(question: PadQuestion, at_us: int, settings: Settings) -> bool:
    opened_us = question.opened_us
    return opened_us is not None and at_us - opened_us < settings.seating.bounce_ms * 1000


def _left(question: PadQuestion, barrel: ContactState, known: Known) -> bool:
    return has_left(question, barrel, known.now_us, known.settings.seating)


def _leave(
    seat: SeatState, opened_us: int, placed: Placed, known: Known
) -> tuple[SeatState, SeatEvents]:
    """Tell that a pad is empty, as soon as a LIFT says whose barrel it was, or none will come."""
    settings, barrel = known.settings, known.named(placed)
    certain = placed.confidence >= settings.certain
    lifted = certain and barrel is not None and barrel.aloft
    if not lifted and known.now_us < opened_us + settings.seating.late_ms * 1000:
        return seat, ()
    events: SeatEvents = ()
    if certain and _differs(placed, seat.placed, settings):
        events = (placed,)
    if events or seat.placed is not None:
        events = (*events, taken(placed, opened_us, settings))
    return replace(seat, question=None, placed=None), events


def _believed(
    seat: SeatState, question: PadQuestion, belief: PadAssignment, known: Known
) -> Placed:
    """Return what would be told now; what follows from silence alone is never certain."""
    rules, best = known.settings.seating, _best(seat, belief)
    stopper = best if best >= 0 else None
    confidence = belief.chances[best if best >= 0 else UNFELT]
    silent = bool(belief.unheard) if best < 0 else best in belief.unheard
    if silent or (best >= 0 and _left(question, known.barrels[best], known)):
        confidence = min(confidence, rules.unsure_at_most)
    likely = sorted((-chance, who) for who, chance in belief.chances.items() if who >= 0)
    candidates = tuple(who for chance, who in likely if -chance >= rules.plausible)
    barrel = None if stopper is None else known.barrels[stopper]
    mark = None if barrel is None else barrel.mark
    moment = _when(question, barrel, rules)
    return Placed(seat.colour, stopper, moment, confidence, candidates, mark)


def _best(seat: SeatState, belief: PadAssignment) -> int:
    """Return the likeliest one; a guess that was told stays while another is hardly likelier."""
    best, guess = belief.best, seat.placed.stopper if seat.placed else None
    if guess is None or belief.chances.get(guess, 0.0) < HARDLY * belief.chances[best]:
        return best
    return guess


def _when(
    question: PadQuestion, barrel: ContactState | None, rules: PlacementSettings
) -> MeasuredTime:
    """Return when it was set down: a reflex sensor's edge is only near that."""
    doubt_us = rules.edge_doubt_ms * 1000
    down = barrel.down_by(question.opened_us) if barrel else None
    if down is None or not down.told or down.to_us < question.closed_us[0] - doubt_us:
        return MeasuredTime(question.closed_us[0], doubt_us)
    half_us = (down.to_us - down.from_us) // 2
    return MeasuredTime(down.from_us + half_us, max(doubt_us, half_us))


def _differs(now: Placed, before: Placed | None, settings: Settings) -> bool:
    """Return whether there is news, so that nobody is asked twice for what hardly changed."""
    if before is None or now.stopper != before.stopper:
        return True
    if before.confidence >= settings.certain:
        return now.confidence < settings.seating.doubted
    one_left = len(now.candidates) <= 1 < len(before.candidates)
    more = not set(now.candidates) <= set(before.candidates)
    return now.confidence >= settings.certain or one_left or more
