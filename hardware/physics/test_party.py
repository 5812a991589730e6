"""Guests at a simulated table keep to what the table has agreed on."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.core.codec import pack
from companion.core.notation import write
from companion.core.players.levels import EXPERT, GOOD
from companion.games.zapp_zerapp.listening_ai.listener import judge
from companion.games.zapp_zerapp.rules import Colour, Phase, Settings, ZappZerapp
from companion.games.zapp_zerapp.simulated.party import CHEER_US, VISITORS, Party
from companion.referee.commands import DoAction, GiveUp, NewMatch, RollForUs
from companion.referee.events import HouseRules, Roller
from companion.referee.handlers import usual_match
from companion.simulator.ground_truth import What
from companion.system.text import SeatName
from tests.scenarios.refereed import Refereed


@pytest.mark.slow
def test_where_the_companion_rolls_guests_have_it_roll_and_shake_for_that_number(
    tmp_path: Path,
) -> None:
    settings = Settings((Colour.RED, Colour.GREEN))
    with Refereed(tmp_path, seats=2, games=0, guests=False) as evening:
        wish = NewMatch(ZappZerapp.name, pack(settings), HouseRules(roller=Roller.COMPANION))
        assert evening.wait(3.5).says("red", wish).refused is None
        evening.playing = True
        evening.until_phase(Phase.PLACE)
        assert [wish for _, wish in evening.decided[1:]] == [RollForUs()]
        evening.until(lambda: len(evening.placed) == 2)


def test_where_a_person_may_play_the_companion_rolls_for_there_are_no_dice_to_look_at(
    tmp_path: Path,
) -> None:
    with Refereed(tmp_path, seats=2) as evening:
        evening.party = Party(evening.sim, evening.guests, Random(1), 1, SeatName.RED)
        evening.until_phase(Phase.PLACE)
        assert evening.now.house == HouseRules(roller=Roller.COMPANION)
        assert evening.decided[-1][1] == RollForUs()


@pytest.mark.slow
def test_guests_whose_evening_is_over_play_on_when_somebody_begins_another_match(
    tmp_path: Path,
) -> None:
    with Refereed(tmp_path, seats=2) as evening:
        evening.until_phase(Phase.ROLL).says("red", GiveUp())
        evening.wait(1.5 * CHEER_US / 1e6)
        assert not evening.party.go(evening.now, evening.decide)
        assert evening.says("table", usual_match(["red", "blue"])).refused is None
        evening.until_phase(Phase.FLIP)
        assert evening.party.go(evening.now, evening.decide)


@pytest.mark.slow
@pytest.mark.parametrize("level", [GOOD, EXPERT])
def test_guests_of_a_higher_level_make_the_best_move(level: str, tmp_path: Path) -> None:
    with Refereed(tmp_path, seats=2) as evening:
        assert VISITORS.set_level is not None
        VISITORS.set_level(evening.party, level)
        evening.until_phase(Phase.MOVE)
        mover = SeatName(evening.now.view.order[0]).name.lower()
        best = write(judge(evening.now.settings).best(evening.now.seen_by(mover)))
        before = len(evening.decided)
        evening.until(lambda: len(evening.decided) > before)
        assert evening.decided[before][1] == DoAction(best)


def test_zz_10_guests_shuffle_before_each_round_though_no_person_plays(tmp_path: Path) -> None:
    with Refereed(tmp_path, seats=2) as evening:
        shuffled_us = 0
        for round_ in (1, 2):
            evening.until_phase(Phase.PLACE, round_)
            newest = evening.sim.world.truth.of(What.MIXED)[-1]
            assert newest.at_us > shuffled_us
            shuffled_us = newest.until_us


def test_what_a_person_has_placed_is_put_back_and_guests_roll_for_themselves(
    tmp_path: Path,
) -> None:
    with Refereed(tmp_path, seats=2, games=0, guests=False) as evening:
        wish = usual_match(["red", "blue"])
        house = HouseRules(roller=Roller.COMPANION)
        evening.party = Party(evening.sim, evening.guests, Random(1), 0, SeatName.RED)
        evening.guests.make_room(SeatName.RED)
        evening.wait(3.5).people("red lifts 3\n+0.1 red places 3").rest()  # for practice
        assert evening.says("table", replace(wish, house=house)).refused is None
        evening.playing = True
        for round_ in (1, 2):
            evening.until(lambda: evening.guests.world.on_pad(SeatName.RED) is None)
            if evening.view.roller is Colour.RED:
                assert evening.says("red", RollForUs()).refused is None
            evening.until_phase(Phase.PLACE, round_).people(
                "red lifts 1\n+0.1 red places 1"
            ).until_phase(Phase.FLIP, round_)
            evening.people("red flips 1")
            evening.until_phase(Phase.MOVE, round_)
            evening.until(lambda: evening.now.view.turns[0] == Colour.RED)
            assert evening.says("red", DoAction("move red start")).refused is None
            evening.until_phase(Phase.ROLL, round_ + 1)
        evening.until(lambda: evening.guests.world.on_pad(SeatName.RED) is None)
