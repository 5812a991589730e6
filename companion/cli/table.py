"""The table on the command line: a real one by its configuration, or a simulated one with guests.

It must not know how a table works; it builds one, tells on a screen what is published, and waits.
"""

from __future__ import annotations

import logging
import queue
import secrets
import struct
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from companion.core.plugin import USUAL
from companion.devices import stopper_registry
from companion.devices.recording import new_recording_path
from companion.maintenance.view import MeasuringShown
from companion.present.fouls import foul_word
from companion.present.levels import level_asked
from companion.present.output import CallbackOutput
from companion.present.terminal import BOLD, FAINT, TerminalScreen
from companion.present.terminal_game import PLAIN, TerminalGame, look_of, reader_of
from companion.referee.commands import Command, CommandBody
from companion.referee.events import ChartPoint
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.simulator.guests import (
    GuestController,
    GuestPlugin,
    Guests,
    GuestSwitcher,
    NoGuests,
    visitors,
)
from companion.simulator.live import world_store
from companion.simulator.live.auto_measure import AutoMeasure
from companion.simulator.live.driver import PeriodicTask
from companion.simulator.live.live import (
    SIMULATED,
    AutoAccept,
    Live,
    StartDelay,
    calibration_of,
    stoppers_of,
)
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.thread_proxy import ThreadProxy
from companion.simulator.live.world_store import WorldKeeper, WorldState
from companion.simulator.traits import Imperfections, traits
from companion.system import config, signals
from companion.system.errors import CompanionError
from companion.system.gc_freeze import limit_heaps, only_what_is_new
from companion.system.paths import kept_in, made_private, wiring_file
from companion.system.status import Condition, StatusReporter
from companion.system.text import Text
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.common.server import USUAL_PORT
from companion.web.join_page import announcement, greeting

S = TypeVar("S", bound=int)  # a seat
LOG: Final = logging.getLogger(__name__)
SEEDS: Final = 1_000_000
GUESTS_US: Final = 100_000  # how often guests look at what the referee says
LOOK_S: Final = 0.5
LAST_BOOT: Final = 2**31 - 1  # as far as a stopper counts
BARS: Final = "▁▂▃▄▅▆▇█"
CHART: Final = 40  # signs of an evidence chart
RIGHT_ANGLE: Final = 90


def table(options: Namespace, screen: TerminalScreen) -> int:
    """Referee a real table until somebody stops it."""
    limit_heaps()
    file = wiring_file(options.config)
    wiring = (
        config.TableWiring() if file is None else config.load(file)
    )  # nothing built: phones do it
    folder = made_private(kept_in(options.folder, "table"))
    pages = Pages(USUAL_PORT if options.port is None else options.port)
    known, troubles = stopper_registry.load_or_fault(folder, wiring.stoppers)
    record = new_recording_path(options.record)
    if record is not None and wiring.hub is None:
        raise CompanionError(
            "{file}: this table has no hub, so there is nothing to record.", file=record
        )
    plan = TableConfig(wiring, folder, known, pages=pages, troubles=troubles, record=record)
    with Table(plan) as real, only_what_is_new():
        _tell(real, screen)
    return 0


def simulated(options: Namespace, screen: TerminalScreen) -> int:
    """Referee a simulated table whose guests play of their own accord."""
    limit_heaps()
    _check(options)
    world = traits(options.world)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    new_recording_path(options.record)
    with _simulated(options, seed, world) as (real, live), only_what_is_new():
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
        hint = None
        if options.games is None and options.seat != "none":
            hint = Text(
                "Take the seat on the page; a practice round shows you how. Without you, the "
                "guests begin in half a minute."
            )
        _tell(real, screen, live, hint=hint, ends=bool(options.games))
    return 0


