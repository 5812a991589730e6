"""`tune`: what sensing would find in a recording with other settings, beside what it finds now.

The recording of a table has its pads and phases in it, and perhaps what people were asked to do:
then it is counted how often that was noticed. What a phone felt is played into a simulated stopper
first. One of the link alone has no pads and phases: all of it counts as choosing, unless it is told
from when to when. Samples that nobody asked for when it was made are not in it.
"""

import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Note, replay_all
from companion.devices.stopper_registry import Stopper
from companion.maintenance.measurement import Collected, DoneStep, MeasuredTable, evaluate
from companion.present.terminal import BOLD, TerminalScreen
from companion.present.viewer import Viewer
from companion.sensing.events import FoulFinding, Weight
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    Noted,
    Observation,
    PadChanged,
)
from companion.sensing.pipeline import Sensing
from companion.sensing.receiver import Receiver
from companion.sensing.settings import Settings
from companion.system import signals
from companion.system.config import COLOURS
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web.workshop_text import shares
from rappelwacht_research.notes import from_note, from_notes
from rappelwacht_research.phone_recordings import played
from rappelwacht_research.sim import known_stoppers

ECHO_US: Final = 5_000_000  # after the last word, for what follows from silence
Item = Observation | HubMessage | Noted | Note


def items(file: Path, of: Mapping[bytes, Stopper]) -> Iterator[Item]:
    """Yield what stoppers and hub say, and what was noted, in the order in which it came."""
    listening = Receiver({node: one.key for node, one in of.items()})
    for one in played(replay_all(file)):
        if isinstance(one, Note):
            yield from_note(one.what) or one
        elif one.said.name == "RELAYED":
            yield from listening.handle_hub_message(one.at_us, one.said)
        else:
            yield one


def judged(
    heard: Iterable[Item], of: Mapping[bytes, Stopper], settings: Settings
) -> MeasuredTable | None:
    """Return what the table can tell by this recording; None: nobody was asked for anything."""
    sensing = Sensing({node: one.number for node, one in of.items()}, settings)
    sensing.know_keys({node: one.key for node, one in of.items()})
    got, notes = Collected(), list[Note]()

    def tell(now_us: int, told: Iterable[object]) -> None:
        for one in told:
            got.handle_event(now_us, one)

    for one in heard:
        match one:
            case Note():
                notes.append(one)
                tell(one.at_us, sensing.tick(one.at_us))
                _weigh(one, sensing, got)
            case HubMessage():
                sensing.handle_hub_message(one.at_us, one.said)
            case _:
                if isinstance(one, PadChanged):
                    got.handle_event(one.at_us, one)
                tell(one.at_us, sensing.handle(one))
    tell(sensing.now_us + ECHO_US, sensing.tick(sensing.now_us + ECHO_US))
    got.done = list(from_notes(one.what for one in notes))
    if not got.done:
        return None
    if any(one.what.get("kind") == "phone" for one in notes):  # nobody saw what was noticed
        got.done = [replace(done, noticed=_lifted(done, got)) for done in got.done]
    about = next((one.what for one in notes if one.what.get("kind") == "about"), {})
    at, simulated = str(about.get("saved", "")), about.get("simulated") is True
    return evaluate(got, settings, at=at, simulated=simulated)


def _lifted(done: DoneStep, got: Collected) -> bool:
    """Return whether its barrel was noticed to be in a hand."""
    since_us = done.from_us - NEAR_US
    return any(since_us <= event.moment.at_us < done.to_us for _, event in got.lifted)


def _weigh(note: Note, sensing: Sensing, got: Collected) -> None:
    stopper = note.what.get("stopper")
    if note.what.get("kind") != "done" or not isinstance(stopper, int):
        return
    found = sensing.weighed(stopper)
    if found is not None and found.sound:
        got.weights.append((stopper, found.load_mg))


NEAR_US: Final = 300_000
FOREVER_US: Final = 1 << 62
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TunedFinding:
    """A finding with the settings as they are, and with others; None: not found."""

    before: FoulFinding | None
    after: FoulFinding | None

    @property
    def either(self) -> FoulFinding:
        """Return one of the two."""
        found = self.before or self.after
        assert found is not None
        return found

    @property
    def differs(self) -> bool:
        """Return whether it is judged otherwise."""
        return _verdict(self.before) != _verdict(self.after)


def tune(options: Namespace, screen: TerminalScreen) -> int:
    """Show what would be found otherwise."""
    changed, span = with_changes(Settings(), options.changes), options.choosing
    of = known_stoppers()
    seen = list(items(Path(options.file), of))
    before = found(seen, Settings(), span, of)
    try:
        rows = list(compared(before, found(seen, changed, span, of)))
        counted = [judged(seen, of, settings) for settings in (Settings(), changed)]
    except (ArithmeticError, LookupError, ValueError) as error:  # such as a division by nothing
        raise CompanionError(
            "Nothing can be worked out with {changes}; choose other values.",
            changes=tuple(options.changes),
        ) from error
    columns = [Text("time"), Text("foul"), Text("stopper"), Text("as it is"), Text("changed")]
    screen.line(_line(*map(screen.say, columns)), BOLD)
    for row in rows:
        one = row.either
        who = " ".join(map(str, one.stoppers))
        cells = (_told(screen, row.before), _told(screen, row.after))
        mark = " *" if row.differs else ""
        time = f"{one.from_us / 1e6:9.3f}"
        screen.line(_line(time, screen.name(one.foul), who, *cells) + mark)
    screen.line()
    screen.tell(
        "{count} {count:#finding|findings}, {differ} of them judged otherwise (*).",
        count=len(rows),
        differ=sum(row.differs for row in rows),
    )
    _tell_counted(screen, counted)
    return 0


