"""The fouls of hands, counted: what is certain, what is only likely, and what is nothing."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing import events, fouls
from companion.sensing.events import BarrelMotion, BarrelMoved, FoulCode, Placed, Taken, Weight
from companion.sensing.observations import (
    ChoosingBegan,
    ChoosingEnded,
    MeasuredTime,
    StopperMessage,
)
from companion.sensing.quantise import SUREST
from companion.sensing.settings import Settings

SETTINGS = Settings()
TWO = ChoosingBegan(("red", "blue"), 0)
ENDED = ChoosingEnded(5_000_000)


def does(at_s: float, stopper: int, doing: BarrelMotion, *, sure: bool = True) -> BarrelMoved:
    return BarrelMoved(stopper, doing, MeasuredTime(round(at_s * 1e6), 1000), sure)


def airy(at_s: float, stopper: int, load_mg: int = 40) -> StopperMessage:
    at_us = round(at_s * 1e6)
    fields = {"load_max_mg": load_mg}
    return StopperMessage(stopper, "FEATURES", MeasuredTime(at_us, 1000), at_us, 1, 0, fields)


def placed(at_s: float, seat: str, stopper: int, confidence: float = 0.999) -> Placed:
    return Placed(seat, stopper, MeasuredTime(round(at_s * 1e6), 0), confidence, (stopper,))


def taken(at_s: float, seat: str, stopper: int | None) -> Taken:
    return Taken(seat, stopper, MeasuredTime(round(at_s * 1e6), 0))


AWAY = [  # red's barrel leaves its pad, and stands again
    taken(4, "red", 9),
    does(4, 9, BarrelMotion.LIFTED),
    does(4.8, 9, BarrelMotion.STANDING),
]


def judged(seen: Sequence[object], until_s: float) -> list[events.FoulFinding]:
    state, told = fouls.HandFoulState(), list[events.FoulFinding]()
    for one in seen:
        state, found = fouls.step(state, one, SETTINGS)
        told += found
    for tenth in range(round(until_s * 10) + 1):
        state, found = fouls.advance(state, tenth * 100_000, SETTINGS)
        told += found
    return list({finding.number: finding for finding in told}.values())


def lifted(*stoppers: int, at_s: float = 1.0, sure: bool = True) -> list[BarrelMoved]:
    return [does(at_s, stopper, BarrelMotion.LIFTED, sure=sure) for stopper in stoppers]


def test_what_lies_on_the_table_is_in_none_of_four_hands() -> None:
    lies, heard = does(1.2, 5, BarrelMotion.LYING), [airy(2.2, stopper) for stopper in range(1, 6)]
    assert judged([TWO, *lifted(1, 2, 3, 4, 5), lies, *heard], 3) == []


def test_five_in_four_hands_are_too_many() -> None:
    heard = [airy(2.2, stopper) for stopper in range(1, 6)]
    (finding,) = judged([TWO, *lifted(1, 2, 3, 4, 5), *heard], 3)
    assert (finding.foul, finding.weight) == (FoulCode.TOO_MANY_IN_HAND, Weight.FOUL)
    assert finding.stoppers == (1, 2, 3, 4, 5)
    assert finding.confidence == SUREST
    assert finding.seat is None
    assert finding.from_us == 1_000_000


def test_four_in_four_hands_are_not() -> None:
    assert not judged([TWO, *lifted(1, 2, 3, 4), *[airy(2.5, one) for one in range(1, 5)]], 9)


def test_whoever_has_no_cell_may_stand_for_long_and_is_counted_in_no_hand() -> None:
    def begins(stopper: int, can: int) -> StopperMessage:
        return StopperMessage(stopper, "HELLO", MeasuredTime(0, 1000), 0, 1, 0, {"can": can})

    light = [begins(stopper, 0b1110) for stopper in range(1, 6)]
    shaken = [does(1.0, stopper, BarrelMotion.SHAKEN, sure=False) for stopper in range(1, 6)]
    assert not judged([*light, TWO, *shaken], 9)
    assert not judged([*shaken, *light, TWO], 9)
    weighing = [begins(stopper, 0b1111) for stopper in range(1, 6)]
    assert judged([*light, *weighing, TWO, *shaken], 9)


def test_one_that_was_not_heard_since_leaves_it_unsure() -> None:
    heard = [airy(2.2, stopper) for stopper in range(1, 5)]
    (finding,) = judged([TWO, *lifted(1, 2, 3, 4, 5), *heard], 3)
    assert finding.weight is Weight.WARNING
    assert finding.confidence < SUREST


def test_one_that_is_not_surely_in_the_air_leaves_it_unsure() -> None:
    heard = [airy(2.2, stopper) for stopper in range(1, 6)]
    seen = [TWO, *lifted(1, 2, 3, 4), *lifted(5, sure=False), *heard]
    assert [one.weight for one in judged(seen, 3)] == [Weight.WARNING]


def test_taking_one_while_another_is_set_down_is_nothing() -> None:
    swap = [*lifted(5, at_s=2.0), does(2.6, 1, BarrelMotion.STANDING)]
    assert not judged([TWO, *lifted(1, 2, 3, 4), *swap, *[airy(3, n) for n in range(2, 6)]], 5)


def test_whoever_has_placed_shakes_on() -> None:
    heard = [airy(4.0, stopper) for stopper in (1, 2, 3)]
    seen = [TWO, placed(1, "red", 9), *lifted(1, 2, 3, at_s=2.0), *heard]
    (finding,) = judged(seen, 5)
    assert (finding.foul, finding.weight) == (FoulCode.STILL_SHAKING, Weight.FOUL)


def test_a_placing_that_is_not_certain_forbids_nobody_to_shake() -> None:
    heard = [airy(4.0, stopper) for stopper in (1, 2, 3)]
    assert not judged([TWO, placed(1, "red", 9, 0.9), *lifted(1, 2, 3, at_s=2.0), *heard], 5)


def test_a_placed_barrel_that_is_put_back() -> None:
    (finding,) = judged([TWO, placed(0.5, "blue", 3), placed(1, "red", 9), *AWAY], 7)
    assert (finding.foul, finding.weight, finding.seat) == (
        FoulCode.PLACED_BACK,
        Weight.FOUL,
        "red",
    )
    assert (finding.from_us, finding.to_us) == (4_000_000, 4_800_000)


@pytest.mark.parametrize("blue", [[], [placed(2, "blue", 3)]])
def test_while_others_choose_it_may_have_been_theirs_and_names_nobody(blue: list[Placed]) -> None:
    (finding,) = judged([TWO, placed(1, "red", 9), *blue, *AWAY], 7)
    assert (finding.foul, finding.weight, finding.seat) == (FoulCode.PLACED_BACK, Weight.FOUL, None)


def test_a_placed_barrel_that_is_held_is_a_warning() -> None:
    (finding,) = judged([TWO, placed(1, "red", 9), *AWAY[:2]], 7)
    assert finding.weight is Weight.WARNING


def test_a_placed_barrel_that_is_put_straight() -> None:
    assert not judged([TWO, placed(1, "red", 9), *AWAY, placed(4.8, "red", 9)], 7)


def test_a_placed_barrel_that_may_stand_at_a_seat_again_is_nothing_until_people_say() -> None:
    perhaps = Placed("red", 8, MeasuredTime(4_800_000, 0), 0.6, (8, 9))
    put_down = [TWO, placed(1, "red", 9), *AWAY, perhaps]
    assert not judged(put_down, 9)
    assert not judged([*put_down, placed(4.8, "red", 9)], 9)
    (finding,) = judged([*put_down, placed(4.8, "red", 8)], 9)
    assert (finding.foul, finding.weight) == (FoulCode.PLACED_BACK, Weight.FOUL)


def test_what_a_seat_asked_before_a_barrel_was_taken_away_excuses_nothing() -> None:
    asked = Placed("blue", 8, MeasuredTime(2_000_000, 0), 0.6, (8, 9))
    (finding,) = judged([TWO, placed(1, "red", 9), asked, *AWAY], 9)
    assert (finding.foul, finding.weight) == (FoulCode.PLACED_BACK, Weight.FOUL)


def test_a_foul_that_turns_out_doubtful_becomes_a_warning() -> None:
    state, told = fouls.HandFoulState(), list[events.FoulFinding]()
    for one in [TWO, placed(1, "red", 9), *AWAY]:
        state, found = fouls.step(state, one, SETTINGS)
        told += found
    state, found = fouls.advance(state, 9_000_000, SETTINGS)
    late = Placed("blue", None, MeasuredTime(9_000_000, 0), 0.6, ())
    state, corrected = fouls.step(state, late, SETTINGS)
    weights = [(one.number, one.weight) for one in (*told, *found, *corrected)]
    assert weights == [(2, Weight.FOUL), (2, Weight.WARNING)]


def test_a_standing_that_only_follows_from_silence_puts_nothing_back_for_certain() -> None:
    away = [*AWAY[:2], does(5, 9, BarrelMotion.STANDING, sure=False)]
    (finding,) = judged([TWO, placed(1, "red", 9), *away], 9)
    assert finding.weight is Weight.WARNING


def test_after_all_have_placed_barrels_may_go_back() -> None:
    assert not judged([TWO, placed(1, "red", 9), ChoosingEnded(3_000_000), *AWAY], 7)


def test_a_second_one_beside_the_first() -> None:
    at = MeasuredTime(6_000_000, 0)
    second = events.SecondPlaced("red", 9, 5, at)
    (finding,) = judged([TWO, placed(1, "red", 9), placed(2, "blue", 3), second], 9)
    assert (finding.foul, finding.seat, finding.stoppers) == (FoulCode.SECOND_PLACED, "red", (9, 5))
    assert (finding.weight, finding.confidence) == (Weight.FOUL, SUREST)
    (finding,) = judged([TWO, placed(1, "red", 9), second], 9)
    assert (finding.foul, finding.seat) == (FoulCode.SECOND_PLACED, None)  # blue may have erred


def test_a_second_one_after_all_have_chosen_is_nothing() -> None:
    at = MeasuredTime(6_000_000, 0)
    assert not judged([TWO, placed(1, "red", 9), ENDED, events.SecondPlaced("red", 9, 5, at)], 9)


def test_a_second_one_that_is_then_placed_elsewhere_was_put_on_the_wrong_pad() -> None:
    second = events.SecondPlaced("red", 9, 5, MeasuredTime(6_000_000, 0))
    (finding,) = judged([TWO, placed(1, "red", 9), second, placed(7, "blue", 5)], 9)
    assert (finding.foul, finding.weight) == (FoulCode.SECOND_PLACED, Weight.WITHDRAWN)


def carried_over(
    *between: object, seat: str = "blue", from_s: float = 3.5, sure: float = 0.999
) -> list[events.FoulFinding]:
    """Return what is told if red's barrel leaves its pad, and comes to stand at a seat."""
    leaves = [taken(from_s, "red", 9), does(from_s, 9, BarrelMotion.LIFTED)]
    stands = [does(6, 9, BarrelMotion.STANDING), placed(6, seat, 9)]
    return judged([TWO, placed(1, "red", 9, sure), *leaves, *between, *stands], 9)


