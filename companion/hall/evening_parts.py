"""What pages show of an evening: people by name and animal, seats by colour, standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from companion.core.kit import KITS
from companion.errors import CompanionError
from companion.hall.accounts import Visitor
from companion.hall.evening.deeds import Chosen, Mode, Placing
from companion.hall.evening.evening import Evening, Guest, Match
from companion.hall.evening.limits import points, seat_words, spread
from companion.hall.evening.proposals import price
from companion.hall.evening.refusals import demand_sound
from companion.hall.evening.standings import BY, SHARED, standings
from companion.hall.faces import face
from companion.hall.table_parts import words
from companion.people.person import Person, isolated
from companion.present.page import title_of
from companion.present.reader import Reader


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody at a table, on a seat."""

    person: str
    seat: str  # its colour; "" where the game is not installed here


def sittings(game: str, players: Sequence[str]) -> list[Sitting]:
    """Return who sits on which seat."""
    seats = spread(seat_words(game), len(players)) if game in KITS else ("",) * len(players)
    return [Sitting(one, seat) for one, seat in zip(players, seats, strict=True)]


def parts(evening: Evening, visitor: Visitor) -> dict[str, Any]:
    """Return what the pages of an evening are made of."""
    reader, chosen = visitor.reader, evening.chosen
    names = called(evening.guests.values(), reader)
    some = any(match.result for match in evening.matches)  # if not, all would be first
    found = standings(evening) if some else ()
    game = chosen.game if chosen else ""
    return {
        "evening": evening,
        "called": lambda one: names.get(one, "?"),
        "face_of": lambda one: face(evening.guests[one].animal),
        "game": reader.say(title_of(game)) if game in KITS else game,
        "chosen": chosen,
        "sittings": lambda match: sittings(_game_of(evening, match), match.players),
        "proposal": _proposal(evening),
        "standings": found,
        "show_points": chosen is not None and chosen.mode is not Mode.KNOCK_OUT,
        "casual": chosen is not None and chosen.mode is Mode.CASUAL,
        "by": [BY[chosen.mode], SHARED] if chosen else [],
        "worth": _worth(chosen) if chosen and chosen.mode is not Mode.KNOCK_OUT else (),
        "shared": points((2, 1, 1))[0],
        "tenths": _tenths,
        "finished": [match for match in reversed(evening.matches) if match.result],
        "resting": resting(evening),
    } | words(reader)


def resting(evening: Evening) -> tuple[str, ...]:
    """Return who is not playing while others are."""
    if not evening.running or evening.chosen is None:
        return ()
    return evening.free if evening.chosen.mode is Mode.CASUAL else evening.rounds[-1].byes


def _worth(chosen: Chosen) -> tuple[tuple[int, ...], ...]:
    """Return for each number of players what each place brings."""
    return tuple(points((1,) * count) for count in range(chosen.most, chosen.fewest - 1, -1))


def called(people: Collection[Guest | Person], reader: Reader) -> dict[str, str]:
    """Return how everybody is called, those of one name with their animals, too."""

    def plain(one: Guest | Person) -> str:
        return one.name or reader.name(one.animal)

    often = Counter(plain(one).casefold() for one in people)
    return {
        one.id: isolated(plain(one))
        if often[plain(one).casefold()] == 1 or not one.name
        else f"{isolated(plain(one))} ({reader.name(one.animal)})"
        for one in people
    }


def _game_of(evening: Evening, match: Match | Placing) -> str:
    if isinstance(match, Match):
        return evening.rounds[match.round].chosen.game
    return evening.chosen.game if evening.chosen else ""


def _proposal(evening: Evening) -> dict[str, Any] | None:
    """Return the proposed round, what it costs, and why it can no longer begin."""
    proposal = evening.proposal
    if proposal is None:
        return None
    fault = None
    try:
        demand_sound(evening, proposal)
    except CompanionError as why:
        fault = why
    return {
        "placings": proposal.placings,
        "byes": proposal.byes,
        "price": price(evening, proposal),
        "fault": fault,
    }


def _tenths(tenths: int) -> int | float:
    """Return points as people read them.

    >>> _tenths(120), _tenths(105)
    (12, 10.5)
    """
    return tenths // 10 if tenths % 10 == 0 else tenths / 10
