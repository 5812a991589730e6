"""Who placed which barrel, told in sentences: pads and stoppers that belong together, or do not."""

from dataclasses import replace

import pytest

from companion.sensing.events import Placed, Stayed, Taken
from companion.sensing.observations import MeasuredTime, Settled, StopperMessage
from companion.sensing.placement import Placement, step, unassigned_set_downs
from companion.sensing.settings import Settings
from tests.sensing.seats import CERTAIN, STANDS_MG, Table, Word, certain, placed_at, play


def know_pads(table: Table, late_ms: float = 0.0) -> None:
    """Let everybody place a barrel, one after the other, and take it back."""
    for turn, colour in enumerate(("red", "green", "blue", "yellow")):
        at_ms, stopper = 3000 + 2000 * turn, 3 * turn + 2
        table.lifted(stopper, at_ms - 1000, 900)
        table.set_down(stopper, at_ms - late_ms - 5)
        table.pad(colour, True, at_ms)
        table.taken(colour, stopper, at_ms + 9000)
        table.set_down(stopper, at_ms + 10_500)
    table.all_alive(22_000)


def takings(told: list[Placed | Taken]) -> list[tuple[str, int | None]]:
    return [(one.seat, one.stopper) for one in told if isinstance(one, Taken)]


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
    know_pads(table)
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
    table.pad("red", True, 11_005)
    told = table.tell()
    assert takings(told) == [("blue", 4)]
    assert certain(told, "red") == [4]


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


# --- what is not ------------------------------------------------------------------------------


def test_two_set_down_at_once_are_both_asked_with_both_barrels() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5008)
    told = table.tell()
    assert certain(told, "blue") == certain(told, "red") == []
    assert set(placed_at(told, "blue")[-1].candidates) == {4, 5}
    assert set(placed_at(told, "red")[-1].candidates) == {4, 5}


def test_one_of_the_two_is_settled_by_people_and_the_other_follows() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5008)
    table.settled("blue", 5, 9000)
    told = table.tell()
    assert placed_at(told, "blue")[-1].stopper == 5
    assert placed_at(told, "blue")[-1].confidence == 1.0
    assert certain(told, "red") == [4]


def test_both_are_settled_when_they_are_lifted_one_after_the_other() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5008)
    table.ended(7000)
    table.taken("red", 5, 8000)
    table.taken("blue", 4, 8300)
    told = table.tell()
    assert (certain(told, "red"), certain(told, "blue")) == ([5], [4])
    assert takings(told) == [("red", 5), ("blue", 4)]


def test_one_placed_one_put_back_at_once_until_the_other_is_shaken() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.lifted(9, 4000, 900)
    table.set_down(9, 4995)
    table.lifted(9, 9000, 2000)
    told = table.tell()
    first, *_ = placed_at(told, "blue")
    assert first.confidence < CERTAIN
    assert set(first.candidates) == {4, 9}
    assert certain(told, "blue") == [4]
    assert takings(told) == []


def test_a_set_that_was_read_blind_may_be_older() -> None:
    table = Table()
    table.lifted(4, 4000, 900)
    table.set_down(4, 5140, blind_ms=150)
    table.pad("blue", True, 5000)
    assert certain(table.tell(), "blue") == [4]


def test_a_lost_set_leaves_it_open_but_the_guess_is_right() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    told = table.tell(lambda who, number: who == 4 and number in {6, 7, 8, 9, 10})
    assert certain(told, "blue") in ([], [4])
    assert placed_at(told, "blue")[-1].stopper == 4


def test_a_barrel_that_falls_silent_in_the_hand_is_not_sure_to_be_the_one() -> None:
    table = Table()
    table.lifted(4, 4000)
    table.pad("blue", True, 5000)
    table.all_alive(8000)
    told = table.tell(lambda who, number: who == 4 and number > 2)
    assert certain(told, "blue") == []


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


def test_a_barrel_that_lies_still_keeps_nobody_waiting() -> None:
    """It fell over and says nothing more; a hand that muted it would have let go long ago."""
    for silent_ms, known in ((3_000, [4]), (500, [])):
        table = Table()
        know_pads(table)
        table.lifted(9, 26_000 - silent_ms - 1_000, 1_000)
        table.placed("blue", 4, 26_000)
        told = table.tell(until_ms=26_600)
        assert [who for who in certain(told, "blue") if who == 4] == known


def test_a_barrel_with_a_flat_battery_is_one_that_cannot_be_felt() -> None:
    table = Table(silent=frozenset({4, 5, 6}))
    table.placed("blue", 4, 5000)
    first, *_ = placed_at(table.tell(until_ms=7000), "blue")
    assert first.stopper is None
    assert first.confidence < CERTAIN  # somebody else's message may be missing
    table.all_alive(9000)
    assert certain(table.tell(), "blue") == [None]


def test_a_barrel_whose_cell_is_stuck_cannot_be_felt_either() -> None:
    table = Table()
    for stopper in (4, 5, 6):
        table.alive(stopper, 700, faults=1 << 1)
    table.pad("blue", True, 5000)
    table.all_alive(9000)
    assert placed_at(table.tell(until_ms=8000), "blue")[-1].stopper is None


def test_when_all_are_well_and_none_was_set_down_it_is_not_a_barrel() -> None:
    table = Table()
    table.pad("blue", True, 5000)
    table.all_alive(9000)
    told = table.tell()
    assert placed_at(told, "blue")[-1].confidence < 0.5
    assert certain(told, "blue") == []


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
    table.pad("blue", False, 9000)
    assert takings(table.tell()) == [("blue", 4)]


def test_at_a_seat_without_pad_only_people_can_say_who_stands_there() -> None:
    table = Table()
    table.placed("blue", 4, 5000, pad=False)
    table.placed("green", 8, 6500)
    table.lifted(9, 6000, 900)
    table.set_down(9, 7000)
    assert placed_at(table.tell(), "blue") == []
    state, _ = play(table.seen(), 12_000)
    assert unassigned_set_downs(state) == (9, 4)
    table.settled("blue", 4, 12_500)
    told = table.tell()
    assert certain(told, "blue") == [4]
    assert placed_at(told, "blue")[-1].candidates == (4,)
    table.lifted(4, 15_000, 1000)
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


def test_what_was_settled_ends_when_the_pad_opens() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.settled("blue", 7, 6000)
    table.pad("blue", False, 9000)
    assert takings(table.tell()) == [("blue", 7)]
