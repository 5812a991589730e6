"""A table that is switched on again: what was over, what stood on a pad, and whom it has heard."""

import json
from pathlib import Path

import pytest

from companion.devices.stopper_registry import HEARD, load_counters
from companion.games.zapp_zerapp.rules import Phase, View
from companion.journal import NewEntry
from companion.referee.commands import ClearTable, GiveUp, NewMatch, Undo
from companion.simulator.boards import node
from tests.scenarios.players import TRUE, begun, bring_to, finish
from tests.scenarios.refereed import Refereed
from tests.scenarios.test_table_rounds import play_on

SWAP = """
red lifts 8
blue lifts 4
red puts back 8
blue puts back 4
red lifts 4
red places 4
blue lifts 8
blue places 8
"""
CUTS = pytest.mark.parametrize("for_s", [0.0, 3.0], ids=["for-an-instant", "for-a-while"])


def test_a_match_that_was_won_can_be_taken_back_after_a_restart(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False).begins("red", "blue") as evening:
        before: list[View] = []

        def won() -> bool:
            if not evening.now.over:
                before[:] = [evening.view]
            return evening.now.over

        play_on(evening, won)
        won_so = evening.now
        evening.cut_the_power().wait(0.1)
        assert (evening.now.match, evening.now.over) == (won_so.match, True)
        assert (evening.now.summary, evening.view) == (won_so.summary, won_so.view)
        assert evening.offers("red") == [one.wish for one in won_so.seats[0].offers]
        evening.chooses("blue", Undo())
        assert (evening.view, evening.now.over) == (before[0], False)
        evening.cut_the_power()
        assert (evening.view, evening.now.over) == (before[0], False)


@pytest.mark.slow
def test_a_match_that_was_given_up_can_be_taken_back_after_a_restart(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        evening.says("red", "roll 9")
        evening.says("red", GiveUp())
        evening.cut_the_power()
        assert evening.now.over
        assert evening.says("blue", "place blue").refused is not None
        assert evening.says("blue", Undo()).refused is None
        assert (evening.view.phase, evening.now.over) == (Phase.PLACE, False)
        finish(evening)


def test_others_than_before_begin_the_next_match_by_buttons_alone(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        before = evening.now
        assert evening.says("red", ClearTable()).refused is not None  # it is not over
        assert evening.now == before
        evening.says("red", GiveUp())
        evening.cut_the_power().wait(1)
        assert isinstance(evening.offers("red")[0], NewMatch)
        evening.chooses("red", ClearTable())
        assert evening.now.match is None
        evening.press("green").press("yellow").press("yellow", long=True)
        assert [seat.colour for seat in evening.now.seats] == ["green", "yellow"]


@pytest.mark.slow(but=1)
@CUTS
def test_a_barrel_that_stood_on_its_pad_is_read_all_the_same(tmp_path: Path, for_s: float) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.cut_the_power(for_s).wait(5)
        assert (evening.placed, evening.asked) == ({"red"}, set())
        evening.people("blue lifts 4\nblue shakes 4 for 0.5\nblue places 4").rest()
        evening.people("all flip").rest(2)
        assert (evening.view.phase, evening.numbers) == (Phase.MOVE, TRUE)


@pytest.mark.slow(but=1)
@CUTS
def test_all_barrels_that_stood_are_read_where_the_power_was_cut_just_before_the_flip(
    tmp_path: Path, for_s: float
) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.FLIP)
        evening.cut_the_power(for_s).wait(5)
        evening.people("all flip").rest(2)
        assert (evening.view.phase, evening.numbers) == (Phase.MOVE, TRUE)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("meanwhile", "now"),
    [
        (SWAP, {"red": 4, "blue": 8}),
        ("red lifts 8\nred puts back 8\nred lifts 2\nred places 2", {"red": 2, "blue": 4}),
    ],
    ids=["swapped", "another"],
)
def test_barrels_that_were_moved_while_the_pi_slept_get_no_number_that_is_not_on_them(
    tmp_path: Path, meanwhile: str, now: dict[str, int]
) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.FLIP)
        evening.cut_the_power(16, meanwhile).wait(5)
        evening.people("all flip").rest(3)
        assert evening.numbers.items() <= now.items()
        evening.insists("red", "flip")
        assert evening.view.phase in {Phase.SAY, Phase.MOVE}
        assert evening.numbers.items() <= now.items()
        for colour, number in now.items() - evening.numbers.items():
            evening.insists(colour, f"say {colour} {number}")
        assert (evening.view.phase, evening.numbers) == (Phase.MOVE, now)


def test_a_barrel_that_was_lifted_while_the_pi_slept_is_not_believed_to_stand(
    tmp_path: Path,
) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.cut_the_power(4, "red lifts 8").wait(3)
        assert evening.placed == set()


@pytest.mark.slow
def test_another_barrel_that_stands_there_meanwhile_gets_no_wrong_number(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.cut_the_power(12, "red lifts 8\nred puts back 8\nred lifts 2\nred places 2").wait(5)
        evening.people("blue lifts 4\nblue shakes 4 for 0.5\nblue places 4").rest()
        evening.people("all flip").rest(3)
        assert evening.numbers.get("red") in {None, 2}


def test_a_pad_whose_cable_comes_off_is_named_until_it_works_again(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.breaks("absent", part="pads").wait(1.5)
        assert evening.troubles == []  # a barrel that was lifted may tell it later than its pad
        evening.wait(4)
        assert any("red's pad" in condition for condition in evening.troubles), evening.troubles
        assert evening.placed == {"red"}
        evening.breaks("clear").wait(2)
        assert evening.troubles == []


def test_what_was_heard_is_on_the_disk_long_before_the_evening_ends(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        evening.until((tmp_path / HEARD).exists, 40)
        told = json.loads((tmp_path / HEARD).read_text("utf-8"))  # no secret and no key
        assert all(isinstance(number, int) for pair in told.values() for number in pair)
        first = load_counters(tmp_path, evening.plan.stoppers)
        assert len(first) == 13
        evening.until(lambda: load_counters(tmp_path, evening.plan.stoppers) != first, 40)
        boot, seq = load_counters(tmp_path, evening.plan.stoppers)[node(1)]
        assert (boot, seq) > first[node(1)]
        evening.cut_the_power().wait(12)
        assert not evening.table.sensing_link.listening.losses["replayed"]


def test_a_disk_that_cannot_be_written_holds_up_nobody(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        (tmp_path / HEARD).unlink(missing_ok=True)
        (tmp_path / HEARD).mkdir()
        evening.wait(45)
        bring_to(evening, Phase.FLIP)
        assert (tmp_path / HEARD).is_dir()


def test_a_finished_match_that_nobody_understands_any_more_keeps_no_table_from_starting(
    tmp_path: Path,
) -> None:
    with begun(tmp_path) as evening:
        evening.says("red", GiveUp())
        evening.table.journal.start(NewEntry("from-the-future", {}, ends=True))
        evening.cut_the_power()
        assert evening.now.match is None
        evening.begins("red", "blue")
        assert evening.view.phase is Phase.ROLL
