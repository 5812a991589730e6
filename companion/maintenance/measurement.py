"""Evaluates a measurement of a table: what was asked beside what the sensors told of it.

What is asked is the truth against which the sensors are judged, so each step is something that
everybody can do just so. It is pure, so that a recording is judged as the table itself was. No mass
is in it, and nothing by which two barrels could be told apart.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace  # noqa: F401 - a doctest needs it
from math import comb, fsum, sqrt
from typing import Any, Final, get_origin, get_type_hints

from companion.sensing import events, observations
from companion.sensing.settings import Settings
from companion.system import config, format_names, status

ECHO_US: Final = 3_000_000  # this long after a step something may still be told of it
NEAR_US: Final = 1_500_000  # a pad's edge this near to a barrel's landing belongs to it
MOST: Final = 400  # of each list: a measure has a few hundred steps
ENOUGH: Final = 10  # looks and handlings of each kind, before anything is proposed


@format_names.format_name("Task")
class Task(status.Status):
    REST = "Leave all barrels standing, and do not touch anything until the bar is full."
    SHAKE = "Lift barrel {stopper}, shake it gently for a moment, and put it back."
    PLAY = (
        "Take barrel {stopper} as you would in a game: shake it, carry it about, but never look "
        "underneath. Then put it back."
    )
    LOOK = "Lift barrel {stopper}, look underneath for a whole second, and put it back."
    PLACE = "Lift barrel {stopper}, and put it on {seat}'s pad."
    BACK = "Take barrel {stopper} off {seat}'s pad, and put it back."

    @property
    def clean(self) -> bool:
        """Whether nobody looks underneath, so that an accusation would be a false one."""
        return self in {Task.SHAKE, Task.PLAY, Task.PLACE, Task.BACK}

    @property
    def handles(self) -> bool:
        """Whether a barrel is lifted at all."""
        return self is not Task.REST


@dataclass(frozen=True, slots=True)
class MeasuringStep:
    task: Task
    stopper: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A step that was done as asked, and from when to when."""

    step: MeasuringStep
    from_us: int
    to_us: int
    noticed: bool = True  # False: people did it, and the sensors slept


def steps(stoppers: Sequence[int], seats: Sequence[str]) -> tuple[MeasuringStep, ...]:
    """Return all that is asked; no barrel is placed where there are no pads.

    >>> [one.task.name for one in steps([3], ["red"])]
    ['REST', 'SHAKE', 'LOOK', 'PLAY', 'PLACE', 'BACK', 'REST']
    """
    asked = [MeasuringStep(Task.REST)]
    for task in (Task.SHAKE, Task.LOOK, Task.PLAY):
        asked += [MeasuringStep(task, stopper) for stopper in stoppers]
    for place, stopper in enumerate(stoppers if seats else ()):
        seat = seats[place % len(seats)]
        asked += [MeasuringStep(Task.PLACE, stopper, seat), MeasuringStep(Task.BACK, stopper, seat)]
    return (*asked, MeasuringStep(Task.REST))


def as_note(done: DoneStep) -> dict[str, Any]:
    """Return a step as a recording keeps it.

    >>> as_note(DoneStep(MeasuringStep(Task.LOOK, 3), 5, 9))["task"]
    'look'
    """
    step = done.step
    named = {"task": step.task.name.lower(), "stopper": step.stopper, "seat": step.seat}
    times = {"from_us": done.from_us, "to_us": done.to_us, "noticed": done.noticed}
    return {"kind": "done", **named, **times}


AGAIN: Final = {"kind": "again"}  # the step that was done last does not count


@format_names.record("Share")
class MeasuredShare:
    """How many of how many."""

    hits: int = 0
    of: int = 0


