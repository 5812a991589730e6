"""Tries one stopper on the bench: what to do with it, what is heard of it, and a picture of that.

It holds the hub's port, so no table may run.
"""

import queue
from collections.abc import Callable, Iterator, Sequence
from math import cos, radians
from pathlib import Path
from typing import Final

from companion.cli.doctor_parts import LOOK_S, DoctorWiring
from companion.devices import hub_discovery, hub_port
from companion.devices.stopper_registry import Stopper
from companion.i18n.translate import say
from companion.maintenance.checks.result import CheckResult
from companion.maintenance.checks.stopper_bench import bench_test, judge
from companion.present.plots import Axis, Plot, PlotPoint, stacked
from companion.present.terminal import TerminalScreen
from companion.sensing.observations import Observation
from companion.sensing.receiver import Receiver
from companion.system import config, errors, signals
from companion.system.text import Text

TURN_US: Final = 20_000_000
ECHO_US: Final = 3_000_000
ASK_US: Final = 1_500_000  # windows overlap, for packets get lost
RAW_MS: Final = 3_400
LEAVE: Final = Text(
    "Lift barrel {stopper} once, put it back, and leave it alone for {s} s."
).template
TURN: Final = Text(
    "Now lift barrel {stopper}, slowly turn it upside down and back, then put it down. You have "
    "{s} s."
).template
NAMES: Final = (
    Text("Load against tilt, in the air"),
    Text("tilt in degrees"),
    Text("load in g"),
    Text("Load at rest"),
    Text("load in mg"),
    Text("seconds"),
)
DEGREES: Final = range(0, 181, 5)


class Bench:
    """One stopper, as long as it is listened to."""

    def __init__(self, wanted: config.Hub, stopper: Stopper, outside: DoctorWiring) -> None:
        self._stopper, self._clock_us = stopper, outside.clock_us
        self.heard: list[Observation] = []
        self._inbox: queue.SimpleQueue[hub_discovery.HubMessage | None] = queue.SimpleQueue()
        self.port = hub_port.HubPort(wanted, self._inbox.put, lambda _: None, outside.ports)
        self.hub = hub_port.HubThread(self.port, outside.clock_us)
        self._listening = Receiver({stopper.node: stopper.key}, self.hub.send)
        self._asked_us, self._request = 0, 0

    def listen(self, until_us: int, enough: Callable[[], bool] = lambda: False) -> None:
        """Listen up to a time, and have kept samples sent again and again."""
        while (now_us := self._clock_us()) < until_us and not enough():
            message = signals.get(self._inbox, LOOK_S, None)
            if message is not None:
                self.heard += self._listening.handle_hub_message(message.at_us, message.said)
            if self.heard and now_us - self._asked_us >= ASK_US:
                self._ask(now_us)

    def _ask(self, now_us: int) -> None:
        last = self.heard[-1]
        self._asked_us, self._request = now_us, (self._request + 1) % (1 << 16)
        start_us = max(0, last.sent_us + now_us - last.at_us - 1000 * RAW_MS)
        values = {"request": self._request, "start_us": start_us, "length_ms": RAW_MS}
        self._listening.send(now_us, self._stopper.node, "RAW_REQUEST", **values)


class BenchTrial:
    """What is done with a stopper, and what came of it."""

    def __init__(
        self,
        wanted: config.Hub,
        stopper: Stopper,
        outside: DoctorWiring,
        rest_s: float,
        screen: TerminalScreen | None,  # None: whoever does it knows what to do
    ) -> None:
        self._bench, self._number = Bench(wanted, stopper, outside), stopper.number
        self._outside, self._rest_s, self._screen = outside, rest_s, screen
        self._rest_us = 0

    def findings(self) -> Iterator[CheckResult]:
        """Say what is to be done with it, and yield how it is."""
        bench, clock_us = self._bench, self._outside.clock_us
        with bench.hub:
            bench.listen(clock_us() + self._outside.answers_us, lambda: _answers(bench.port))
            yield CheckResult("hub", bench.port.condition)
            if not _answers(bench.port):
                return
            self._tell(Text(LEAVE, stopper=self._number, s=round(self._rest_s)))
            self._rest_us = clock_us() + round(1e6 * self._rest_s)
            bench.listen(self._rest_us)
            self._tell(Text(TURN, stopper=self._number, s=TURN_US // 1_000_000))
            bench.listen(self._rest_us + TURN_US + ECHO_US)
        yield from judge(bench.heard, self._rest_us, self._number)

    def _tell(self, text: Text) -> None:
        if self._screen is not None:
            self._screen.lines(self._screen.say(text))

    def draw(self, file: Path, screen: TerminalScreen) -> None:
        """Write what came of it as a picture."""
        try:
            file.write_text(stacked(plots(self._bench.heard, self._rest_us, screen)), "utf-8")
        except OSError as error:
            raise errors.CompanionError(
                "{file}: the picture cannot be written ({reason}).",
                file=file,
                reason=error.strerror,
            ) from None


def plots(heard: list[Observation], rest_us: int, screen: TerminalScreen) -> list[Plot]:
    """Return load against tilt, and what the load did at rest."""
    result, by = bench_test(heard, rest_us), screen.language
    line: list[PlotPoint] = []
    if (curve := result.curve()) is not None:
        level, slope, _ = curve
        line = [(float(deg), (level + slope * cos(radians(deg))) / 1000) for deg in DEGREES]
    dots = [(moment.tilt_deg, moment.load_mg / 1000) for moment in result.airborne]
    tilted, tilt, grams, rested, load, time = (say(text, by) for text in NAMES)
    turned = _plotted(tilted, Axis(tilt, 0, 180, DEGREES[::9]), grams, dots, line)
    if len(result.zeros) < 2:
        return [turned]
    seconds = Axis.around(time, [at_s for at_s, _ in result.zeros])
    return [turned, _plotted(rested, seconds, load, result.zeros)]


def _plotted(
    title: str, across: Axis, load: str, dots: Sequence[PlotPoint], line: Sequence[PlotPoint] = ()
) -> Plot:
    plot = Plot(title, across, Axis.around(load, [up for _, up in (*dots, *line)] or [0.0]))
    for dot in dots:
        plot.dot(dot, "a")
    if line:
        plot.line(line, "b")
    return plot


def _answers(port: hub_port.HubPort) -> bool:
    return port.condition.state is hub_discovery.HubState.PRESENT
