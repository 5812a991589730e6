"""The command that runs a simulated table: software barrels behind the real drivers, guests.

It must not know how a table works; it builds one beside its world, and waits as for a real one.
"""

import secrets
import struct
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from companion.cli import backup
from companion.cli.table import show_table
from companion.core.players import levels
from companion.core.plugin import USUAL
from companion.devices import recording, stopper_registry
from companion.maintenance.view import MeasuringShown
from companion.present import terminal
from companion.present.simulated_hands import Hands
from companion.referee.commands import Command, CommandBody
from companion.simulator.guests import (
    GuestController,
    GuestPlugin,
    Guests,
    GuestSwitcher,
    NoGuests,
    visitors,
)
from companion.simulator.live import auto_measure, thread_proxy, world_store
from companion.simulator.live.live import (
    AutoAccept,
    Live,
    PeriodicTask,
    StartDelay,
    calibration_of,
    stoppers_of,
    wiring_of,
)
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.world_store import WorldKeeper, WorldState
from companion.simulator.traits import Imperfections, traits
from companion.system import config, errors, gc_freeze, paths, status, text
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.common.server import USUAL_PORT
from companion.web.first_run_page import FirstRun

S = TypeVar("S", bound=int)  # a seat
SEEDS: Final = 1_000_000
GUESTS_US: Final = 100_000  # how often guests look at what the referee says
LAST_BOOT: Final = 2**31 - 1  # as far as a stopper counts


def simulated(options: Namespace, screen: terminal.TerminalScreen) -> int:
    """Referee a simulated table whose guests play of their own accord."""
    gc_freeze.limit_heaps()
    _check(options)
    while begun(options, screen):
        pass
    return 0


def begun(
    options: Namespace, screen: terminal.TerminalScreen, first_run: FirstRun | None = None
) -> bool:
    """Run a table; return whether it is to begin anew."""
    world = traits(options.world)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    recording.new_recording_path(options.record)
    with _simulated(options, seed, world, first_run) as (real, live), gc_freeze.frozen():
        screen.tell(
            "This table is simulated (number {seed}): barrels, hands and sensors are software; "
            "everything else is as on a Pi. Ctrl-C ends it.",
            seed=live.table.seed,
        )
        if live.table.seed != seed and options.seed is not None:
            screen.tell(
                "The match that goes on here is played with the barrels of table {kept}. To play "
                "at table {seed}, finish it or give it up, then start again.",
                kept=live.table.seed,
                seed=seed,
            )
        if (taken := moved(options.port, real)) is not None:
            screen.lines(screen.say(taken))
        hint = None
        if options.games is None and options.seat != "none":
            hint = text.Text(
                "Take the seat on the page; a practice round shows you how. Without you, the "
                "guests begin in half a minute."
            )
        anew = show_table(real, screen, live, hint=hint, ends=bool(options.games))
        if real.site is not None:  # it is found again where it was; what was recorded is whole
            options.port, options.record = real.site.here.port, None
    return anew


def moved(wanted: int | None, real: Table) -> text.Text | None:
    """Return why the pages are not where one looks for them, if nobody chose that."""
    if wanted is not None or real.site is None or real.site.here.port == USUAL_PORT:
        return None
    return text.Text(
        "Port {usual} is in use, perhaps by another table, so the pages are at port {port}.",
        usual=USUAL_PORT,
        port=real.site.here.port,
    )


def _check(options: Namespace) -> None:
    """Raise what cannot be had."""
    if options.seat not in (*config.COLOURS, "none"):
        raise errors.CompanionError(
            "'{word}' is not a seat; choose one of {seats}, or none.",
            word=options.seat,
            seats=config.COLOURS,
        )
    if not 2 <= options.bots <= len(config.COLOURS):
        raise errors.CompanionError(
            "--bots {bots} is not possible; there are seats for 2 to {most}.",
            bots=options.bots,
            most=len(config.COLOURS),
        )


def _seats(count: int, person: S | None, seats: Sequence[S]) -> tuple[S, ...]:
    """Return this many seats, clockwise, with that of a person among them.

    >>> _seats(2, 2, (0, 1, 2, 3))
    (0, 2)
    """
    others = [seat for seat in seats if seat != person]
    chosen = others[:count] if person is None else [person, *others[: count - 1]]
    return tuple(sorted(chosen))


def _level(known: Mapping[str, GuestPlugin], wanted: str | None) -> str:
    """Return how well the guests play: those of the first game are asked."""
    return USUAL if not known else levels.chosen_level(next(iter(known)), wanted)


@contextmanager
def _simulated(
    options: Namespace, seed: int, world: Imperfections, first_run: FirstRun | None = None
) -> Iterator[tuple[Table, Live]]:
    folder = paths.ensure_private_folder(paths.kept_in(options.folder, "simulated"))
    troubles: list[status.Condition] = []
    with ExitStack() as life:
        begins = life.enter_context(ExitStack())
        begins.enter_context(backup.beginning(folder))
        kept = world_store.load(folder, troubles.append)
        if kept is not None:
            seed, world = kept.seed, frozenset(kept.traits)
        ports = life.enter_context(TemporaryDirectory(prefix="table-"))
        live = Live(Path(ports), seed, options.speed, world, hubs=options.hubs)
        life.enter_context(closing(live))
        remember_boots(live, folder, troubles.append)  # before any stopper boots
        laid = kept if kept is not None and world_store.restore_barrels(kept, live.table) else None
        with closing(WorldKeeper(live, folder, laid)) as keeping, live:

            def configured(hands: Mapping[str, Hands]) -> TableConfig:
                pages = Pages(options.port, hands, first_run, https=True)
                return _table_config(live, folder, options, pages, tuple(troubles))

            yield from _played(live, keeping, configured, options, begins.close)


