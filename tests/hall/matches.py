"""Matches that random players play, entry by entry, as a table's journal holds them."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from companion.core.game import TABLE, Action
from companion.core.plugin import GAMES
from companion.journal import Entry, NewEntry
from companion.referee.events import ActionDone, HouseRules, MatchEvent, to_json
from companion.referee.match import Match, apply, start_match, started_event
from companion.referee.match_snapshot import for_match
from companion.referee.snapshot import Snapshot


@dataclass(frozen=True)
class Moment:
    """A match after one more entry."""

    entry: Entry
    snapshot: Snapshot


def moments(name: str, game: str, chance: Random, most: int = 400) -> Iterator[Moment]:
    """Yield a match of that name, as long as it lasts and nobody has to be at a real table."""
    rules = GAMES[game]()
    first: MatchEvent = started_event(rules, HouseRules())
    match = start_match(first, GAMES)
    yield _moment(name, first, match)
    while not match.over and match.number < most:
        event = ActionDone(_chosen(match, chance), "red")
        match = apply(match, event)
        yield _moment(name, event, match)


def _chosen(match: Match, chance: Random) -> Action:
    options = [
        action
        for seat in (TABLE, *match.game.seats)
        for action in match.game.legal(match.state, seat)
    ]
    found: Action = chance.choice(options)
    return found


def _moment(name: str, event: MatchEvent, match: Match) -> Moment:
    kind, body = to_json(event)
    entry = NewEntry(kind, body, ends=match.over).entry(name, match.number, 1_700_000_000_000)
    return Moment(entry, for_match(name, match, {}, ()))
