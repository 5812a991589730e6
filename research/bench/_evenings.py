"""Evenings at the simulated table as data: what sensing saw and told, and the truth beside it.

It must not know any detector. What is seen went the whole way: firmware, air, hub, pseudo-terminal,
host port, mock pins; and so does what sensing asks the stoppers in return. Only the clerk, who says
which phase the game is in, reads the truth.
"""

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from companion import wire
from companion.devices.hub_discovery import HubMessage
from companion.sensing.events import SensingEvent
from companion.sensing.observations import ChoosingBegan, ChoosingEnded, Seen
from companion.sensing.settings import Settings
from companion.sensing.tampering import Suspect
from companion.simulator.boards import FIRMWARE
from companion.simulator.ground_truth import Happening, What
from companion.simulator.live.live import PeriodicTask
from companion.simulator.live.parts import PUMP_US
from companion.simulator.stones import Stones
from companion.simulator.stopper_kinds import WEIGHING
from companion.simulator.traits import traits
from companion.system.status import Condition
from companion.system.text import SeatName
from rappelwacht_research.breadboard import KINDS
from rappelwacht_research.exposures import Exposure, exposures
from rappelwacht_research.faults import ScriptFault
from rappelwacht_research.reflex_pads import PadKind
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.sim_driver import SimulationDriver, Tell, parts_of
from rappelwacht_research.stepped import SteppedCable
from research.bench._hearing import TICK_US, Hearing, Noted
from research.bench._occasions import OCCASIONS

BREAKS_US = 2_500_000
ENDS_US = 250_000  # after the last barrel touches its pad, which may close late, all have placed
BLINK_US = 50_000  # a label that is out of sight for less is the same look
SOURCES = ("simulator", "simulated_table", "sim_command", "devices", "sensing")


