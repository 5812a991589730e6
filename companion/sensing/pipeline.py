"""The sensing pipeline: observations go in, events at the table come out.

Each part is pure; their states live here and nowhere else. What one part tells is passed on to the
next ones, and what people may hear goes out.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion import wire
from companion.sensing import (
    clocks,
    enrolment,
    fouls,
    peeking,
    placement,
    stopper_faults,
    tampering,
    tracking,
    weighing,
)
from companion.sensing.calibration import Calibration
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    Placed,
    SampleRequest,
    SecondPlaced,
    SensingEvent,
    Taken,
)
from companion.sensing.name_word import name_of
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    NameRead,
    Observation,
    PadChanged,
    Refused,
    Seen,
    Settled,
    StopperMessage,
)
from companion.sensing.receiver import Receiver, Send
from companion.sensing.settings import Settings
from companion.sensing.tampering import Suspect, WeightWatch

News = SensingEvent | Suspect | SampleRequest
Step = Callable[[Any, Any, Settings], tuple[Any, ...]]
Phase: Final = (ChoosingBegan, ChoosingEnded)
HANDLERS: Final[dict[str, tuple[Step, tuple[type, ...]]]] = {  # each part, and what it takes
    "tracking": (tracking.step, (StopperMessage,)),
    "weighing": (weighing.step, (StopperMessage,)),
    "ailments": (stopper_faults.step, (StopperMessage, BarrelMoved, Refused)),
    "enrolment": (enrolment.step, (weighing.BarrelWeighed, enrolment.Read)),
    "seating": (placement.step, (StopperMessage, PadChanged, NameRead, Settled, *Phase)),
    "peeking": (peeking.step, (StopperMessage, Placed, *Phase)),
    "fouls": (fouls.step, (StopperMessage, BarrelMoved, Placed, SecondPlaced, Taken, *Phase)),
    "tampering": (tampering.step, (weighing.BarrelWeighed, BarrelMoved, Placed, Taken, *Phase)),
}
HANDLERS_OF: Final = {  # the same, the other way round
    kind: [(name, step) for name, (step, takes) in HANDLERS.items() if kind in takes]
    for kind in {kind for _, takes in HANDLERS.values() for kind in takes}
}
ADVANCES: Final[dict[str, Step]] = {  # for what does not come
    "tracking": tracking.advance,
    "seating": placement.advance,
    "peeking": peeking.advance,
    "fouls": fouls.advance,
}


class Sensing:
    """The only holder of the parts' states; `names` gives each node its stopper's number.

    What is told in one call is in the order in which it became known.
    """

    def __init__(self, names: Mapping[bytes, int], settings: Settings | None = None) -> None:
        self.names, self.settings = names, settings or Settings()
        self._spoken: dict[int, int] = {}  # the stopper that says a name; two that are alike: none
        self.clocks, self.now_us = clocks.ClockFits(), 0
        self.states: dict[str, Any] = {
            "tracking": tracking.Tracking(),
            "weighing": weighing.Scales(),
            "ailments": stopper_faults.StopperFaults(),
            "enrolment": enrolment.Enrolling.start({}),
            "seating": placement.Placement(),
            "peeking": peeking.PeekState(),
            "fouls": fouls.HandFoulState(),
            "tampering": WeightWatch({}, 0.0),
        }

    def watch_weights(self, calibration: Calibration) -> None:
        """From now on notice barrels that do not weigh what they did when they were enrolled."""
        self.states["tampering"] = WeightWatch.from_calibration(calibration, self.settings)

    @property
    def suspects(self) -> frozenset[int]:
        """Return which barrels were reported as not weighing what they should, and still do not."""
        watch: WeightWatch = self.states["tampering"]
        return watch.reported

    @property
    def enrolling(self) -> enrolment.Enrolling:
        """Return the enrolment as far as it has come."""
        enrolling: enrolment.Enrolling = self.states["enrolment"]
        return enrolling

    def enrol(
        self, candidates: Mapping[int, enrolment.Candidate], *, by_hand: bool = False
    ) -> None:
        """Begin to find out which of these stoppers closes which barrel; of none: that is over."""
        self.states["enrolment"] = enrolment.Enrolling.start(candidates, by_hand=by_hand)

    def know_keys(self, keys: Mapping[bytes, bytes]) -> None:
        """From now on know whose names are read at pads: they follow from the stoppers' keys."""
        names = [name_of(key) for key in keys.values()]
        self._spoken = {
            name_of(key): self.names[node]
            for node, key in keys.items()
            if node in self.names and names.count(name_of(key)) == 1
        }

    def weighed(self, stopper: int) -> weighing.BarrelWeighed | None:
        """Return what a barrel weighed when it was set down last."""
        scales: weighing.Scales = self.states["weighing"]
        scale = scales.of.get(stopper)
        return None if scale is None else scale.last

    def weighs(self, stopper: int) -> bool:
        """Return whether a stopper has a load cell, as far as it has said."""
        scales: weighing.Scales = self.states["weighing"]
        scale = scales.of.get(stopper)
        return scale is None or scale.weighs

    def motion(self, stopper: int) -> BarrelMotion:
        """Return what a barrel does."""
        barrels: tracking.Tracking = self.states["tracking"]
        barrel = barrels.barrels.get(stopper)
        return BarrelMotion.UNKNOWN if barrel is None else barrel.doing

    def handle_hub_message(self, at_us: int, message: wire.Said) -> None:
        """Handle what the hub says of itself: it tells how its clock goes."""
        self.clocks = clocks.handle_hub_message(self.clocks, at_us, message, self.settings)

    def handle(self, seen: Seen | enrolment.Read) -> list[News]:
        """Handle what was seen."""
        felt: object = seen
        if isinstance(seen, Observation):
            if seen.node not in self.names:
                return []
            stopper = self.names[seen.node]
            self.clocks, felt = clocks.step(self.clocks, seen, stopper, self.settings)
        elif isinstance(seen, NameRead):
            named = self._spoken.get(seen.name)
            if named is None:
                return []  # a stopper of another table, or damaged
            felt = replace(seen, stopper=named)
        waited = [] if isinstance(seen, enrolment.Read) else self.tick(seen.at_us)
        return waited + self._dispatch([felt])

    def tick(self, now_us: int) -> list[News]:
        """Advance the time; it never goes back.

        What one part makes of that is known to all before the next one is asked. Otherwise, if much
        time passed at once, a barrel put straight would be missed before it is known to stand.
        """
        self.now_us = max(self.now_us, now_us)
        news: list[News] = []
        for name, wait in ADVANCES.items():
            self.states[name], *groups = wait(self.states[name], self.now_us, self.settings)
            news += self._dispatch([event for group in groups for event in group])
        return news

    def _dispatch(self, events: list[object]) -> list[News]:
        """Let every part take what it takes, and then what the parts told of it."""
        for event in events:  # which grows
            for name, step in HANDLERS_OF.get(type(event), ()):
                self.states[name], *groups = step(self.states[name], event, self.settings)
                for group in groups:
                    events += group
        return [event for event in events if isinstance(event, News)]


