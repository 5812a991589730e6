"""A recording judged again: what sensing makes of it, beside what people were asked to do.

Whoever recorded it may have been a real table: its own keys are looked up where this computer keeps
them; those of a recording that was given away, all know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from companion import stoppers
from companion.devices.hub_talk import Heard
from companion.devices.recording import Note, replay_all
from companion.folders import kept_in
from companion.sensing.listener import Listening
from companion.sensing.notes import Noted, from_note
from companion.sensing.observations import Observation, PadChanged
from companion.sensing.sensing import Sensing
from companion.sensing.settings import BARRELS, Settings
from companion.sensing.weighing import Zero
from companion.stoppers import Stopper, anybodys
from companion.workshop.measurement import Collected, Measured, measured
from companion.workshop.tasks import from_notes

ECHO_US = 5_000_000  # after the last word, for what follows from silence
Item = Observation | Heard | Noted | Note


def known() -> dict[bytes, Stopper]:
    """Return the stoppers that everybody knows, and those of this computer's own table."""
    own, _ = stoppers.known(kept_in(None, "table"))
    return {one.node: one for one in (*map(anybodys, range(1, BARRELS + 1)), *own)}


def items(file: Path, of: Mapping[bytes, Stopper]) -> Iterator[Item]:
    """Yield what stoppers and hub say, and what was noted, in the order in which it came."""
    listening = Listening({node: one.key for node, one in of.items()})
    for one in replay_all(file):
        if isinstance(one, Note):
            yield from_note(one.what) or one
        elif seen := listening.hear(one.at_us, one.said):
            yield seen
        elif one.said.name != "RELAYED":
            yield one


def judged(
    heard: Iterable[Item], of: Mapping[bytes, Stopper], settings: Settings
) -> Measured | None:
    """Return what the table can tell by this recording; None: nobody was asked for anything."""
    sensing = Sensing({node: one.number for node, one in of.items()}, settings)
    got, notes = Collected(), list[Note]()

    def tell(now_us: int, told: Iterable[object]) -> None:
        for one in told:
            got.told(now_us, one)

    for one in heard:
        match one:
            case Note():
                notes.append(one)
                tell(one.at_us, sensing.pass_to(one.at_us))
                _weigh(one, sensing, got)
            case Heard():
                sensing.hear(one.at_us, one.said)
            case _:
                if isinstance(one, PadChanged):
                    got.told(one.at_us, one)
                tell(one.at_us, sensing.take(one))
    tell(sensing.now_us + ECHO_US, sensing.pass_to(sensing.now_us + ECHO_US))
    got.done = list(from_notes(one.what for one in notes))
    if not got.done:
        return None
    about = next((one.what for one in notes if one.what.get("kind") == "about"), {})
    at, simulated = str(about.get("saved", "")), about.get("simulated") is True
    return measured(got, settings, at=at, simulated=simulated)


def _weigh(note: Note, sensing: Sensing, got: Collected) -> None:
    stopper = note.what.get("stopper")
    if note.what.get("kind") != "done" or not isinstance(stopper, int):
        return
    found = sensing.weighed(stopper)
    if found is not None and found.zero is Zero.NEW:
        got.weights.append((stopper, found.load_mg))
