"""What breaks at the simulated table, carried out while it runs, and healed again.

Barrels are called by their number, as in the rest of a script.

Everything that is broken is kept in one place, by kind and target, with what mends it. The same
fault again starts over: then only its own end counts. What ends mends nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from companion.simulator import boards, hands
from companion.simulator.chips import board_bus, lis2dw12, nau7802
from companion.simulator.live.parts import WIRED, SimulatedWiring
from companion.simulator.run import SimulatedTable

LASTS_S: Final = {
    "unplug": 3.0,
    "silent": 5.0,
    "flat": 15.0,
    "box": 60.0,
}  # unless a script says otherwise
GARBAGE: Final = 200
ROOM_S: Final = 0.01  # until the line may have room for more garbage
Chip = lis2dw12.Lis2dw12 | nau7802.Nau7802
Broken = tuple[str | int | None, ...]  # the kind of fault, and what it has struck


@dataclass(frozen=True, slots=True)
class ScriptFault:
    """What breaks: its name, and what of barrel, part, amount (a share, ppm or bytes) and time."""

    name: str
    barrel: int | None = None
    part: str | None = None
    amount: float | None = None
    for_s: float | None = None


def lasts_s(fault: ScriptFault) -> float:
    """Return for how long something goes on happening after a fault; 0 if it just stays as it is.

    >>> lasts_s(ScriptFault("silent")), lasts_s(ScriptFault("silent", for_s=0.5))
    (5.0, 0.5)
    """
    return LASTS_S.get(fault.name, 0.0) if fault.for_s is None else fault.for_s


FULL_MV: Final = 4180
MV_PER_S: Final = 0.15  # 880 mV, from empty to full, in an hour and a half
LATE_S: Final = 900.0  # at full voltage the current fades


class ChargingBox:
    """The box of a stopper whose cell has some voltage when it is put there.

    >>> [ChargingBox(3500, 0).at(minutes * 60_000_000) for minutes in (0, 30, 120)]
    [(3500, True), (3770, True), (4180, False)]
    """

    def __init__(self, from_mv: int, at_us: int) -> None:
        self._from_mv, self._at_us = from_mv, at_us
        self._full_us = at_us + round(1e6 * max(FULL_MV - from_mv, 0) / MV_PER_S)

    def at(self, now_us: int) -> tuple[int, bool]:
        """Return the cell's voltage, and whether it is still charging."""
        gained_mv = round(MV_PER_S * (now_us - self._at_us) / 1e6)
        charging = now_us < self._full_us + round(1e6 * LATE_S)
        return min(FULL_MV, self._from_mv + gained_mv), charging


def put_in_box(board: boards.StopperBoard, now_us: int) -> None:
    """Put a stopper into its charging box, which has the power to boot a flat one."""
    if board.box is None:
        board.box = ChargingBox(board.battery, now_us).at
    if not board.powered:
        board.power_on()


