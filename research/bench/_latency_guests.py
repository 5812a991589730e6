"""The simulator's side of the latency bench: guests in real time, and the Pi in another process.

It must not know what is measured there; it notes when each frame was at the pseudo-terminal.
"""

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final, Self

from companion import wire
from companion.devices.hub_port import monotonic_us
from companion.games.zapp_zerapp.rules import Phase, View
from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.games.zapp_zerapp.simulated.party import Party
from companion.referee.commands import Command, CommandBody
from companion.referee.snapshot import Snapshot
from companion.simulator.i2c_dev import Bus
from companion.simulator.live.live import PeriodicTask, calibration_of, stoppers_of
from companion.simulator.live.parts import PUMP_US, SimulatedWiring
from companion.simulator.run import HUB_STEP_US
from companion.simulator.traits import USUAL, Imperfections
from companion.system.config import SEATS
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable
from research.bench._latency_host import TAG, Shown, Usage

Noted = tuple[list[Shown], list[tuple[bytes, int]], list[tuple[int, int]], Usage]
HOST: Final = "from research.bench._latency_host import main; main({!r}, {!r}, {!r})"
GUESTS_US: Final = 100_000
TICK_S: Final = 0.002
PATIENCE_S: Final = 60.0
HESITATES_US: Final = 10_000_000  # nobody does for longer before reaching out
ROOT: Final = Path(__file__).parents[2]
NAMES: Final = {message.number: name for name, message in wire.NAMED.items()}


class TimedCable(SteppedCable):
    """A cable that notes when it began to put each packet on the line."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.sent: dict[bytes, tuple[str, int]] = {}  # by tag: what it is, and when
        self._line = wire.Line(wire.FROM_HUB)

    def push(self, data: bytes) -> int:
        """Put bytes on the line; a packet counts from before its last byte is given to it."""
        now_us = monotonic_us()
        count = super().push(data)
        for said in self._line.hear(data[:count]):
            if isinstance(said, wire.Said) and said.name == "RELAYED":
                packet = bytes(said.fields.packet)
                name = NAMES.get(packet[1], "?")
                self.sent.setdefault(packet[-TAG:], (name, now_us))
        return count


class Far:
    """The pins of the other process."""

    def __init__(self, line: Any, burst_us: Callable[[], int]) -> None:
        self._line, self._burst_us = line, burst_us

    def close(self, pin: int) -> None:
        """Let a receiver there see a burst, at the time at which it was."""
        self._line.send(("burst", pin, self._burst_us()))

    def open(self, pin: int) -> None:
        """Do nothing: the burst is over there, too."""

    def bounce(self, pin: int, closed: bool) -> None:
        """Close or open a switch there."""
        self._line.send(("pin", pin, closed))


class Evening:
    """Guests here, a table there; `let` lets time pass."""

    def __init__(self, ports: Path, folder: Path, seed: int, traits: Imperfections = USUAL) -> None:
        self.cable = TimedCable(ports)
        self._life = ExitStack()
        self._life.enter_context(self.cable)
        self.sim = ScriptedTable((), self.cable, seed, traits=traits)
        chance = Random(f"guests {seed}")
        self._party = Party(self.sim, Guests(self.sim.world, chance, SEATS), chance, 99)
        self.snapshot: Snapshot | None = None
        self.replies: list[Any] = []
        self.playing, self.behind_us, self._asked = False, 0, 0
        self._line, theirs = multiprocessing.Pipe()
        self.spawned_us = monotonic_us()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", HOST.format(theirs.fileno(), str(ports), str(folder))],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
        )
        theirs.close()
        self._line.send((stoppers_of(self.sim), calibration_of(self.sim)))
        outside = SimulatedWiring(self.sim, Bus({0x34: None}))  # type: ignore[dict-item]
        self._zero_us = monotonic_us()
        edge_us = outside.factory.edge_us
        outside._pins = Far(  # type: ignore[assignment]
            self._line, lambda: self._zero_us + edge_us()
        )
        self._pumps = [PeriodicTask(PUMP_US, outside.pump), PeriodicTask(GUESTS_US, self._guests)]

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the other process, whatever has become of it, and put all away."""
        self._line.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._life.close()

    def let(self, until: Callable[[], bool], within_s: float) -> None:
        """Let time pass until something is so."""
        end_s = time.monotonic() + within_s
        while not until():
            if time.monotonic() > end_s:
                raise TimeoutError(f"{self.snapshot} after {within_s} s")
            time.sleep(TICK_S)
            now_us = monotonic_us() - self._zero_us
            self.sim.advance(now_us, hub_doze_us=HUB_STEP_US)
            self.behind_us = max(self.behind_us, monotonic_us() - self._zero_us - now_us)
            for pump in self._pumps:
                pump.go(now_us)
            while self._line.poll():
                one = self._line.recv()
                if isinstance(one, Snapshot):
                    self.snapshot = one
                else:
                    self.replies.append(one)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        end_s = time.monotonic() + seconds
        self.let(lambda: time.monotonic() >= end_s, seconds + 1)

    def rests(self) -> bool:
        """Return whether nobody touches a barrel, nor will before something is said."""
        return self.sim.now_us >= self.sim.world.now_free_us + HESITATES_US

    def answer(self) -> Any:
        """Return what the other process tells next."""
        self.let(lambda: bool(self.replies), PATIENCE_S)
        return self.replies.pop(0)

    def usage(self) -> Usage:
        """Return what the other process has used."""
        self._line.send("usage")
        found = self.answer()
        assert isinstance(found, Usage)
        return found

    def end(self) -> Noted:
        """End the table; return what was measured."""
        self._line.send("end")
        found: Noted = self.answer()
        self._line.send("bye")
        return found

    def is_before_round(self, number: int) -> bool:
        """Return whether so many rounds begin only now."""
        view = self.snapshot.view if self.snapshot else None
        return isinstance(view, View) and view.round >= number and view.phase is Phase.ROLL

    def _guests(self, _: int) -> None:
        if self.playing and self.snapshot is not None:
            self._party.go(self.snapshot, self._decide)

    def _decide(self, wish: CommandBody, by: str, version: int) -> None:
        self._asked += 1
        self._line.send(("command", Command(f"bench {self._asked}", wish, by, version)))
