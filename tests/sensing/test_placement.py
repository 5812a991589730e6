"""Who placed which barrel, told in sentences: barrels that say their names to pads, or do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.sensing.events import Placed, SecondPlaced, Stayed, Taken
from companion.sensing.observations import MeasuredTime, NameRead, Settled, StopperMessage
from companion.sensing.placement import Placement, step
from companion.sensing.settings import Settings
from tests.sensing.seats import CERTAIN, STANDS_MG, Table, Told, Word, certain, placed_at

COLOURS = ("red", "green", "blue", "yellow")


def takings(told: Told) -> list[tuple[str, int | None]]:
    return [(one.seat, one.stopper) for one in told if isinstance(one, Taken)]


def seconds(told: Told) -> list[tuple[str, int, int]]:
    return [(one.seat, one.first, one.second) for one in told if isinstance(one, SecondPlaced)]


@pytest.mark.parametrize(
    ("event", "more", "stayed"),
    [
        (8, {}, True),
        (9, {}, True),  # one is missing: it cannot be both a LIFT and a SET
        (10, {}, False),
        (7, {}, False),  # it was told before
        (8, {"boot": 4}, False),
        (8, {"stopper": 5}, False),
        (8, {"moment": MeasuredTime(900_000, 1000)}, False),  # while nobody listened
        (8, {"name": "SET"}, False),
        (8, {"fields": {"event": 8, "blind_ms": 40}}, False),
    ],
)
def test_a_remembered_barrel_stayed_where_it_was_if_its_next_events_leave_no_room(
    event: int, more: dict[str, object], *, stayed: bool
) -> None:
    said = Settled("blue", 4, 1_000_000, remembered=True, mark=(3, 7))
    table, told = step(Placement(), said, Settings())
    assert [one.remembered for one in told if isinstance(one, Placed)] == [True]
    felt = StopperMessage(
        4, "LIFT", MeasuredTime(5_000_000, 1000), 5_010_000, 3, 0, {"event": event}
    )
    _, told = step(table, replace(felt, **more), Settings())  # type: ignore[arg-type]
    assert (Stayed("blue", 4) in told) is stayed


# --- what is clear ----------------------------------------------------------------------------


def test_blue_places_a_barrel_and_it_is_told_once_for_sure() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    [only] = table.tell()
    assert isinstance(only, Placed)
    assert (only.seat, only.stopper, only.candidates) == ("blue", 4, (4,))
    assert only.confidence >= CERTAIN
    assert abs(only.moment.at_us - 5_000_000) <= only.moment.doubt_us


def test_four_players_place_150_ms_apart_and_nobody_is_asked() -> None:
    table = Table()
    for turn, colour in enumerate(("red", "green", "blue", "yellow")):
        table.placed(colour, 3 * turn + 1, 25_000 + 150 * turn)
    told = [one for one in table.tell() if one.moment.at_us > 20_000_000]
    assert len(told) == 4
    assert [certain(told, colour) for colour in ("red", "green", "blue", "yellow")] == [
        [1],
        [4],
        [7],
        [10],
    ]


def test_a_barrel_that_is_put_back_a_second_later_is_nobodys() -> None:
    table = Table()
    table.lifted(9, 4000, 1900)
    table.set_down(9, 6000)
    table.placed("blue", 4, 5000)
    told = table.tell()
    assert certain(told, "blue") == [4]
    assert len(told) == 1


def test_blue_takes_the_barrel_away_again() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.taken("blue", 4, 9000)
    told = table.tell()
    assert certain(told, "blue") == [4]
    assert takings(told) == [("blue", 4)]
    assert isinstance(told[-1], Taken)
    assert told[-1].moment.at_us == 9_000_000


def test_the_barrel_that_was_taken_can_be_placed_by_somebody_else() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.taken("blue", 4, 9000)
    table.set_down(4, 11_000)
    table.says("red", 4, 11_000)
    table.pad("red", True, 11_005)
    told = table.tell()
    assert takings(told) == [("blue", 4)]
    assert certain(told, "red") == [4]


def left_over(*lost_ms: int, until_ms: int = 12_000) -> Table:
    """Return a table where a barrel stands on red's pad before anybody chooses."""
    table = Table()
    for at_ms in range(100, until_ms, 1000):
        if at_ms not in lost_ms:
            word = NameRead("red", 0, True, True, touch=1, at_us=1000 * at_ms, stopper=4)
            table.others.append((at_ms + 5, word))
    return table