@format_names.record("Measured")
class MeasuredTable:
    """What a table can tell, as far as one measure shows."""

    at: str  # when, by the host's clock
    simulated: bool
    stoppers: int
    seconds: int
    looks: MeasuredShare = MeasuredShare()  # that were noticed
    accused: MeasuredShare = MeasuredShare()  # clean handlings that were taken for a look
    warned: MeasuredShare = MeasuredShare()  # of the same, that were taken for a short one
    handled: MeasuredShare = MeasuredShare()  # barrels whose lifting was noticed at all
    known: MeasuredShare = MeasuredShare()  # placed barrels that were known, and for certain
    wrong: MeasuredShare = MeasuredShare()  # placed barrels that were taken for others, for certain
    look_ms: tuple[int, ...] = ()  # how long each look was by the sensors; 0: not seen
    clean_ms: tuple[int, ...] = ()  # likewise, of what was not a look
    lifted_ms: tuple[int, ...] = ()  # from lifting to knowing it
    placed_ms: tuple[int, ...] = ()  # from standing on the pad to knowing who stands there
    pad_ms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # how much later it closed
    spread_mg: int | None = None  # a standard deviation: of one barrel that is weighed again
    spread_df: int = 0  # of this many independent repetitions
    foul_ms: int = 0  # the threshold that served
    warn_ms: int = 0

    @property
    def proposed_ms(self) -> int | None:
        """Return a better threshold for a look, by this table's own curves; None: none is known.

        >>> tens = {"look_ms": (900,) * 10, "clean_ms": (0,) * 10}
        >>> found = MeasuredTable("", True, 1, 1, **tens, foul_ms=500)
        >>> found.proposed_ms  # all is well as it is
        >>> replace(found, look_ms=(400,) * 10).proposed_ms
        340
        """
        if len(self.look_ms) < ENOUGH or len(self.clean_ms) < ENOUGH:
            return None
        missed, false = self.errors_at(self.foul_ms)
        best = min(
            range(self.warn_ms or 20, 2_000, 20),
            key=lambda ms: (_cost(self.errors_at(ms)), abs(ms - self._middle)),
        )
        return best if _cost(self.errors_at(best)) < _cost((missed, false)) else None

    @property
    def _middle(self) -> float:
        """Return where a threshold is farthest from mistakes of both kinds."""
        clean = max(self.clean_ms)
        looks = [ms for ms in self.look_ms if ms > clean]
        return clean + 0.85 * (min(looks) - clean) if looks else self.foul_ms

    def errors_at(self, foul_ms: int) -> tuple[int, int]:
        """Return how many looks would be missed, and how many be accused falsely."""
        return sum(ms < foul_ms for ms in self.look_ms), sum(ms >= foul_ms for ms in self.clean_ms)


def _cost(errors: tuple[int, int]) -> int:
    missed, false = errors
    return missed + 100 * false  # who is accused falsely does not play with such a table again


@dataclass(slots=True)
class Collected:
    """All that was told while a table is measured, as far as it matters afterwards."""

    done: list[DoneStep] = field(default_factory=list)
    findings: dict[int, events.FoulFinding] = field(default_factory=dict)
    lifted: list[tuple[int, events.BarrelMoved]] = field(
        default_factory=list
    )  # with when it was known
    stood: list[events.BarrelMoved] = field(default_factory=list)
    placed: list[tuple[int, events.Placed]] = field(default_factory=list)
    pads: list[observations.PadChanged] = field(default_factory=list)
    weights: list[tuple[int, float]] = field(default_factory=list)  # with the stopper

    def handle_event(self, now_us: int, event: object) -> None:
        match event:
            case events.FoulFinding(foul=events.FoulCode.PEEK, number=number):
                self.findings[number] = event
            case events.BarrelMoved(doing=events.BarrelMotion.LIFTED):
                self.lifted.append((now_us, event))
            case events.BarrelMoved(doing=events.BarrelMotion.STANDING):
                self.stood.append(event)
            case events.Placed():
                self.placed.append((now_us, event))
            case observations.PadChanged():
                self.pads.append(event)


