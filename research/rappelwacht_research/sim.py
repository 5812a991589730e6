"""The simulated table as a command: `sim` plays a script or bots, `replay-link` a recording."""

import secrets
from argparse import Namespace
from collections import Counter
from contextlib import ExitStack
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from companion.devices import pin_state, stopper_registry
from companion.devices.recording import (
    FIRST_LINE,
    TWO_HUBS_LINE,
    Note,
    Recorder,
    RecordingState,
    new_recording_path,
    replay_all,
)
from companion.devices.stopper_registry import Stopper, simulated_stopper
from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.present.terminal import BOLD, FAINT, TerminalScreen
from companion.sensing import observations, receiver, settings
from companion.simulator.cable import NAME, SECOND_NAME
from companion.simulator.live.live import PeriodicTask
from companion.simulator.live.parts import PUMP_US
from companion.simulator.traits import Imperfections, traits
from companion.simulator.world import world_of
from companion.system import config, paths, private_files, signals, status
from companion.system.errors import BadScript, Busy, CompanionError, OutOfReach
from companion.system.text import Text
from rappelwacht_research import sim_timeline
from rappelwacht_research.phone_recordings import played
from rappelwacht_research.rounds import rounds
from rappelwacht_research.scene import (
    PlayedScript,
    SceneLine,
    ScriptedTable,
    arrange,
)
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import SimulationDriver, parts_of
from rappelwacht_research.stepped import SteppedCable

HANDS_WIDTH: Final = 38
WIDTH: Final = 98
News = (
    observations.Observation
    | status.Condition
    | observations.PadChanged
    | observations.NameRead
    | observations.ButtonPressed
    | observations.ButtonHeld
)


def known_stoppers() -> dict[bytes, Stopper]:
    """Return the stoppers that everybody knows, and those of this computer's own table."""
    own, _ = stopper_registry.load_or_fault(paths.kept_in(None, "table"))
    return {
        stopper.node: stopper
        for stopper in (*map(simulated_stopper, range(1, settings.BARRELS + 1)), *own)
    }


class TimelinePrinter:
    def __init__(self, screen: TerminalScreen) -> None:
        self.screen = screen
        self.hands: list[sim_timeline.Line] = []
        self.ended = False
        self._column = sim_timeline.HostColumn()

    def plan(self, table: ScriptedTable, from_us: int) -> None:
        """Take up what is arranged from a time on, to show it when it is time."""
        more = sim_timeline.hands(table, from_us)
        self.hands = sorted(self.hands + more, key=lambda line: line[0])

    def head(self, *, hands: bool = True) -> None:
        time, done = self.screen.say(Text("time")), self.screen.say(Text("what hands do"))
        heard = self.screen.say(Text("what the host hears"))
        columns = f"{time:>9}  {done if hands else '':{HANDS_WIDTH}}  {heard}"
        self.screen.line()
        self.screen.line(columns, BOLD)

    def news(self, at_us: int, news: News) -> None:
        """Show what the host heard, after all that was done before."""
        if self.ended:
            return
        self.done(at_us)
        match news:
            case observations.ButtonHeld() | observations.NameRead():
                pass  # what they are for, this table does not have
            case observations.Observation():
                text = self._column.text(news)
                if text is not None:
                    self._line(at_us, "", text)
            case status.Condition(pin_state.PartState.WORKING) if not at_us:
                pass  # that all is well at first is not news
            case status.Condition():
                sentence = self.screen.say(sim_timeline.as_sentence(news))
                begin, more = f"{self._time(at_us)}  ", " " * 11
                for line in wrap(sentence, WIDTH, initial_indent=begin, subsequent_indent=more):
                    self.screen.line(line, FAINT)
            case _:
                self._line(at_us, "", sim_timeline.at_the_seats(news))

    def done(self, until_us: int) -> None:
        """Show what hands did up to a time."""
        for at_us, text in sim_timeline.until(self.hands, until_us):
            self._line(at_us, self.screen.say(text), None)

    def _line(self, at_us: int, hands: str, heard: Text | None) -> None:
        host = self.screen.say(heard) if heard else ""
        self.screen.line(f"{self._time(at_us)}  {hands:{HANDS_WIDTH}}  {host}".rstrip())

    def _time(self, at_us: int) -> str:
        return f"{at_us / 1e6:9.3f}"


