"""A game brings its lights along; without any it is lit by whose turn it is."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from companion.core.plugin import PLUGINS
from companion.games.zapp_zerapp import rules
from companion.present.lights import legend
from companion.present.lights.canvas import FIELDS
from companion.present.lights.contract import Lights
from companion.present.lights.example import LightExamples, examples
from companion.present.lights.scenes import WAITS_US, meanings
from companion.referee.commands import DoAction
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot
from rappelwacht_research.lights_page import GATES, RING
from tests.table.lights.looking import BLUE, at, city, glow, start

FOREIGN = Snapshot(3, "m", "halma", SimpleNamespace(turns=(BLUE,)), seats=(SeatView("blue"),))


def test_a_game_without_lights_is_lit_by_whose_turn_it_is() -> None:
    assert at(FOREIGN, 0) == {start(BLUE): glow(BLUE, 1.0)}
    assert list(meanings(FOREIGN)) == [legend.TURN]
    violet = replace(FOREIGN, view=SimpleNamespace(turns=(4,)))
    assert list(meanings(violet)) == [legend.ELSEWHERE]


def test_what_its_buttons_offer_waits_to_be_confirmed() -> None:
    offering = SeatView("blue", offers=(ButtonOption(DoAction("jump blue 4")),), lit=0)
    now = replace(FOREIGN, seats=(offering,))
    assert list(meanings(now)) == [legend.WAITS, legend.TURN]
    assert at(now, WAITS_US)[city(BLUE)] == glow(BLUE, 1.0)


def test_given_up_it_leaves_nothing_on_the_board() -> None:
    given_up = replace(FOREIGN, over=True)
    assert at(given_up, 0) == {}
    assert list(meanings(given_up)) == []


@pytest.mark.parametrize("name", PLUGINS)
def test_each_game_of_ours_brings_its_lights_and_examples(name: str) -> None:
    assert PLUGINS[name].part(Lights) is not None
    assert PLUGINS[name].part(LightExamples) is not None


def test_no_two_examples_have_one_name() -> None:
    assert len({example.name for example in examples()}) == len(examples())


def test_the_board_is_painted_as_the_first_ring_of_the_rules() -> None:
    board = next(iter(rules.PRESETS.values()))
    assert (board.ring, board.gates, rules.FIELDS) == (RING, GATES, FIELDS)