def evaluate(
    got: Collected, settings: Settings, *, at: str = "", simulated: bool = False
) -> MeasuredTable:
    """Judge what the sensors noticed by what people did, step by step."""
    done, rules = got.done, settings.peeking
    looks = {
        look: _longest(look, got.findings.values()) for look in done if look.step.task is Task.LOOK
    }
    clean = {step: _longest(step, got.findings.values()) for step in done if step.step.task.clean}
    handled = [step for step in done if step.step.task.handles]
    placed = [_placed(step, got, settings) for step in done if step.step.task is Task.PLACE]
    spread, df = _spread(got.weights)
    stoppers = {step.step.stopper for step in handled}
    return MeasuredTable(
        at,
        simulated,
        len(stoppers),
        round((done[-1].to_us - done[0].from_us) / 1e6) if done else 0,
        looks=MeasuredShare(sum(ms >= rules.foul_ms for ms in looks.values()), len(looks)),
        accused=MeasuredShare(sum(ms >= rules.foul_ms for ms in clean.values()), len(clean)),
        warned=MeasuredShare(sum(0 < ms < rules.foul_ms for ms in clean.values()), len(clean)),
        handled=MeasuredShare(sum(step.noticed for step in handled), len(handled)),
        known=MeasuredShare(sum(ms is not None for right, ms in placed if right), len(placed)),
        wrong=MeasuredShare(sum(not right for right, _ in placed), len(placed)),
        look_ms=tuple(looks.values())[:MOST],
        clean_ms=tuple(clean.values())[:MOST],
        lifted_ms=tuple(_lifted(handled, got))[:MOST],
        placed_ms=tuple(ms for right, ms in placed if right and ms is not None)[:MOST],
        pad_ms=_pads(got),
        spread_mg=None if spread is None else round(spread),
        spread_df=df,
        foul_ms=rules.foul_ms,
        warn_ms=rules.warn_ms,
    )


def _longest(done: DoneStep, findings: Iterable[events.FoulFinding]) -> int:
    """Return for how long a look was seen in a step; 0: for none that counts."""
    lasted = [
        (finding.to_us - finding.from_us) // 1000
        for finding in findings
        if finding.weight is not events.Weight.WITHDRAWN
        and done.step.stopper in finding.stoppers
        and done.from_us <= finding.from_us < done.to_us
    ]
    return max(lasted, default=0)


def _lifted(handled: Iterable[DoneStep], got: Collected) -> Iterable[int]:
    """Yield how long it took to know that a barrel was lifted."""
    for done in handled:
        for now_us, event in got.lifted:
            if event.stopper == done.step.stopper and done.from_us <= now_us < done.to_us:
                yield max(0, now_us - event.moment.at_us) // 1000
                break


def _placed(done: DoneStep, got: Collected, settings: Settings) -> tuple[bool, int | None]:
    """Return whether nobody was taken for another, and how long until it was known for certain."""
    step = done.step
    sure = [
        (now_us, event)
        for now_us, event in got.placed
        if event.seat == step.seat
        and event.confidence >= settings.certain
        and done.from_us <= now_us < done.to_us + ECHO_US
    ]
    if any(event.stopper != step.stopper for _, event in sure):
        return False, None
    if not sure:
        return True, None
    now_us, _ = sure[0]
    edges = (_closed_us(done, got), _landed_us(done, got))
    since = max((at_us for at_us in edges if at_us is not None), default=now_us)
    return True, max(0, now_us - since) // 1000


def _closed_us(done: DoneStep, got: Collected) -> int | None:
    """Return when the pad of a step closed."""
    closed = (e.at_us for e in got.pads if e.occupied and e.colour == done.step.seat)
    return _first(done, closed)


def _landed_us(done: DoneStep, got: Collected) -> int | None:
    """Return when the barrel of a step stood again, as it told itself."""
    return _first(done, (e.moment.at_us for e in got.stood if e.stopper == done.step.stopper))


def _first(done: DoneStep, times_us: Iterable[int]) -> int | None:
    """Return the first time that lies within a step."""
    return next((at_us for at_us in times_us if done.from_us <= at_us < done.to_us), None)