def test_what_stood_there_before_is_not_placed_though_words_are_lost() -> None:
    assert left_over(3100, 6100, 7100).tell() == []


def test_what_stood_there_before_is_not_taken_for_what_replaces_it_at_once() -> None:
    table = left_over(until_ms=5000)
    table.says("red", 4, 4880, until_ms=4990)
    table.pad("red", False, 5000)
    table.placed("red", 7, 5150)
    assert certain(table.tell(), "red") == [7]


def test_fingers_that_let_go_of_the_barrel_make_the_pad_bounce() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.pad("blue", False, 5060)
    table.pad("blue", True, 5120)
    told = table.tell()
    assert certain(told, "blue") == [4]
    assert takings(told) == []


def test_before_the_roll_and_after_the_flip_nothing_is_placed() -> None:
    table = Table()
    table.ended(4000)
    table.placed("blue", 4, 5000)
    assert table.tell() == []


def test_a_stopper_that_restarts_on_its_pad_was_not_taken_away() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.felt(4, 9000, 10_500, load_mg=0)  # its cell has read nothing yet
    assert takings(table.tell()) == []


def test_a_pad_that_somebody_leaned_on_says_nothing() -> None:
    table = Table()
    table.pad("blue", True, 5000)
    table.pad("blue", False, 5400)
    assert table.tell() == []


# --- what it means at the table ---------------------------------------------------------------


def test_two_set_down_at_once_are_as_easy_as_one() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5000)
    news = table.tell()
    assert (certain(news, "blue"), certain(news, "red")) == ([4], [5])
    assert len(news) == 2


def test_a_name_is_known_at_its_second_word() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    assert certain(table.tell(until_ms=5120), "blue") == []
    assert certain(table.tell(until_ms=5140), "blue") == [4]


def test_no_radio_is_needed_for_it() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.words.clear()
    [only] = table.tell()
    assert isinstance(only, Placed)
    assert (only.stopper, only.candidates) == (4, (4,))
    assert only.moment.at_us == 5_000_000


def test_a_words_touch_says_which_set_it_belongs_to() -> None:
    for touch, at_us in ((1, 4_995_000), (2, 5_000_000)):
        table = Table()
        table.lifted(4, 4000, 900)
        table.words.append(Word(4, "SET", 4995, (("blind_ms", 0), ("event", 5))))
        table.says("blue", 4, 5000, touch=touch)
        table.pad("blue", True, 5000)
        last = placed_at(table.tell(), "blue")[-1]
        assert last.moment.at_us == at_us


def test_a_dead_cell_is_the_thirteenth_if_all_others_are_accounted_for() -> None:
    """Its pad asks no barrel that is known to stand elsewhere, and it is not certain."""
    table = Table(silent=frozenset({4}))
    table.placed("red", 5, 5000)
    table.placed("blue", 4, 6000)
    table.all_alive(6500)
    news = table.tell()
    assert certain(news, "red") == [5]
    assert certain(news, "blue") == []
    assert placed_at(news, "blue")[-1].candidates == (4,)


def test_with_two_dead_cells_it_is_asked() -> None:
    table = Table(silent=frozenset({4, 9}))
    table.placed("blue", 4, 6000)
    table.all_alive(6500)
    news = table.tell()
    assert certain(news, "blue") == []
    assert placed_at(news, "blue")[-1].confidence < 0.6


def test_upside_down_it_says_no_name_and_its_placing_stands() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.ended(8000)
    table.quiet(4, 9000)
    table.words.append(Word(4, "STILL", 12_000))
    assert takings(table.tell()) == []


def test_two_barrels_on_one_pad_are_two_names_and_the_first_is_chosen() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("blue", 9, 8000, pad=False)
    news = table.tell()
    assert seconds(news) == [("blue", 4, 9)]
    assert certain(news, "blue") == [4]
    assert takings(news) == []


def test_if_the_first_of_two_is_lifted_the_second_stands_there() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("blue", 9, 8000, pad=False)
    table.lifted(4, 11_000, 3000)
    news = table.tell()
    assert takings(news) == [("blue", 4)]
    assert certain(news, "blue") == [4, 9]