def _check(options: Namespace) -> None:
    """Raise what cannot be had."""
    if options.seat not in (*config.COLOURS, "none"):
        raise CompanionError(
            "'{word}' is not a seat; choose one of {seats}, or none.",
            word=options.seat,
            seats=config.COLOURS,
        )
    if not 2 <= options.bots <= len(config.COLOURS):
        raise CompanionError(
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
    return USUAL if not known else level_asked(next(iter(known)), wanted)


@contextmanager
def _simulated(options: Namespace, seed: int, world: Imperfections) -> Iterator[tuple[Table, Live]]:
    folder = made_private(kept_in(options.folder, "simulated"))
    troubles: list[Condition] = []
    kept = world_store.load(folder, troubles.append)
    if kept is not None:
        seed, world = kept.seed, frozenset(kept.traits)
    with (
        TemporaryDirectory(prefix="table-") as ports,
        closing(Live(Path(ports), seed, options.speed, world)) as live,
    ):
        remember_boots(live, folder)  # before any stopper boots
        laid = kept if kept is not None and world_store.lay(kept, live.table) else None
        with closing(WorldKeeper(live, folder, laid)) as keeping, live:
            plan = partial(_plan, live, folder, options, tuple(troubles))  # with hands, later
            yield from _played(live, keeping, plan, options)


def remember_boots(live: Live, folder: Path) -> None:
    """Let stoppers count their boots on: flash outlives a program, and this stands for it."""
    heard = stopper_registry.load_counters(folder, stoppers_of(live.table))
    booted = max((boot for boot, _ in heard.values() if boot < LAST_BOOT), default=0)
    for board in live.table.stoppers.values():
        board.flash.save("boot", struct.pack("<i", booted))


def _played(
    live: Live, keeping: WorldKeeper, plan: Callable[[], TableConfig], options: Namespace
) -> Iterator[tuple[Table, Live]]:
    seats, seed = live.table.world.seats, live.table.seed
    person = next((seat for seat in seats if seat.name.lower() == options.seat), None)
    chance = Random(f"guests {seed}")  # noqa: S311 - a game and no secret
    games = 1 if options.games is None else options.games
    chosen, known = _seats(options.bots, person, seats), visitors()
    level = _level(known, options.level)

    def arrive(found: GuestPlugin, begin: int) -> GuestController:
        party = found.follow(live.table, chance, chosen, begin, person)
        if found.set_level is not None:
            found.set_level(party, level)
        return party

    party = GuestSwitcher(known, arrive, games) if known else None
    if person is not None:
        body = PlayerHands(live.table, NoGuests() if party is None else party.guests, person)
        live.hands = ThreadProxy(live, body)
        live.also.append(PeriodicTask(GUESTS_US, lambda _: body.leave_if_gone()))
    with Table(plan()) as real:
        guests = NoGuests() if party is None else party.guests
        keeping.begin(lambda: real.snapshot, guests, person)
        following = AutoMeasure(live.table, lambda: _asked(real, guests))
        live.also.append(PeriodicTask(GUESTS_US, following.go))
        if party is not None:
            at_once = person is None or options.games is not None
            coming = StartDelay(guests, live.table.now_us, at_once=at_once)
            ends = live.enough.set if games else lambda: None  # otherwise they wait for a match
            live.also.append(PeriodicTask(GUESTS_US, _going(party, real, live, coming, ends)))
        yield real, live


def _plan(
    live: Live, folder: Path, options: Namespace, troubles: tuple[Condition, ...]
) -> TableConfig:
    return TableConfig(
        SIMULATED,
        folder,
        stoppers_of(live.table),
        calibration_of(live.table),
        live.ports,
        live.outside.open_pins,
        live.clock_us,
        pages=Pages(options.port, live.hands),
        troubles=troubles,
        simulated=True,
        record=new_recording_path(options.record),
    )


def _asked(real: Table, guests: Guests) -> MeasuringShown | None:
    """Return what measuring asks for, unless a person sits here who can do it."""
    opened = real.workshop.opened
    return None if opened is None or guests.wanted is not None else opened.measuring


def _going(
    party: GuestController, real: Table, live: Live, coming: StartDelay, ends: Callable[[], object]
) -> Callable[[int], None]:
    """Return what lets the guests go on, and what ends the evening when they have enough."""

    def decide(wish: CommandBody, by: str, version: int) -> None:
        request = f"{by} {live.table.now_us} {secrets.token_hex(4)}"
        real.post(Command(request, wish, by, version))

    assented, kept = AutoAccept(), StatusReporter(WorldState.THERE, real.inbox.put)

    def go(now_us: int) -> None:
        if live.hands is None and (wish := assented.to(real.snapshot, now_us)) is not None:
            decide(wish, "guests", real.snapshot.version)
        if coming.waits(real.snapshot, real.workshop.opened, now_us):
            return  # they look on
        if not party.go(real.snapshot, decide):
            ends()
        kept.becomes(WorldState.LOST if party.shakes_again else WorldState.THERE, now_us)

    return go


def _tell(
    real: Table,
    screen: TerminalScreen,
    live: Live | None = None,
    *,
    hint: Text | None = None,
    ends: bool = False,
) -> None:
    """Tell how to come in, and then all that is published, in a thread that may be slow.

    Whoever has the pages may begin another match: only a table that `ends` does so by itself.
    """
    heard: queue.SimpleQueue[Snapshot | None] = queue.SimpleQueue()
    teller = SnapshotPrinter(screen)
    if real.recorded:
        screen.tell(
            "This evening is being recorded: what the stoppers and the pads feel, and nothing "
            "else. The recording reveals what each barrel weighs: give it to nobody who still "
            "plays with these barrels."
        )
    if real.phones is not None:
        told = greeting if screen.out.isatty() else announcement
        screen.line(told(real.phones, screen.language))
    if hint is not None:
        screen.lines(screen.say(hint))
    real.outputs.join(CallbackOutput(heard.put))
    teller.tell(real.snapshot)
    said = False
    while real.loop.fault is None and (live is None or live.fault is None):
        if live is not None and live.enough.is_set() and not said:
            if ends:
                break
            screen.tell("The match is over; Ctrl-C ends the table.")
            said = True
        if (newest := signals.get(heard, LOOK_S, None)) is not None:
            if real.phones is not None and screen.out.isatty():  # elsewhere it may become a log
                screen.seating = real.phones.people.now
            teller.tell(newest)
    fault = real.loop.fault or (live.fault if live is not None else None)
    if isinstance(fault, CompanionError):
        raise fault
    if fault is not None:
        raise ThreadEnded("a thread of the table ended") from fault


class ThreadEnded(Exception):
    """What ended the table is a mistake of ours, also where the computer refused something."""


class SnapshotPrinter:
    """What was told already, and what is news."""

    def __init__(self, screen: TerminalScreen) -> None:
        self._screen = screen
        self._match: str | None = None
        self._looked_on = False  # whether a match that is new to it has begun only now
        self._look: TerminalGame = PLAIN
        self._acted = -1
        self._fouls: dict[int, tuple[str, bool | None]] = {}
        self._troubles: set[str] = set()
        self._summed: Any = None

    def tell(self, now: Snapshot) -> None:
        """Show what is new in a snapshot."""
        for trouble in now.troubles:
            if (sentence := str(trouble)) not in self._troubles:
                self._screen.lines(
                    self._screen.say(Text(trouble.state.template, **trouble.values)), style=FAINT
                )
                self._troubles.add(sentence)
        self._troubles &= {str(trouble) for trouble in now.troubles}
        if now.match != self._match:
            self._greet(now)
        self._looked_on = True
        if now.acted > self._acted:
            for event in now.happened:
                self._screen.lines(self._screen.say(event), indent="  ", hang="  ")
            if any(isinstance(event, self._look.milestones) for event in now.happened):
                self._draw(now)
        self._acted = now.acted
        for foul in now.fouls:
            self._foul(foul)
        if now.summary != self._summed:
            self._summed = now.summary
            if now.summary is not None and self._look.sums is not None:
                self._look.sums(self._screen, now.summary)

    def _greet(self, now: Snapshot) -> None:
        self._match, self._acted = now.match, now.acted
        self._fouls.clear()
        if now.game is not None:
            self._look = look_of(now.game)
            begins, goes_on = Text("A match begins."), Text("The match goes on where it was.")
            title = begins if self._looked_on or now.version == 0 else goes_on
            self._screen.line(self._screen.say(title), BOLD)
            self._draw(now)

    def _draw(self, now: Snapshot) -> None:
        reader = reader_of(self._screen, None)
        try:
            picture = [*self._look.picture(self._screen, reader, now.settings, now.view)]
        except Exception:
            LOG.exception("Here the game %s is told without pictures from now on.", now.game)
            self._look, picture = PLAIN, []
        self._screen.line()
        for line in picture:
            self._screen.line(line)
        self._screen.line()

    def _foul(self, foul: Foul) -> None:
        raised = foul.raised
        known = self._fouls.get(raised.foul)
        if known == (raised.weight, foul.upheld):
            return
        self._fouls[raised.foul] = raised.weight, foul.upheld
        if raised.weight != "foul" or foul.upheld is not None:
            return
        said = foul_word(raised.code, self._screen)
        if raised.called:
            self._screen.tell("  ! Somebody calls a foul: {foul}. The table decides.", foul=said)
        else:
            self._screen.tell(
                "  ! Perhaps a foul: {foul}, {percent} % sure. The table decides.",
                foul=said,
                percent=raised.sure,
            )
            if raised.evidence:
                self._screen.line(f"    {chart(raised.evidence)}", FAINT)


def chart(evidence: tuple[ChartPoint, ...]) -> str:
    """Return the tilt over time as a row of signs; the highest is upside down.

    >>> chart(tuple(ChartPoint(20 * i, 12 * i, 0, False) for i in range(16)))
    '▁▁▂▂▃▃▄▄▅▅▆▆▇▇██'
    """
    step = max(1, -(-len(evidence) // CHART))
    tops = [
        max(point.tilt_deg for point in evidence[begin : begin + step])
        for begin in range(0, len(evidence), step)
    ]
    most = 2 * RIGHT_ANGLE
    return "".join(BARS[min(len(BARS) - 1, tilt * len(BARS) // most)] for tilt in tops)
