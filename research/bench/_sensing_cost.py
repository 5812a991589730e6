"""What sensing costs while many barrels are shaken and tilted at once, without the simulator.

The time is that of the thread in `Sensing`, from the message of a stopper to what is told and
asked.
"""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.sensing.observations import ChoosingBegan
from companion.sensing.pipeline import Sensing
from companion.simulator.live.live import PeriodicTask
from companion.simulator.peeking import PeekPlan, peek
from companion.simulator.shaking import Shaking, shake
from companion.system.gc_freeze import frozen
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable
from research.bench._evenings import Host
from research.bench._hearing import TICK_US

AFTER_US = 4_000_000  # from power-on until all is calibrated
FOR_S, SHAKE_S, LOOK_S, TO_DEG = 20, 1.0, 0.5, 85.0
BARRELS = (1, 4, 8, 13)


class Turns:
    """The processor time of each turn of sensing; what one turn makes another do is its own."""

    def __init__(self, sensing: Sensing) -> None:
        self.spans_ns: list[int] = []
        self._deep = 0
        for name in ("handle", "tick"):
            setattr(sensing, name, self._timed(getattr(sensing, name)))

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*what: Any) -> Any:
            self._deep += 1
            begun = time.thread_time_ns()
            try:
                return call(*what)
            finally:
                self._deep -= 1
                if not self._deep:
                    self.spans_ns.append(time.thread_time_ns() - begun)

        return timed


def of(barrels: int, seed: int) -> Turns:
    """Return what so many cost that are shaken and tilted again and again."""
    with TemporaryDirectory() as folder, SteppedCable(Path(folder)) as cable:
        host = Host(ScriptedTable((), cable, seed), Path(folder), lambda _at_us, _news: None)
        world, hearing = host.table.world, host.hearing
        host.also.append(PeriodicTask(TICK_US, hearing.pass_to))
        host.play(AFTER_US)
        hearing.take(AFTER_US, ChoosingBegan(tuple(s.name.lower() for s in world.seats), AFTER_US))
        for barrel in list(world.barrels.values())[:barrels]:
            barrel.add(world.hand.lift(AFTER_US + 100_000, barrel.pose))
            how = Shaking(barrel.stones_g, barrel.shell_g, for_s=SHAKE_S)
            while barrel.free_us < AFTER_US + FOR_S * 1_000_000:
                barrel.add(shake(world.hand, barrel.free_us, barrel.pose, how))
                look = PeekPlan(LOOK_S, TO_DEG, TO_DEG)
                barrel.add(peek(world.hand, barrel.free_us, barrel.pose, look))
        host.table.act(())
        turns = Turns(hearing.ears.sensing)
        with frozen():  # as at a table that has started
            host.play(AFTER_US + FOR_S * 1_000_000)
        host.close()
    return turns


def measure(seed: int) -> dict[str, float]:
    """Return the share of a core by how many barrels, and the longest turn of all."""
    found = dict[str, float]()
    for barrels in BARRELS:
        spans_ns = of(barrels, seed).spans_ns
        found[f"sensing_percent_{barrels}"] = round(sum(spans_ns) / 1e7 / FOR_S, 2)
    return found | {"sensing_longest_turn_ms": round(max(spans_ns) / 1e6, 2)}