@dataclass(frozen=True, slots=True)
class Session:
    """Which evening: everything in it follows from this."""

    occasion: str
    condition: str
    seed: int
    rounds: int
    world: str | None = None  # as `--world` says it; None: the usual one
    kind: str = WEIGHING.name  # of its stoppers

    @property
    def name(self) -> str:
        """How it is called.

        >>> Session("peeks", "fair", 3, 2).name
        'peeks fair 3 x2'
        """
        others = (self.world or "", "" if self.kind == WEIGHING.name else self.kind)
        words = "".join(f" {one}" for one in others if one)
        return f"{self.occasion} {self.condition} {self.seed} x{self.rounds}{words}"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What could be seen, by the time at which the host had it, and what was true."""

    session: Session
    seen: tuple[Noted, ...]
    heard: tuple[tuple[int, SensingEvent | Suspect], ...]  # what sensing told, and when
    happenings: tuple[Happening, ...]
    exposures: tuple[Exposure, ...]  # of labels that somebody holds
    accidents: tuple[Exposure, ...]  # of labels that lie in sight, in nobody's hand
    choosing: tuple[tuple[int, int], ...]  # from, to: when peeking is forbidden
    stopper_of: dict[int, int]  # by barrel
    ill: frozenset[int]  # stoppers that are broken on purpose
    end_us: int


def faults_of(condition: str, rng: Random) -> tuple[ScriptFault, ...]:
    """Return what is broken from the beginning."""
    barrels = [rng.randrange(1, 14) for _ in range(40)]
    three = tuple(dict.fromkeys(barrels))[:3]
    match condition:
        case "loss_30":
            return (ScriptFault("loss", amount=0.3),)
        case "flat_3":
            return tuple(ScriptFault("flat", barrel) for barrel in three)
        case "stuck_cell":
            return (ScriptFault("stuck", three[0], "cell"),)
        case "stuck_accelerometer":
            return (ScriptFault("stuck", three[0], "accelerometer"),)
    return ()


CONDITIONS = ("loss_30", "flat_3", "stuck_cell", "stuck_accelerometer", "reflex_pads")


WORDS_40, DEAF = "words_40", "deaf"  # how pads read names: hardly, and not at all


class Host(SimulationDriver):
    """The host of a simulated table, with sensing behind its port."""

    def __init__(self, table: ScriptedTable, folder: Path, tell: Tell) -> None:
        super().__init__(table, folder, tell)
        self.hearing = Hearing(Settings(), self.port.send)

    def _hear(self, heard: HubMessage) -> None:
        self.hearing.hear(heard.at_us, heard.said)


class _Table:
    """A table with its host, and what is written down of both while they go on."""

    def __init__(self, session: Session, cable: SteppedCable, folder: Path) -> None:
        name = f"{session.occasion} {session.condition} {session.seed}"
        rng = Random(name)
        seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
        stones = (Stones.BALLS_4_5_MM, Stones.STAMPED_4_5_MM)[session.seed % 2]
        world = traits(session.world)
        pads = PadKind.REFLEX if session.condition == "reflex_pads" else PadKind.SWITCH
        how: dict[str, Any] = {"stones": stones, "pads": pads, "kind": KINDS[session.kind]}
        self.table = ScriptedTable((), cable, seed, traits=world, **how)
        if session.condition == WORDS_40:
            self.table.light_path.keep_clean(0.4)
        if session.condition == DEAF:
            self.table.light_path.dead |= set(self.table.world.seats)
        self.evening = Host(self.table, folder, self._tell)
        self.hearing = self.evening.hearing
        self.happenings: list[Happening] = []
        self.exposures: list[Exposure] = []
        self.choosing: list[tuple[int, int]] = []
        self.faults = faults_of(session.condition, rng)
        self.table.at(BREAKS_US, self._break)
        self.table.arranged = self._arranged
        self.table.go_on(OCCASIONS[session.occasion](self.table.world, rng, session.rounds))

    def play(self) -> None:
        """Let the evening pass."""
        with parts_of(self.table, self._tell) as parts:
            self.evening.also.append(PeriodicTask(PUMP_US, parts.pump))
            self.evening.also.append(PeriodicTask(TICK_US, self._pass_to))
            self.evening.play()
            self.evening.close()

    def _tell(self, at_us: int, news: object) -> None:
        if not isinstance(news, Condition):  # how devices are is not sensing's business
            assert isinstance(news, Seen)
            self.hearing.take(at_us, news)

    def _pass_to(self, now_us: int) -> None:
        self.hearing.pass_to(now_us)
        if self.evening.port.wants_to_write():
            self.evening.port.tick(now_us)

    def _break(self) -> None:
        for fault in self.faults:
            self.table.faults.carry_out(fault)

    def _arranged(self, from_us: int) -> None:
        """Write down a round that is to come, and have the clerk say when people choose."""
        world = self.table.world
        coming = [one for one in world.truth.happenings if one.at_us >= from_us]
        self.happenings += coming
        self.exposures += exposures(world, from_us, world.now_free_us)
        seats = tuple(seat.name.lower() for seat in world.seats)
        for begin_us, end_us in phases(coming, world.now_free_us):
            self.choosing.append((begin_us, end_us))
            self._say(ChoosingBegan(seats, begin_us))
            self._say(ChoosingEnded(end_us))

    def _say(self, seen: ChoosingBegan | ChoosingEnded) -> None:
        self.table.at(seen.at_us, lambda: self.hearing.take(seen.at_us, seen))


def record(session: Session) -> Recorded:
    """Let an evening pass."""
    with TemporaryDirectory() as folder, SteppedCable(Path(folder)) as cable:
        noted = _Table(session, cable, Path(folder))
        noted.play()
    table, joined = noted.table, list(looks(noted.exposures))
    return Recorded(
        session,
        tuple(noted.hearing.seen),
        tuple(noted.hearing.heard),
        tuple(sorted(noted.happenings, key=lambda one: one.at_us)),
        tuple(look for look in joined if look.seat is not None),
        tuple(look for look in joined if look.seat is None),
        tuple(noted.choosing),
        dict(table.world.stoppers),
        frozenset(table.stopper_of(one.barrel) for one in noted.faults if one.barrel),
        table.now_us,
    )


def phases(happenings: Sequence[Happening], end_us: int) -> Iterator[tuple[int, int]]:
    """Yield from when to when people choose: from the known magic number to the last placing."""
    rolls = [one for one in happenings if one.what is What.ROLLED]
    for turn, roll in enumerate(rolls):
        until_us = rolls[turn + 1].at_us if turn + 1 < len(rolls) else end_us
        placed = [
            one.at_us
            for one in happenings
            if one.what is What.PLACED and roll.until_us < one.at_us < until_us
        ]
        yield roll.until_us, max(placed, default=until_us - 2 * ENDS_US) + ENDS_US


def looks(exposures: Sequence[Exposure]) -> Iterator[Exposure]:
    """Join the spans of one look that a trembling hand breaks into pieces."""
    open_: dict[tuple[int, SeatName | None], Exposure] = {}
    for one in sorted(exposures, key=lambda one: one.from_us):
        key = one.barrel, one.seat
        before = open_.get(key)
        if before and one.from_us - before.to_us <= BLINK_US:
            to_us = max(before.to_us, one.to_us)
            longer = max(before, one, key=lambda look: look.span_ms)
            open_[key] = replace(longer, from_us=before.from_us, to_us=to_us)
            continue
        if before:
            yield before
        open_[key] = one
    yield from open_.values()


def recorded(session: Session, folder: Path | None) -> Recorded:
    """Return an evening, from a folder that keeps them if nothing that it depends on changed."""
    if folder is None:
        return record(session)
    file = folder / f"{session.name.replace(' ', '-')}-{version()}.pickle"
    if file.exists():
        found = pickle.loads(file.read_bytes())  # noqa: S301 - our own file
        assert isinstance(found, Recorded)
        return found
    found = record(session)
    folder.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_bytes(pickle.dumps(found))
    part.replace(file)
    return found


def version() -> str:
    """Return a name for all sources that an evening follows from."""
    companion, digest = Path(wire.__file__).parent, hashlib.sha256()
    folders = [FIRMWARE, *(companion / name for name in SOURCES)]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    own = [Path(__file__).with_name(f"_{name}.py") for name in ("evenings", "hearing", "occasions")]
    for file in [*files, Path(wire.__file__), *own]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
