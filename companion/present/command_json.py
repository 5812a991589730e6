"""Parses commands from JSON, strictly, and writes them as JSON.

{"request": "k3v9", "match": "b7e1", "version": 12, "wish": {"kind": "act", "text": "place red"}}
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from companion.core import GAMES, Game
from companion.core.codec import LARGEST, pack, unpack
from companion.core.notation import Parsed, parse
from companion.journal.entry import LONGEST_WORD
from companion.referee import commands, events
from companion.referee import maintenance_commands as workshop
from companion.referee.maintenance_commands import MaintenanceCommand
from companion.system import codec, format_names
from companion.system.errors import CompanionError, RulesError

LONGEST: Final = 1000  # characters of one text in a wish
NO_MATCH: Final = -1  # the version that a snapshot tells before any match
REQUEST: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


SAYS: Final = (
    commands.DoAction
    | commands.CorrectAction
    | commands.ConfirmDisputed
    | commands.WithdrawDisputed
)  # whose text is an action
FAMILIES: Final = (commands.CommandBody, MaintenanceCommand)  # nobody wishes for these themselves
WISHES: Final[dict[str, type[commands.CommandBody]]] = {
    format_names.format_name_of(kind): kind
    for module in (commands, workshop)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, commands.CommandBody) and kind not in FAMILIES
}


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """What a phone sends to have something done."""

    request: str
    match: str | None  # that it saw; None: whichever is played
    version: int | None  # the entry of it; None: whatever the match has become
    wish: commands.CommandBody


def command_request(data: Mapping[str, object]) -> CommandRequest:
    """Return the command that JSON carried; a RulesError or CompanionError names what is wrong."""
    for name in data:
        if name not in {"request", "match", "version", "wish"}:
            raise CompanionError("'{where}' has no place in this request.", where=name[:40])
    request, version = data.get("request"), data.get("version")
    if not isinstance(request, str) or not REQUEST.fullmatch(request):
        raise CompanionError(
            "'{where}' must be 1 to 64 letters, digits, hyphens or underscores.", where="request"
        )
    if version is not None and (type(version) is not int or not NO_MATCH <= version <= LARGEST):
        raise CompanionError("'{where}' must be a whole number, or null.", where="version")
    return CommandRequest(request, _match(data, version), version, from_json(data.get("wish")))


def _match(data: Mapping[str, object], version: int | None) -> str | None:
    """Return which match was seen: every match has an entry of the same number."""
    match = data.get("match")
    if isinstance(match, str) and len(match) <= LONGEST_WORD:
        return match
    if match is None and version in (None, NO_MATCH):
        return None
    if "match" not in data:
        raise CompanionError(
            "'match' is missing: the id of the match that was seen, from /api/snapshot. If this "
            "is a page of the companion, reload it: it is out of date."
        )
    raise CompanionError(
        "'{where}' must be the id of the match that was seen, from /api/snapshot.", where="match"
    )


@cache
def _games() -> tuple[Game[Any], ...]:
    return tuple(kind() for kind in GAMES.values())  # how an action is written, settings don't say


def actions(text: str, name: str | None = None) -> Iterator[Parsed]:
    """Yield what a text of a wish would do, and to whom, in one game or in all that read it."""
    for game in _games():
        if name not in (None, game.name):
            continue
        with suppress(RulesError):
            yield parse(game, text)


def meanings(wish: commands.CommandBody, game: str | None = None) -> tuple[Parsed, ...]:
    """Return what the text of a wish would do: one thing at most, where its game is known."""
    return tuple(actions(wish.text, game)) if isinstance(wish, SAYS) else ()


def to_json(wish: commands.CommandBody) -> dict[str, Any]:
    """Return a wish for JSON.

    >>> to_json(commands.Rule(3, True))
    {'kind': 'rule', 'foul': 3, 'upheld': True, 'seat': None}
    """
    values = {part.name: pack(getattr(wish, part.name)) for part in codec.parts(type(wish))}
    return {"kind": format_names.format_name_of(type(wish)), **values}


def from_json(data: object) -> commands.CommandBody:
    """Return the wish that JSON carried; a RulesError or CompanionError names what is wrong.

    >>> from_json({"kind": "act", "text": "flip"})
    DoAction(text='flip')
    """
    if not isinstance(data, Mapping):
        raise CompanionError("'{where}' is missing or is not an object.", where="wish")
    named = data.get("kind")
    if not isinstance(named, str) or named not in WISHES:
        raise CompanionError("'{where}' must be one of {words}.", where="kind", words=(*WISHES,))
    given = {name: value for name, value in data.items() if name != "kind"}
    _bound(given, "wish")
    kind = WISHES[named]
    return _new_match(given) if kind is commands.NewMatch else unpack(kind, given, named)


def _bound(data: object, where: str) -> None:
    """Refuse a text that is too long, however deep in a wish it stands."""
    if isinstance(data, str) and len(data) > LONGEST:
        raise CompanionError(
            "'{where}' is longer than {count} characters.", where=where[:40], count=LONGEST
        )
    if isinstance(data, Mapping):
        for name, part in data.items():
            _bound(part, name)
    elif isinstance(data, list):
        for part in data:
            _bound(part, where)


def _new_match(given: dict[str, Any]) -> commands.NewMatch:
    """Return that wish; what its settings mean, the game itself knows."""
    settings = given.pop("settings", None)
    if not isinstance(settings, Mapping):
        raise CompanionError("'{where}' is missing or is not an object.", where="settings")
    house = events.USUAL_HOUSE
    if "house" in given:
        house = unpack(events.HouseRules, given.pop("house"), "house")
    named = unpack(commands.DoAction, {"text": given.pop("game", None)}, "game")
    for name in given:
        raise CompanionError("'{where}' has no place in this request.", where=name[:40])
    return commands.NewMatch(named.text, dict(settings), house)
