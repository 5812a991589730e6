"""A simulated evening as lines: the time, what hands truly did, and what the host heard of it.

What the host heard depends on observations alone, so that a recording gives the same lines again.
"""

from collections.abc import Iterator
from typing import Final

from companion import wire
from companion.sensing.observations import ButtonPressed, Observation, PadChanged
from companion.simulator import ground_truth
from companion.system.status import Condition
from companion.system.text import SeatName, Text
from rappelwacht_research import scene, script_reader
from rappelwacht_research.exposures import Exposure, exposures

SHAKEN, CALM = 600, 250  # thousandths of g, root mean square
Line = tuple[int, Text]


class HostColumn:
    """What is worth a line of all that the host hears; it remembers what it said last."""

    def __init__(self) -> None:
        self._shaken: set[bytes] = set()
        self._faults: dict[bytes, int] = {}
        self._boots: dict[bytes, int] = {}

    def text(self, seen: Observation) -> Text | None:
        """Return a line's text, or None."""
        values = {"stopper": seen.node[-1], **seen.fields}
        match seen.name:
            case "LIFT":
                return Text("stopper {stopper} is lifted", **values)
            case "SET":
                return Text("stopper {stopper} is set down", **values)
            case "STILL":
                load_g = int(str(seen.fields["load_mg"])) / 1000
                return Text("stopper {stopper} stands still: {load_g} g", load_g=load_g, **values)
            case "TILT":
                return Text("stopper {stopper} is tilted to {deg}°", deg=_deg(seen), **values)
            case "UPRIGHT":
                held_s = int(str(seen.fields["held_ms"])) / 1000
                return Text(
                    "stopper {stopper} can no longer be read, after {held_s} s",
                    held_s=held_s,
                    **values,
                )
            case "FLIP":
                return Text("stopper {stopper} stands upside down", **values)
            case "HELLO":
                return self._hello(seen)
            case "HEARTBEAT":
                return self._heartbeat(seen)
            case "FEATURES":
                return self._features(seen)
        return None

    def _hello(self, seen: Observation) -> Text | None:
        before = self._boots.get(seen.node, 1)
        self._boots[seen.node] = seen.boot
        if seen.boot == before:
            return None
        stopper, boot = seen.node[-1], seen.boot
        return Text("stopper {stopper} has restarted: boot {boot}", stopper=stopper, boot=boot)

    def _heartbeat(self, seen: Observation) -> Text | None:
        faults = int(str(seen.fields["faults"]))
        if faults == self._faults.get(seen.node, 0):
            return None
        self._faults[seen.node] = faults
        names = tuple(name for bit, name in enumerate(wire.FAULTS) if faults >> bit & 1)
        if not names:
            return Text("stopper {stopper} is well again", stopper=seen.node[-1])
        return Text("stopper {stopper} reports: {faults}", stopper=seen.node[-1], faults=names)

    def _features(self, seen: Observation) -> Text | None:
        rms = int(str(seen.fields["shake_rms_permille"]))
        if rms < CALM:
            self._shaken.discard(seen.node)
        if rms < SHAKEN or seen.node in self._shaken:
            return None
        self._shaken.add(seen.node)
        return Text(
            "stopper {stopper} is shaken: {rms_g} g", stopper=seen.node[-1], rms_g=rms / 1000
        )


def at_the_seats(event: PadChanged | ButtonPressed) -> Text:
    """Return the host's line for a pad or a button."""
    seat = SeatName[event.colour.upper()]
    match event:
        case PadChanged(occupied=True):
            return Text("{seat}'s pad is closed", seat=seat)
        case PadChanged():
            return Text("{seat}'s pad is open", seat=seat)
        case ButtonPressed(long=True):
            return Text("{seat}'s button is held down", seat=seat)
    return Text("{seat}'s button was pressed", seat=seat)


def as_sentence(condition: Condition) -> Text:
    """Return how a device says that it is."""
    return Text(condition.state.template, **condition.values)


