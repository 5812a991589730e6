"""What must always hold in a tournament, whatever people do in it, and what is refused."""

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Outcome
from companion.core.plugin import PLUGINS, seats_of
from companion.hall.tournament import events
from companion.hall.tournament.events import (
    Begun,
    CameBack,
    CheckedIn,
    Chosen,
    Left,
    MatchCancelled,
    Mode,
    ResultCorrected,
    ResultEntered,
    RoundCancelled,
    TableBroke,
    TableMended,
    TournamentEvent,
    from_json,
    to_json,
)
from companion.hall.tournament.limits import limits, points, sizes, spread
from companion.hall.tournament.proposals import proposed, seatable
from companion.hall.tournament.refusals import demand
from companion.hall.tournament.standings import places, standings, still_in
from companion.hall.tournament.tournament import Tournament, replay
from companion.i18n.translate import say
from companion.referee.people.person import Animal
from companion.system import codec
from companion.system.errors import CompanionError, RulesError
from tests.hall.tournament.tournaments import (
    all_done,
    apply_checked,
    begun,
    in_order,
    opened,
    played,
)

DONE = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 30)), min_size=5, max_size=40)


def wish(tournament: Tournament, kind: int, number: int) -> TournamentEvent:
    """Return what somebody might do now; much of it makes no sense."""
    guests, tables, matches = [*tournament.guests], [*tournament.tables], tournament.matches
    match = matches[number % len(matches)] if matches else None
    order = [*match.players] if match else []
    Random(number).shuffle(order)
    where = match.id if match else 0
    return [
        Begun(),
        CheckedIn(f"q{number}", f"Q{number}", Animal.OWL),
        Left(guests[number % len(guests)]),
        CameBack(guests[number % len(guests)]),
        TableBroke(tables[number % len(tables)]),
        TableMended(tables[number % len(tables)]),
        MatchCancelled(where) if number % 3 else RoundCancelled(number % 4),
        ResultCorrected(where, in_order(order)),
        ResultEntered(where, in_order(order)),
        ResultEntered(where, in_order(order)),
    ][kind]


def some_tournament(
    start: list[TournamentEvent], wishes: list[tuple[int, int]]
) -> list[TournamentEvent]:
    """Return events of a tournament in which all is tried, and what is refused left out."""
    tournament, happened, refusals = replay(start), [*start], list[str]()
    for kind, number in wishes:
        try:
            several = (
                [proposed(tournament, number), Begun()]
                if kind == 0
                else [wish(tournament, kind, number)]
            )
            for event in several:
                tournament = apply_checked(tournament, event)
                happened.append(event)
                demand_invariants(tournament)
        except CompanionError as refusal:
            refusals.append(say(refusal))
    assert all(sentence.endswith(".") for sentence in refusals)
    return happened


def refusal_of(what: Callable[[], object]) -> str:
    """Return the sentence with which something is refused."""
    with pytest.raises(CompanionError) as refused:
        what()
    return say(refused.value)


def demand_invariants(tournament: Tournament) -> None:
    """Raise where somebody is in two places, a table has two matches, or byes are unfair."""
    sitting = [one for match in tournament.running for one in match.still]
    assert len(sitting) == len({*sitting})
    assert {*sitting} <= {*tournament.here}
    tables = [match.table for match in tournament.running if match.table]
    assert len(tables) == len({*tables})
    assert all(tournament.tables[table] for table in tables)
    waiting = [match for match in tournament.running if match.table is None]
    assert not (waiting and tournament.free_tables)


@pytest.mark.parametrize("mode", Mode)
@given(wishes=DONE)
@settings(max_examples=25, deadline=None)
def test_whatever_people_do_all_are_in_one_place(mode: Mode, wishes: list[tuple[int, int]]) -> None:
    start = opened(9, 3, mode, wanted=3)
    happened = some_tournament(start, wishes)
    tournament = replay(start)
    for event in happened[len(start) :]:
        before, tournament = tournament, apply_checked(tournament, event)
        if isinstance(event, Begun):
            latest = tournament.rounds[-1]
            players = [one for at in tournament.of_round(latest.id) for one in at.players]
            if mode is not Mode.CASUAL:
                assert sorted([*players, *latest.byes]) == sorted(seatable(before))
                byes = tournament.byes()
                had = [byes[one] for one in seatable(before)]
                most = [before.byes()[one] for one in seatable(before)]
                assert max(had) - min(had) <= max(1, max(most) - min(most))
    assert replay(from_json(to_json(event)) for event in happened) == tournament


@pytest.mark.parametrize("mode", Mode)
@given(wishes=DONE)
@settings(max_examples=15, deadline=None)
def test_a_result_that_is_corrected_counts_as_if_it_had_always_been_so(
    mode: Mode, wishes: list[tuple[int, int]]
) -> None:
    happened = some_tournament(opened(9, 3, mode, wanted=3), wishes)
    entered = [event for event in happened if isinstance(event, ResultEntered)]
    right = [event for event in happened if not isinstance(event, ResultCorrected)]
    for event in entered:
        better = tuple(reversed(event.places))
        corrected = [ResultEntered(one.match, better) if one == event else one for one in right]
        assert replay([*right, ResultCorrected(event.match, better)]) == replay(corrected)


