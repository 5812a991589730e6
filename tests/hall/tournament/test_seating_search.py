"""Who sits with whom, held against every seating that there is, counted again from the rules.

The oracle knows nothing of how the search works: it lists all ways to rest and to sit, and takes
the rules word by word from the tournament's own matches. Where nobody has to meet again now, it
looks whether that is so in the round after, too.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from companion.hall.tournament import seating_search as searching
from companion.hall.tournament.events import CheckedIn, Left, Mode, ProposedRound
from companion.hall.tournament.proposals import proposed, seating_rules, swapped
from companion.hall.tournament.seating_search import SeatingProblem, SeatingRules, search
from companion.hall.tournament.standings import standings
from companion.hall.tournament.tournament import Tournament
from companion.referee.people.person import Animal
from tests.hall.tournament.tournaments import all_done, apply_checked, begun, opened, played

Groups = tuple[frozenset[str], ...]


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search a tenth as long as for people."""
    monkeypatch.setattr(searching, "ALL_SWAPS", 24_000)


def price(rules: SeatingRules, groups: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    """Return what a seating costs, the most important first."""
    past, pairs = rules.past, [pair for group in groups for pair in combinations(group, 2)]
    return (
        sum(past.met[pair] for pair in pairs),
        sum(past.games[one] for group in groups for one in group),
        sum(past.sat[one, place] for group in groups for place, one in enumerate(group)),
        sum(rules.between(*pair) for pair in pairs),
    )


def cost(tournament: Tournament, proposal: ProposedRound) -> tuple[int, ...]:
    return price(seating_rules(tournament), [at.players for at in proposal.placings])


def ways(people: frozenset[str], sizes: tuple[int, ...]) -> Iterator[Groups]:
    """Yield every way to seat so many of the people; the rest have a bye."""
    if not sizes:
        yield ()
        return
    for group in combinations(sorted(people), sizes[0]):
        for others in ways(people - {*group}, sizes[1:]):
            if not others or sizes[0] != sizes[1] or min(group) < min(others[0]):
                yield (frozenset(group), *others)


def oracle(tournament: Tournament, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the least cost of a seating, by the rules in their order."""
    matches = [match.players for match in tournament.matches]
    points = {one.person: one.tally.points for one in standings(tournament)}
    rested = {
        one: sum(one in round_.byes for round_ in tournament.rounds) for one in tournament.here
    }
    everybody = [*ways(frozenset(tournament.here), sizes)]
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
def test_a_seating_of_few_is_the_best_in_each_round(people: int, tables: int, wanted: int) -> None:
    tournament, chance = (
        all_done(Tournament(), opened(people, tables, wanted=wanted)),
        Random(people),
    )
    for seed in range(5):
        proposal = proposed(tournament, seed)
        sizes = tuple(sorted((len(at.players) for at in proposal.placings), reverse=True))
        assert cost(tournament, proposal) == oracle(tournament, sizes)
        tournament = played(begun(tournament, seed), chance)


@pytest.mark.slow
def test_a_seating_of_nine_is_the_best_of_all() -> None:
    tournament, chance = all_done(Tournament(), opened(9, 3, wanted=3)), Random(9)
    for seed in range(6):
        proposal = proposed(tournament, seed)
        assert cost(tournament, proposal) == oracle(tournament, (3, 3, 3))
        tournament = played(begun(tournament, seed), chance)


@pytest.mark.parametrize(("people", "sizes"), [(8, (4, 4)), (10, (3, 3, 3)), (12, (4, 4, 4))])
def test_swaps_find_what_the_exact_search_finds(people: int, sizes: tuple[int, ...]) -> None:
    tournament, chance = all_done(Tournament(), opened(people, 3)), Random(1)
    for seed in range(3):
        rules, free = seating_rules(tournament), tournament.free
        question = SeatingProblem((), free, sizes)
        exact = price(rules, search(question, rules, seed))
        assert price(rules, search(question, rules, seed, exact=0)) == exact
        tournament = played(begun(tournament, seed), chance)


@pytest.mark.parametrize(
    ("people", "tables", "wanted", "rounds"),
    [(6, 3, 2, 5), (8, 4, 2, 7), (12, 4, 3, 4), (16, 4, 4, 5)],
)
def test_few_meet_everybody_before_they_meet_anybody_again(
    people: int, tables: int, wanted: int, rounds: int
) -> None:
    """Where each round was only the best by itself, six in pairs met again in 6 of 20."""
    for seed in range(4):
        tournament, chance = (
            all_done(Tournament(), opened(people, tables, wanted=wanted)),
            Random(seed),
        )
        for _ in range(rounds):
            tournament = played(begun(tournament, chance.randrange(1 << 30)), chance)
        assert {*seating_rules(tournament).past.met.values()} == {1}


def test_a_crowd_with_few_tables_is_seated() -> None:
    tournament, chance = all_done(Tournament(), opened(999, 2)), Random(3)
    for seed in range(2):
        tournament = played(begun(tournament, seed), chance)
    assert {*seating_rules(tournament).past.games.values()} == {1}


def test_twenty_four_meet_nobody_twice_in_four_rounds() -> None:
    tournament, chance = all_done(Tournament(), opened(24, 8)), Random(2)
    for seed in range(4):
        tournament = begun(tournament, seed)
        tournament = played(tournament, chance)
    assert {*seating_rules(tournament).past.met.values()} == {1}


def test_the_same_seed_proposes_the_same_and_another_one_something_else() -> None:
    tournament = all_done(Tournament(), opened(14, 8))
    assert proposed(tournament, 3) == proposed(tournament, 3) != proposed(tournament, 4)


def test_two_who_are_swapped_by_hand_cost_what_is_said() -> None:
    tournament = begun(all_done(Tournament(), opened(8, 2)))
    tournament = played(tournament, Random(1))
    tournament = apply_checked(tournament, proposed(tournament, 1))
    assert tournament.proposal is not None
    one, other = (at.players[0] for at in tournament.proposal.placings)
    tournament = apply_checked(tournament, by_hand := swapped(tournament, one, other))
    assert by_hand.placings[0].players[0] == other
    assert cost(tournament, by_hand) >= cost(tournament, proposed(tournament, 1))


def test_whoever_waits_longest_sits_next_where_it_is_casual() -> None:
    tournament = all_done(Tournament(), opened(6, 1, Mode.CASUAL))
    tournament = begun(tournament)
    first = {*tournament.matches[0].players}
    assert first == {"p0", "p1", "p2", "p3"}  # who came first
    tournament = apply_checked(tournament, CheckedIn("p6", "Late", Animal.OWL))
    tournament = played(tournament, Random(0))
    tournament = begun(tournament)
    assert {"p4", "p5", "p6"} < {*tournament.matches[1].players}


def test_byes_go_round() -> None:
    tournament, chance = all_done(Tournament(), opened(7, 1)), Random(3)
    for seed in range(14):
        tournament = played(begun(tournament, seed), chance)
        byes = tournament.byes().values()
        assert max(byes) - min(byes) <= 1
    assert {*tournament.byes().values()} == {6}


def test_whoever_comes_late_or_back_has_no_arrears_of_byes() -> None:
    tournament, chance = all_done(Tournament(), opened(6, 1)), Random(3)
    tournament = apply_checked(tournament, Left("p5"))
    for seed in range(6):
        tournament = played(begun(tournament, seed), chance)
    tournament = apply_checked(tournament, CheckedIn("new", "New", Animal.CAT))
    assert tournament.byes()["new"] == min(tournament.byes()[one] for one in tournament.here)
