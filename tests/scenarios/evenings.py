"""An evening at the simulated table, and what the host heard of it; with the truth to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from companion.devices.recording import Recorder
from companion.sensing.observations import (
    ButtonHeld,
    ButtonPressed,
    NameRead,
    Observation,
    PadChanged,
)
from companion.simulator.boards import node
from companion.simulator.ground_truth import What
from companion.simulator.live.live import PeriodicTask
from companion.simulator.live.parts import PUMP_US
from companion.simulator.radio import Weather
from companion.simulator.traits import HONEST
from companion.system.status import Condition
from rappelwacht_research.reflex_pads import PadKind
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import SimulatedParts, SimulationDriver, parts_of
from rappelwacht_research.stepped import SteppedCable

NEAR_US = 300_000  # a touch that nobody felt as a blow is dated late
CLEAR = Weather(0.0, 0.0, 0.0)
CAUSES = {
    "LIFT": (What.LIFTED, What.PEEKED),
    "SET": (What.PUT_BACK, What.PLACED, What.PEEKED),
    "FLIP": (What.FLIPPED,),
}
News = Observation | Condition | PadChanged | NameRead | ButtonPressed | ButtonHeld


class Told:
    """What was told, and how it compares with the truth."""

    def __init__(self, folder: Path, script: str, seed: int = 1, **more: object) -> None:
        self.news: list[tuple[int, News]] = []
        self.folder, self.script, self.seed, self.more = folder, script, seed, more

    def play(
        self, meddle: Callable[[ScriptedTable, SimulatedParts], None] = lambda *_: None
    ) -> Told:
        """Let the evening pass."""
        weather = self.more.get("weather", CLEAR)
        assert isinstance(weather, Weather)
        pads = self.more.get("pads", PadKind.SWITCH)
        assert isinstance(pads, PadKind)
        traits = self.more.get("traits", HONEST)
        assert isinstance(traits, frozenset)
        with SteppedCable(self.folder) as cable, self._recorder() as recorder:
            self.table = ScriptedTable(
                read(self.script), cable, self.seed, weather=weather, pads=pads, traits=traits
            )
            self.evening = SimulationDriver(self.table, self.folder, self._tell, recorder)
            with self._parts() as parts:
                if parts:
                    self.evening.also.append(PeriodicTask(PUMP_US, parts.pump))
                    meddle(self.table, parts)
                self.evening.play()
                self.evening.close()
        return self

    @contextmanager
    def _recorder(self) -> Iterator[Recorder]:
        """Provide the recording of the evening, which ends with it however that ends."""
        recorder = Recorder(self.folder / "recording")
        try:
            yield recorder
        finally:
            recorder.close(0)

    def _parts(self) -> AbstractContextManager[SimulatedParts | None]:
        """Provide pads and lights where they are asked for: they take a second to put away."""
        return parts_of(self.table, self._tell) if self.more.get("parts") else nullcontext()

    def _tell(self, at_us: int, news: News) -> None:
        self.news.append((at_us, news))

    @property
    def heard(self) -> list[Observation]:
        return [one for _, one in self.news if isinstance(one, Observation)]

    def conditions(self) -> list[str]:
        return [str(one) for _, one in self.news if isinstance(one, Condition)]

    def of(self, barrel: int, *names: str) -> list[Observation]:
        mine = node(self.table.stopper_of(barrel))
        return [message for message in self.heard if message.node == mine and message.name in names]

    def events(self, barrel: int) -> list[str]:
        return [one.name for one in self.of(barrel, "LIFT", "SET", "FLIP")]

    def barrel_of(self, seen: Observation) -> int:
        stoppers = self.table.world.stoppers
        return next(number for number, stop in stoppers.items() if node(stop) == seen.node)

    def phantoms(self) -> list[str]:
        """Return the events that nothing in the truth explains, at that barrel and time."""
        found = []
        for seen in self.heard:
            if "event" not in seen.fields or seen.name == "STILL":
                continue
            at_us = seen.at_us - (seen.sent_us - int(str(seen.fields["at_us"])))
            if not self._explained(seen.name, self.barrel_of(seen), at_us):
                found.append(f"{at_us / 1e6:.3f} {seen.name} of {self.barrel_of(seen)}")
        return found

    def _explained(self, name: str, barrel: int, at_us: int) -> bool:
        if name in CAUSES:
            done = self.table.world.truth.of(*CAUSES[name], barrel=barrel)
            return any(one.at_us - NEAR_US < at_us < one.until_us + NEAR_US for one in done)
        tilts = range(at_us - NEAR_US, at_us + NEAR_US, 10_000)
        barrels = self.table.world.barrels
        return max(barrels[barrel].tilt_deg(max(0, at)) for at in tilts) > 50
