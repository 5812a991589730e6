"""The state of one seat: its pad, the names read there, what people say, what was published.

What people say holds until something new happens there. A name outranks all that is only likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.sensing import observations
from companion.sensing.events import Placed, SecondPlaced, Stayed, Taken
from companion.sensing.settings import PlacementSettings, Settings

MOVED = 2  # events at least: LIFT and SET
SeatEvents = tuple[Placed | SecondPlaced | Stayed | Taken, ...]


@dataclass(frozen=True, slots=True)
class NamesHeard:
    """Equal words of one barrel at one seat, one after the other."""

    first: observations.NameRead
    newest: observations.NameRead
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
    settled: observations.Settled | None = None
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


def handle_name(seat: SeatState, word: observations.NameRead, settings: Settings) -> SeatState:
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
    seat: SeatState, seen: observations.PadChanged, begins: bool, settings: Settings
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
    return Taken(
        placed.seat, placed.stopper if certain else None, observations.MeasuredTime(at_us, 0)
    )


def stayed(seat: SeatState, felt: observations.StopperMessage) -> SeatEvents:
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
    follows = (
        felt.boot == boot
        and 0 < (felt.fields["event"] - event) % observations.EVENT_NUMBERS <= MOVED
    )
    return (Stayed(seat.colour, felt.stopper),) if follows else ()
