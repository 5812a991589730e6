"""What matches of Zapp Zerapp came to, one or all together, and the awards at the end of one.

It is counted from the record, after all that was put right, and only from what has been flipped: so
it may be shown at any moment.

The *best shaker* heard best. A spell that works loses what its barrel lacked to the magic number;
one that fails loses the whole magic number, as it moves nobody. Whoever lost least per spell,
shook best: few failures and close calls both count, and keeping small barrels does not help. Where
two lost the same, the one with the smaller share of failures is better, then the one with more
spells; where that is the same too, both are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from companion.core import Event, SeatName, Text
from companion.games.zapp_zerapp import rules
from companion.present import awards, plots, viewer
from companion.present.awards import Award, Awards, most
from companion.referee.barrel_game import MatchSummary, PlayerSummary
from companion.referee.match import Match
from companion.referee.replay import foul_counts


def summary(match: Match) -> MatchSummary:
    state: rules.State = match.state
    happened = [*awards.happened(match)]
    camps = [(seat, state.pawns[seat]) for seat in map(rules.Colour, match.game.seats)]
    players = players_of(happened, camps)
    return MatchSummary(
        rounds=rounds_of(happened),
        moves=sum(isinstance(event, rules.Moved) for event in happened),
        actions=len(match.log.actions),
        winner=next(
            (SeatName(event.seat) for event in happened if isinstance(event, rules.Won)), None
        ),
        players=players,
        best=best_shakers(players),
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


def best_shakers(players: Iterable[PlayerSummary]) -> tuple[SeatName, ...]:
    """Return who shook best; nobody, if no spell was cast.

    >>> close = PlayerSummary(SeatName.RED, worked=3, failed=1, lost=9)  # loses 2.25 each time
    >>> timid = PlayerSummary(SeatName.BLUE, worked=4, failed=0, lost=10)  # 2.5
    >>> best_shakers([close, timid])
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


COUNTED: Final = tuple(part.name for part in fields(PlayerSummary) if part.name != "seat")


@dataclass(frozen=True, slots=True)
class Tally:
    summary: MatchSummary
    off: tuple[tuple[tuple[SeatName, int], int], ...] = ()  # how often a barrel missed by how much

    @property
    def rounds(self) -> int:
        return self.summary.rounds


@dataclass(frozen=True, slots=True)
class Total:
    """What finished matches came to together."""

    lengths: tuple[int, ...]  # rounds of each, the oldest first
    players: tuple[PlayerSummary, ...]  # by colour, of all matches together
    best: tuple[SeatName, ...]
    off: dict[SeatName, Counter[int]]  # how often a barrel missed the magic number by how much

    @property
    def mean_rounds(self) -> float:
        return sum(self.lengths) / len(self.lengths) if self.lengths else 0.0


def tally(match: Match) -> Tally:
    return Tally(summary(match), tuple(Counter(_off(match)).items()))


def together(tallies: Sequence[Tally]) -> Total:
    """Return what matches came to, the oldest first."""
    totals = [tally.summary for tally in tallies]
    players = tuple(_together(colour, totals) for colour in map(SeatName, rules.Colour))
    off: dict[SeatName, Counter[int]] = {
        colour: Counter() for colour in map(SeatName, rules.Colour)
    }
    for tally in tallies:
        for (seat, missed), times in tally.off:
            off[seat][missed] += times
    return Total(tuple(total.rounds for total in totals), players, best_shakers(players), off)


def parts(tallies: Sequence[Tally], reader: viewer.Viewer) -> dict[str, Any]:
    total = together(tallies)
    return {"total": total, "plots": _plots(total, reader)}


def _off(match: Match) -> Iterable[tuple[SeatName, int]]:
    """Yield whose barrel missed the magic number by how much; below it is less than nothing."""
    magic = 0
    for event in awards.happened(match):
        match event:
            case rules.MagicNumber():
                magic = event.magic
            case rules.Shown():
                yield SeatName(event.seat), event.number - magic
            case _:
                pass


def _together(colour: SeatName, totals: Iterable[MatchSummary]) -> PlayerSummary:
    counts: Counter[str] = Counter()
    for total in totals:
        for player in total.players:
            if player.seat == colour:
                counts.update({part: getattr(player, part) for part in COUNTED})
    return PlayerSummary(colour, **counts)


def _plots(total: Total, by: viewer.Viewer) -> dict[str, object]:
    highest = max((count for counts in total.off.values() for count in counts.values()), default=0)
    played = [player for player in total.players if player.spells]
    return {
        "misses": {
            player.seat: plots.misses(
                total.off[player.seat],
                highest,
                player.seat.name.lower(),
                by.say(
                    "How far the barrels of {seat} were from the magic number.", seat=player.seat
                ),
            )
            for player in played
        },
        "pairs": plots.pairs(
            [
                plots.Bar(
                    event.seat.name.lower(), by.name(event.seat), event.banished, event.sent_back
                )
                for event in played
            ],
            by.say("How often each has banished others, and was banished."),
        ),
        "lengths": plots.lengths(
            total.lengths, total.mean_rounds, by.say("How many rounds each match took.")
        ),
    }


def earned_awards(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    yield _best_shaker(happened)
    banished, walked, exact, back, took = (Counter[int]() for _ in range(5))
    magic = 0
    for event in happened:
        match event:
            case rules.MagicNumber():
                magic = event.magic
            case rules.Shown(seat, number):
                exact[seat] += number == magic
            case rules.Moved(seat, start, end):
                walked[seat] += end - start
            case rules.Banished(seat, pawn):
                banished[seat] += 1
                back[pawn.colour] += 1
            case rules.TakenAlong(seat):
                took[seat] += 1
            case _:
                pass
    yield most(Text("Great banisher"), Text("sent {count} {count:#pawn|pawns} back"), banished)
    yield most(Text("Longest march"), Text("{count} {count:#field|fields} on foot"), walked)
    yield most(
        Text("Bull's eye"), Text("{count} {count:#time|times} exactly the magic number"), exact
    )
    yield most(Text("Good company"), Text("took {count} {count:#pawn|pawns} along"), took)
    yield most(Text("Never gives up"), Text("set out again {count} {count:#time|times}"), back)


def _best_shaker(happened: Sequence[Event]) -> Award | None:
    """Return who lost least for each spell; several, if they are equal in everything."""
    players = {
        player.seat: player
        for player in players_of(happened, [(colour, ()) for colour in rules.Colour])
    }
    seats = best_shakers(players.values())
    if not seats or not players[seats[0]].worked:
        return None
    fact = Text(
        "{worked} of {spells} {spells:#spell|spells} worked",
        worked=players[seats[0]].worked,
        spells=players[seats[0]].spells,
    )
    return Award(Text("Best shaker"), tuple(map(SeatName, seats)), fact)


AWARDS: Final = Awards(earned_awards)
