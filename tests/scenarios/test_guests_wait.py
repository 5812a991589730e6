"""Guests wait for a person where people would: for a look, for a ruling, and for another match."""

from itertools import pairwise
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Moved, Phase, Settings, ZappZerapp
from companion.games.zapp_zerapp.simulated.guests import RULE_US, watched_s
from companion.present.simulated_hands import Where
from companion.referee.commands import NewMatch, RollForUs, Rule
from companion.referee.events import FoulCost, HouseRules, Roller
from companion.referee.snapshot import Snapshot
from companion.system.text import SeatName
from tests.scenarios.test_hands_at_the_table import NEARLY_HOME, Seated, peeks

RED, BLUE = Colour.RED, Colour.BLUE
PATIENCE_S = 60.0


def in_a_house(evening: Seated, cost: FoulCost) -> Seated:
    """Begin a match with the guest at blue, in which fouls cost that."""
    evening.playing = False
    evening.wait(3.5)
    evening.body.sit()
    agreed = NewMatch(
        ZappZerapp.name, pack(Settings((RED, BLUE))), HouseRules(cost, Roller.COMPANION)
    )
    assert evening.says("red", agreed).refused is None
    evening.playing = True
    evening.party._left = 0
    assert evening.says("red", RollForUs()).refused is None
    return evening


def guests_flipped(evening: Seated) -> bool:
    return any(one.flipped for one in evening.body.table().barrels if one.seat == "blue")


@pytest.mark.slow
def test_one_look_held_again_and_again_is_one_card(tmp_path: Path) -> None:
    with in_a_house(Seated(tmp_path, seed=5), FoulCost.NOTHING) as evening:
        handle = evening.takes_any()
        for _ in range(3):
            held_us = evening.sim.now_us + 3_000_000
            while evening.sim.now_us < held_us:
                evening.does(lambda: evening.body.peek(handle, 0.8))
            evening.wait(2)
        evening.wait(3)
        (card,) = peeks(evening)
        assert card.raised.times >= 2
        assert card.raised.length_ms >= 900 * card.raised.times
        assert card.raised.percent <= 95


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("upheld", [True, False])
def test_guests_do_not_flip_while_a_costly_ruling_is_open(upheld: bool, tmp_path: Path) -> None:
    with in_a_house(Seated(tmp_path, seed=5), FoulCost.SIT_OUT) as evening:
        evening.peeks_for_s = 0.8
        evening.places_one()
        evening.until_phase(Phase.FLIP).wait(PATIENCE_S)
        assert len(peeks(evening)) == 1
        assert not guests_flipped(evening)
        number = peeks(evening)[0].raised.foul
        evening.says("red", Rule(number, upheld, "red" if upheld else None))
        assert (RED in evening.view.out) is upheld
        evening.until(lambda: guests_flipped(evening), 20)


@pytest.mark.slow
def test_where_fouls_cost_nothing_guests_leave_people_time_to_rule_and_then_go_on(
    tmp_path: Path,
) -> None:
    with in_a_house(Seated(tmp_path, seed=5), FoulCost.NOTHING) as evening:
        evening.peeks_for_s = 0.8
        evening.places_one().until(lambda: bool(peeks(evening)), 20)
        raised_us = evening.sim.now_us
        evening.until(lambda: guests_flipped(evening), 60)
        assert evening.sim.now_us - raised_us >= RULE_US


def acts(evening: Seated) -> list[Snapshot]:
    """Return what was published whenever something new had been done."""
    found: list[Snapshot] = []
    for one in evening.shown:
        if one.view is not None and (not found or one.acted > found[-1].acted):
            found.append(one)
    return found


@pytest.mark.slow
def test_a_guest_moves_only_when_what_happened_could_be_seen(tmp_path: Path) -> None:
    with Seated(tmp_path, seed=3) as evening:
        evening.sits()

        def gaps() -> list[tuple[int, float]]:
            return [
                (then.at_us - before.at_us, watched_s(before.happened))
                for before, then in pairwise(acts(evening))
                if any(isinstance(event, Moved) and event.seat != RED for event in then.happened)
            ]

        evening.plays(lambda: len(gaps()) > 1)
        for gap_us, seen_s in gaps():
            assert gap_us >= 1e6 * seen_s


@pytest.mark.slow
def test_another_match_of_the_same_begins_with_the_guests_and_everybody_keeps_the_seat(
    tmp_path: Path,
) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.says("red", NEARLY_HOME)
        evening.plays(lambda: evening.now.over)
        before = evening.now
        assert before.game is not None
        assert before.house is not None
        evening.wait(PATIENCE_S)
        assert evening.now.match == before.match  # it is up to the person
        again = NewMatch(before.game, pack(before.settings), before.house)
        assert evening.says("red", again).refused is None
        evening.plays(lambda: evening.view.phase is Phase.PLACE)
        assert evening.guests.away == evening.guests.wanted == {SeatName.RED}
        assert evening.now.settings == before.settings
        evening.plays(lambda: evening.view.round == 2)
        assert not evening.mine(Where.HAND)
