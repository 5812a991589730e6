"""What a game adds to answers of the API beside its view: a part of its kit.

An answer is a record that every game fills, with the fields that games add to it at their places.
Where another game is played, these have the defaults with which their game declares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from typing import Any, ClassVar, Final, get_type_hints

from companion.core.plugin import KITS
from companion.present.page import page_of
from companion.referee.snapshot import Snapshot
from companion.system.format_names import format_name, format_name_of

AFTER: Final = "after"

_WHOLE: dict[type[Any], type[Any]] = {}


@dataclass(frozen=True, slots=True)
class Answers:
    """What one game adds, and how it fills that."""

    part: ClassVar[str] = "answers"

    adds: Mapping[str, type[Any]]  # by the name of an answer: a record of all that is added
    now: Callable[[Snapshot], Any]  # fill them
    step: Callable[[Any, Any], Any]  # … for a view and its settings
    match: Callable[[Any], Any]  # … for the tally of a match
    boards: Mapping[str, Any] = field(default_factory=dict)  # that come with the game, by name
    read_board: Callable[[Any], Any] | None = None  # one that somebody has painted


def after(name: str) -> dict[str, str]:
    """Return what a field declares that stands after another of the answer; more follow it.

    >>> field(default=0, metadata=after("house")).metadata
    mappingproxy({'after': 'house'})
    """
    return {AFTER: name}


def answers_of(game: str | None) -> Answers | None:
    """Return what a game adds; None: nothing, all that it shows is in its view."""
    return KITS[game].part(Answers) if game is not None and game in KITS else None


def whole(answer: type[Any]) -> type[Any]:
    """Return the record of an answer, with all that games add to it."""
    if answer not in _WHOLE:
        _WHOLE[answer] = _joined(answer)
    return _WHOLE[answer]


def _title(game: str) -> str:
    page = page_of(game)
    return game if page is None else page.title.template


def _joined(answer: type[Any]) -> type[Any]:
    added = {
        game: added_by_game.adds[format_name_of(answer)]
        for game in KITS
        if (added_by_game := answers_of(game)) and format_name_of(answer) in added_by_game.adds
    }
    if not added:
        return answer
    name = format_name_of(answer)
    parts = [(part, hint, field()) for part, hint, _ in _parts(answer)]
    for extra in added.values():
        _add(parts, extra, name)
    record = make_dataclass(name, parts, frozen=True, slots=True, kw_only=True)
    format_name(name)(record)
    record.__doc__ = (answer.__doc__ or "").replace("{games}", " and ".join(map(_title, added)))
    return record


def _parts(record: type[Any]) -> Iterator[tuple[str, Any, Any]]:
    hints = get_type_hints(record, include_extras=True)
    yield from ((part.name, hints[part.name], part) for part in fields(record))


def _add(parts: list[tuple[str, Any, Any]], extra: type[Any], answer: str) -> None:
    """Put fields at their places; a name means one thing, whichever games are installed."""
    before = parts[-1][0]
    for name, hint, declared in _parts(extra):
        known = [part[0] for part in parts]
        if name in known:
            raise TypeError(f"{answer} already tells '{name}'")
        before = declared.metadata.get(AFTER, before)
        parts.insert(known.index(before) + 1, (name, hint, field(default=declared.default)))
        before = name


def filled(answer: type[Any], added: Any, **values: Any) -> Any:
    """Return an answer, filled with what every game tells and with what one adds, if it does."""
    extra = (
        {} if added is None else {part.name: getattr(added, part.name) for part in fields(added)}
    )
    return whole(answer)(**values, **extra)