@pytest.mark.parametrize("mode", Mode)
def test_byes_differ_by_at_most_one(mode: Mode) -> None:
    tournament, chance = all_done(Tournament(), opened(11, 2, mode, wanted=3)), Random(5)
    for seed in range(2 if mode is Mode.KNOCK_OUT else 9):
        tournament = played(begun(tournament, seed), chance)
        byes = [tournament.byes()[one] for one in seatable(tournament)]
        assert mode is Mode.CASUAL or max(byes) - min(byes) <= 1


def test_a_broken_tables_people_move_on_and_none_is_lost() -> None:
    tournament = begun(all_done(Tournament(), opened(8, 3)))
    tournament = apply_checked(tournament, TableBroke("1"))
    assert [match.table for match in tournament.running] == ["3", "2"]
    tournament = apply_checked(tournament, TableBroke("2"))
    assert [match.table for match in tournament.running] == ["3", None]
    tournament = apply_checked(tournament, TableMended("1"))
    assert [match.table for match in tournament.running] == ["3", "1"]


def test_whoever_is_left_alone_has_won_until_somebody_says_otherwise() -> None:
    tournament = begun(all_done(Tournament(), opened(2, 1)))
    one, other = tournament.matches[0].players
    tournament = apply_checked(tournament, Left(one))
    assert tournament.matches[0].result == ((other,), (one,))
    assert tournament.free == (other,)
    tournament = apply_checked(tournament, ResultEntered(0, ((one,), (other,))))
    assert tournament.matches[0].result == ((one,), (other,))


def test_who_leaves_a_match_of_more_may_come_back_into_it() -> None:
    tournament = begun(all_done(Tournament(), opened(4, 1)))
    tournament = all_done(tournament, [Left("p0"), CameBack("p0")])
    assert tournament.matches[0].still == tournament.matches[0].players


def test_a_cancelled_round_counts_for_nothing() -> None:
    start = all_done(Tournament(), opened(5, 1))
    tournament = apply_checked(begun(start), RoundCancelled(0))
    assert tournament.byes() == start.byes()
    assert standings(tournament)[0].tally.points == 0


# --- standings ---------------------------------------------------------------------------------


def test_points_are_for_those_who_were_beaten() -> None:
    assert points((1, 1)) == (120, 0)
    assert points((1, 1, 1, 1, 1)) == (120, 90, 60, 30, 0)
    assert points((1, 2, 1)) == (120, 60, 0)
    assert points((3,)) == (60,)


def test_a_correction_of_round_two_in_round_four_changes_the_standings() -> None:
    tournament, chance = all_done(Tournament(), opened(8, 2)), Random(4)
    for seed in range(3):
        tournament = played(begun(tournament, seed), chance)
    tournament = begun(tournament, 3)
    match = tournament.of_round(1)[0]
    assert match.result is not None
    last = match.result[-1][0]
    before = {one.person: one.tally for one in standings(tournament)}
    tournament = apply_checked(
        tournament, ResultCorrected(match.id, tuple(reversed(match.result)), "director")
    )
    after = {one.person: one.tally for one in standings(tournament)}
    assert after[last].points == before[last].points + 120
    assert after[last].wins == before[last].wins + 1


def test_equals_share_a_place_and_the_next_one_is_left_out() -> None:
    tournament = begun(all_done(Tournament(), opened(4, 1)))
    one, two, three, four = tournament.matches[0].players
    tournament = apply_checked(tournament, ResultEntered(0, ((one,), (two, three), (four,))))
    assert [standing.place for standing in standings(tournament)] == [1, 2, 2, 4]


def test_a_bye_brings_as_much_as_a_match_on_average() -> None:
    tournament = played(begun(all_done(Tournament(), opened(5, 1))), Random(0))
    (rested,) = tournament.rounds[0].byes
    tally = {one.person: one.tally for one in standings(tournament)}[rested]
    assert (tally.points, tally.byes) == (60, 1)


def test_whoever_waits_in_a_casual_tournament_has_no_bye() -> None:
    tournament = played(begun(all_done(Tournament(), opened(5, 1, Mode.CASUAL))), Random(0))
    (rested,) = tournament.rounds[0].byes
    tally = {one.person: one.tally for one in standings(tournament)}[rested]
    assert (tally.points, tally.byes) == (0, 0)


def test_a_tables_log_says_who_came_in_where() -> None:
    ended = Outcome((2,), ((0, 5), (1, 3), (2, 5), (3, 3)))
    sitting = {0: "a", 1: "b", 2: "c", 3: "d"}
    assert places(ended, sitting) == (("c",), ("a",), ("b", "d"))


# --- knock-out ---------------------------------------------------------------------------------


def test_a_knock_out_ends_with_one() -> None:
    tournament, chance = all_done(Tournament(), opened(12, 2, Mode.KNOCK_OUT)), Random(6)
    alive = [len(still_in(tournament))]
    while alive[-1] > 1:
        tournament = begun(tournament, len(alive))
        while tournament.running:
            tournament = played(tournament, chance)
        alive.append(len(still_in(tournament)))
    assert alive == sorted(alive, reverse=True)
    assert len(alive) <= 5
    assert standings(tournament)[0].person in still_in(tournament)
    assert "has won" in refusal_of(lambda: proposed(tournament, 0))