def test_a_barrel_that_goes_from_one_seat_to_another_is_snatched_and_nobody_is_named() -> None:
    snatched = next(one for one in carried_over() if one.foul is FoulCode.SNATCHED)
    assert (snatched.weight, snatched.stoppers, snatched.seat) == (Weight.FOUL, (9,), None)
    assert (snatched.from_us, snatched.to_us) == (3_500_000, 6_000_000)


@pytest.mark.parametrize(("from_s", "sure"), [(1.5, 0.999), (3.5, 1.0)])
def test_a_moment_on_a_pad_or_mere_words_are_no_sure_snatch(from_s: float, sure: float) -> None:
    findings = carried_over(from_s=from_s, sure=sure)
    snatched = next(finding for finding in findings if finding.foul is FoulCode.SNATCHED)
    assert (snatched.weight, snatched.confidence) == (Weight.WARNING, 0.5)


def test_a_barrel_that_stood_elsewhere_in_between_is_not_snatched() -> None:
    back = [does(4, 9, BarrelMotion.STANDING), does(5, 9, BarrelMotion.LIFTED)]
    assert FoulCode.SNATCHED not in {one.foul for one in carried_over(*back)}


def test_a_barrel_that_comes_back_to_its_own_seat_is_not_snatched() -> None:
    assert FoulCode.SNATCHED not in {one.foul for one in carried_over(seat="red")}


