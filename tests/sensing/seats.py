"""A table on paper: who sets down what and when, what of it is heard, and what is told."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.sensing.events import Placed, SecondPlaced, Taken
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    MeasuredTime,
    NameRead,
    PadChanged,
    Settled,
    StopperMessage,
)
from companion.sensing.placement import Placement, SeatEvents, Seen, advance, step
from companion.sensing.settings import Settings

COLOURS = ("red", "green", "blue", "yellow")
SAYS_MS = (*range(80, 480, 50), *range(700, 3500, 250), *range(4500, 20_000, 1000))
TRIES_MS = (80.0, 180.0, 430.0)  # after what happened
STANDS_MG, ALOFT_MG = 25_000, 40
RULES = Settings()
CERTAIN = RULES.certain


@dataclass(frozen=True)
class Word:
    """One thing that a stopper would say, with the time of what it tells."""

    stopper: int
    name: str
    at_ms: float
    fields: tuple[tuple[str, int], ...] = ()

    @property
    def is_event(self) -> bool:
        return self.name in {"LIFT", "SET"}


NEWS = (Placed, SecondPlaced, Taken)
Lost = Callable[[int, int], bool]  # of a stopper, by the number of its packet


def nothing(_stopper: int, _packet: int) -> bool:
    return False


Told = list[Placed | SecondPlaced | Taken]


@dataclass
class Table:
    """Thirteen barrels, of which some are silent; times in ms; all were heard at first."""

    silent: frozenset[int] = frozenset()  # neither their radios nor their lights work
    names: bool = True  # stoppers and pads have what it takes for names
    deaf: frozenset[str] = frozenset()  # seats whose receivers are dead
    words: list[Word] = field(default_factory=list)
    others: list[tuple[float, Seen]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for stopper in range(1, 14):
            self.alive(stopper, 500 + stopper)
        self.others.append((900, ChoosingBegan(COLOURS, 900_000)))

    def alive(self, stopper: int, at_ms: float, faults: int = 0) -> None:
        self.words.append(Word(stopper, "HEARTBEAT", at_ms, (("faults", faults),)))

    def all_alive(self, at_ms: float) -> None:
        for stopper in range(1, 14):
            self.alive(stopper, at_ms + stopper)

    def lifted(self, stopper: int, at_ms: float, held_ms: float = 0) -> None:
        """Lift a barrel, and hold it for a while."""
        self.quiet(stopper, at_ms - 50)
        self.words.append(Word(stopper, "LIFT", at_ms))
        self.felt(stopper, at_ms + 250, at_ms + held_ms, ALOFT_MG)

    def set_down(self, stopper: int, at_ms: float, blind_ms: int = 0) -> None:
        self.words.append(Word(stopper, "SET", at_ms, (("blind_ms", blind_ms),)))
        self.felt(stopper, at_ms + 200, at_ms + 1000, STANDS_MG)

    def felt(self, stopper: int, from_ms: float, to_ms: float, load_mg: int) -> None:
        """Let a stopper tell its features four times a second."""
        while from_ms <= to_ms:
            self.words.append(Word(stopper, "FEATURES", from_ms, (("load_mg", load_mg),)))
            from_ms += 250

    def pad(self, colour: str, occupied: bool, at_ms: float) -> None:
        at_us = round(1000 * at_ms)
        self.others.append((at_ms + 30, PadChanged(colour, occupied, at_us)))

    def placed(self, colour: str, stopper: int, at_ms: float, *, pad: bool = True) -> None:
        """Take a barrel and stand it on a pad a second later."""
        self.lifted(stopper, at_ms - 1000, 900)
        self.set_down(stopper, at_ms - 5)
        self.says(colour, stopper, at_ms)
        if pad:
            self.pad(colour, True, at_ms)

    def says(
        self,
        colour: str,
        stopper: int,
        from_ms: float,
        *,
        until_ms: float = 1e9,
        stands: bool = True,
        weighs: bool = True,
        touch: int = 1,
    ) -> None:
        """Let a stopper say its name to a pad, for as long as it stands there."""
        if not self.names or colour in self.deaf or stopper in self.silent:
            return
        for after_ms in SAYS_MS:
            if from_ms + after_ms < until_ms:
                at_us = round(1000 * (from_ms + after_ms))
                word = NameRead(colour, 0, stands, weighs, touch, at_us, stopper)
                self.others.append((from_ms + after_ms + 5, word))

    def quiet(self, stopper: int, from_ms: float) -> None:
        """Let it say its name no more: it was lifted, or stands on its head."""
        self.others = [
            (at_ms, seen)
            for at_ms, seen in self.others
            if not (isinstance(seen, NameRead) and seen.stopper == stopper and at_ms > from_ms)
        ]

    def taken(self, colour: str, stopper: int, at_ms: float, held_ms: float = 1000) -> None:
        self.lifted(stopper, at_ms - 5, held_ms)
        self.pad(colour, False, at_ms)

    def settled(self, colour: str, stopper: int | None, at_ms: float) -> None:
        self.others.append((at_ms, Settled(colour, stopper, round(1000 * at_ms))))

    def ended(self, at_ms: float) -> None:
        self.others.append((at_ms, ChoosingEnded(round(1000 * at_ms))))

    # --- what comes of it ---------------------------------------------------------------------

    def seen(self, lost: Lost = nothing) -> list[tuple[float, Seen]]:
        """Return what the host sees, when; of what was lost it sees that it is missing."""
        found = list(self.others)
        for stopper in {word.stopper for word in self.words} - self.silent:
            found += _heard([word for word in self.words if word.stopper == stopper], lost)
        return sorted(found, key=lambda one: one[0])

    def tell(self, lost: Lost = nothing, until_ms: float = 30_000) -> Told:
        return play([one for one in self.seen(lost) if one[0] <= until_ms], until_ms)[1]


def play(
    seen: Iterable[tuple[float, Seen]], until_ms: float, settings: Settings = RULES
) -> tuple[Placement, Told]:
    """Return how it stands in the end, and all that was told on the way."""
    state, told = Placement(), Told()
    for heard_ms, one in seen:
        before: SeatEvents
        state, before = advance(state, round(1000 * heard_ms), settings)
        state, after = step(state, one, settings)
        told += [one for one in (*before, *after) if isinstance(one, NEWS)]
    state, after = advance(state, round(1000 * until_ms), settings)
    return state, [*told, *(one for one in after if isinstance(one, NEWS))]


def _heard(words: list[Word], lost: Lost) -> list[tuple[float, Seen]]:
    """Return one stopper's messages: events up to three times, each packet with its number."""
    due = [(word.at_ms + (TRIES_MS[0] if word.is_event else 0), 0, word) for word in words]
    heard, number, last = list[tuple[float, Seen]](), 0, 0
    while due:
        due.sort(key=lambda one: one[0])
        sent_ms, tries, word = due.pop(0)
        number += 1
        if lost(word.stopper, number):
            if word.is_event and tries + 1 < len(TRIES_MS):
                due.append((word.at_ms + TRIES_MS[tries + 1], tries + 1, word))
            continue
        moment = MeasuredTime(round(1000 * word.at_ms), 3_000)
        fields = dict(word.fields)
        heard_ms, gap = sent_ms + 5, number - last - 1
        last = number
        felt = StopperMessage(
            word.stopper, word.name, moment, round(1000 * heard_ms), 1, gap, fields
        )
        heard.append((heard_ms, felt))
    return heard


def placed_at(told: Iterable[Placed | SecondPlaced | Taken], colour: str) -> list[Placed]:
    return [one for one in told if isinstance(one, Placed) and one.seat == colour]


def certain(told: Iterable[Placed | SecondPlaced | Taken], colour: str) -> list[int | None]:
    """Return whom it was sure of at a seat, one after the other."""
    return [one.stopper for one in placed_at(told, colour) if one.confidence >= CERTAIN]