def hands(table: scene.ScriptedTable, from_us: int = 0) -> list[Line]:
    """Return what is truly done in the part that was arranged last, from this time on, by time."""
    timeline = [(happening.at_us, _done(table, happening)) for happening in table.done]
    timeline += [(exposure.from_us, _readable(exposure)) for exposure in _peeks(table, from_us)]
    timeline += [
        (broken.at_us, Text("fault {words}", words=_words(broken))) for broken in table.breaks
    ]
    return sorted(timeline, key=lambda line: line[0])


def _peeks(table: scene.ScriptedTable, from_us: int) -> list[Exposure]:
    """Return when somebody who holds a barrel could read its label; on its head all may."""
    seen = exposures(table.world, from_us, table.end_us)
    return [exposure for exposure in seen if exposure.seat is not None]


def _done(table: scene.ScriptedTable, happening: ground_truth.Happening) -> Text:
    stopper = None if happening.barrel is None else table.stopper_of(happening.barrel)
    values = {
        "seat": happening.seat,
        "barrel": happening.barrel,
        "stopper": stopper,
        "to": happening.other,
    }
    values["magic"] = happening.magic
    template = DONE[happening.what]
    if happening.what is ground_truth.What.PLACED and happening.other is not happening.seat:
        template = Text("{seat} places {barrel} at {to}").template
    return Text(template, **{name: it for name, it in values.items() if it is not None})


DONE: Final = {
    ground_truth.What.LIFTED: Text("{seat} lifts {barrel} (stopper {stopper})").template,
    ground_truth.What.SHAKEN: Text("{seat} shakes {barrel}").template,
    ground_truth.What.HEFTED: Text("{seat} weighs {barrel} in the hand").template,
    ground_truth.What.PEEKED: Text("{seat} tilts {barrel} to peek").template,
    ground_truth.What.HANDED_OVER: Text("{seat} hands {barrel} to {to}").template,
    ground_truth.What.PUT_BACK: Text("{seat} puts {barrel} back").template,
    ground_truth.What.PLACED: Text("{seat} places {barrel}").template,
    ground_truth.What.FLIPPED: Text("{seat} has flipped {barrel}").template,
    ground_truth.What.CARRIED: Text("{seat} carries {barrel} about").template,
    ground_truth.What.DROPPED: Text("{seat} drops {barrel}").template,
    ground_truth.What.TOPPLED: Text("{seat} knocks {barrel} over").template,
    ground_truth.What.LAID: Text("{seat} lays {barrel} on its side").template,
    ground_truth.What.TRUNDLED: Text("{seat} rolls {barrel} about").template,
    ground_truth.What.MIXED: Text("all mix the barrels").template,
    ground_truth.What.KICKED: Text("somebody kicks the table").template,
    ground_truth.What.PRESSED: Text("{seat} presses the button").template,
    ground_truth.What.ROLLED: Text("{seat} rolls {magic}").template,
}


def _readable(exposure: Exposure) -> Text:
    return Text("{barrel} can be read for {s} s", barrel=exposure.barrel, s=exposure.span_ms / 1000)


def _words(broken: scene.Break) -> str:
    fault = broken.fault
    parts = [fault.name, *(str(part) for part in (fault.barrel, fault.part) if part is not None)]
    if fault.amount is not None:
        share = fault.name in script_reader.SHARES
        parts.append(f"{100 * fault.amount:g} %" if share else f"{fault.amount:g}")
    return " ".join(parts + ([] if fault.for_s is None else [f"for {fault.for_s:g}"]))


def _deg(seen: Observation) -> int:
    return round(int(str(seen.fields["tilt_cdeg"])) / 100)


def until(lines: list[Line], at_us: int) -> Iterator[Line]:
    """Yield, and take away, the lines up to a time."""
    while lines and lines[0][0] <= at_us:
        yield lines.pop(0)