def test_whoever_lost_to_somebody_who_should_not_have_been_there_lost_to_nobody() -> None:
    tournament = all_done(Tournament(), opened(4, 2, Mode.KNOCK_OUT, wanted=2, go_on=1))
    tournament = begun(tournament)
    for match in tournament.running:
        tournament = apply_checked(tournament, ResultEntered(match.id, in_order(match.players)))
    (one, other), (third, _) = (match.players for match in tournament.matches)
    tournament = begun(tournament)
    tournament = apply_checked(tournament, ResultEntered(2, ((one,), (third,))))
    assert still_in(tournament) == (one,)
    tournament = apply_checked(tournament, ResultCorrected(0, ((other,), (one,))))
    assert {*still_in(tournament)} == {other, third}


def test_a_shared_place_that_decides_must_be_played_out() -> None:
    tournament = begun(all_done(Tournament(), opened(8, 2, Mode.KNOCK_OUT)))
    one, two, three, four = tournament.matches[0].players
    assert "play it out" in refusal_of(
        lambda: apply_checked(tournament, ResultEntered(0, ((one,), (two, three), (four,))))
    )
    apply_checked(tournament, ResultEntered(0, ((one, two), (three, four))))


# --- numbers and refusals ----------------------------------------------------------------------


@given(st.integers(0, 70), st.integers(1, 20), st.sampled_from([(2, 4), (3, 6), (2, 6), (3, 4)]))
def test_nobody_rests_who_could_sit(people: int, tables: int, limit: tuple[int, int]) -> None:
    fewest, most = limit
    found = sizes(people, tables, fewest, most, most)
    assert all(fewest <= size <= most for size in found)
    assert len(found) <= tables
    possible = max(
        (min(people, count * most) for count in range(1, tables + 1) if count * fewest <= people),
        default=0,
    )
    assert sum(found) == possible


def test_limits_are_those_of_each_games_kit() -> None:
    for game in PLUGINS:
        found = limits(game)
        assert 2 <= found.fewest < found.most <= len(seats_of(game))
        known = codec.parts(PLUGINS[game].game.settings_type)
        (seats,) = (codec.members(part.kind) for part in known if part.name == "seats")
        assert {*seats_of(game)} <= {*seats}  # nobody sits where only a piece stands
        for count in range(found.fewest, found.most + 1):
            assert len({*spread(seats_of(game), count)}) == count


def test_as_many_people_are_seated_as_the_rules_of_each_game_take() -> None:
    for game in PLUGINS:
        kind = PLUGINS[game].game.settings_type
        (seats,) = (tuple(part.kind) for part in codec.parts(kind) if part.name == "seats")
        kind(seats=seats[: limits(game).most])
        if limits(game).most < len(seats):
            with pytest.raises(RulesError):
                kind(seats=seats[: limits(game).most + 1])


@pytest.mark.parametrize(
    "event",
    [
        CheckedIn("new", "Person 1", Animal.FOX),
        CheckedIn("p1", "Another", Animal.FOX),
        CheckedIn("new", "much too long a name", Animal.FOX),
        CameBack("p1"),
        Left("nobody"),
        events.TableAdded("1"),
        events.TableAdded(" "),
        TableBroke("9"),
        TableMended("1"),
        Chosen("a game", Mode.POINTS, 2, 4, 5),
        Chosen("a game", Mode.KNOCK_OUT, 2, 4, 4, 4),
        Begun(),
        events.ProposedRound(()),
        events.ProposedRound((events.TableAssignment("1", ("p1", "p1")),)),
        events.ProposedRound((events.TableAssignment("9", ("p0", "p1", "p2")),)),
        events.ProposedRound((events.TableAssignment("1", ("p0", "p1")),)),
        ResultEntered(0, ()),
        ResultCorrected(7, ()),
        MatchCancelled(0),
        RoundCancelled(0),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_to_do(event: TournamentEvent) -> None:
    tournament = all_done(Tournament(), opened(3, 1))
    sentence = refusal_of(lambda: demand(tournament, event))
    assert re.fullmatch(r".+[;,.] .+\.", sentence)


def test_a_proposal_that_somebody_left_is_not_begun() -> None:
    tournament = all_done(Tournament(), opened(5, 1))
    tournament = all_done(tournament, [proposed(tournament, 0), Left("p0")])
    assert "propose again" in refusal_of(lambda: apply_checked(tournament, Begun()))


def test_the_next_round_waits_for_the_last_result() -> None:
    tournament = begun(all_done(Tournament(), opened(8, 2)))
    assert "Tables 1 and 2 are still playing" in refusal_of(lambda: proposed(tournament, 0))


def test_a_result_names_everybody_once() -> None:
    tournament = begun(all_done(Tournament(), opened(3, 1)))
    assert refusal_of(lambda: apply_checked(tournament, ResultEntered(0, (("p0",), ("p1",)))))