class SensingLink:
    """Sensing behind the hub: receives what it relays, and requests the samples that are wanted."""

    def __init__(
        self,
        sensing: Sensing,
        keys: Mapping[bytes, bytes],
        send: Send,
        last: Mapping[bytes, tuple[int, int]] | None = None,
        overhear: Callable[[Observation], object] = lambda _: None,
    ) -> None:
        self._overhear = overhear
        self.sensing, self._asked, self._refusals = sensing, 0, list[Seen]()
        sensing.know_keys(keys)
        self.listening = Receiver(keys, send, last=last, on_refused=self._on_refused)
        self._nodes = {stopper: node for node, stopper in sensing.names.items()}

    @property
    def newest(self) -> dict[bytes, tuple[int, int]]:
        """Return what to hand in as `last` when the program starts again."""
        return self.listening.newest

    def handle_hub_message(self, at_us: int, message: wire.Said) -> list[SensingEvent | Suspect]:
        """Handle a message of the hub."""
        seen = self.listening.handle_hub_message(at_us, message)
        if message.name != "RELAYED":
            self.sensing.handle_hub_message(at_us, message)
        for observation in seen:
            if observation.node in self.sensing.names:
                self._overhear(observation)
        arrived: list[Seen] = [*self._refusals, *seen]
        self._refusals.clear()
        return [event for observed in arrived for event in self.handle(observed)]

    def handle(self, seen: Seen | enrolment.Read) -> list[SensingEvent | Suspect]:
        """Handle what was seen elsewhere: pads, people, the phase of the game."""
        return self._send_requests(self.sensing.handle(seen))

    def tick(self, now_us: int) -> list[SensingEvent | Suspect]:
        """Advance the time."""
        return self._send_requests(self.sensing.tick(now_us))

    def _on_refused(self, at_us: int, node: bytes, foreign: bool) -> None:
        if node in self.sensing.names:
            self._refusals.append(Refused(self.sensing.names[node], foreign, at_us))

    def _send_requests(self, news: Iterable[News]) -> list[SensingEvent | Suspect]:
        """Ask stoppers for what is wanted; return the rest."""
        rest: list[SensingEvent | Suspect] = []
        for event in news:
            if isinstance(event, SampleRequest):
                self._asked = (self._asked + 1) % (1 << 16)
                span = {"start_us": event.start_us, "length_ms": event.length_ms}
                node = self._nodes[event.stopper]
                now_us = self.sensing.now_us
                self.listening.send(now_us, node, "RAW_REQUEST", request=self._asked, **span)
            else:
                rest.append(event)
        return rest