def remember_boots(live: Live, folder: Path, report: status.Report = lambda _: None) -> None:
    """Go on with the stoppers' boot counters: flash outlives a program, and this stands for it."""
    heard = stopper_registry.load_counters(folder, stoppers_of(live.table), report)
    booted = max((boot for boot, _ in heard.values() if boot < LAST_BOOT), default=0)
    for board in live.table.stoppers.values():
        board.flash.save("boot", struct.pack("<i", booted))


def _played(
    live: Live,
    keeping: WorldKeeper,
    configured: Callable[[Mapping[str, Hands]], TableConfig],
    options: Namespace,
    begun: Callable[[], object],
) -> Iterator[tuple[Table, Live]]:
    seats, seed = live.table.world.seats, live.table.seed
    person = next((seat for seat in seats if seat.name.lower() == options.seat), None)
    people = [] if person is None else sorted(seats, key=lambda seat: seat is not person)
    chance = Random(f"guests {seed}")  # noqa: S311 - a game and no secret
    games = 1 if options.games is None else options.games
    chosen, known = _seats(options.bots, person, seats), visitors()
    level = _level(known, options.level)

    def arrive(plugin: GuestPlugin, begin: int) -> GuestController:
        party = plugin.follow(live.table, chance, chosen, begin, person)
        if plugin.set_level is not None:
            plugin.set_level(party, level)
        return party

    party = GuestSwitcher(known, arrive, games) if known else None
    guests = NoGuests() if party is None else party.guests
    bodies = {seat: PlayerHands(live.table, guests, seat) for seat in people}
    hands = {
        seat.name.lower(): thread_proxy.ThreadProxy(live, body) for seat, body in bodies.items()
    }
    live.also.append(PeriodicTask(GUESTS_US, lambda _: _fill_up(bodies.values())))
    with Table(configured(hands)) as real:
        begun()
        keeping.begin(lambda: real.snapshot, guests, people)
        following = auto_measure.AutoMeasure(live.table, lambda: _asked(real, guests))
        live.also.append(PeriodicTask(GUESTS_US, following.go))
        if party is not None:
            at_once = person is None or options.games is not None
            coming = StartDelay(guests, live.table.now_us, at_once=at_once)
            ends = live.enough.set if games else lambda: None  # otherwise they wait for a match
            if not people:
                live.also.append(PeriodicTask(GUESTS_US, _accepting(real, live)))
            live.also.append(PeriodicTask(GUESTS_US, _going(party, real, live, coming, ends)))
        yield real, live


def _fill_up(bodies: Iterable[PlayerHands]) -> None:
    """Let guests play on for people who are gone."""
    for body in bodies:
        body.leave_if_gone()


def _table_config(
    live: Live,
    folder: Path,
    options: Namespace,
    pages: Pages,
    troubles: tuple[status.Condition, ...],
) -> TableConfig:
    web = None if options.config is None else config.load(Path(options.config)).web
    return TableConfig(
        replace(wiring_of(live.table), web=web),
        folder,
        stoppers_of(live.table),
        calibration_of(live.table),
        live.ports,
        live.outside.open_pins,
        live.clock_us,
        pages=pages,
        troubles=troubles,
        simulated=True,
        record=recording.new_recording_path(options.record),
    )


def _asked(real: Table, guests: Guests) -> MeasuringShown | None:
    """Return what measuring asks for, unless a person sits here who can do it."""
    opened = real.workshop.opened
    return None if opened is None or guests.wanted else opened.measuring


def _decide(real: Table, live: Live, wish: CommandBody, by: str, version: int) -> None:
    request = f"{by} {live.table.now_us} {secrets.token_hex(4)}"
    real.post(Command(request, wish, by, version))


def _accepting(real: Table, live: Live) -> Callable[[int], None]:
    """Return what lets guests accept what phones propose, where no person sits among them."""
    accepting = AutoAccept()

    def go(now_us: int) -> None:
        if (wish := accepting.to(real.snapshot, now_us)) is not None:
            _decide(real, live, wish, "guests", real.snapshot.version)

    return go


def _going(
    party: GuestController, real: Table, live: Live, coming: StartDelay, ends: Callable[[], object]
) -> Callable[[int], None]:
    """Return what lets the guests go on, and what ends the evening when they have enough."""
    kept = status.StatusReporter(WorldState.THERE, real.inbox.put)

    def go(now_us: int) -> None:
        phones = real.site
        people = None if phones is None else (phones.people.now, phones.pairing.roles)
        sets_up = phones is not None and bool(phones.set_up)
        if coming.waits(real.snapshot, real.workshop.opened, now_us, people, sets_up=sets_up):
            return  # they look on
        if not party.go(real.snapshot, partial(_decide, real, live)):
            ends()
        kept.becomes(WorldState.LOST if party.shakes_again else WorldState.THERE, now_us)

    return go
