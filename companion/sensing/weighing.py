"""Weighs standing barrels: their mass without the cell's zero, and how far that may be wrong.

A weight is only as good as the zero that it rests on, and how good that is the stopper says itself:
a lift takes a new one, and an old one has drifted since. What comes out stays inside: see
`findings`.

    LIFT ── in the air: new zero ── SET ── at rest ── STILL ──> BarrelWeighed

Which SET a weight belongs to is known from the numbers of the events, which leave none out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import cos, hypot, radians, sqrt
from statistics import median
from typing import Final

from companion import wire
from companion.sensing.observations import EVENT_NUMBERS, MeasuredTime, StopperMessage
from companion.sensing.settings import Settings, WeighingSettings


def foot_swing_fits(
    fields: Mapping[str, int], foot_mg: int, settings: WeighingSettings, *, before: bool
) -> bool:
    """Return whether a FLIP felt the foot and nothing else; as before if it does not say.

    >>> felt, settings = {"swing_mg": 10_300}, WeighingSettings()
    >>> [foot_swing_fits(felt, foot_mg, settings, before=True) for foot_mg in (5_000, 2_000)]
    [True, False]
    """
    swing_mg = fields.get("swing_mg", 0)
    if not swing_mg or not foot_mg:
        return before
    return abs(swing_mg - 2 * foot_mg) <= settings.swing_mg


@dataclass(frozen=True, slots=True)
class Scatter:
    """Squared distances of set-downs from their mean, each as a multiple of its error.

    >>> Scatter(3.0, 2) + Scatter(1.0, 1)
    Scatter(squares=4.0, freedom=3)
    """

    squares: float = 0.0
    freedom: int = 0  # how many of them are free to vary: all but one for each mean

    def __add__(self, other: Scatter) -> Scatter:
        """Return what both say."""
        return Scatter(self.squares + other.squares, self.freedom + other.freedom)

    def error_factor(self, usual: float, worth: float) -> float:
        """Return by how much errors are wider, if `usual` is believed like so many set-downs.

        >>> Scatter().error_factor(1.0, 6.0), Scatter(54.0, 6).error_factor(1.0, 6.0)
        (1.0, 2.23606797749979)
        """
        return sqrt((worth * usual**2 + self.squares) / (worth + self.freedom))


def error_factor(scatters: Iterable[Scatter], worth: float) -> float:
    """Return by how much the errors of all cells of a table are wider."""
    return sum(scatters, start=Scatter()).error_factor(1.0, worth)


WEIGH = 1 << wire.CAN.index("weigh")


@dataclass(frozen=True, slots=True)
class BarrelWeighed:
    """A barrel stands, and weighs this; the error is what comes again with every set-down."""

    stopper: int
    moment: MeasuredTime
    set_down: int | None  # number of the event; what is told of the same one again replaces it
    load_mg: float
    sd_mg: float
    sound: bool  # its stopper knows how good its zero is
    temperature_cc: int


@dataclass(frozen=True, slots=True)
class Mass:
    """What several set-downs of one barrel say together."""

    mg: float
    sd_mg: float  # if the errors are what they are said to be
    times: int = 1
    squares: float = 0.0  # of how far each was from this, as a multiple of its error

    @property
    def scatter(self) -> Scatter:
        """Return how far apart they were."""
        return Scatter(self.squares, self.times - 1)

    def combined_with(self, other: Mass) -> Mass:
        """Return what both say together.

        >>> Mass(0.0, 1.0).combined_with(Mass(2.0, 1.0))
        Mass(mg=1.0, sd_mg=0.7071067811865475, times=2, squares=2.0)
        """
        share, others = 1 / self.sd_mg**2, 1 / other.sd_mg**2
        total = share + others
        apart = (self.mg - other.mg) ** 2 * share * others / total
        return Mass(
            (share * self.mg + others * other.mg) / total,
            1 / sqrt(total),
            self.times + other.times,
            self.squares + other.squares + apart,
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """What is known of one stopper since it began."""

    boot: int
    events: tuple[tuple[int, str], ...] = ()  # the newest ones, as they came: number and name
    last: BarrelWeighed | None = None
    weighs: bool = True  # it has a cell
    foot_mg: int = 0  # that hangs on it, as it said last; 0: it has not learned that yet
    swings: bool = True  # flipped last, it felt that foot


@dataclass(frozen=True, slots=True)
class Scales:
    of: Mapping[int, Scale] = field(default_factory=dict)


def step(
    state: Scales, felt: StopperMessage, settings: Settings
) -> tuple[Scales, tuple[BarrelWeighed, ...]]:
    """Handle a message; return the weight that it gives, if it gives one."""
    scale = state.of.get(felt.stopper, Scale(felt.boot))
    if felt.boot < scale.boot:
        return state, ()
    if felt.boot > scale.boot:
        scale = Scale(felt.boot, weighs=scale.weighs, swings=scale.swings)
    scale, weighed = _take(scale, felt, settings.weighing)
    weights = (weighed,) if weighed else ()
    return Scales({**state.of, felt.stopper: scale}), weights


def _take(
    scale: Scale, felt: StopperMessage, settings: WeighingSettings
) -> tuple[Scale, BarrelWeighed | None]:
    fields = felt.fields
    if felt.name == "HELLO":
        return replace(scale, weighs=bool(fields["can"] & WEIGH)), None
    if "event" not in fields:
        return scale, None
    weighed = None
    if felt.name == "STILL":
        scale, weighed = _weigh(scale, felt, settings)
    elif felt.name == "FLIP":
        swings = foot_swing_fits(fields, scale.foot_mg, settings, before=scale.swings)
        scale = replace(scale, swings=swings)
    event = fields["event"], felt.name
    return replace(scale, events=(*scale.events, event)[-settings.kept :]), weighed


def _weigh(
    scale: Scale, felt: StopperMessage, settings: WeighingSettings
) -> tuple[Scale, BarrelWeighed]:
    fields, last = felt.fields, scale.last
    load_mg, sound = fields["load_mg"], bool(fields.get("zero_doubt_mg"))
    sd_mg = _error_mg(scale, fields, settings) if sound else settings.unlifted_mg
    set_down = _set_down(scale.events, fields["event"])
    if last is not None and set_down is not None and last.set_down == set_down:
        # it was touched, and nobody knows before which of the two
        sd_mg = max(hypot(sd_mg, load_mg - last.load_mg), last.sd_mg)
    celsius = fields["temperature_cc"]
    weighed = BarrelWeighed(felt.stopper, felt.moment, set_down, load_mg, sd_mg, sound, celsius)
    if last is None or felt.moment.at_us >= last.moment.at_us:
        scale = replace(scale, last=weighed)
    return replace(scale, foot_mg=fields.get("foot_mg", 0)), weighed


def _set_down(events: Iterable[tuple[int, str]], number: int) -> int | None:
    """Return which set-down the weight of an event belongs to; None: that one was not heard."""
    names = dict(events)
    while (number := (number - 1) % EVENT_NUMBERS) in names and names[number] != "LIFT":
        if names[number] == "SET":
            return number
    return None


def _error_mg(scale: Scale, fields: Mapping[str, int], settings: WeighingSettings) -> float:
    load_mg, tilt_cdeg = fields["load_mg"], fields["tilt_cdeg"]
    if not scale.swings or tilt_cdeg > settings.leaning_cdeg:
        return settings.unlifted_mg
    error_mg = hypot(
        settings.eccentric * load_mg,
        settings.rubbing_mg,
        settings.noise_of_spread * fields["spread_mg"],
        load_mg * (1 - cos(radians(tilt_cdeg / 100))),
    )
    return hypot(error_mg, fields["zero_doubt_mg"])


def combined(weights: Iterable[BarrelWeighed]) -> Mass | None:
    """Return what set-downs of one barrel say together.

    The error of the cell's gain is not in it: it is the same each time, and cancels where two
    weights of the same node are compared.
    """
    latest: dict[int, BarrelWeighed] = {}
    for at, weighed in enumerate(weights, 1):
        latest[-at if weighed.set_down is None else weighed.set_down] = weighed
    masses = (Mass(weighed.load_mg, weighed.sd_mg) for weighed in latest.values())
    return reduce(Mass.combined_with, masses) if latest else None


LEAST: Final = 3  # with two, nobody can tell which one is wrong
FAR: Final = 5.0  # deviations: what is left out is usually too light by 1.5 % of a barrel
BELL: Final = 1.4826  # deviations of a bell, for each median distance from its middle


def without_outliers(weights: Sequence[BarrelWeighed]) -> tuple[BarrelWeighed, ...]:
    """Return the weights without those that something kept from pressing on the cell.

    >>> weights = [BarrelWeighed(1, MeasuredTime(0, 0), at, load_mg, 90.0, True, 2100)
    ...            for at, load_mg in enumerate((36_210, 33_220, 36_270))]
    >>> [weighed.load_mg for weighed in without_outliers(weights)]
    [36210, 36270]
    >>> len(without_outliers(weights[:2]))
    2
    """
    latest = {
        -at if weighed.set_down is None else weighed.set_down: weighed
        for at, weighed in enumerate(weights)
    }
    if len(latest) < LEAST:
        return tuple(weights)
    middle_mg = median(weighed.load_mg for weighed in latest.values())
    spread_mg = BELL * median(abs(weighed.load_mg - middle_mg) for weighed in latest.values())
    return tuple(
        weighed
        for weighed in weights
        if weighed.load_mg >= middle_mg - FAR * max(weighed.sd_mg, spread_mg)
    )
