"""A barrel that lost a stone is told after the round, never on one weight, never by a number."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing import tampering
from companion.sensing.events import BarrelMotion, BarrelMoved, Placed, Taken
from companion.sensing.observations import ChoosingBegan, ChoosingEnded, MeasuredTime
from companion.sensing.settings import Settings
from companion.sensing.tampering import Seen, Suspect, WeightWatch
from companion.sensing.weighing import BarrelWeighed, Mass, Scatter

SETTINGS = Settings()
STONE_MG = 372.0
SHOULD = Mass(24_000.0, 25.0, 4, 3.0)
LIGHT = SHOULD.mg - STONE_MG
BEGIN, END = ChoosingBegan(("red", "blue"), 0), ChoosingEnded(90)


LEARNED = Scatter(20.0, 20)  # set-downs of this cell lie apart as they are said to


def watch(*seen: Seen) -> list[Suspect]:
    state = WeightWatch({1: SHOULD, 2: SHOULD}, STONE_MG, {1: LEARNED})
    found: list[Suspect] = []
    for one in seen:
        state, told = tampering.step(state, one, SETTINGS)
        found += told
    return found


def weighed(mg: float, at: int, sd_mg: float = 50.0, sound: bool = True) -> BarrelWeighed:
    return BarrelWeighed(1, MeasuredTime(at, 0), at, mg, sd_mg, sound, 2100)


def does(doing: BarrelMotion, at: int) -> BarrelMoved:
    return BarrelMoved(1, doing, MeasuredTime(at, 0), sure=True)


def placed(at: int) -> Placed:
    return Placed("red", 1, MeasuredTime(at, 0), 1.0, (1,))


def after_the_round() -> tuple[Seen, ...]:
    """All have placed; red's is flipped, and stands on the plateau again."""
    return (
        END,
        does(BarrelMotion.FLIPPED, 100),
        Taken("red", 1, MeasuredTime(101, 0)),
        does(BarrelMotion.LIFTED, 102),
        does(BarrelMotion.STANDING, 110),
    )


def test_a_lost_stone_is_told_when_the_round_is_over() -> None:
    round_so_far = (BEGIN, weighed(LIGHT, 10), placed(19), weighed(LIGHT, 20))
    assert watch(*round_so_far) == []
    assert watch(*round_so_far, END) == []
    assert watch(*round_so_far, END, does(BarrelMotion.FLIPPED, 100)) == []
    assert watch(*round_so_far, *after_the_round()) == [Suspect(1, 110)]


def test_a_stone_too_many_is_as_suspect() -> None:
    heavy = SHOULD.mg + STONE_MG
    assert watch(BEGIN, weighed(heavy, 10), weighed(heavy, 20), *after_the_round())


def test_it_is_told_once_and_again_only_after_it_was_well() -> None:
    light = (weighed(LIGHT, 10), weighed(LIGHT, 20))
    later = (weighed(LIGHT, 30), weighed(LIGHT, 40))
    well = (weighed(SHOULD.mg, 50), weighed(SHOULD.mg, 55))
    more = tuple(weighed(LIGHT, at) for at in (60, 70, 80))
    told = (*light, BEGIN, *after_the_round())
    assert len(watch(*told, BEGIN, *later, *after_the_round())) == 1
    assert len(watch(*told, BEGIN, *later, *well, *more, *after_the_round())) == 2


@pytest.mark.parametrize(
    "seen",
    [
        (weighed(LIGHT, 10),),  # once
        (weighed(LIGHT, 10), weighed(LIGHT, 10)),  # one set-down, told twice
        (weighed(LIGHT, 10), weighed(SHOULD.mg, 20)),  # something had held it up
        (weighed(LIGHT, 10, 200.0), weighed(LIGHT, 20, 200.0)),  # not sure enough
        (weighed(LIGHT, 10, sound=False), weighed(LIGHT, 20, sound=False)),
        (weighed(LIGHT - 9000, 10), weighed(LIGHT, 20)),  # they do not agree
        (weighed(SHOULD.mg - 0.45 * STONE_MG, 10), weighed(SHOULD.mg - 0.45 * STONE_MG, 20)),
    ],
)
def test_what_is_not_sure_is_not_told(seen: tuple[Seen, ...]) -> None:
    assert watch(BEGIN, *seen, *after_the_round()) == []


def test_a_stopper_that_was_never_enrolled_is_nobodys_suspect() -> None:
    strangers = [
        BarrelWeighed(9, MeasuredTime(at, 0), at, 1.0, 50.0, True, 2100) for at in range(10, 50, 10)
    ]
    assert watch(BEGIN, *strangers, *after_the_round()) == []


def test_what_is_told_bears_no_number_no_weight_and_no_certainty() -> None:
    assert {field.name for field in fields(Suspect)} == {"stopper", "at_us"}


@given(st.floats(10_000.0, 40_000.0), st.integers(2, 6))
def test_nothing_is_told_while_anybody_chooses_or_before_the_flip(mg: float, times: int) -> None:
    seen = [weighed(mg, 10 + at) for at in range(times)]
    assert watch(BEGIN, *seen) == []
    assert watch(BEGIN, *seen, END) == []


@given(st.lists(st.floats(-2.5, 2.5), max_size=8))
def test_a_barrel_that_is_well_is_never_accused(errors: list[float]) -> None:
    seen = [weighed(SHOULD.mg + 50.0 * error, 10 + at) for at, error in enumerate(errors)]
    assert watch(BEGIN, *seen, *after_the_round()) == []