def test_a_second_one_after_the_first_was_taken_away() -> None:
    back = [taken(2, "red", 9), does(2, 9, BarrelMotion.LIFTED)]
    second = [
        does(4, 5, BarrelMotion.LIFTED),
        does(6, 5, BarrelMotion.STANDING),
        placed(6, "red", 5),
    ]
    told = judged([TWO, placed(1, "red", 9), *back, *second], 9)
    assert FoulCode.SECOND_PLACED not in {one.foul for one in told}


def test_a_second_thought_about_the_first() -> None:
    assert not judged(
        [TWO, does(1, 5, BarrelMotion.STANDING), placed(1, "red", 9), placed(1, "red", 5)], 9
    )


@given(st.sets(st.integers(0, 9)))
def test_whatever_is_lost_four_hands_with_four_barrels_are_never_accused(lost: set[int]) -> None:
    """A barrel is taken after another was set down; what tells of that may not arrive."""
    story: list[BarrelMoved | StopperMessage] = [
        *lifted(1, 2, 3, 4),
        does(2, 1, BarrelMotion.STANDING),
        does(3, 5, BarrelMotion.LIFTED),
        *[airy(4.5, stopper) for stopper in (2, 3, 4, 5)],
    ]
    seen = [one for number, one in enumerate(story) if number not in lost]
    for finding in judged([TWO, *seen], 9):
        assert finding.confidence < SUREST


def test_what_led_to_it_is_shown_as_counts_and_not_as_barrels() -> None:
    one_by_one = [does(1 + stopper / 10, stopper, BarrelMotion.LIFTED) for stopper in range(1, 6)]
    heard = [airy(2.9, stopper) for stopper in range(1, 6)]
    (finding,) = judged([TWO, *one_by_one, *heard], 4)
    assert [count.in_air for count in finding.counts] == [0, 1, 2, 3, 4, 5]
    assert [count.at_us for count in finding.counts[1:]] == [one.moment.at_us for one in one_by_one]
    others = [does(1 + place / 10, 14 - place, BarrelMotion.LIFTED) for place in range(1, 6)]
    (other,) = judged([TWO, *others, *[airy(2.9, stopper) for stopper in range(9, 14)]], 4)
    assert other.counts == finding.counts


def test_what_was_long_before_is_not_shown() -> None:
    early = [does(1, 1, BarrelMotion.LIFTED), does(2, 1, BarrelMotion.STANDING)]
    heard = [airy(31.4, stopper) for stopper in range(1, 6)]
    (finding,) = judged([TWO, *early, *lifted(1, 2, 3, 4, 5, at_s=30), *heard], 32)
    assert finding.counts[0] == events.Count(2_000_000, 0, 0)
