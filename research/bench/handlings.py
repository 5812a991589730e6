"""Who is accused of nothing, and how soon a look is told: one barrel, handled by the thousand.

The simulator's people take one barrel of an honest table again and again: in half of all worlds
they shake, carry and hand it over, in the others they look at its label, too. Its stopper, its
radio and sensing are those of `bench sensing`; the twelve other stoppers are left out, and the hub
is a delay. So a handling costs a quarter of a second, and rare things can be counted. What is true
and what counts as told is judged as there; shares bear intervals of 95 %.

    ./run bench handlings [--json] [--blameless 200] [--looks 100] [--world honest] [--site home]
                          [--seed 1] [--processes 2] [--page]
"""

import multiprocessing
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from companion import wire
from companion.sensing.observations import ChoosingBegan, PadChanged
from companion.sensing.settings import Settings
from companion.simulator.actors import do
from companion.simulator.boards import HUB, SECOND_HUB, StopperBoard, node
from companion.simulator.hand_params import ScriptVigour, between
from companion.simulator.link_budget import HOME, RadioPlan, RadioSite
from companion.simulator.radio import RadioChannel
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.traits import traits
from companion.simulator.world import World
from companion.system.chance import pick
from companion.system.text import SeatName
from rappelwacht_research.exposures import Exposure, exposures
from research.bench import _drawings
from research.bench._evenings import Recorded, Session, looks
from research.bench._figures import (
    CLEAR_DEG,
    LONG_MS,
    Figures,
    of_handling,
    of_looks,
    quantile,
    share,
)
from research.bench._hearing import TICK_US, Hearing
from research.bench._page import FOLDER, PAGE, inserted
from research.bench._report import parser, tell
from research.bench._scoring import Score, score, total

BAD: Final = RadioSite(
    "bad-build", hand_db=(22.0, 7.0), antenna_db=(-18.0, 3.0), hub_needs_dbm=(-76.0, 4.0)
)
SITES: Final = {
    site.name: site
    for site in (
        HOME,
        RadioSite("hall", busy_share=0.5, busy_s=1.0, drowned_every_s=20.0),
        RadioSite("oven", oven_share=1.0),
        RadioSite("hub-at-pi", drowned_every_s=3.0),
        BAD,
        replace(BAD, name="bad-build-two-hubs", hubs=2),
    )
}
SEATS: Final = tuple(SeatName)[:4]
TOGETHER: Final = 20  # handlings in one world
LEAD_US, REST_US, AFTER_US = 12_000_000, 1_500_000, 2_500_000  # until calibrated; between; at last
TO_HOST_US, TO_STOPPER_US = 4_000, 3_000  # the hub's step and the cable, either way
SOON_MS: Final = 600
VIGOURS: Final = (
    *(ScriptVigour.GENTLY,) * 3,
    *(ScriptVigour.AS_USUAL,) * 4,
    ScriptVigour.FIRMLY,
    ScriptVigour.WILDLY,
)
TOLD: Final = (  # on the page: what it is, times what it is told
    ("false_fouls_per_1000", "false accusations in 1,000 handlings", 1),
    ("warnings_per_200", "needless warnings in 200 handlings", 1),
    ("peek_miss_500ms", "looks of 0.5 s or more, from 70° on, that are missed", 100),
    ("soon", "… told as a foul within 0.6 s", 100),
    ("peek_latency_p50_ms", "from readable to a foul, half of them", 0),
    ("peek_latency_p90_ms", "… 90 %", 0),
    ("peek_latency_p99_ms", "… 99 %", 0),
    ("peek_warning_p50_ms", "from readable to a warning, half of them", 0),
    ("peek_warning_p99_ms", "… 99 %", 0),
)


