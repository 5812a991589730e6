"""The two detectors of fouls behind what they need, so that scenarios can be played before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import strategies as st

from companion.sensing import clocks, fouls, peeking, placement
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    FoulFinding,
    Placed,
    SampleRequest,
    SecondPlaced,
    Taken,
    Weight,
)
from companion.sensing.name_word import name_of
from companion.sensing.observations import (
    FOREVER_US,
    ChoosingBegan,
    ChoosingEnded,
    NameRead,
    Observation,
    PadChanged,
    Seen,
    Settled,
    StopperMessage,
)
from companion.sensing.settings import Settings
from companion.simulator.boards import key, node
from companion.simulator.run import SimulatedTable
from companion.simulator.world import world_of
from rappelwacht_research.sim_driver import SimulatedParts
from tests.scenarios.evenings import News, Told

DOES = {"LIFT": BarrelMotion.LIFTED, "SET": BarrelMotion.STANDING, "FLIP": BarrelMotion.FLIPPED}
BEGINS_US = 1_000_000
NAMES = {name_of(key(number)): number for number in range(1, 14)}


def without(seen: Sequence[tuple[int, Seen]], lost: set[int]) -> list[tuple[int, Seen]]:
    """Return what is seen if some messages are lost; what follows them knows how many."""
    kept: list[tuple[int, Seen]] = []
    missing: dict[bytes, int] = {}
    for number, (at_us, one) in enumerate(seen):
        if not isinstance(one, Observation):
            kept.append((at_us, one))
        elif number in lost:
            missing[one.node] = missing.get(one.node, 0) + 1 + one.gap
        else:
            kept.append((at_us, replace(one, gap=one.gap + missing.pop(one.node, 0))))
    return kept


@st.composite
def losses(draw: st.DrawFn, count: int) -> set[int]:
    """Return which of so many messages are lost."""
    share = draw(st.sampled_from([0.02, 0.1, 0.3, 0.6, 0.9]))
    chance = draw(st.randoms(use_true_random=False))
    return {number for number in range(count) if chance.random() < share}


def next_look_us(state: peeking.PeekState) -> int:
    """Return when something follows of looks from hearing nothing."""
    return min((look.next_us for look in state.looks.values()), default=FOREVER_US)


class Joined:
    """Clocks, seating and the detectors, with a tracker that believes every event."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.clocks, self.seating = clocks.ClockFits(), placement.Placement()
        self.peeking, self.fouls = peeking.PeekState(), fouls.HandFoulState()
        self.findings: list[tuple[int, FoulFinding]] = []
        self.wanted: list[SampleRequest] = []

    def take(self, seen: Seen, at_us: int) -> None:
        if isinstance(seen, Observation):
            self.clocks, felt = clocks.step(self.clocks, seen, seen.node[-1], self.settings)
            self._judge(felt, at_us)
            self._seat(felt, at_us)
            if felt.name in DOES:
                self._judge(BarrelMoved(felt.stopper, DOES[felt.name], felt.moment, True), at_us)
        elif isinstance(seen, NameRead):
            self._seat(replace(seen, stopper=NAMES[seen.name]), at_us)
        elif isinstance(seen, PadChanged | Settled | ChoosingBegan | ChoosingEnded):
            self._judge(seen, at_us)
            self._seat(seen, at_us)

    def pass_to(self, now_us: int) -> None:
        self.peeking, found, wanted = peeking.advance(self.peeking, now_us, self.settings)
        self._note(now_us, found, wanted)
        self.seating, told = placement.advance(self.seating, now_us, self.settings)
        self._hear(told, now_us)
        self.fouls, found = fouls.advance(self.fouls, now_us, self.settings)
        self._note(now_us, found, ())

    @property
    def next_foul_us(self) -> int:
        """Return when a foul of hands may follow from hearing nothing."""
        state, rules = self.fouls, self.settings.fouls
        marks = [held.since_us + 1000 * rules.too_many_ms for held in state.in_air.values()]
        for back in state.backs.values():
            marks.append(back.from_us + 1000 * rules.back_ms)
            marks.append((back.down_us or back.from_us) + 1000 * rules.again_ms)
        return min((mark for mark in marks if mark > state.now_us), default=FOREVER_US)

    def _seat(self, seen: placement.Seen, at_us: int) -> None:
        self.seating, told = placement.step(self.seating, seen, self.settings)
        self._hear(told, at_us)

    def _hear(self, told: placement.SeatEvents, at_us: int) -> None:
        for one in told:
            if isinstance(one, Placed | SecondPlaced | Taken):
                self._judge(one, at_us)

    def _judge(
        self, seen: Seen | StopperMessage | BarrelMoved | Placed | SecondPlaced | Taken, at_us: int
    ) -> None:
        self.peeking, found, wanted = peeking.step(self.peeking, seen, self.settings)
        self._note(at_us, found, wanted)
        self.fouls, found = fouls.step(self.fouls, seen, self.settings)
        self._note(at_us, found, ())

    def _note(
        self, at_us: int, found: tuple[FoulFinding, ...], wanted: tuple[SampleRequest, ...]
    ) -> None:
        self.findings += [(at_us, finding) for finding in found]
        self.wanted += wanted

    def last(self) -> dict[int, FoulFinding]:
        """Return every finding as it was told last."""
        return {finding.number: finding for _, finding in self.findings}


