"""Who sits with whom, held against every seating that there is, counted again from the rules.

The oracle knows nothing of how the search works: it lists all ways to rest and to sit, and takes
the rules word by word from the evening's own matches. Where nobody has to meet again now, it looks
whether that is so in the round after, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random

import pytest

from companion.hall.tournament import seating_search as searching
from companion.hall.tournament.events import CheckedIn, Left, Mode
from companion.hall.tournament.proposals import cost, proposed, swapped, weighed_by
from companion.hall.tournament.refusals import done
from companion.hall.tournament.seating_search import SeatingProblem, search
from companion.hall.tournament.standings import standings
from companion.hall.tournament.tournament import Tournament
from companion.referee.people.person import Animal
from tests.hall.evening.evenings import all_done, begun, opened, played

Groups = tuple[frozenset[str], ...]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search a tenth as long as for people."""
    monkeypatch.setattr(searching, "ALL_SWAPS", 24_000)


def ways(people: frozenset[str], sizes: tuple[int, ...]) -> Iterator[Groups]:
    """Yield every way to seat so many of the people; the rest have a bye."""
    if not sizes:
        yield ()
        return
    for group in combinations(sorted(people), sizes[0]):
        for others in ways(people - {*group}, sizes[1:]):
            if not others or sizes[0] != sizes[1] or min(group) < min(others[0]):
                yield (frozenset(group), *others)


