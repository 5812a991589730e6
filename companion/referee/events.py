"""Events of a match, as its journal has them: each thing that was decided or sensed.

Everything is whole numbers, words and lists, which `core.codec` writes and reads, but for a chart
(see `write_points`) and an action, each of which is a text; times are milliseconds, since when each
says itself. A part that came later has a default, which never changes, and is written only
where it says something else: so an older version reads what it can of a newer journal.
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, Final

from companion.core import Action, Game, codec
from companion.core.game import verb
from companion.core.log import not_json
from companion.sensing import quantise
from companion.system import format_names, safe_json
from companion.system.codec import WORDS, parts, wrong
from companion.system.errors import RulesError, Unreadable
from companion.system.text import SeatName

SUREST: Final = round(100 * quantise.SUREST)  # percent: no more than the measured rates carry
STANDS: Final = {"s": True, "n": False, "u": None}
LETTERS: Final = {stands: letter for letter, stands in STANDS.items()}
NUMBER: Final = r"-?[0-9]{1,9}"
WRITTEN: Final = re.compile(rf"([snu]?)(?:({NUMBER}),)?({NUMBER}),({NUMBER})")
MOST: Final = 10_000  # points; a chart has some hundred
Points = Iterable[Mapping[str, Any]]  # as JSON has them


def write_points(points: Points) -> str:
    """Return points as text.

    >>> first = {"at_ms": -280, "tilt_deg": 3, "deviation_permille": 38, "stands": False}
    >>> write_points((first, first | {"at_ms": -260}, first | {"at_ms": -240, "stands": True}))
    'n-280,3,38 20,0,0 s0,0'
    """
    words = list[str]()
    before, step, letter = (0, 0, 0), None, ""
    for point in points:
        now = point["at_ms"], point["tilt_deg"], point["deviation_permille"]
        more = [new - old for new, old in zip(now, before, strict=True)]
        stands = LETTERS[point["stands"]]
        changed = more[more[0] == step :]  # without the time, where it goes on as before
        words.append(("" if stands == letter else stands) + ",".join(map(str, changed)))
        before, step, letter = now, more[0], stands
    return " ".join(words)


def read_points(text: str) -> list[dict[str, Any]]:
    """Return the points of a text, as JSON has them; ValueError if there are none in it.

    >>> read_points("n-280,3,38 20,0,2")[1]
    {'at_ms': -260, 'tilt_deg': 3, 'deviation_permille': 40, 'stands': False}
    """
    points: list[dict[str, Any]] = []
    at_ms = step = tilt = deviation = 0
    letter = ""
    for word in text.split(" ", MOST):
        point = WRITTEN.fullmatch(word)
        if point is None or not (letter := point[1] or letter):
            raise ValueError(f"{word[:40]!r} is not a point")
        step = int(point[2] or step)
        at_ms, tilt, deviation = at_ms + step, tilt + int(point[3]), deviation + int(point[4])
        numbers = {"at_ms": at_ms, "tilt_deg": tilt, "deviation_permille": deviation}
        points.append(numbers | {"stands": STANDS[letter]})
    return points


class FoulCost(Enum):
    """What an upheld foul costs in this house."""

    NOTHING = "nothing"
    SIT_OUT = "sit-out"
    PUT_BACK = "put-back"


class Roller(Enum):
    PEOPLE = "people"
    COMPANION = "companion"


@format_names.record("Bot")
class Bot:
    """A seat for which the companion plays, and how."""

    seat: SeatName
    player: str  # one of those that the game brings along


@format_names.record("House")
class HouseRules:
    """What this house agrees on apart from the rules."""

    cost: FoulCost = FoulCost.NOTHING
    roller: Roller = Roller.PEOPLE
    bots: tuple[Bot, ...] = ()
    coached: bool = False  # all want the coach to tell during the match, which is practice
    reminder: bool = False  # a first look that may have been listening is one, and no foul


USUAL_HOUSE: Final = HouseRules(reminder=True)


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """One entry of the journal."""


@format_names.record("began")
class MatchStarted(MatchEvent):
    """A match begins; settings as the game packs them, in one line of JSON."""

    game: str
    schema: int
    settings: str
    house: HouseRules


@format_names.record("did")
class ActionDone(MatchEvent):
    """An action or a ruling of the game; `by` whom it was entered."""

    action: Action
    by: str
    follows: bool = False  # from the event before, so both are taken back together
    drawn: bool = False  # by the companion: taking it back does not bring another one
    against: str = ""  # what the sensors said against it, though people stood by it


@format_names.record("stood")
class BarrelAssigned(MatchEvent):
    """Which stopper stands at a seat; None: nobody knows."""

    seat: str
    stopper: int | None
    boot: int = -1  # of the stopper, and its newest event then; -1: not known
    event: int = -1


@format_names.record("Point")
class ChartPoint:
    """One point of an evidence chart."""

    at_ms: int  # since the foul began
    tilt_deg: int
    deviation_permille: int
    stands: bool | None


@dataclass(frozen=True, slots=True)
class HandCount:
    """How many barrels were in the air and at seats, from a moment on."""

    at_ms: int  # since the foul began
    in_air: int
    at_seats: int


@format_names.record("raised")
class FoulRaised(MatchEvent):
    """A foul was found or called; told again with the same number when more is known."""

    foul: int
    code: str  # as in the spec's table: peek, early-flip, …
    weight: str  # warning, reminder, foul or withdrawn
    seat: str | None
    length_ms: int
    percent: int  # how sure
    evidence: tuple[ChartPoint, ...] = ()
    counts: tuple[HandCount, ...] = ()  # where it is hands that were counted
    called: bool = False  # by somebody at the table, who does not say how sure
    times: int = 1  # times it was done again before anybody ruled; the length is of all

    @property
    def sure(self) -> int:
        """Return how sure it is, in percent; earlier versions wrote more than they knew."""
        return min(SUREST, self.percent)


@format_names.record("ruled")
class FoulRuled(MatchEvent):
    """The table upholds a foul or dismisses it."""

    foul: int
    upheld: bool
    by: str
    seat: str | None = None  # who it was, where the table knows and the sensors did not


@format_names.record("undone")
class UndoneTo(MatchEvent):
    """Everything is as it was after the event of that number."""

    to: int
    by: str


@format_names.record("amended")
class ActionCorrected(MatchEvent):
    """The event of that number should have been another action; what followed is replayed."""

    deed: int
    action: Action
    by: str


@format_names.record("ended")
class MatchAbandoned(MatchEvent):
    """The table plays this match no further."""

    by: str


MATCH_EVENTS: Final = {
    verb(kind): kind
    for kind in (
        MatchStarted,
        ActionDone,
        BarrelAssigned,
        FoulRaised,
        FoulRuled,
        UndoneTo,
        ActionCorrected,
        MatchAbandoned,
    )
}


def to_json(event: MatchEvent) -> tuple[str, dict[str, Any]]:
    """Return the kind and the body of an event, without whatever has its usual value.

    >>> to_json(FoulRuled(3, True, "red"))
    ('ruled', {'foul': 3, 'upheld': True, 'by': 'red'})
    """
    body = _body(event)
    if isinstance(event, FoulRaised) and event.evidence:  # most of a journal: written tightly
        body["evidence"] = write_points(body["evidence"])
    return verb(type(event)), body


def _body(record: Any) -> dict[str, Any]:
    values = ((part, getattr(record, part.name)) for part in parts(type(record)))
    return {part.name: _packed(value) for part, value in values if value != part.default}


def _packed(value: Any) -> Any:
    if isinstance(value, Action):
        return json.dumps(codec.pack_action(value), ensure_ascii=False)
    return _body(value) if is_dataclass(value) else codec.pack(value)


def from_json(kind: str, body: Mapping[str, Any], game: Game[Any] | None = None) -> MatchEvent:
    """Return the event that was written; raise Unreadable for what this version does not know.

    An action is read as that of the game of its match.

    >>> from_json("ruled", {"foul": 3, "upheld": True, "by": "red"})
    FoulRuled(foul=3, upheld=True, by='red', seat=None)
    """
    if kind not in MATCH_EVENTS:
        raise Unreadable(
            "'{kind}' is not known in a journal; use the version that wrote it, or a newer one.",
            kind=kind[:40],
        )
    if MATCH_EVENTS[kind] in {ActionDone, ActionCorrected} and "action" in body:
        if game is None:
            raise Unreadable("A match starts with how it began, not with '{deed}'.", deed=kind)
        body = {**body, "action": _action(body["action"], game)}
    evidence = body.get("evidence")
    if isinstance(evidence, str):  # the first versions wrote a list
        with suppress(ValueError):  # otherwise it is refused below
            body = {**body, "evidence": read_points(evidence)}
    return codec.unpack(MATCH_EVENTS[kind], body, kind)


def _action(text: object, game: Game[Any]) -> Action:
    if not isinstance(text, str):
        raise wrong("action", text, WORDS[str])
    try:
        return codec.unpack_action(game, safe_json.load_json(text.encode()))
    except ValueError as fault:
        if isinstance(fault, RulesError):
            raise
        raise not_json(text) from fault