class Refereed(Told):
    """An evening at the simulated table at which somebody watches, and asks for evidence."""

    def __init__(self, folder: Path, script: str, seed: int = 1, **more: object) -> None:
        super().__init__(folder, script, seed, **more)
        self.joined = Joined()
        self.seen: list[tuple[int, Seen]] = []
        self.asks = bool(more.get("asks", True))
        self._requests = 0

    def watch(self) -> Refereed:
        """Let the evening pass; all seats choose from its first second to its end."""
        self.play(self._begin)
        return self

    def say(self, at_s: float, seen: Seen) -> Refereed:
        """Let somebody say something at a time."""
        self.seen.append((round(at_s * 1e6), seen))
        return self

    def _begin(self, table: SimulatedTable, _: SimulatedParts) -> None:
        said, self.seen = self.seen, []
        seats = tuple(seat.name.lower() for seat in table.world.seats)
        self._at(table, BEGINS_US, ChoosingBegan(seats, BEGINS_US))
        for at_us, seen in said:
            self._at(table, at_us, seen)

    def _at(self, table: SimulatedTable, at_us: int, seen: Seen) -> None:
        table.at(at_us, lambda: self._take(seen, at_us))

    def _tell(self, at_us: int, news: News) -> None:
        super()._tell(at_us, news)
        if isinstance(news, Observation | PadChanged | NameRead):
            self._take(news, at_us)

    def _take(self, seen: Seen, at_us: int) -> None:
        self.seen.append((at_us, seen))
        self.joined.take(seen, at_us)
        self._go_on(at_us)

    def _go_on(self, now_us: int) -> None:
        self.joined.pass_to(now_us)
        for wanted in self.joined.wanted:
            self._ask(wanted, now_us)
        self.joined.wanted.clear()
        due_us = min(next_look_us(self.joined.peeking), self.joined.next_foul_us)
        if now_us < due_us < FOREVER_US:
            self.table.at(due_us, lambda: self._go_on(max(due_us, self.table.now_us)))

    def _ask(self, wanted: SampleRequest, now_us: int) -> None:
        if self.asks:
            what = {"start_us": wanted.start_us, "length_ms": wanted.length_ms}
            self._requests += 1
            asked = node(wanted.stopper)
            self.evening.listening.send(
                now_us, asked, "RAW_REQUEST", request=self._requests, **what
            )

    def stopper_of_seed(self, barrel: int) -> int:
        """Return which stopper will close a barrel."""
        return world_of(self.seed).stoppers[barrel]

    def told(self) -> list[str]:
        """Return what stands at the end, by barrels as people know them."""
        return [
            f"{finding.weight.value} {finding.foul.value} of {self._barrels(finding)}"
            for finding in self.joined.last().values()
            if finding.weight is not Weight.WITHDRAWN
        ]

    def finding(self) -> FoulFinding:
        """Return the only finding there is."""
        (finding,) = self.joined.last().values()
        return finding

    def _barrels(self, finding: FoulFinding) -> str:
        stoppers = self.table.world.stoppers
        numbers = [n for n, stopper in stoppers.items() if stopper in finding.stoppers]
        return " ".join(map(str, sorted(numbers)))
