"""The words of `--world`: kind, honest, or the names of traits."""

from pathlib import Path

import pytest

from companion.i18n.translate import say
from companion.simulator.traits import HONEST, KIND, USUAL, Trait, traits
from companion.system.errors import CompanionError
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable


@pytest.mark.parametrize("trait", Trait)
def test_each_trait_can_be_had_alone(trait: Trait) -> None:
    assert traits(trait.value) == {trait}


def test_words_join_traits_and_all_or_none_have_a_word_of_their_own() -> None:
    assert traits("foot,pads") == {Trait.FOOT, Trait.PADS}
    assert (traits("kind"), traits("honest"), traits(None)) == (KIND, HONEST, USUAL)
    assert set(Trait) == HONEST


@pytest.mark.parametrize("word", ["", "cosy", "foot,", "foot pads"])
def test_another_word_is_refused_with_those_that_there_are(word: str) -> None:
    with pytest.raises(CompanionError) as refused:
        traits(word)
    assert "write kind, honest, or some of foot, gain, mounting" in say(refused.value)


def test_a_table_and_all_its_boards_have_the_same_traits(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 1, traits=traits("foot"))
    assert table.world.traits == {Trait.FOOT}
    assert {board.traits for board in table.stoppers.values()} == {frozenset({Trait.FOOT})}
