"""What is told of matches, from matches that are made up."""

import pytest

from companion.core.game import Outcome
from companion.games.blackmore.study import SUBJECT
from rappelwacht_research.study.findings import StudyFindings
from rappelwacht_research.study.match import PlayedMatch

TWO = ("casual", "random")


def match(
    *points: int, players: tuple[str, ...] = TWO, tricks: tuple[int, ...] = (9, 5)
) -> PlayedMatch:
    winners = tuple(seat for seat, own in enumerate(points) if own == max(points))
    end = Outcome(winners, tuple(enumerate(points)))
    return PlayedMatch(50, 14, players, end, (tricks, (0, 1)))


def found(*played: PlayedMatch) -> StudyFindings:
    return StudyFindings("blackmore", SUBJECT, (0, 1), played, seed=4)


def test_a_shared_win_counts_for_each_by_its_part() -> None:
    told = found(match(8, 3), match(5, 5), match(1, 2), match(4, 0))
    assert (told.wins(0).share, told.wins(1).share) == (0.625, 0.375)
    assert told.shared == 1
    assert told.leads == [5, 0, 1, 4]


def test_points_of_winners_and_of_others_are_told_apart() -> None:
    told = found(match(8, 3), match(5, 5))
    assert (told.winners_points, told.others_points) == ([8, 5], [3])
    winners, others = told.points_bins()
    assert (winners.start, winners.counts, others.counts) == (*(2, (0, 1, 0, 1)), (1, 0, 0, 0))


def test_what_winners_do_is_a_mean_for_each_of_them() -> None:
    told = found(match(8, 3, tricks=(9, 5)), match(1, 2, tricks=(4, 10)))
    assert told.counted(0) == (9.5, 4.5)
    assert told.figures()["deeds"]["tricks"] == {"winners": 9.5, "others": 4.5}


def test_wins_of_a_player_are_counted_wherever_it_sat() -> None:
    told = found(match(8, 3), match(1, 6, players=TWO[::-1]), match(2, 9), match(3, 3))
    assert told.wins_of("casual").share == pytest.approx(2.5 / 4)
    assert told.wins_of("random").share == pytest.approx(1.5 / 4)
    many = found(match(8, 3, players=("casual", "casual")))
    assert many.wins_of("casual").share == 0.5
    assert many.players == ("casual",)


def test_a_seat_stands_out_only_where_chance_hardly_explains_it() -> None:
    often, seldom = match(8, 3), match(3, 8)
    assert found(*[often] * 60, *[seldom] * 40).stands_out() == ((), ())
    assert found(*[often] * 70, *[seldom] * 30).stands_out() == ((0,), (1,))


def test_matches_that_were_broken_off_are_counted_and_told_of_no_further() -> None:
    told = found(match(8, 3), PlayedMatch(100_000, 14, TWO, None, ((0, 0), (0, 0))))
    assert (told.broken_off, told.lengths, told.wins(0).share) == (1, [14], 1.0)
    assert told.figures()["matches"] == 2
    assert told.figures()["broken_off"] == 1


def test_the_figures_name_seats_and_units_as_the_game_does() -> None:
    figures = found(match(8, 3), match(2, 7)).figures()
    assert figures["tricks"]["median"] == 14
    assert figures["seats"]["green"]["points"] == 5
    assert figures["seats"]["red"]["wins"]["share"] == 0.5
    assert (figures["game"], figures["seed"]) == ("blackmore", 4)