def test_a_barrel_that_is_held_over_anothers_pad_has_no_weight_on_its_foot() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.lifted(9, 6000, 2500)
    table.says("blue", 9, 7000, stands=False, until_ms=8000)
    news = table.tell()
    assert seconds(news) == []
    assert certain(news, "blue") == [4]


def test_over_an_open_pad_it_is_not_placed_either() -> None:
    table = Table()
    table.lifted(9, 6000, 2500)
    table.says("blue", 9, 7000, stands=False, until_ms=8000)
    assert table.tell() == []


def test_one_without_a_cell_has_to_be_still_for_a_tenth_of_a_second_on_a_closed_pad() -> None:
    for until_ms, known in ((5140, []), (5240, [4])):
        table = Table()
        table.says("blue", 4, 5000, weighs=False, until_ms=until_ms)
        table.pad("blue", True, 5000)
        assert certain(table.tell(until_ms=5600), "blue") == known
    table = Table()
    table.says("blue", 4, 5000, weighs=False, until_ms=9000)
    assert table.tell() == []  # held still over a pad that is open, however long


def test_who_spoke_over_a_pad_before_it_closed_is_not_what_closed_it() -> None:
    table = Table(silent=frozenset({4}))
    table.says("blue", 9, 3900, weighs=False, until_ms=4300)
    table.pad("blue", True, 5000)
    assert certain(table.tell(), "blue") == []


def test_who_speaks_over_a_pad_that_has_just_opened_does_not_stand_there() -> None:
    table = Table(silent=frozenset({4}))
    table.pad("blue", True, 5000)
    table.pad("blue", False, 8000)
    table.says("blue", 9, 7950, weighs=False, until_ms=8290)
    assert certain(table.tell(), "blue") == []


def test_a_dead_receiver_makes_one_set_likely_and_never_certain() -> None:
    table = Table(deaf=frozenset({"blue"}))
    table.placed("blue", 4, 5000)
    table.placed("red", 7, 5000)
    news = table.tell()
    assert certain(news, "red") == [7]
    [only] = placed_at(news, "blue")
    assert (only.stopper, only.candidates, only.confidence) == (4, (4,), 0.9)


def test_without_names_two_sets_are_asked() -> None:
    table = Table(names=False)
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5300)
    news = table.tell()
    for colour, whom in (("blue", 4), ("red", 5)):
        last = placed_at(news, colour)[-1]
        assert last.confidence == 0.5
        assert last.candidates[0] == whom
        assert set(last.candidates) == set(range(1, 14))


def test_without_names_somebody_else_in_the_air_is_asked() -> None:
    table = Table(names=False)
    table.lifted(9, 4000, 8000)
    table.placed("blue", 4, 5000)
    last = placed_at(table.tell(until_ms=7000), "blue")[-1]
    assert last.confidence == 0.5
    assert last.candidates[:2] == (4, 9)


def test_without_names_it_is_not_asked_because_of_what_is_lifted_later() -> None:
    table = Table(names=False)
    table.placed("blue", 4, 5000)
    table.lifted(9, 5900, 3000)
    [only] = placed_at(table.tell(until_ms=8000), "blue")
    assert (only.candidates, only.confidence) == ((4,), 0.9)


def test_without_names_what_is_lost_is_asked() -> None:
    table = Table(names=False)
    table.lifted(4, 4000)
    table.pad("blue", True, 5000)
    table.all_alive(8000)
    news = table.tell(lambda who, number: who == 4 and number > 2)
    assert certain(news, "blue") == []


def test_without_stoppers_the_pad_says_that_something_stands_there() -> None:
    table = Table(silent=frozenset(range(1, 14)))
    table.pad("blue", True, 5000)
    [only] = table.tell()
    assert isinstance(only, Placed)
    assert (only.stopper, only.confidence, only.candidates) == (None, 0.5, ())


def test_a_barrel_that_goes_from_one_pad_to_another_is_taken_and_placed() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.taken("blue", 4, 9000)
    table.set_down(4, 10_000)
    table.says("red", 4, 10_000, touch=2)
    table.pad("red", True, 10_005)
    news = table.tell()
    assert takings(news) == [("blue", 4)]
    assert certain(news, "red") == [4]


# --- pads that do not work --------------------------------------------------------------------


def test_names_alone_tell_presence_where_a_pad_stays_open() -> None:
    table = Table()
    table.placed("blue", 4, 5000, pad=False)
    assert certain(table.tell(until_ms=5300), "blue") == []  # it may only be late
    news = table.tell()
    assert certain(news, "blue") == [4]
    table.lifted(4, 9000, 2000)
    assert takings(table.tell()) == [("blue", 4)]


