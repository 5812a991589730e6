"""What does not work is said, part by part and stopper by stopper, until it works again."""

from __future__ import annotations

from companion.condition import Condition
from companion.referee.journal_state import JournalState
from companion.referee.troubles import Troubles
from companion.say import Text, say
from companion.sensing.ailments import Ailment
from companion.sensing.diagnosing import Cell
from companion.sensing.told import Ails


def sentences(troubles: Troubles) -> list[str]:
    return [str(one) for one in troubles.now]


def test_a_part_is_in_trouble_until_it_is_well() -> None:
    troubles = Troubles()
    troubles.notice(Condition(JournalState.FULL, 1, {"file": "here"}))
    assert len(sentences(troubles)) == 1
    troubles.notice(Condition(JournalState.WRITING, 2, {"file": "here"}))
    assert sentences(troubles) == []


def test_all_that_ails_a_stopper_is_said_and_taken_back_with_it() -> None:
    troubles = Troubles()
    troubles.ails(Ails(7, frozenset({Ailment.BATTERY_LOW, Cell.SILENT}), 1))
    troubles.ails(Ails(2, frozenset({Ailment.SILENT}), 2))
    assert ["7" in one for one in sentences(troubles)] == [False, True, True]
    troubles.ails(Ails(7, frozenset(), 3))
    assert len(sentences(troubles)) == 1


def test_every_ailment_can_be_said_in_german() -> None:
    troubles = Troubles()
    troubles.ails(Ails(7, frozenset({*Ailment, *Cell}), 1))
    assert len(troubles.now) == len(Ailment) + len(Cell)
    for one in troubles.now:
        text = Text(one.state.template, **one.values)
        assert say(text, "de") != say(text, "en")
