"""Whatever the game, a seat's numbers tell what it may know, and the results add up."""

from collections import defaultdict
from random import Random

import pytest

from companion.core.game import TABLE
from companion.core.plugin import GAMES
from rappelwacht_research.adapters.moments import (
    MOST_CHOICES,
    MOST_OUTCOMES,
    GamePosition,
    company,
    game_of,
)

COMPANIES = [(name, players) for name in GAMES for players in (2, company(name)[-1])]


def played(name: str, players: int, seed: int, most: int = 400) -> GamePosition:
    """Return how a match stands that is played at random, after so many actions at most."""
    chance, moment = Random(seed), GamePosition.first(game_of(name, players))
    while moment.seat is not None and moment.actions < most:
        odds = moment.odds if moment.seat == TABLE else [1.0] * len(moment.choices)
        moment = moment.then(chance.choices(range(len(odds)), odds)[0])
    return moment


def told(moment: GamePosition) -> list[GamePosition]:
    """Return all moments up to one."""
    return [moment, *(told_before(moment))][::-1]


def told_before(moment: GamePosition) -> list[GamePosition]:
    found = []
    while moment.before is not None:
        moment = moment.before
        found.append(moment)
    return found


@pytest.mark.parametrize(("name", "players"), COMPANIES)
def test_every_choice_has_a_number_and_results_add_up(name: str, players: int) -> None:
    for moment in told(played(name, players, 1)):
        if moment.seat is None:
            assert not moment.choices
        elif moment.seat == TABLE:
            assert 0 < len(moment.choices) == len(moment.odds) <= MOST_OUTCOMES
            assert sum(moment.odds) == pytest.approx(1)
        else:
            assert 0 < len(moment.choices) <= MOST_CHOICES
        assert sum(moment.result()) == pytest.approx(0)
    assert company(name)[-1] == (6 if name in {"via-magica", "blackmore"} else 4)


@pytest.mark.parametrize("name", [*GAMES])
def test_whoever_knows_the_same_has_the_same_choices(name: str) -> None:
    """Whoever remembers all that was seen knows what may be done: nothing else decides it."""
    known: dict[str, set[str]] = defaultdict(set)
    for seed in range(40):
        for moment in told(played(name, 2, seed, most=26)):
            if moment.seat not in {None, TABLE}:
                seen = moment.information(moment.seat or 0)
                known[seen].add(" ".join(map(moment.told, range(len(moment.choices)))))
    assert known
    assert all(len(choices) == 1 for choices in known.values())


def test_a_hand_is_seen_by_its_owner_alone() -> None:
    moment = next(one for one in told(played("via-magica", 2, 1)) if one.seat not in {None, TABLE})
    red, green = (moment.seen(seat)["hand"] for seat in moment.game.seats)
    assert len(red) == len(green) == 6
    assert red != green
    assert not moment.seen(None)["hand"]


def test_barrels_are_drawn_blindly() -> None:
    moment = played("zapp-zerapp", 2, 1, most=1)
    assert moment.told(0) == "place red"
    assert len(moment.choices) == 1
    told_aloud = moment.then(0).then(0).then(0)  # both place, and all is flipped
    assert told_aloud.seat == TABLE
    assert len(told_aloud.choices) == 2 * 13
