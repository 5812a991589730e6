"""What breaks at the simulated table, carried out while it runs, and healed again.

It must not know what the host makes of it. Words and amounts are those of `script.FAULTS`; barrels
are called by their number, as in the rest of a script.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from companion.simulator.boards import FLAT_MV, LOAD, MOTION, StopperBoard
from companion.simulator.chips import board_bus
from companion.simulator.hands import seconds
from companion.simulator.script import Fault

if TYPE_CHECKING:
    from companion.simulator.run import SimulatedTable

CHIPS: Final = {"accelerometer": MOTION, "cell": LOAD}
UNPLUG_S, SILENT_S = 3.0, 5.0
DYING_S: Final = 15.0  # how long a flat battery still lasts
GARBAGE: Final = 200


class Faults:
    """The hand that breaks and mends."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._rng = Random(f"faults {table.seed}")  # noqa: S311 - a game and no secret
        self.lights_absent: Callable[[bool], None] = lambda _: None  # by whoever has the boards
        self.pads_absent: Callable[[bool], None] = lambda _: None

    def carry_out(self, fault: Fault) -> None:
        """Break something, for a while or until it is cleared."""
        if fault.barrel is not None:
            self._stopper(fault, self._board(fault.barrel))
            self._table.wake(self._table.stopper_of(fault.barrel))
            return
        match fault.name:
            case "loss" | "duplicate" | "reorder":
                setattr(self._table.air.weather, fault.name, fault.amount)
            case "unplug":
                self.unplug(fault.for_s or UNPLUG_S)
            case "silent":
                self._table.cable.mute = True
                self._later(fault.for_s or SILENT_S, self._speak)
            case "garbage":
                self.garbage(round(fault.amount or GARBAGE))
            case "absent":
                self._absent(fault.part)
            case _:
                self.clear()

    def unplug(self, for_s: float | None = None) -> None:
        """Pull the hub's plug, which also takes its power; it comes back under another name."""
        self._table.cable.unplug()
        if for_s is not None:
            self._later(for_s, self.replug)

    def replug(self) -> None:
        """Plug the hub in; it boots."""
        if not self._table.cable.is_plugged:
            self._table.cable.plug()
            self._table.hub.power_on()

    def garbage(self, count: int) -> None:
        """Put bytes on the line that nobody sent."""
        rng = self._rng
        self._table.cable.push(bytes(int(rng.random() * 256) for _ in range(count)))

    def clear(self) -> None:
        """Mend everything; what is worn out gets new batteries."""
        table = self._table
        table.air.clear()
        self._speak()
        self.replug()
        self.lights_absent(False)
        self.pads_absent(False)
        for number, board in table.stoppers.items():
            self._mend(board)
            table.charge(number)

    def _absent(self, part: str | None) -> None:
        match part:
            case "hub":
                self.unplug()
            case "lights":
                self.lights_absent(True)
            case _:
                self.pads_absent(True)

    def _stopper(self, fault: Fault, board: StopperBoard) -> None:
        chip = board.i2c.chips[CHIPS[fault.part]] if fault.part else None
        match fault.name:
            case "reboot":
                board.power_on()
            case "flat":
                board.battery = FLAT_MV
                self._later(DYING_S, lambda: self._die(board))
            case "drift":
                board.oscillator.drift(fault.amount or 0.0)
            case "bus":
                board.i2c.stuck = chip is None
                if chip is not None:
                    chip.powered = False
                if fault.for_s is not None:
                    self._later(fault.for_s, lambda: self._mend(board))
            case name:
                assert chip is not None
                chip.fault = board_bus.Fault[name.upper()]

    def _mend(self, board: StopperBoard) -> None:
        board.i2c.stuck = False
        for chip in (board.motion_chip, board.load_chip):
            chip.fault = None
            if not chip.powered:
                chip.powered = True
                chip.power_on()

    def _die(self, board: StopperBoard) -> None:
        if board.battery == FLAT_MV:
            board.power_off()

    def _speak(self) -> None:
        self._table.cable.mute = False

    def _board(self, barrel: int) -> StopperBoard:
        return self._table.stoppers[self._table.stopper_of(barrel)]

    def _later(self, for_s: float, call: Callable[[], None]) -> None:
        self._table.at(self._table.now_us + seconds(for_s), call)