def sum_up_ways(screen: TerminalScreen, evening: SimulationDriver) -> None:
    """Say what became of packets and bytes on their way."""
    air, on_line = evening.table.air.traffic, evening.port.losses
    screen.tell(
        "On the air: {sent} packets for {ears} receivers in all; of these {lost} missed theirs, "
        "{twice} had it twice, {late} late, and {off} had the radio off.",
        sent=air.sent,
        ears=air.meant,
        lost=air.lost,
        twice=air.duplicated,
        late=air.reordered,
        off=air.unheard,
    )
    if on_line:
        screen.tell(
            "On the line: {count} {count:#piece|pieces} of what came could not be read ({losses}).",
            count=on_line.total(),
            losses=_counted(on_line),
        )


def sum_up(screen: TerminalScreen, listening: receiver.Receiver) -> None:
    """Say what the host had."""
    screen.line()
    screen.tell(
        "The host had {frames} {frames:#packet|packets} of stoppers; {again} "
        "{again:#event|events} came again.",
        frames=listening.frames,
        again=listening.again,
    )
    if listening.losses:
        screen.tell("Missing or refused: {losses}.", losses=_counted(listening.losses))
    if listening.strangers:
        screen.tell(
            "{count} {count:#packet|packets} came from stoppers with an unknown key.",
            count=listening.strangers,
        )


