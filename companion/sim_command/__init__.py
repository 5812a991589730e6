"""The simulated table on the command line: `sim` plays a script or bots, `replay-link` a recording.

It must not know how either works; it joins them with a screen.
"""

from __future__ import annotations

import secrets
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import resources
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final

from companion.devices.condition import Condition
from companion.devices.recording import Recorder, RecordingState, replay
from companion.devices.wired import PartState
from companion.errors import CompanionError
from companion.rules.zapp_zerapp import Colour
from companion.say import Text
from companion.sensing.listening import Listening
from companion.sensing.seen import ButtonPressed, Observation, PadChanged
from companion.sim_command import timeline
from companion.sim_command.evening import STOPPERS, Evening, Pump
from companion.sim_command.parts import PUMP_US, parts_of
from companion.simulator.barrel import Busy
from companion.simulator.cable import Cable
from companion.simulator.doing import OutOfReach
from companion.simulator.guests import Guests
from companion.simulator.run import SimulatedTable
from companion.simulator.script import BadScript, Line, read
from companion.terminal.screen import BOLD, FAINT, Screen

SEEDS: Final = 1_000_000
SHIPPED: Final = "one-round.txt"
HANDS_WIDTH: Final = 38
WIDTH: Final = 98
ROUNDS: Final = 3
News = Observation | Condition | PadChanged | ButtonPressed


def sim(options: Namespace, screen: Screen) -> int:
    """Play a script or bots at a simulated table; show what was done and what the host heard."""
    _check(options)
    lines = () if options.bots else _read(options.script)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    screen.tell("This is table {seed}; '--seed {seed}' repeats it.", seed=seed)
    with TemporaryDirectory(prefix="table-") as folder, Cable(Path(folder)) as cable:
        table, paper = _arranged(lines, cable, seed, options.script), Paper(screen)
        paper.plan(table, 0)
        if options.bots:
            chance = Random(f"guests {seed}")  # noqa: S311 - a game and no secret
            guests = Guests(table.world, chance, tuple(Colour)[: options.bots])
            table.arranged = partial(paper.plan, table)
            table.go_on(guests.rounds(options.rounds or ROUNDS))
        with _recorder(options.record) as recorder:
            _play(table, Path(folder), recorder, paper, options.speed)
    return 0


def replay_link(options: Namespace, screen: Screen) -> int:
    """Show what the host heard when a recording was made."""
    paper, listening = Paper(screen), Listening(STOPPERS)
    paper.head(hands=False)
    for heard in replay(Path(options.file)):
        if seen := listening.hear(heard.at_us, heard.said):
            paper.news(seen.at_us, seen)
    _sum_up(screen, listening)
    return 0


def _check(options: Namespace) -> None:
    """Raise what does not go together."""
    if options.bots is None:
        if options.rounds is not None:
            raise CompanionError("--rounds needs --bots; a script says itself what is done.")
        return
    if options.script is not None:
        raise CompanionError("Either a script or bots: leave out --script or --bots.")
    if not 2 <= options.bots <= len(Colour):
        raise CompanionError(
            "--bots {bots} does not fit; there are seats for 2 to {most}.",
            bots=options.bots,
            most=len(Colour),
        )
    if options.rounds == 0:
        raise CompanionError("0 rounds are nothing to see; write --rounds 1 or more.")


def _arranged(lines: tuple[Line, ...], cable: Cable, seed: int, file: str) -> SimulatedTable:
    """Return a table at which all that a script says is arranged, as far as hands can do it."""
    try:
        return SimulatedTable(lines, cable, seed)
    except (OutOfReach, Busy) as fault:
        raise CompanionError("{file}: {fault}", file=file, fault=fault) from None


def _play(
    table: SimulatedTable, folder: Path, recorder: Recorder | None, paper: Paper, speed: float
) -> None:
    """Let the evening pass; speed 0 is as fast as the machine can."""
    paper.head()
    evening = Evening(table, folder, paper.news, recorder)
    with parts_of(table, paper.news) as parts:
        evening.also.append(Pump(PUMP_US, parts.pump))
        try:
            if speed:
                evening.play_live(speed)
            else:
                evening.play()
        finally:
            paper.ended = True
            evening.close()
        paper.done(table.now_us)
    _sum_up(paper.screen, evening.listening)
    _sum_up_ways(paper.screen, evening)


def _sum_up_ways(screen: Screen, evening: Evening) -> None:
    air, on_line = evening.table.air.traffic, evening.port.losses
    screen.tell(
        "On the air: {sent} packets, {lost} lost, {twice} came twice, {late} overtaken, {off} for "
        "a sleeping radio.",
        sent=air.sent,
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


def _sum_up(screen: Screen, listening: Listening) -> None:
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
            "{count} {count:#packet|packets} came from stoppers whose key is not known.",
            count=listening.strangers,
        )


def _counted(losses: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{kind} {count}" for kind, count in losses.items() if count)


def _read(file: str | None) -> tuple[Line, ...]:
    path = Path(file) if file else resources.files("companion.simulator") / "scripts" / SHIPPED
    try:
        return read(path.read_text("utf-8"))
    except OSError as error:
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from None
    except UnicodeDecodeError:
        raise CompanionError(
            "{file}: this is no script; it is not UTF-8 text.", file=path
        ) from None
    except BadScript as fault:
        raise CompanionError("{file}: {fault}", file=path, fault=fault) from None


@contextmanager
def _recorder(file: str | None) -> Iterator[Recorder | None]:
    if file is None:
        yield None
        return
    recorder = Recorder(Path(file))
    if recorder.condition.state is RecordingState.BROKEN:
        raise CompanionError(
            "{file}: the recording cannot be written ({reason}).", **recorder.condition.values
        )
    try:
        yield recorder
    finally:
        recorder.close(0)


class Paper:
    """The timeline on a screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.hands: list[timeline.Line] = []
        self.ended = False
        self._column = timeline.HostColumn()

    def plan(self, table: SimulatedTable, from_us: int) -> None:
        """Take up what is arranged from a time on, to show it when it is time."""
        self.hands += timeline.hands(table, from_us)

    def head(self, *, hands: bool = True) -> None:
        """Show what the columns are."""
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
            case Observation():
                text = self._column.text(news)
                if text is not None:
                    self._line(at_us, "", text)
            case Condition(PartState.WORKING) if not at_us:
                pass  # that all is well at first is no news
            case Condition():
                sentence = self.screen.say(timeline.as_sentence(news))
                begin, more = f"{self._time(at_us)}  ", " " * 11
                for line in wrap(sentence, WIDTH, initial_indent=begin, subsequent_indent=more):
                    self.screen.line(line, FAINT)
            case _:
                self._line(at_us, "", timeline.at_the_seats(news))

    def done(self, until_us: int) -> None:
        """Show what hands did up to a time."""
        for at_us, text in timeline.until(self.hands, until_us):
            self._line(at_us, self.screen.say(text), None)

    def _line(self, at_us: int, hands: str, heard: Text | None) -> None:
        host = self.screen.say(heard) if heard else ""
        self.screen.line(f"{self._time(at_us)}  {hands:{HANDS_WIDTH}}  {host}".rstrip())

    def _time(self, at_us: int) -> str:
        return f"{at_us / 1e6:9.3f}"
