"""Counts what stoppers do in a simulated evening, and how long a cell lasts by that.

python -m hardware.tests.power      # counts again and writes hardware/power.json; takes minutes

What each state takes is told by hardware/currents.toml.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.simulator.boards import HUB, StopperBoard
from companion.simulator.radio import NodeRadio, RadioChannel, airtime_us
from companion.simulator.traits import HONEST
from hardware.tests import plan, ways
from rappelwacht_research.faults import put_in_box
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable
from research.bench._evenings import Session, _Table

FILE: Final = plan.HARDWARE / "power.json"
SESSIONS: Final = tuple(Session("evening", "fair", seed, 12, "honest") for seed in (1, 2))
BOXED: Final = 7  # the stopper that is put into its box when all have booted…
BOOTED_US, ASLEEP_US, COUNTED_US = 5_000_000, 80_000_000, 300_000_000  # …and sleeps from then on
STATES: Final = ("listening", "computing", "light sleep", "deep sleep", "sending")


@dataclass(frozen=True, slots=True)
class Currents:
    """What a stopper takes in each state, in mA, and what its cell gives."""

    whole: Mapping[str, float]  # by state
    usable: float  # of the cell's capacity
    capacity_mah: float

    def mean_ma(self, shares: Mapping[str, float]) -> float:
        """Return the mean over states with their shares of the time."""
        return sum(self.whole[state] * share for state, share in shares.items())

    def hours(self, shares: Mapping[str, float]) -> float:
        """Return how long a full cell lasts."""
        return self.usable * self.capacity_mah / self.mean_ma(shares)


def told() -> dict[str, Any]:
    """Return what the file says."""
    return tomllib.loads((plan.HARDWARE / "currents.toml").read_text("utf-8"))


def currents(variant: str = "weighing") -> Currents:
    """Return what a variant takes: each part's current in each state, added up."""
    said = told()
    whole = dict.fromkeys(STATES, 0.0)
    for row in said["takes"]:
        if variant in row.get("variants", [variant]):
            for state in STATES:
                whole[state] += row["ma"][STATES.index(state)]
    cell = plan.load().circuits["stopper"].parts["BAT1"].value
    return Currents(whole, said["usable"], 1000 * ways.size(cell))


def counted(session: Session) -> dict[str, float]:
    """Return how long an evening was, and the share of it that a stopper was in each state."""
    with TemporaryDirectory() as folder, SteppedCable(Path(folder)) as cable:
        table = _Table(session, cable, Path(folder))
        spent_us: Counter[str] = Counter()
        for board in table.table.stoppers.values():
            _watch(board, table.table, spent_us)
        _overhear(table.table.air, spent_us)
        table.play()
    return {"minutes": round(table.table.now_us / 60e6, 2), **_shares(spent_us)}


def counted_in_box() -> dict[str, float]:
    """Return the share of the time that a stopper spends in each state asleep in its box."""
    spent_us: Counter[str] = Counter()
    with TemporaryDirectory() as folder, SteppedCable(Path(folder)) as cable:
        table = ScriptedTable((), cable, 1, traits=HONEST)
        table.advance(BOOTED_US)
        for number, board in table.stoppers.items():
            if number != BOXED:
                board.power_off()
        put_in_box(table.stoppers[BOXED], table.now_us)
        table.advance(ASLEEP_US)
        _watch(table.stoppers[BOXED], table, spent_us)
        _overhear(table.air, spent_us)
        table.advance(ASLEEP_US + COUNTED_US)
    return _shares(spent_us)


def _shares(spent_us: Counter[str]) -> dict[str, float]:
    whole_us = sum(spent_us.values()) - spent_us["sending"]  # sending is part of listening
    spent_us["listening"] -= spent_us["sending"]
    return {state: round(spent_us[state] / whole_us, 5) for state in STATES}


def _watch(board: StopperBoard, table: ScriptedTable, spent_us: Counter[str]) -> None:
    """Write down, at each step, what the board did since the one before."""
    step: Callable[[], int] = board.step
    before_us, doing = table.clock_us(), dict[str, float]()

    def stepped() -> int:
        nonlocal before_us, doing
        now_us = table.clock_us()
        for state, share in doing.items():
            spent_us[state] += round(share * (now_us - before_us))
        next_us, before_us = step(), now_us
        doing = _doing(board)
        return next_us

    board.step = stepped  # type: ignore[method-assign] # only this one is watched


def _overhear(air: RadioChannel, spent_us: Counter[str]) -> None:
    """Write down how long stoppers send."""
    carry = air.carry

    def carried(sender: NodeRadio, to: bytes, packet: bytes) -> None:
        if sender.node != HUB:
            spent_us["sending"] += airtime_us(len(packet))
        carry(sender, to, packet)

    air.carry = carried  # type: ignore[method-assign] # likewise


def _doing(board: StopperBoard) -> dict[str, float]:
    """Return what a board does until its next step, with the shares of that time."""
    firmware = board.stopper
    if board.asleep:
        return {"deep sleep": 1.0}
    if firmware is None:  # it boots
        return {"computing": 1.0}
    if not firmware.at_rest:
        return {"listening": 1.0}
    nap = min(board._nap, 1.0) if firmware.sleeps else 0.0
    return {"light sleep": nap, "computing": 1 - nap}


def main() -> None:
    """Count, and write it down."""
    found = {session.name: counted(session) for session in SESSIONS}
    FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
