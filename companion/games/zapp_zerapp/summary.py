"""What a match of Zapp Zerapp came to: counted from its record, after all that was put right.

It counts only what has been flipped, so it may be shown at any moment.

The *best shaker* heard best. A spell that works loses what its barrel lacked to the magic number;
one that fails loses the whole magic number, as it moves nobody. Whoever lost least per spell,
shook best: few failures and close calls both count, and keeping small barrels does not help. Where
two lost the same, the one with the smaller share of failures is better, then the one with more
spells; where that is the same too, both are.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from companion.core import Event, SeatName
from companion.games.zapp_zerapp import rules
from companion.referee.barrel_game import MatchSummary, PlayerSummary
from companion.referee.match import Match
from companion.referee.replay import foul_counts


def summary(match: Match) -> MatchSummary:
    state: rules.State = match.state
    log = match.log
    happened = [
        event
        for before, action, then in log.steps()
        for event in match.game.explain(before, action, then)
    ]
    camps = [(seat, state.pawns[seat]) for seat in map(rules.Colour, match.game.seats)]
    players = players_of(happened, camps)
    return MatchSummary(
        rounds=rounds_of(happened),
        moves=sum(isinstance(event, rules.Moved) for event in happened),
        actions=len(log.actions),
        winner=next(
            (SeatName(event.seat) for event in happened if isinstance(event, rules.Won)), None
        ),
        players=players,
        best=best(players),
        fouls=foul_counts(match.fouls),
    )


def rounds_of(happened: Iterable[Event]) -> int:
    return max(
        (event.round for event in happened if isinstance(event, rules.MagicNumber)), default=0
    )


def players_of(
    happened: Iterable[Event], camps: Iterable[tuple[rules.Colour, Sequence[int]]]
) -> tuple[PlayerSummary, ...]:
    """Return what each seat did, by what happened and where its pawns stand."""
    counts = _counted(happened)
    return tuple(
        PlayerSummary(SeatName(seat), home=camp.count(rules.CITY), **counts[seat])
        for seat, camp in camps
    )


def best(players: Iterable[PlayerSummary]) -> tuple[SeatName, ...]:
    """Return who shook best; nobody, if no spell was cast.

    >>> close = PlayerSummary(SeatName.RED, worked=3, failed=1, lost=9)  # loses 2.25 each time
    >>> timid = PlayerSummary(SeatName.BLUE, worked=4, failed=0, lost=10)  # 2.5
    >>> best([close, timid])
    (<SeatName.RED: 0>,)
    """
    ranked = {
        player.seat: (player.lost_by, Fraction(player.failed, player.spells), -player.spells)
        for player in players
        if player.lost_by is not None
    }
    least = min(ranked.values(), default=None)
    return tuple(seat for seat, rank in ranked.items() if rank == least)


def _counted(happened: Iterable[Event]) -> dict[rules.Colour, Counter[str]]:
    """Return for each colour how often what happened, by the name of a player's part."""
    magic = 0
    counts = {colour: Counter[str]() for colour in rules.Colour}
    for event in happened:
        match event:
            case rules.MagicNumber():
                magic = event.magic
            case rules.Shown(seat, number, works):
                counts[seat]["worked" if works else "failed"] += 1
                counts[seat]["short"] += magic - number if works else 0
                counts[seat]["lost"] += magic - number if works else magic
            case rules.Banished(seat, pawn):
                counts[seat]["banished"] += 1
                counts[pawn.colour]["sent_back"] += 1
            case rules.TakenAlong(seat, pawn):
                counts[seat]["took"] += 1
                counts[pawn.colour]["was_taken"] += pawn.colour != seat
            case _:
                pass
    return counts