def test_a_barrel_that_stands_on_a_pad_from_before_was_not_chosen() -> None:
    table = Table()
    table.says("blue", 4, 100)
    assert table.tell() == []


def test_a_pad_that_is_shone_upon_loses_no_barrel_that_goes_on_speaking() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.pad("blue", False, 9000)
    news = table.tell()
    assert takings(news) == []
    table.pad("blue", True, 12_000)
    assert takings(table.tell()) == []
    assert len(table.tell()) == len(news) == 1


def test_a_pad_that_closes_late_begins_nothing_new() -> None:
    table = Table()
    table.placed("blue", 4, 5000, pad=False)
    table.pad("blue", True, 5180)
    [only] = table.tell()
    assert isinstance(only, Placed)


def test_a_kick_against_the_table_takes_nobodys_barrel_away() -> None:
    """It hops, and its load is told just then; the pad opens for a moment."""
    table = Table()
    table.placed("blue", 4, 5000)
    hops = (("load_mg", 199), ("load_min_mg", 199), ("load_max_mg", 60_401))
    table.words.append(Word(4, "FEATURES", 15_200, hops))
    table.pad("blue", False, 15_100)
    table.pad("blue", True, 15_184)
    table.felt(4, 15_450, 16_450, STANDS_MG)
    [only] = table.tell()
    assert isinstance(only, Placed)


# --- broken pads ------------------------------------------------------------------------------


def test_a_pad_that_stays_closed_cannot_keep_a_barrel_that_was_lifted() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.lifted(4, 9000, 2000)
    assert takings(table.tell()) == [("blue", 4)]


def test_a_pad_that_opens_late_still_takes_only_once() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.lifted(4, 9000, 3000)
    table.pad("blue", False, 9150)
    assert takings(table.tell()) == [("blue", 4)]


def test_an_opening_that_nobody_saw_comes_to_light_with_the_next_barrel() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("blue", 7, 9000)
    told = table.tell()
    assert takings(told) == [("blue", 4)]
    assert certain(told, "blue") == [4, 7]


def test_a_pad_that_opens_without_a_word_of_its_barrel_is_empty_all_the_same() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.quiet(4, 9000)
    table.pad("blue", False, 9000)
    assert takings(table.tell()) == [("blue", 4)]


# --- people -----------------------------------------------------------------------------------


def test_people_say_that_nothing_stands_there() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.settled("blue", None, 8000)
    told = table.tell()
    assert takings(told) == [("blue", 4)]
    assert isinstance(told[-1], Taken)


def test_people_say_that_it_is_one_that_cannot_be_felt() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.settled("blue", -1, 8000)
    last = placed_at(table.tell(), "blue")[-1]
    assert (last.stopper, last.confidence, last.candidates) == (None, 1.0, ())


def test_a_barrel_that_people_name_at_another_seat_is_gone_from_the_first() -> None:
    table = Table()
    table.settled("blue", 4, 5000)
    table.settled("red", 4, 6000)
    told = table.tell()
    assert placed_at(told, "red")[-1].stopper == 4
    assert takings(told) == [("blue", 4)]


def test_a_barrel_that_has_said_its_name_stands_at_one_seat_when_people_say_another() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.pad("red", True, 5500)
    table.settled("red", 4, 9000)
    told = table.tell()
    assert takings(told) == [("blue", 4)]
    at_blue = [placed for placed in placed_at(told, "blue") if placed.moment.at_us > 0]
    assert certain(told, "blue") == [4]  # not once more, though it goes on speaking there
    assert at_blue[-1].confidence < CERTAIN  # people are asked what stands there
    assert placed_at(told, "red")[-1].stopper == 4


def test_people_who_named_it_elsewhere_are_right_until_it_is_lifted() -> None:
    table = Table()
    table.pad("red", True, 4000)
    table.settled("red", 4, 5000)
    table.placed("blue", 4, 9000)
    told = table.tell()
    assert takings(told) == [("red", 4)]
    assert certain(told, "blue") == [4]


def test_what_was_settled_ends_when_the_pad_opens() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.settled("blue", 7, 6000)
    table.pad("blue", False, 9000)
    assert takings(table.tell()) == [("blue", 7)]