def _counted(losses: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{kind} {count}" for kind, count in losses.items() if count)


NOT_WHOLE: Final = 1  # the exit code: all was played, and not all of it is in the recording


class KeptRecording:
    """One recording, or none; if it breaks, that is said at once, and play goes on."""

    def __init__(self, file: str | None, screen: TerminalScreen, first: str = FIRST_LINE) -> None:
        self.code = 0
        self._screen, self._begun = screen, False
        self.recorder = None if file is None else Recorder(Path(file), self._told, first=first)
        if self.recorder is not None and not self._begun:
            raise CompanionError(
                "{file}: the recording cannot be written ({reason}).",
                **self.recorder.condition.values,
            )

    def close(self, now_us: int) -> None:
        if self.recorder is not None:
            self.recorder.close(now_us)

    def _told(self, condition: status.Condition) -> None:
        if condition.state is RecordingState.RUNNING:
            self._begun = True
        elif condition.state is RecordingState.BROKEN and self._begun:
            self.code = self._screen.complain(NOT_WHOLE, sim_timeline.as_sentence(condition))


def check_place(file: str | None, script: str | None) -> None:
    """Raise what a recording would destroy: nobody means that, least of all the script."""
    if file is None:
        return
    path = Path(file)
    if script is not None and path.exists() and path.samefile(script):
        raise CompanionError(
            "'{file}' is the script itself; choose another name for the recording.", file=file
        )
    new_recording_path(file)


SEEDS: Final = 1_000_000
SHIPPED: Final = "one-round.txt"
LARGEST_BYTES: Final = 1_000_000  # of a script; a device may never end
ROUNDS: Final = 3


def sim(options: Namespace, screen: TerminalScreen) -> int:
    """Play a script or bots at a simulated table; show what was done and what the host heard."""
    _check(options)
    world = traits(options.world)
    lines = () if options.bots else _read(options.script)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    screen.tell("This is table {seed}; '--seed {seed}' repeats it.", seed=seed)
    with TemporaryDirectory(prefix="table-") as folder, ExitStack() as cables:
        names = (NAME, SECOND_NAME)[: options.hubs]
        plugged = [cables.enter_context(SteppedCable(Path(folder), name)) for name in names]
        table = _arranged(lines, plugged, seed, world, options.script)
        paper = TimelinePrinter(screen)
        paper.plan(table, 0)
        table.arranged = partial(paper.plan, table)
        if options.bots:
            chance = Random(f"guests {seed}")  # noqa: S311 - a game and no secret
            guests = Guests(table.world, chance, config.SEATS[: options.bots])
            table.go_on(rounds(guests, options.rounds or ROUNDS))
        first = FIRST_LINE if options.hubs == 1 else TWO_HUBS_LINE
        recording = KeptRecording(options.record, screen, first)
        try:
            _play(table, Path(folder), recording.recorder, paper, options.speed)
        finally:
            recording.close(table.now_us)
    return recording.code


def replay_link(options: Namespace, screen: TerminalScreen) -> int:
    """Show what the host heard when a recording was made."""
    keys = {node: stopper.key for node, stopper in known_stoppers().items()}
    paper, listening = TimelinePrinter(screen), receiver.Receiver(keys)
    paper.head(hands=False)
    for heard in played(replay_all(Path(options.file))):
        signals.check()
        if isinstance(heard, Note):
            continue
        for seen in listening.handle_hub_message(heard.at_us, heard.said):
            paper.news(seen.at_us, seen)
    sum_up(screen, listening)
    return 0


def _check(options: Namespace) -> None:
    """Raise what does not go together."""
    check_place(options.record, options.script)
    if options.bots is None:
        if options.rounds is not None:
            raise CompanionError("--rounds needs --bots; a script itself says what is done.")
        return
    if options.script is not None:
        raise CompanionError("Either a script or bots: leave out --script or --bots.")
    if not 2 <= options.bots <= len(config.SEATS):
        raise CompanionError(
            "--bots {bots} is not possible; there are seats for 2 to {most}.",
            bots=options.bots,
            most=len(config.SEATS),
        )
    if options.rounds == 0:
        raise CompanionError("With 0 rounds there is nothing to see; write --rounds 1 or more.")


def _arranged(
    lines: tuple[SceneLine, ...],
    cables: list[SteppedCable],
    seed: int,
    world: Imperfections,
    file: str,
) -> ScriptedTable:
    """Return a table at which a script can be played to its end, as far as hands can do it."""
    cable, second = cables[0], cables[1] if len(cables) > 1 else None
    try:
        rehearse(lines, seed, world)
        return ScriptedTable(lines, cable, seed, traits=world, second=second)
    except (BadScript, OutOfReach, Busy) as fault:
        raise CompanionError("{file}: {fault}", file=file, fault=fault) from None


def rehearse(lines: tuple[SceneLine, ...], seed: int, world: Imperfections) -> None:
    """Raise what goes wrong in a script anywhere, before anybody sees it played with this seed."""
    rehearsed = world_of(seed, traits=world)
    for part in PlayedScript(rehearsed, lines).parts():
        arrange(rehearsed, part)
        rehearsed.forget(rehearsed.now_free_us)


def _play(
    table: ScriptedTable,
    folder: Path,
    recorder: Recorder | None,
    paper: TimelinePrinter,
    speed: float,
) -> None:
    """Let the evening pass; speed 0 is as fast as the machine can."""
    paper.head()
    evening = SimulationDriver(table, folder, paper.news, recorder)
    with parts_of(table, paper.news) as parts:
        evening.also.append(PeriodicTask(PUMP_US, parts.pump))
        try:
            if speed:
                evening.play_live(speed)
            else:
                evening.play()
        finally:
            paper.ended = True
            evening.close()
        paper.done(table.now_us)
    sum_up(paper.screen, evening.listening)
    sum_up_ways(paper.screen, evening)


def _read(file: str | None) -> tuple[SceneLine, ...]:
    path = Path(file) if file else resources.files("rappelwacht_research") / "scripts" / SHIPPED
    try:
        return read(_text(path))
    except OSError as error:
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from None
    except UnicodeDecodeError:
        raise CompanionError(
            "{file}: this is not a script; it is not UTF-8 text.", file=path
        ) from None
    except BadScript as fault:
        raise CompanionError("{file}: {fault}", file=path, fault=fault) from None


def _text(path: Path | Traversable) -> str:
    with private_files.open_to_read(path) if isinstance(path, Path) else path.open("rb") as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise CompanionError(
            "{file}: this is not a script; one has at most {most} bytes.",
            file=path,
            most=LARGEST_BYTES,
        )
    return data.decode("utf-8")