class Table:
    """One barrel of a table, its stopper, and the host that hears it."""

    def __init__(self, seed: int, world: str | None, site: RadioSite = HOME) -> None:
        has, self.now_us = traits(world), 0
        self.world = World(Random(seed), seats=SEATS, traits=has)
        self.number = seed % 13 + 1
        self.barrel, stopper = self.world.barrels[self.number], self.world.stoppers[self.number]
        self._node, self._line = node(stopper), wire.Line(wire.TO_HUB)
        radios = RadioPlan(site, has, str(seed))
        air = RadioChannel(Random(f"air {seed}"), self._clock_us, shared=radios.shared)
        self._hubs = [
            air.join(address, air=radios.hub(number))
            for number, address in enumerate((HUB, SECOND_HUB)[: site.hubs])
        ]
        weak, starts = radios.stopper(stopper, self.barrel), radios.starts(stopper)
        self._board = StopperBoard(
            stopper,
            self.barrel,
            lambda own: air.join(self._node, air=weak, starts=starts, processor=own),
            self._clock_us,
            seed=str(seed),
            ppm=12.0,
            traits=has,
        )
        self.hearing = Hearing(Settings(), self._send)
        self._turns: list[tuple[int, int, Callable[[], object]]] = []
        self._board.power_on()
        self._turn(0, self._step)
        self._turn(0, self._tick)
        names = tuple(seat.name.lower() for seat in SEATS)
        for name in names:
            self.hearing.take(1, PadChanged(name, False, 1))
        self.hearing.take(2, ChoosingBegan(names, 2))

    def advance(self, to_us: int) -> None:
        """Let time pass."""
        while self._turns[0][0] <= to_us:
            self.now_us, _, act = self._turns.pop(0)
            act()
        self.now_us = to_us

    def _clock_us(self) -> int:
        return self.now_us

    def _turn(self, at_us: int, act: Callable[[], object]) -> None:
        self._turns.append((at_us, len(self._turns), act))
        self._turns.sort(key=lambda turn: turn[0])

    def _step(self) -> None:
        self._turn(self.now_us + max(1, self._board.step()), self._step)
        self._relay()

    def _tick(self) -> None:
        self.hearing.pass_to(self.now_us)
        self._turn(self.now_us + TICK_US // 4, self._tick)
        self._relay()

    def _relay(self) -> None:
        for hub in self._hubs:
            while (heard := hub.receive()) is not None:
                fields = wire.NAMED["RELAYED"].named(rssi=heard[2], packet=heard[1])
                said = wire.Said("RELAYED", self.now_us, fields)
                self._turn(self.now_us + TO_HOST_US, partial(self._hear, said))

    def _hear(self, said: wire.Said) -> None:
        self.hearing.hear(self.now_us, said)

    def _send(self, frame: bytes) -> None:
        for said in self._line.hear(frame):
            assert isinstance(said, wire.Said)
            send = partial(self._hubs[0].send, self._node, said.fields.packet)
            self._turn(self.now_us + TO_STOPPER_US, send)


def acts(rng: Random, number: int, *, looking: bool) -> Iterator[ScriptAct]:
    """Yield what somebody does with a barrel; who has it in the end sets it down."""
    seat = pick(rng, SEATS)
    yield ScriptAct(Verb.LIFT, seat, (number,))
    for _ in range(pick(rng, (0, 0, 1) if looking else (1, 1, 1, 2))):
        verb = pick(rng, (*(Verb.SHAKE,) * 7, Verb.CARRY, Verb.HAND_OVER))
        if verb is Verb.HAND_OVER:
            taker = pick(rng, [one for one in SEATS if one is not seat])
            yield ScriptAct(verb, seat, (number,), to=taker)
            seat = taker
        else:
            yield ScriptAct(
                verb, seat, (number,), vigour=pick(rng, VIGOURS), for_s=between(rng, 0.6, 2.2)
            )
    if looking:
        yield ScriptAct(Verb.PEEK, seat, (number,), for_s=between(rng, 0.45, 1.0))
    yield ScriptAct(Verb.PUT_BACK, seat, (number,))


def handled(task: tuple[int, int, bool, str | None, str]) -> Score:
    """Return what came of some handlings in a world of their own."""
    seed, count, looking, world, site = task
    table, rng, spans = (
        Table(seed, world, SITES[site]),
        Random(f"handlings {seed} {looking}"),
        list[Exposure](),
    )
    table.advance(LEAD_US)
    for _ in range(count):
        begin_us = end_us = table.now_us
        for act in acts(rng, table.number, looking=looking):
            end_us = do(table.world, act, end_us + round(1e6 * between(rng, 0.0, 0.5)))
        spans += exposures(table.world, begin_us, end_us)
        table.advance(end_us + REST_US)
    table.advance(table.now_us + AFTER_US)
    found = list(looks(spans))
    recorded = Recorded(
        Session("handlings", "fair", seed, count, world),
        (),
        tuple(table.hearing.heard),
        tuple(table.world.truth.happenings),
        tuple(one for one in found if one.seat is not None),
        tuple(one for one in found if one.seat is None),
        ((2, table.now_us),),
        dict(table.world.stoppers),
        frozenset(),
        table.now_us,
    )
    return score(recorded, recorded.heard, Settings())


def measured(every: Score) -> Figures:
    """Return the figures."""
    figures = of_handling(every) | of_looks(every.looks)
    clear = [one for one in every.looks if one.span_ms >= LONG_MS and one.tilt_deg >= CLEAR_DEG]
    ruled = sorted(one.ruled_ms for one in clear if one.ruled_ms is not None)
    soon = sum(one <= SOON_MS for one in ruled)
    return figures | {
        "peek_latency_p90_ms": quantile(ruled, 0.9),
        **share("soon", soon, len(clear)),
    }


def table(found: Figures) -> str:
    """Return the figures as a table for the page."""
    rows = ["| | measured | 95 % interval |", "|---|---|---|"]
    for name, words, times in TOLD:
        value, reach, of = found[name], found.get(f"{name}_ci95"), found.get(f"{name}_of")
        if not times or reach is None:
            rows.append(f"| {words} | {value:,.0f} ms | |")
            continue
        unit = " %" if times == 100 else ""
        low, high = (f"{times * end:.3g}" for end in reach)
        rows.append(
            f"| {words} | {times * value:.3g}{unit} | {low} to {high}{unit}"
            f"{f' of {of:,}' if of else ''} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Measure, print, and put it on the page."""
    words = parser("handlings", __doc__)
    words.add_argument("--blameless", type=int, default=200, help="handlings without a look")
    words.add_argument("--looks", type=int, default=100, help="handlings with one")
    words.add_argument("--world", help="as for the table; the honest one as a rule")
    words.add_argument("--site", default=HOME.name, choices=SITES, help="of its radio")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--page", action="store_true", help="put it on the page, too")
    options = words.parse_args()
    where = options.world, options.site
    tasks = [
        (1000 * options.seed + turn, min(TOGETHER, amount - turn), looking, *where)
        for looking, amount in ((False, options.blameless), (True, options.looks))
        for turn in range(0, amount, TOGETHER)
    ]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        every = total(pool.imap_unordered(handled, tasks))
    found = measured(every)
    if options.page:
        PAGE.write_text(inserted(PAGE.read_text("utf-8"), "handlings", table(found)), "utf-8")
        drawing = _drawings.promptness(every.looks)
        (PAGE.parent / FOLDER / "promptness-honest.svg").write_text(drawing, "utf-8")
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
