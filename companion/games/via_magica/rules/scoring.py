"""What opened portals and rewards are worth, and who has won."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from companion.core.game import Outcome
from companion.games.via_magica.rules.portals import (
    COUNTED,
    PORTALS,
    TRIPLES,
    WORTH,
    Animus,
    Hue,
    Reward,
)
from companion.games.via_magica.rules.state import Player, Settings, State

ONCE: Final = (*TRIPLES, Reward.EVERY)  # in the game
NUMBERED: Final = frozenset(COUNTED.values())


def points(player: Player) -> int:
    """Return what a player would have if the game ended now (VM-6)."""
    return sum(WORTH[reward] for reward in player.rewards) + sum(
        worth(number, player.opened) for number in player.opened
    )


def worth(number: int, opened: tuple[int, ...]) -> int:
    """Return the points of one of the portals that a player has opened.

    >>> worth(33, (33,)), worth(8, (8, 12)), worth(7, (7, 33, 34))
    (3, 12, 6)
    """
    portal = PORTALS[number]
    match portal.per:
        case None:
            return portal.points
        case Hue():
            return portal.points * _count(portal.per, opened)
        case Animus():  # itself included (VM-7)
            return portal.points * sum(PORTALS[one].fields[portal.per] for one in opened)


def claimable(settings: Settings, players: tuple[Player, ...], seat: int) -> tuple[Reward, ...]:
    """Return the rewards that a player may claim now that it has opened a portal (VM-5)."""
    *_, opened, own = players[seat]
    found = earned(opened)
    if found:
        gone = [reward for player in players for reward in player.rewards if reward in ONCE]
        if settings.triples and sum([reward in TRIPLES for reward in own]) >= settings.triples:
            gone += TRIPLES  # VM-8
        gone += own
        if settings.numbers and len(NUMBERED.intersection(own)) >= settings.numbers:
            gone += NUMBERED  # VM-5
        found = tuple([reward for reward in found if reward not in gone])
    return found


@lru_cache(maxsize=4096)
def earned(opened: tuple[int, ...]) -> tuple[Reward, ...]:
    """Return the rewards for these opened portals, whoever may have them already (VM-5)."""
    hues = [PORTALS[number].hue for number in opened]
    counts = [hues.count(hue) for hue in TRIPLES.values()]
    found = [reward for reward, count in zip(TRIPLES, counts, strict=True) if count >= 3]
    if all(counts):
        found.append(Reward.EVERY)
    if len(opened) in COUNTED:
        found.append(COUNTED[len(opened)])
    return tuple(found)


def outcome(settings: Settings, state: State) -> Outcome:
    """Return who has the most points; among equals, the most portals (VM-6)."""
    scores = tuple((seat, points(state.players[seat])) for seat in settings.seats)
    ranks = {seat: (score, len(state.players[seat].opened)) for seat, score in scores}
    best = max(ranks.values())
    return Outcome(tuple(seat for seat, rank in ranks.items() if rank == best), scores)


def _count(hue: Hue, opened: tuple[int, ...]) -> int:
    return sum(PORTALS[number].hue is hue for number in opened)
