"""Rulings that cost something: people take their time for them, and nothing overtakes them.

It must not decide what people decide. What the sensors tell has happened, and is never held up.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.errors import CompanionError
from companion.referee.deeds import Deed, Did
from companion.referee.match import Foul, Match, take
from companion.referee.summary import FOUL
from companion.referee.things import Costs, things
from companion.text import seat_word


def costly(match: Match) -> tuple[Foul, ...]:
    """Return the fouls on which the table has not ruled, and which may cost somebody something."""
    return tuple(foul for foul in _open(match) if _costs(match, foul))


def may_pay(match: Match) -> tuple[str, ...]:
    """Return the seats that these may hit."""
    hit = {seat for foul in _open(match) for seat, _ in _costs(match, foul)}
    return tuple(seat for seat in map(seat_word, match.game.seats) if seat in hit)


def overtaken(match: Match, deeds: Iterable[Deed]) -> bool:
    """Tell whether something would be done that an open ruling would then come too late for."""
    before = {foul.raised.foul: set(_costs(match, foul)) for foul in _open(match)}
    if not any(before.values()):
        return False
    played_with, after = things(match), match
    for deed in deeds:
        if played_with is None or not isinstance(deed, Did):
            return False
        if type(deed.action) not in played_with.waits:
            return False
        after = take(after, deed)
    left = {foul.raised.foul: set(_costs(after, foul)) for foul in _open(after)}
    return any(costs - left.get(number, set()) for number, costs in before.items())


def held(match: Match) -> bool:
    """Tell whether all that can be done next has to wait until the table has ruled."""
    if match.over or not costly(match):
        return False
    return any(_overtakes(match, seat) for seat in match.game.turns(match.state))


def demand(match: Match, deeds: Iterable[Deed]) -> None:
    """Refuse what would overtake an open ruling."""
    if overtaken(match, deeds):
        raise CompanionError("A foul is still open: decide on it first, then play goes on.")


def _overtakes(match: Match, seat: int) -> bool:
    legal = match.game.legal(match.state, seat)
    return overtaken(match, [Did(action, "") for action in legal[:1]])


def _open(match: Match) -> Iterable[Foul]:
    return (foul for foul in match.fouls if foul.upheld is None and foul.raised.weight == FOUL)


def _costs(match: Match, foul: Foul) -> Costs:
    played_with = things(match)
    return () if played_with is None or match.over else played_with.costs(match, foul)
