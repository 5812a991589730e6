"""What opened portals and rewards are worth, and who has won."""

from functools import lru_cache
from typing import Final

from companion.core import Outcome
from companion.games.via_magica.rules import portals
from companion.games.via_magica.rules.model import Player, Settings, State

ONCE: Final = (*portals.TRIPLES, portals.Reward.EVERY)  # in the game
NUMBERED: Final = frozenset(portals.COUNTED.values())


def points_of(player: Player) -> int:
    """Return what a player would have if the game ended now (VM-6)."""
    return sum(portals.WORTH[reward] for reward in player.rewards) + sum(
        portal_points(number, player.opened) for number in player.opened
    )


def portal_points(number: int, opened: tuple[int, ...]) -> int:
    """Return the points of one of the portals that a player has opened.

    >>> portal_points(33, (33,)), portal_points(8, (8, 12)), portal_points(7, (7, 33, 34))
    (3, 12, 6)
    """
    portal = portals.PORTALS[number]
    match portal.per:
        case None:
            return portal.points
        case portals.Hue():
            return portal.points * _count(portal.per, opened)
        case portals.Animus():  # itself included (VM-7)
            return portal.points * sum(
                portals.PORTALS[number].fields[portal.per] for number in opened
            )


def claimable(
    settings: Settings, players: tuple[Player, ...], seat: int
) -> tuple[portals.Reward, ...]:
    """Return the rewards that a player may claim now that it has opened a portal (VM-5)."""
    *_, opened, own = players[seat]
    rewards = earned(opened)
    if rewards:
        gone = [reward for player in players for reward in player.rewards if reward in ONCE]
        if (
            settings.triples
            and sum([reward in portals.TRIPLES for reward in own]) >= settings.triples
        ):
            gone += portals.TRIPLES  # VM-8
        gone += own
        if settings.numbers and len(NUMBERED.intersection(own)) >= settings.numbers:
            gone += NUMBERED  # VM-5
        rewards = tuple([reward for reward in rewards if reward not in gone])
    return rewards


@lru_cache(maxsize=4096)
def earned(opened: tuple[int, ...]) -> tuple[portals.Reward, ...]:
    """Return the rewards for these opened portals, whoever may have them already (VM-5)."""
    hues = [portals.PORTALS[number].hue for number in opened]
    counts = [hues.count(hue) for hue in portals.TRIPLES.values()]
    rewards = [reward for reward, count in zip(portals.TRIPLES, counts, strict=True) if count >= 3]
    if all(counts):
        rewards.append(portals.Reward.EVERY)
    if len(opened) in portals.COUNTED:
        rewards.append(portals.COUNTED[len(opened)])
    return tuple(rewards)


def outcome(settings: Settings, state: State) -> Outcome:
    """Return who has the most points; among equals, the most portals (VM-6)."""
    scores = tuple((seat, points_of(state.players[seat])) for seat in settings.seats)
    ranks = {seat: (score, len(state.players[seat].opened)) for seat, score in scores}
    best = max(ranks.values())
    return Outcome(tuple(seat for seat, rank in ranks.items() if rank == best), scores)


def _count(hue: portals.Hue, opened: tuple[int, ...]) -> int:
    return sum(portals.PORTALS[number].hue is hue for number in opened)
