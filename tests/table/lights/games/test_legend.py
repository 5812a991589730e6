"""What is said of the lights in the games beside Zapp Zerapp is what they show."""

from dataclasses import replace

import pytest

from companion.core.game import Outcome
from companion.games.blackmore import lights as blackmore_examples
from companion.games.blackmore.lights import EXAMPLE_TRICK
from companion.games.blackmore.rules import Blackmore, Settings
from companion.games.trap_the_wizard import lights as trap_the_wizard_examples
from companion.games.via_magica import lights as via_magica_examples
from companion.games.via_magica.lights import CATCH
from companion.games.via_magica.rules import ViaMagica
from companion.present.lights.example import Example
from companion.present.lights.scenes import meanings
from companion.referee.snapshot import Snapshot
from tests.table.lights.games.tables import Played

EXAMPLES = (
    *trap_the_wizard_examples.EXAMPLES,
    *via_magica_examples.EXAMPLES,
    *blackmore_examples.EXAMPLES,
)


def titles(now: Snapshot) -> list[str]:
    return [one.title.template for one in meanings(now)]


def tricks() -> Played:
    return Played.of(Blackmore(Settings(by_hand=True))).do(*EXAMPLE_TRICK)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.name))
def test_a_scene_looks_as_the_page_about_the_lights_says(example: Example) -> None:
    looks = {one.title.template: one.look.template for one in meanings(example.shown())}
    assert looks[example.meaning.title.template] == example.meaning.look.template


def test_an_animus_that_a_button_offers_is_named_in_place_of_the_portals() -> None:
    table = Played.of(ViaMagica()).do(*CATCH)
    assert titles(table.now) == ["Opened portals"]
    assert titles(table.offering("red", "catch air")) == ["To be confirmed", "The animus"]
    assert titles(table.offering("red", "catch joker")) == ["To be confirmed", "The joker"]


def test_whatever_else_a_button_offers_waits_to_be_confirmed() -> None:
    assert titles(tricks().offering("blue", "keep blue"))[0] == "To be confirmed"
    assert titles(tricks().offering("blue", "change blue red:7"))[0] == "Shall the wheel turn?"


def test_before_the_wheel_is_turned_only_the_turn_is_told() -> None:
    assert titles(Played.of(Blackmore(Settings(by_hand=True))).now) == ["Whose turn it is"]


def test_a_match_that_is_over_tells_of_its_victory_or_of_nothing() -> None:
    now = replace(tricks().now, over=True)
    assert titles(now) == []
    assert titles(replace(now, outcome=Outcome((1,), ()))) == ["Victory"]
