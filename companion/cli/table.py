"""The command `table`: a real table by its configuration; and what every table prints.

It must not know how a table works; it builds one, tells on a screen what is published, and waits.
"""

from __future__ import annotations

import logging
import os
import queue
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cli import backup
from companion.cli.options import read_options
from companion.devices import light_board, recording, stopper_registry
from companion.present import fouls, output, terminal
from companion.present.terminal_game import PLAIN, TerminalGame, look_of, reader_of
from companion.referee import events, match, replay, snapshot
from companion.system import config, errors, gc_freeze, paths, signals
from companion.system.text import Text
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.common.server import USUAL_PORT, free_port
from companion.web.first_run_page import Built, FirstRun
from companion.web.join_page import announcement, greeting, pin_line

if TYPE_CHECKING:
    from companion.simulator.live.live import Live  # a real table loads no simulator

LOG: Final = logging.getLogger(__name__)
LOOK_S: Final = 0.5
WAITING: Final = 100  # snapshots, as a terminal that is stopped by Ctrl-S prints none
BARS: Final = "▁▂▃▄▅▆▇█"
CHART: Final = 40  # signs of an evidence chart
RIGHT_ANGLE: Final = 90


def table(options: Namespace, screen: terminal.TerminalScreen) -> int:
    """Referee a real table until somebody stops it; one that is built otherwise begins anew."""
    gc_freeze.limit_heaps()
    file = paths.wiring_file(options.config)
    wiring = (
        config.TableWiring() if file is None else config.load(file)
    )  # nothing built: phones do it
    folder = paths.ensure_private_folder(paths.kept_in(options.folder, "table"))
    options.port = USUAL_PORT if options.port is None else options.port or free_port("")
    while _begun(options, folder, wiring, screen):
        if os.environ.get("NOTIFY_SOCKET"):
            break  # a service is begun anew by whoever watches over it
    return 0


def _begun(
    options: Namespace, folder: Path, wiring: config.TableWiring, screen: terminal.TerminalScreen
) -> bool:
    """Run a table; return whether it is to begin anew."""
    real = None
    with backup.beginning(folder):
        first_run = FirstRun(folder, wiring, parts_there(folder))
        if first_run.running is not Built.NOTHING:
            real = _referee(options, first_run)
    if real is None:
        from companion.cli import simulated_table  # noqa: PLC0415 - a real table loads none

        usual = read_options(screen.language, _words(options, first_run))
        return simulated_table.begun(usual, screen, first_run)
    with real, gc_freeze.frozen():
        return show_table(real, screen)


def _referee(options: Namespace, first_run: FirstRun) -> Table:
    folder, wiring = first_run.folder, first_run.wiring
    pages = Pages(options.port, first_run=first_run, https=True)
    known, troubles = stopper_registry.load_or_fault(folder, wiring.stoppers)
    record, options.record = recording.new_recording_path(options.record), None
    if record is not None and wiring.hub is None:
        raise errors.CompanionError(
            "{file}: this table has no hub, so there is nothing to record.", file=record
        )
    troubles = (*first_run.troubles, *troubles)
    return Table(TableConfig(wiring, folder, known, pages=pages, troubles=troubles, record=record))


def _words(options: Namespace, first_run: FirstRun) -> list[str]:
    """Return what `rappelwacht` alone would be told, for a table of which nothing is built yet."""
    folder = first_run.folder_of(Built.NOTHING)
    words = ["--games=0", f"--port={options.port}", f"--folder={folder}"]
    return [*words, f"--config={options.config}"] if options.config else words


def parts_there(folder: Path) -> frozenset[str]:
    """Look which parts are there, whether or not anything says that they are built."""
    usual = config.parse(config.EVERY_PART, "config_template.toml")
    noticed = set[str]()
    if usual.light_board is not None and Path(f"/dev/i2c-{usual.light_board.bus}").exists():
        board = light_board.LightBoard(usual.light_board)
        board.tick(0)
        if board.condition.state is light_board.LightBoardState.LIT:
            noticed.add("lights")
        board.close(0)
    if usual.hub is not None and any(any(Path("/").glob(port[1:])) for port in usual.hub.ports):
        noticed.add("hub")
    if stopper_registry.load_or_fault(folder)[0]:
        noticed.add("stoppers")
    return frozenset(noticed)


def show_table(
    real: Table,
    screen: terminal.TerminalScreen,
    live: Live | None = None,
    *,
    hint: Text | None = None,
    ends: bool = False,
) -> bool:
    """Show how to come in, and then all that is published, in a thread that may be slow.

    Whoever has the pages may begin another match: only a table that `ends` does so by itself.
    Return whether it ends in order to begin anew.
    """
    newest = NewestSnapshots()
    if real.recorded:
        screen.tell(
            "This evening is being recorded: what the stoppers and the pads feel, and nothing "
            "else. The recording reveals what each barrel weighs: give it to nobody who still "
            "plays with these barrels."
        )
    if real.site is not None:
        invitation = greeting if screen.out.isatty() else announcement
        screen.line(invitation(real.site, screen.language))
    if hint is not None:
        screen.lines(screen.say(hint))
    if real.site is not None and screen.colour and screen.out.isatty():
        screen.footer = pin_line(real.site, screen.language)[: terminal.WIDTH]
        screen.put(screen.footer)
    real.outputs.join(output.CallbackOutput(newest.put))
    try:
        _follow(real, screen, newest, live, ends=ends)
    except KeyboardInterrupt:
        if screen.out.isatty():
            going = real.snapshot.match is not None and not real.snapshot.over
            kept = Text("Goodbye! The match is kept: the next start goes on with it.")
            screen.end(screen.say(kept if going else Text("Goodbye!")))
        raise
    finally:
        if screen.footer:
            screen.end("")
    if real.site is not None and real.site.restored.is_set():
        screen.tell("A backup is put in the place of what this table keeps; it begins anew.")
    return real.begins_anew


