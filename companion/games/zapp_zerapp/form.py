"""The set-up form of Zapp Zerapp: who plays by which rules, and on which ring, painted or not.

What is not said is as in the match before, so that nobody sets up twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, TypeVar

from companion.core.codec import pack
from companion.games.zapp_zerapp import places, rules
from companion.games.zapp_zerapp.picture import Drawn, board_svg
from companion.present import page, viewer
from companion.present.page import CheckedForm, Said
from companion.referee import commands, events, snapshot
from companion.system.text import SEATS

E = TypeVar("E", events.FoulCost, events.Roller)

OWN: Final = "own"
FIRST: Final = next(iter(rules.PRESETS))
BRUSHES: Final = (
    *(colour.name[0] for colour in rules.Colour),
    *(first.name[0] + other.name[0] for first, other in combinations(rules.Colour, 2)),
)
KINDS: Final = {*BRUSHES, *(kind[::-1] for kind in BRUSHES)}


@dataclass(frozen=True, slots=True)
class Wanted:
    """All that is chosen."""

    seats: tuple[str, ...]
    profi: bool
    shuffle: bool
    overlook: bool
    cost: events.FoulCost
    roller: events.Roller
    board: str  # the name of a preset, or OWN
    painted: places.Painted
    coached: bool = False
    reminder: bool = True
    gives_up: bool = False  # the match that is being played


def proposed(now: snapshot.Snapshot, answers: Said | None = None) -> Wanted:
    """Return what a form says; without one, what was agreed on last."""
    settings = now.settings if isinstance(now.settings, rules.Settings) else rules.Settings()
    house = now.house or events.USUAL_HOUSE
    board = next((name for name, preset in rules.PRESETS.items() if preset == settings.board), OWN)
    seats = tuple(seat.name.lower() for seat in settings.seats)
    if now.match is None and len(now.joining) > 1:
        seats = tuple(seat for seat in SEATS if seat in now.joining)
    before = Wanted(
        seats,
        settings.profi,
        settings.shuffle,
        settings.overlook,
        house.cost,
        house.roller,
        board,
        places.Painted(settings.board.ring, settings.board.entries),
        house.coached,
        house.reminder,
    )
    return before if answers is None else _said(before, answers)


def _said(before: Wanted, answers: Said) -> Wanted:
    return replace(
        before,
        seats=tuple(seat for seat in SEATS if seat in answers.getlist("seat")),
        profi=answers.get("version", "") == "profi",
        shuffle=not answers.get("unshuffled", ""),
        overlook=bool(answers.get("overlook", "")),
        cost=_member(events.FoulCost, answers.get("cost", ""), before.cost),
        roller=_member(events.Roller, answers.get("roller", ""), before.roller),
        board=_one_of((*rules.PRESETS, OWN), answers.get("board", ""), FIRST),
        painted=_painted(answers, before.painted),
        coached=bool(answers.get("coached", "")),
        reminder=not answers.get("unreminded", ""),
        gives_up=bool(answers.get("gives-up", "")),
    )


def _member(kind: type[E], value: str, otherwise: E) -> E:
    return next((member for member in kind if member.value == value), otherwise)


def _one_of(known: tuple[str, ...], value: str, otherwise: str) -> str:
    return value if value in known else otherwise


def _painted(answers: Said, otherwise: places.Painted) -> places.Painted:
    """Return the ring that the form says; another, if somebody wrote what no brush paints."""
    ring = tuple(answers.get("ring", "").split())
    entries = answers.get("entries", "").split()
    if len(ring) != rules.FIELDS or not set(ring) <= KINDS or len(entries) != len(rules.Colour):
        return otherwise
    if not all(entry.isascii() and entry.isdecimal() and len(entry) < 3 for entry in entries):
        return otherwise
    red, green, blue, yellow = (int(entry) % rules.FIELDS for entry in entries)
    return places.Painted(ring, (red, green, blue, yellow))


def checked(now: snapshot.Snapshot, answers: Said | None, reader: viewer.Viewer) -> CheckedForm:
    """Return what is wrong with the choices, or the wish to play like that."""
    wanted = proposed(now, answers)
    own = wanted.board == OWN
    result = page.checked_form(
        lambda: _wish(wanted),
        now,
        reader,
        picture=board_svg(wanted.painted, Drawn(painted=True), reader) if own else "",
        gives_up=wanted.gives_up,
    )
    return replace(result, differs=tuple(_differs(wanted, now.house, reader)))


def _differs(
    wanted: Wanted, agreed: events.HouseRules | None, reader: viewer.Viewer
) -> Iterator[str]:
    """Yield what is not as the rules have it that most people play by.

    That nobody reminds is no news where it was so before, as at a simulated table.
    """
    if wanted.profi:
        yield reader.say("Profi version")
    if not wanted.shuffle:
        yield reader.say("Without shuffling")
    if wanted.overlook:
        yield reader.say("Banishments may be overlooked")
    if wanted.cost is not events.USUAL_HOUSE.cost:
        yield reader.say("Fouls cost more than usual or less")
    if not wanted.reminder and (agreed is None or agreed.reminder):
        yield reader.say("No reminder")
    if wanted.coached:
        yield reader.say("Practice with the coach")
    if wanted.board != FIRST:
        yield reader.say("Another board")


def _wish(wanted: Wanted) -> commands.NewMatch:
    settings = rules.Settings(
        tuple(rules.Colour[seat.upper()] for seat in wanted.seats),
        wanted.profi,
        wanted.overlook,
        wanted.shuffle,
        _board(wanted),
    )
    house = events.HouseRules(
        wanted.cost, wanted.roller, coached=wanted.coached, reminder=wanted.reminder
    )
    return commands.NewMatch(rules.ZappZerapp.name, pack(settings), house)


def _board(wanted: Wanted) -> rules.Board:
    painted = wanted.painted
    if wanted.board != OWN:
        return rules.PRESETS[wanted.board]
    return rules.Board(painted.ring, painted.entries, painted.gates)


def parts(now: snapshot.Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    return {
        "wanted": proposed(now),
        "presets": {
            name: board_svg(board, Drawn(), reader) for name, board in rules.PRESETS.items()
        },
        "brushes": BRUSHES,
        "colours": tuple(rules.Colour),
        "costs": tuple(events.FoulCost),
    }