def _pads(got: Collected) -> dict[str, tuple[int, ...]]:
    """Return how much later than the barrel's own landing each pad closed; less than 0: earlier."""
    late_ms: dict[str, list[int]] = {}
    for done in got.done:
        if done.step.task is not Task.PLACE or done.step.seat is None:
            continue
        closed, landed = _closed_us(done, got), _landed_us(done, got)
        if closed is not None and landed is not None and abs(closed - landed) < NEAR_US:
            late_ms.setdefault(done.step.seat, []).append((closed - landed) // 1000)
    return {seat: tuple(ms[:MOST]) for seat, ms in late_ms.items()}


def _spread(weights: Sequence[tuple[int, float]]) -> tuple[float | None, int]:
    """Return how far one barrel's weights lie apart, of all barrels together."""
    each: dict[int, list[float]] = {}
    for stopper, load_mg in weights:
        each.setdefault(stopper, []).append(load_mg)
    squares, df = 0.0, 0
    for loads_mg in each.values():
        mean = sum(loads_mg) / len(loads_mg)
        squares += sum((load_mg - mean) ** 2 for load_mg in loads_mg)
        df += len(loads_mg) - 1
    return (sqrt(squares / df) if df else None), df


# --- kept --------------------------------------------------------------------------------------


def as_json(result: MeasuredTable) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in fields(result):
        value = getattr(result, part.name)
        values[part.name] = [value.hits, value.of] if isinstance(value, MeasuredShare) else value
    return values


def from_json(values: Mapping[str, Any]) -> MeasuredTable | None:
    """Return what a file holds; None: another version wrote it. ValueError: it is damaged."""
    known = get_type_hints(MeasuredTable)
    if not set(values) <= set(known):
        return None
    return MeasuredTable(**{name: _value(known[name], value) for name, value in values.items()})


LARGEST: Final = 10_000_000  # of anything that is measured: nobody measures for hours, or tonnes


def _value(kind: Any, value: Any) -> Any:
    if kind is MeasuredShare:
        hits, of = map(_whole, value)
        if not 0 <= hits <= of:
            raise ValueError(value)
        return MeasuredShare(hits, of)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(map(_whole, value))
    if get_origin(kind) is Mapping:
        if not set(config.COLOURS).issuperset(value):
            raise ValueError(value)
        return {seat: tuple(map(_whole, ms)) for seat, ms in value.items()}
    if kind in (str, bool) and type(value) is kind:
        return value
    return None if value is None and kind == int | None else _whole(value, 0)


def _whole(value: object, least: int = -LARGEST) -> int:
    if type(value) is not int or not least <= value <= LARGEST:
        raise ValueError(value)
    return value


TAIL: Final = 0.025  # on each side: an interval of 95 %
HALVINGS: Final = 40
Interval = tuple[float, float]


def clopper_pearson(hits: int, of: int) -> Interval:
    """Return between what a share lies, exactly (Clopper and Pearson): it never promises too much.

    >>> clopper_pearson(0, 200), clopper_pearson(13, 13)
    ((0.0, 0.0183), (0.7529, 1.0))
    """
    if not of:
        return 0.0, 1.0
    low = 0.0 if not hits else _root(lambda share: 1.0 - _up_to(hits - 1, of, share), rises=True)
    high = 1.0 if hits == of else _root(lambda share: _up_to(hits, of, share), rises=False)
    return round(low, 4), round(high, 4)


def _up_to(hits: int, of: int, share: float) -> float:
    """Return how probable so many or fewer are."""
    each = (comb(of, k) * share**k * (1.0 - share) ** (of - k) for k in range(hits + 1))
    return fsum(each)


def _root(curve: Callable[[float], float], *, rises: bool) -> float:
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if (curve(middle) < TAIL) == rises:
            low = middle
        else:
            high = middle
    return (low + high) / 2