def _follow(
    real: Table,
    screen: terminal.TerminalScreen,
    newest: NewestSnapshots,
    live: Live | None,
    *,
    ends: bool,
) -> None:
    """Tell what is published until the table ends."""
    teller = SnapshotPrinter(screen)
    teller.tell(real.snapshot)
    announced = secured = False
    while real.loop.fault is None and (live is None or live.fault is None):
        if live is not None and live.enough.is_set() and not announced:
            if ends:
                break
            screen.tell("The match is over; Ctrl-C ends the table.")
            announced = True
        if real.begins_anew:
            break
        if not secured and real.site is not None and real.site.https.links:
            secured = True
            screen.tell(
                "By https, too: {address}. {page} says what for, and how a phone trusts it.",
                address=real.site.https.links[0],
                page=f"{real.site.here.links[0]}/trust",
            )
        if (now := signals.get(newest.waiting, LOOK_S, None)) is not None:
            if real.site is not None and screen.out.isatty():  # elsewhere it may become a log
                screen.seating = real.site.people.now
            if newest.lacks_some():
                screen.tell(
                    "While this terminal stood still, more happened than is told here; the history "
                    "on the pages has all of it."
                )
            teller.tell(now)
    fault = real.loop.fault or (live.fault if live is not None else None)
    if isinstance(fault, errors.CompanionError):
        raise fault
    if fault is not None:
        raise ThreadEnded("a thread of the table ended") from fault


class ThreadEnded(Exception):
    """What ended the table is a mistake of ours, also where the computer refused something."""


class NewestSnapshots:
    """Snapshots that wait to be printed; while a terminal stands still, the oldest are left out."""

    def __init__(self) -> None:
        self.waiting: queue.SimpleQueue[snapshot.Snapshot | None] = queue.SimpleQueue()
        self._left_out, self._told = 0, 0  # how many, each written by one thread alone

    def put(self, now: snapshot.Snapshot) -> None:
        """Add one; the table's thread calls this, and never waits."""
        if self.waiting.qsize() >= WAITING:
            with suppress(queue.Empty):
                self._left_out += self.waiting.get_nowait() is not None
        self.waiting.put(now)

    def lacks_some(self) -> bool:
        """Tell whether some were left out since this was asked for."""
        before, self._told = self._told, self._left_out
        return self._told > before


class SnapshotPrinter:
    """What was told already, and what is news."""

    def __init__(self, screen: terminal.TerminalScreen) -> None:
        self._screen = screen
        self._match: str | None = None
        self._looked_on = False  # whether a match that is new to it has begun only now
        self._look: TerminalGame = PLAIN
        self._acted = -1
        self._fouls: dict[int, tuple[str, bool | None]] = {}
        self._troubles: set[str] = set()
        self._summed: Any = None

    def tell(self, now: snapshot.Snapshot) -> None:
        for trouble in now.troubles:
            if (sentence := str(trouble)) not in self._troubles:
                self._screen.lines(
                    self._screen.say(Text(trouble.state.template, **trouble.values)),
                    style=terminal.FAINT,
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

    def _greet(self, now: snapshot.Snapshot) -> None:
        self._match, self._acted = now.match, now.acted
        self._fouls.clear()
        if now.game is not None:
            self._look = look_of(now.game)
            begins, goes_on = Text("A match begins."), Text("The match goes on where it was.")
            title = begins if self._looked_on or now.version == 0 else goes_on
            self._screen.line(self._screen.say(title), terminal.BOLD)
            self._draw(now)

    def _draw(self, now: snapshot.Snapshot) -> None:
        reader = reader_of(self._screen, None)
        try:
            picture = [*self._look.picture(self._screen, reader, now.settings, now.view)]
        except Exception:
            LOG.exception("The game %s is shown here without pictures from now on.", now.game)
            self._look, picture = PLAIN, []
        self._screen.line()
        for line in picture:
            self._screen.line(line)
        self._screen.line()

    def _foul(self, foul: match.Foul) -> None:
        raised, known = foul.raised, self._fouls.get(foul.raised.foul)
        self._fouls[raised.foul] = raised.weight, foul.upheld
        is_news = known != self._fouls[raised.foul] and foul.upheld is None
        if is_news and raised.weight in {replay.FOUL, replay.REMINDER}:
            sentence = fouls.foul_sentence(foul, reader_of(self._screen, None))
            self._screen.lines(f"! {sentence}", indent="  ", hang="  ")
            if raised.evidence and raised.weight == replay.FOUL:
                self._screen.line(f"    {chart(raised.evidence)}", terminal.FAINT)


def chart(evidence: tuple[events.ChartPoint, ...]) -> str:
    """Return the tilt over time as a row of signs; the highest is upside down.

    >>> chart(tuple(events.ChartPoint(20 * i, 12 * i, 0, False) for i in range(16)))
    '▁▁▂▂▃▃▄▄▅▅▆▆▇▇██'
    """
    step = max(1, -(-len(evidence) // CHART))
    tops = [
        max(point.tilt_deg for point in evidence[begin : begin + step])
        for begin in range(0, len(evidence), step)
    ]
    most = 2 * RIGHT_ANGLE
    return "".join(BARS[min(len(BARS) - 1, tilt * len(BARS) // most)] for tilt in tops)