class Faults:
    """The hand that breaks and mends."""

    def __init__(self, table: SimulatedTable) -> None:
        self._table = table
        self._rng = Random(f"faults {table.seed}")  # noqa: S311 - a game and no secret
        self._broken: dict[Broken, tuple[int, Callable[[], None]]] = {}
        self._count = 0
        self.lights_absent: Callable[[bool], None] = lambda _: None  # by whoever has the boards
        self.pads_absent: Callable[[bool], None] = lambda _: None

    def join(self, outside: SimulatedWiring) -> None:
        """Reach what hangs on the Pi itself, too."""
        assert WIRED.light_board is not None
        bus, address = outside.bus, WIRED.light_board.address

        def take_lights(absent: bool) -> None:
            if absent:
                bus.unplug(address)
            elif address in bus.unplugged:
                bus.plug(address)

        self.lights_absent = take_lights
        self.pads_absent = partial(setattr, outside, "pads_absent")

    def carry_out(self, fault: ScriptFault) -> None:
        """Break something, for a while or until it is cleared."""
        if fault.barrel is not None:
            self._stopper(fault, self._table.stopper_of(fault.barrel))
            return
        cable = self._table.cable
        match fault.name:
            case "loss" | "duplicate" | "reorder":
                self._weather(fault.name, fault.amount)
            case "unplug":
                self.unplug(lasts_s(fault))
            case "silent":
                cable.mute = True
                self._breaks(("silent",), partial(setattr, cable, "mute", False), lasts_s(fault))
            case "garbage":
                self.garbage(GARBAGE if fault.amount is None else round(fault.amount))
            case "absent":
                self._absent(fault.part)
            case _:
                self.clear()

    def unplug(self, for_s: float | None = None) -> None:
        """Pull the hub's plug, which also takes its power; it comes back under another name."""
        self._table.cable.unplug()
        self._breaks(("hub",), self.replug, for_s)

    def replug(self) -> None:
        """Plug the hub in; it boots."""
        if not self._table.cable.is_plugged:
            self._table.cable.plug()
            self._table.hub.power_on()

    def garbage(self, count: int) -> None:
        """Put bytes on the line that nobody sent; those that find no room come a little later.

        Where nobody listens they are lost, as all bytes are.
        """
        rng = self._rng
        self._push(bytes(int(rng.random() * 256) for _ in range(count)))

    def clear(self) -> None:
        """Mend everything; what is worn out gets new batteries."""
        broken, self._broken = self._broken, {}
        for _, mend in broken.values():
            mend()
        for stopper in self._table.stoppers:
            self._table.charge(stopper)

    # --- how long ------------------------------------------------------------------------------

    def _breaks(
        self, what: Broken, mend: Callable[[], None], for_s: float | None = None
    ) -> Callable[[], bool]:
        """Note that something is broken, and have it mended when its time is up.

        Return a check whether it is still broken by this command: not by a later one, nor mended.
        """
        self._count += 1
        number = self._count
        self._broken[what] = number, mend

        def still() -> bool:
            return what in self._broken and self._broken[what][0] == number

        def end() -> None:
            if still():
                del self._broken[what]
                mend()

        if for_s is not None:
            self._later(for_s, end)
        return still

    def _later(self, for_s: float, call: Callable[[], None]) -> None:
        self._table.at(self._table.now_us + hands.seconds(for_s), call)

    # --- air, line and the Pi's own parts --------------------------------------------------------

    def _weather(self, name: str, share: float | None) -> None:
        air = self._table.air
        setattr(air.weather, name, share)
        self._breaks((name,), lambda: setattr(air.weather, name, getattr(air.usual, name)))

    def _push(self, data: bytes) -> None:
        cable = self._table.cable
        rest = data[cable.push(data) :]
        if rest and cable.full:
            self._later(ROOM_S, partial(self._push, rest))

    def _absent(self, part: str | None) -> None:
        match part:
            case "hub":
                self.unplug()
            case "lights":
                self.lights_absent(True)
                self._breaks(("lights",), lambda: self.lights_absent(False))
            case _:
                self.pads_absent(True)
                self._breaks(("pads",), lambda: self.pads_absent(False))

    # --- one stopper -----------------------------------------------------------------------------

    def _stopper(self, fault: ScriptFault, stopper: int) -> None:
        board = self._table.stoppers[stopper]
        match fault.name:
            case "reboot":
                if board.powered or board.battery != boards.FLAT_MV:  # a flat one cannot boot
                    board.power_on()
            case "flat":
                board.battery = boards.FLAT_MV
                still = self._breaks(("flat", stopper), partial(self._table.charge, stopper))
                self._later(lasts_s(fault), lambda: self._die(board, still))
            case "box":  # nothing breaks: its stopper is put into the charging box for a while
                put_in_box(board, self._table.now_us)
                self._breaks(("box", stopper), partial(self._take_out, stopper), lasts_s(fault))
            case "drift":
                self._drift(board, stopper, fault.amount)
            case "bus" if fault.part is None:
                board.i2c.stuck = True
                mend = partial(setattr, board.i2c, "stuck", False)
                self._breaks(("bus", stopper), mend, fault.for_s)
            case _:
                moved = fault.part == "accelerometer"
                self._chip(fault, stopper, board.motion_chip if moved else board.load_chip)
        self._table.wake(stopper)

    def _take_out(self, stopper: int) -> None:
        board = self._table.stoppers[stopper]
        board.battery, board.box = board.battery_mv(), None
        self._table.wake(stopper)

    def _drift(self, board: boards.StopperBoard, stopper: int, ppm: float | None) -> None:
        assert ppm is not None
        what = ("drift", stopper)
        usual = partial(board.oscillator.drift, board.oscillator.ppm)
        _, mend = self._broken.get(what, (0, usual))  # a second drift ends where the first began
        board.oscillator.drift(ppm)
        self._breaks(what, mend)

    def _chip(self, fault: ScriptFault, stopper: int, chip: Chip) -> None:
        if fault.name == "bus":
            chip.powered = False
            self._breaks(("bus", stopper, fault.part), partial(_power, chip), fault.for_s)
        else:
            chip.fault = board_bus.SensorFault[fault.name.upper()]
            self._breaks(("chip", stopper, fault.part), partial(setattr, chip, "fault", None))

    def _die(self, board: boards.StopperBoard, still: Callable[[], bool]) -> None:
        if (
            still() and board.battery == boards.FLAT_MV and not board.boxed()
        ):  # otherwise it was charged in the meantime
            board.power_off()


def _power(chip: Chip) -> None:
    chip.powered = True
    chip.power_on()
