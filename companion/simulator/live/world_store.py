"""Stores where all barrels of a simulated table are, so that a restart finds them as they were.

It is written whenever a barrel lies elsewhere, and erased with the match. Without it, or where it
is not sound, the barrels lie anywhere; the guests then shake the round again, and that is told.

    world.json      {"seed": 7, "traits": [], "stoppers": [3, …], "barrels": [{"place": 0}, …]}
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from math import pi
from pathlib import Path
from typing import Final

from companion.core.codec import pack, unpack
from companion.referee.snapshot import Snapshot
from companion.simulator import guests, motions, poses, run
from companion.simulator.live.live import Live, PeriodicTask
from companion.simulator.traits import Trait
from companion.simulator.world import World
from companion.system import format_names, small_files, status, text

LOOK_US: Final = 200_000
IN_HAND_M: Final = 0.2  # above the own pad


@format_names.format_name("WorldState")
class WorldState(status.Status):
    """Whether the barrels lie where the match has them."""

    THERE = status.Fine("The barrels of this simulated table lie where they lay.")
    LOST = "Where the barrels lay was not kept, so this round is shaken again."


class How(Enum):
    STANDS = "stands"
    HELD = "held"
    FLIPPED = "flipped"


@dataclass(frozen=True, slots=True)
class Lying:
    """One barrel; what fell down, or stands beside a pad, is put back onto its place."""

    place: int  # among the spots of the plateau: where it belongs
    how: How = How.STANDS
    seat: str = ""  # in whose hand, or before whom; nobody: it stands on its place


@dataclass(frozen=True, slots=True)
class KeptWorld:
    """Enough of a world to go on with it."""

    seed: int
    traits: tuple[Trait, ...]
    stoppers: tuple[int, ...]  # of the barrels 1 to 13…
    barrels: tuple[Lying, ...]  # …and these themselves
    person: str = ""  # the seats at which people played: "red blue"


WORLD: Final[small_files.SmallFile[KeptWorld | None]] = small_files.SmallFile(
    "world.json",
    lambda kept: small_files.to_json(pack(kept)),
    lambda data: unpack(KeptWorld, small_files.object_in(data), "world"),
    16_384,
)


def load(folder: Path, report: status.Report) -> KeptWorld | None:
    """Return the world that was kept; None: there is none, or it is not sound."""
    return WORLD.load(folder, None, report)


def restore_barrels(kept: KeptWorld, table: run.SimulatedTable) -> bool:
    """Put all barrels where they lay; False: they do not fit into this world."""
    world = table.world
    seats = {seat.name.lower(): seat for seat in world.seats}
    spots = sorted(barrel.place for barrel in kept.barrels)
    known = all(
        barrel.seat in seats or (barrel.how is How.STANDS and not barrel.seat)
        for barrel in kept.barrels
    )
    if kept.stoppers != tuple(world.stoppers.values()) or not known:
        return False
    if spots != list(range(len(world.spots))) or not set(kept.person.split()) <= set(seats):
        return False
    for number, stored in zip(world.barrels, kept.barrels, strict=True):
        seat, place = seats.get(stored.seat), world.spots[stored.place]
        world.lay(number, place, _pose(world, stored.how, seat, place), seat)
    return True


def _pose(world: World, how: How, seat: text.SeatName | None, place: motions.Vector) -> poses.Pose:
    at_m = place if seat is None else world.pads[seat]
    if how is How.FLIPPED:
        return poses.Pose(at_m, pi, support=poses.Support.HEAD)
    if how is How.HELD:
        x, y, z = at_m
        grip = world.hand.trembling(0)
        return poses.Pose((x, y, z + IN_HAND_M), support=poses.Support.HAND, grip=grip)
    return poses.Pose(at_m)


def world_to_keep(table: run.SimulatedTable, people: Iterable[text.SeatName]) -> KeptWorld:
    """Return the world as it will be when all that people just do is done."""
    world = table.world
    traits = tuple(sorted(table.traits, key=lambda trait: trait.value))
    barrels = tuple(_lying(world, number) for number in world.barrels)
    stoppers = tuple(world.stoppers.values())
    played = " ".join(map(_word, sorted(people)))
    return KeptWorld(table.seed, traits, stoppers, barrels, played)


def _lying(world: World, number: int) -> Lying:
    place, pose = world.spots.index(world.places[number]), world.barrels[number].pose
    if pose.held:
        holder = world.holder(number)
        return Lying(place) if holder is None else Lying(place, How.HELD, _word(holder))
    for seat, pad in world.pads.items():
        if pose.at_m == pad and pose.support in (poses.Support.FOOT, poses.Support.HEAD):
            how = How.STANDS if pose.support is poses.Support.FOOT else How.FLIPPED
            return Lying(place, how, _word(seat))
    return Lying(place)


def _word(seat: text.SeatName) -> str:
    return seat.name.lower()


class WorldKeeper:
    """Keeps the world of a table as long as a match is played there, and then erases it."""

    def __init__(self, live: Live, folder: Path, laid: KeptWorld | None) -> None:
        self._live, self._laid, self._going = live, laid, laid is not None
        write = partial(_write, folder)
        self._keeper: small_files.BackgroundWriter[KeptWorld | None] = small_files.BackgroundWriter(
            "world", write, laid, every_us=0
        )
        self._company: guests.Guests = guests.NoGuests()

    def begin(
        self, now: Callable[[], Snapshot], company: guests.Guests, seats: Iterable[text.SeatName]
    ) -> None:
        """Seat people where they sat, if they may, and store what happens from now on."""
        self._company = company
        for seat in seats:
            if self._laid is not None and _word(seat) in self._laid.person.split():
                company.make_room(seat)
        self._live.also.append(PeriodicTask(LOOK_US, lambda now_us: self._tend(now(), now_us)))

    def _tend(self, now: Snapshot, now_us: int) -> None:
        self._going = now.match is not None and not now.over
        self._keeper.tend(self._newest, now_us)

    @property
    def _newest(self) -> KeptWorld | None:
        return world_to_keep(self._live.table, self._company.away) if self._going else None

    def close(self) -> None:
        """Keep what there is in the end, once the table stands still."""
        self._keeper.close(self._newest)


def _write(folder: Path, kept: KeptWorld | None) -> None:
    """Write it down, whole or not at all; where the disk fails, the round is shaken again."""
    with suppress(OSError):
        if kept is None:
            WORLD.remove(folder)
        else:
            WORLD.save(folder, kept)