def oracle(evening: Tournament, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the least cost of a seating, by the rules in their order."""
    matches = [match.players for match in evening.matches]
    points = {one.person: one.tally.points for one in standings(evening)}
    rested = {one: sum(one in round_.byes for round_ in evening.rounds) for one in evening.here}
    everybody = [*ways(frozenset(evening.here), sizes)]
    have_met = {frozenset(pair) for match in matches for pair in combinations(match, 2)}

    def resting(groups: Groups, byes: dict[str, int]) -> dict[str, int]:
        seated = {one for group in groups for one in group}
        return {one: had + (one not in seated) for one, had in byes.items()}

    def fair(groups: Groups, byes: dict[str, int]) -> bool:
        after = resting(groups, byes).values()
        return max(after) - min(after) <= max(1, max(byes.values()) - min(byes.values()))

    def meeting(groups: Groups) -> set[frozenset[str]]:
        return {frozenset(pair) for group in groups for pair in combinations(group, 2)}

    def dead_end(groups: Groups) -> bool:
        met, byes = have_met | meeting(groups), resting(groups, rested)
        return not any(fair(one, byes) and not meeting(one) & met for one in everybody)

    def price(groups: Groups) -> tuple[int, ...]:
        pairs = [pair for group in groups for pair in combinations(sorted(group), 2)]
        repeats = sum(one in match and other in match for match in matches for one, other in pairs)
        seated = [one for group in groups for one in group]
        games = sum(one in match for match in matches for one in seated)
        seats = sum(
            min(
                sum(match[at : at + 1] == (one,) for match in matches for at, one in enumerate(row))
                for row in permutations(group)
            )
            for group in groups
        )
        strength = sum((points[one] - points[other]) ** 2 for one, other in pairs)
        return repeats, games, seats, strength

    def order(groups: Groups) -> tuple[bool, tuple[int, ...]]:
        repeats, *rest = price(groups)
        return (repeats > 0 or dead_end(groups), (repeats, *rest))

    return min(order(one) for one in everybody if fair(one, rested))[1]


@pytest.mark.parametrize(
    ("people", "tables", "wanted"),
    [(6, 9, 2), (7, 1, 4), (7, 2, 3), (8, 2, 4), (5, 1, 4), (7, 3, 2)],
)
def test_a_seating_of_few_is_the_best_of_all_in_every_round(
    people: int, tables: int, wanted: int
) -> None:
    evening, chance = all_done(Tournament(), opened(people, tables, wanted=wanted)), Random(people)
    for seed in range(5):
        proposal = proposed(evening, seed)
        sizes = tuple(sorted((len(at.players) for at in proposal.placings), reverse=True))
        assert tuple(cost(evening, proposal)) == oracle(evening, sizes)
        evening = played(begun(evening, seed), chance)


@pytest.mark.slow
def test_a_seating_of_nine_is_the_best_of_all() -> None:
    evening, chance = all_done(Tournament(), opened(9, 3, wanted=3)), Random(9)
    for seed in range(6):
        proposal = proposed(evening, seed)
        assert tuple(cost(evening, proposal)) == oracle(evening, (3, 3, 3))
        evening = played(begun(evening, seed), chance)


@pytest.mark.parametrize(("people", "sizes"), [(8, (4, 4)), (10, (3, 3, 3)), (12, (4, 4, 4))])
def test_swaps_find_what_the_exact_search_finds(people: int, sizes: tuple[int, ...]) -> None:
    evening, chance = all_done(Tournament(), opened(people, 3)), Random(1)
    for seed in range(3):
        weighed, free = weighed_by(evening), evening.free
        question = SeatingProblem((), free, sizes)
        exact = weighed.of(search(question, weighed, seed))
        assert weighed.of(search(question, weighed, seed, exact=0)) == exact
        evening = played(begun(evening, seed), chance)


@pytest.mark.parametrize(
    ("people", "tables", "wanted", "rounds"),
    [(6, 3, 2, 5), (8, 4, 2, 7), (12, 4, 3, 4), (16, 4, 4, 5)],
)
def test_few_meet_everybody_before_they_meet_anybody_again(
    people: int, tables: int, wanted: int, rounds: int
) -> None:
    """Where each round was only the best by itself, six in pairs met again in 6 of 20 evenings."""
    for seed in range(4):
        evening, chance = (
            all_done(Tournament(), opened(people, tables, wanted=wanted)),
            Random(seed),
        )
        for _ in range(rounds):
            evening = played(begun(evening, chance.randrange(1 << 30)), chance)
        assert {*weighed_by(evening).past.met.values()} == {1}


def test_a_crowd_with_few_tables_is_seated() -> None:
    evening, chance = all_done(Tournament(), opened(999, 2)), Random(3)
    for seed in range(2):
        evening = played(begun(evening, seed), chance)
    assert {*weighed_by(evening).past.games.values()} == {1}


def test_twenty_four_meet_nobody_twice_in_four_rounds() -> None:
    evening, chance = all_done(Tournament(), opened(24, 8)), Random(2)
    for seed in range(4):
        evening = begun(evening, seed)
        evening = played(evening, chance)
    assert {*weighed_by(evening).past.met.values()} == {1}


def test_the_same_seed_proposes_the_same_and_another_one_something_else() -> None:
    evening = all_done(Tournament(), opened(14, 8))
    assert proposed(evening, 3) == proposed(evening, 3) != proposed(evening, 4)


def test_two_who_are_swapped_by_hand_cost_what_is_said() -> None:
    evening = begun(all_done(Tournament(), opened(8, 2)))
    evening = played(evening, Random(1))
    evening = done(evening, proposed(evening, 1))
    assert evening.proposal is not None
    one, other = (at.players[0] for at in evening.proposal.placings)
    evening = done(evening, by_hand := swapped(evening, one, other))
    assert by_hand.placings[0].players[0] == other
    weighed = weighed_by(evening).of([at.players for at in by_hand.placings])
    assert cost(evening, by_hand) == weighed >= cost(evening, proposed(evening, 1))


def test_whoever_waits_longest_sits_next_where_it_is_casual() -> None:
    evening = all_done(Tournament(), opened(6, 1, Mode.CASUAL))
    evening = begun(evening)
    first = {*evening.matches[0].players}
    assert first == {"p0", "p1", "p2", "p3"}  # who came first
    evening = done(evening, CheckedIn("p6", "Late", Animal.OWL))
    evening = played(evening, Random(0))
    evening = begun(evening)
    assert {"p4", "p5", "p6"} < {*evening.matches[1].players}


def test_byes_go_round() -> None:
    evening, chance = all_done(Tournament(), opened(7, 1)), Random(3)
    for seed in range(14):
        evening = played(begun(evening, seed), chance)
        byes = evening.byes().values()
        assert max(byes) - min(byes) <= 1
    assert {*evening.byes().values()} == {6}


def test_whoever_comes_late_or_back_has_no_arrears_of_byes() -> None:
    evening, chance = all_done(Tournament(), opened(6, 1)), Random(3)
    evening = done(evening, Left("p5"))
    for seed in range(6):
        evening = played(begun(evening, seed), chance)
    evening = done(evening, CheckedIn("new", "New", Animal.CAT))
    assert evening.byes()["new"] == min(evening.byes()[one] for one in evening.here)