def _tell_counted(screen: TerminalScreen, counted: Sequence[MeasuredTable | None]) -> None:
    """Show how often what people were asked to do was noticed, if they were asked."""
    by = Viewer(screen.language)
    before, after = (() if one is None else shares(one, by) for one in counted)
    if not before:
        return
    screen.line()
    screen.tell("What people were asked to do, and what was noticed of it:")
    for row, then in zip(before, after, strict=True):
        told = f"{row.count} ({row.between})"
        changed = "" if row == then else f"  →  {then.count} ({then.between}) *"
        screen.line(f"  {row.what}: {told}{changed}")


def _line(time: str, foul: str, who: str, before: str, after: str) -> str:
    return f"{time:>9}  {foul:30}  {who:>8}  {before:18}  {after:18}".rstrip()


def _told(screen: TerminalScreen, finding: FoulFinding | None) -> str:
    if finding is None:
        return "–"
    return f"{screen.name(finding.weight)} {finding.confidence:.2f}"


def _verdict(finding: FoulFinding | None) -> tuple[Weight, float] | None:
    return None if finding is None else (finding.weight, finding.confidence)


# --- what is found ----------------------------------------------------------------------------


def found(
    heard: Sequence[Item], settings: Settings, span: Span | None, of: Mapping[bytes, Stopper]
) -> list[FoulFinding]:
    """Return what is found in what was heard, each as it was told last."""
    begin_us, end_us = span or (0, FOREVER_US)
    sensing = Sensing({node: one.number for node, one in of.items()}, settings)
    sensing.know_keys({node: one.key for node, one in of.items()})
    noted = span is None and any(isinstance(one, ChoosingBegan) for one in heard)
    told: dict[int, FoulFinding] = {}
    seats = COLOURS
    marks: list[ChoosingBegan | ChoosingEnded] = [ChoosingBegan(seats, begin_us)]
    marks = [] if noted else [*marks, ChoosingEnded(end_us)]

    def note(news: Iterable[object]) -> None:
        told.update({one.number: one for one in news if isinstance(one, FoulFinding)})

    for one in heard:
        signals.check()
        while marks and marks[0].at_us <= one.at_us:
            note(sensing.handle(marks.pop(0)))
        match one:
            case HubMessage():
                sensing.handle_hub_message(one.at_us, one.said)
            case ChoosingBegan() | ChoosingEnded() if not noted:
                pass  # it was told from when to when
            case Note():
                note(sensing.tick(one.at_us))
            case _:
                note(sensing.handle(one))
    note(sensing.tick(sensing.now_us + ECHO_US))
    return [finding for finding in told.values() if finding.weight is not Weight.WITHDRAWN]


def compared(before: Sequence[FoulFinding], after: Sequence[FoulFinding]) -> Iterator[TunedFinding]:
    """Yield what both found, and what only one of them did, by time."""
    rest, rows = list(after), []
    for one in before:
        same = next((other for other in rest if _is_same(one, other)), None)
        if same is not None:
            rest.remove(same)
        rows.append(TunedFinding(one, same))
    rows += [TunedFinding(None, one) for one in rest]
    yield from sorted(rows, key=lambda row: row.either.from_us)


def _is_same(one: FoulFinding, other: FoulFinding) -> bool:
    overlaps = one.from_us - NEAR_US < other.to_us and other.from_us - NEAR_US < one.to_us
    return one.stoppers == other.stoppers and one.foul is other.foul and overlaps


# --- which settings ---------------------------------------------------------------------------


def names(settings: Settings) -> dict[str, object]:
    """Return all settings that are one number each, by section and name."""
    found: dict[str, object] = {}
    for section in fields(settings):
        part = getattr(settings, section.name)
        if is_dataclass(part):
            for one in fields(part):
                found[f"{section.name}.{one.name}"] = getattr(part, one.name)
        else:
            found[section.name] = part
    return {name: value for name, value in found.items() if type(value) in (int, float)}


def with_changes(settings: Settings, changes: Sequence[str]) -> Settings:
    """Return other settings; raise what is wrong with a change.

    >>> with_changes(Settings(), ["peeking.foul_ms=400"]).peeking.foul_ms
    400
    """
    for change in changes:
        name, _, word = change.partition("=")
        there = names(settings)
        if name not in there:
            section = name.partition(".")[0]
            near = [one for one in there if one.partition(".")[0] == section] or list(there)
            raise CompanionError(
                "There is no setting '{name}'; there are {names}.", name=name, names=tuple(near)
            )
        settings = _with(settings, name, _value(name, word, there[name]))
    return settings


def _value(name: str, word: str, now: object) -> float:
    whole = type(now) is int
    if not re.fullmatch(r"-?\d{1,9}" if whole else r"-?\d{1,9}(\.\d{1,9})?", word):
        raise CompanionError(
            "'{word}' is not a value for {name}; write, for example, {name}={now}.",
            word=word,
            name=name,
            now=now,
        )
    return int(word) if whole else float(word)


def _with(settings: Settings, name: str, value: float) -> Settings:
    section, _, own = name.partition(".")
    changed: Any = value if not own else replace(getattr(settings, section), **{own: value})
    return replace(settings, **{section: changed})
