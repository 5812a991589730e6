"""The simulated table as a command: `sim` plays a script or bots, `replay-link` a recording."""

from __future__ import annotations

import secrets
from argparse import Namespace
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from companion import ending
from companion.config import SEATS
from companion.devices.recording import Recorder, replay
from companion.errors import BadScript, Busy, CompanionError, OutOfReach
from companion.present.screen import Screen
from companion.private_files import opened
from companion.sensing.listener import Listening
from companion.sim_command.judging import known
from companion.sim_command.paper import Paper, sum_up, sum_up_ways
from companion.sim_command.recording import KeptRecording, check_place
from companion.sim_command.tune import tune
from companion.simulated_table.evening import Evening, Pump
from companion.simulated_table.parts import PUMP_US, parts_of
from companion.simulator.cable import Cable
from companion.simulator.run import SimulatedTable
from companion.simulator.scene import rehearse
from companion.simulator.script import Line, read
from companion.simulator.traits import Traits, traits
from companion.simulator.visitors import Visitors, visitors

__all__ = ["replay_link", "sim", "tune"]

SEEDS: Final = 1_000_000
SHIPPED: Final = "one-round.txt"
LARGEST_BYTES: Final = 1_000_000  # of a script; a device may never end
ROUNDS: Final = 3


def sim(options: Namespace, screen: Screen) -> int:
    """Play a script or bots at a simulated table; show what was done and what the host heard."""
    _check(options)
    world = traits(options.world)
    lines = () if options.bots else _read(options.script)
    bots = _visitors() if options.bots else None
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    screen.tell("This is table {seed}; '--seed {seed}' repeats it.", seed=seed)
    with TemporaryDirectory(prefix="table-") as folder, Cable(Path(folder)) as cable:
        table, paper = _arranged(lines, cable, seed, world, options.script), Paper(screen)
        paper.plan(table, 0)
        table.arranged = partial(paper.plan, table)
        if bots is not None:
            chance = Random(f"guests {seed}")  # noqa: S311 - a game and no secret
            guests = bots.gather(table.world, chance, SEATS[: options.bots])
            table.go_on(guests.rounds(options.rounds or ROUNDS))
        recording = KeptRecording(options.record, screen)
        try:
            _play(table, Path(folder), recording.recorder, paper, options.speed)
        finally:
            recording.close(table.now_us)
    return recording.code


def replay_link(options: Namespace, screen: Screen) -> int:
    """Show what the host heard when a recording was made."""
    keys = {node: one.key for node, one in known().items()}
    paper, listening = Paper(screen), Listening(keys)
    paper.head(hands=False)
    for heard in replay(Path(options.file)):
        ending.check()
        if seen := listening.hear(heard.at_us, heard.said):
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
    if not 2 <= options.bots <= len(SEATS):
        raise CompanionError(
            "--bots {bots} is not possible; there are seats for 2 to {most}.",
            bots=options.bots,
            most=len(SEATS),
        )
    if options.rounds == 0:
        raise CompanionError("With 0 rounds there is nothing to see; write --rounds 1 or more.")


def _visitors() -> Visitors:
    """Return who can play without a referee: those of the first game; raise that nobody can."""
    for found in visitors().values():
        return found
    raise CompanionError("No installed game has bots for the simulated table; leave out --bots.")


def _arranged(
    lines: tuple[Line, ...], cable: Cable, seed: int, world: Traits, file: str
) -> SimulatedTable:
    """Return a table at which a script can be played to its end, as far as hands can do it."""
    try:
        rehearse(lines, seed, world)
        return SimulatedTable(lines, cable, seed, traits=world)
    except (BadScript, OutOfReach, Busy) as fault:
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
    sum_up(paper.screen, evening.listening)
    sum_up_ways(paper.screen, evening)


def _read(file: str | None) -> tuple[Line, ...]:
    path = Path(file) if file else resources.files("companion.simulator") / "scripts" / SHIPPED
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
    with opened(path) if isinstance(path, Path) else path.open("rb") as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        raise CompanionError(
            "{file}: this is not a script; one has at most {most} bytes.",
            file=path,
            most=LARGEST_BYTES,
        )
    return data.decode("utf-8")
