"""What does not work is said, part by part and stopper by stopper, until it works again."""

import pickle
import re

from companion.devices.pin_state import PartState
from companion.i18n.translate import say
from companion.journal import JournalState
from companion.referee.faults import FaultBoard, TableFault, without_stopper_names
from companion.sensing.events import FaultsChanged
from companion.sensing.load_cell_faults import CellFault
from companion.sensing.stopper_faults import StopperFault
from companion.system.status import Condition
from companion.system.text import Text


def sentences(troubles: FaultBoard) -> list[str]:
    return [str(condition) for condition in troubles.conditions]


def test_a_part_is_in_trouble_until_it_is_well() -> None:
    troubles = FaultBoard()
    troubles.handle_condition(Condition(JournalState.FULL, 1, {"file": "here"}))
    assert len(sentences(troubles)) == 1
    troubles.handle_condition(Condition(JournalState.WRITING, 2, {"file": "here"}))
    assert sentences(troubles) == []


def test_what_is_the_same_of_all_pins_is_said_once() -> None:
    troubles = FaultBoard()
    for part in ("pad of red", "light of red"):
        values = {"part": part, "pin": 17}
        troubles.handle_condition(Condition(PartState.NOT_INSTALLED, 1, values))
    assert len(sentences(troubles)) == 1
    troubles.handle_condition(Condition(PartState.WORKING, 2, {"part": "pad of red", "pin": 17}))
    assert len(sentences(troubles)) == 1


def test_all_that_ails_a_stopper_is_said_and_taken_back_with_it() -> None:
    troubles = FaultBoard()
    troubles.handle_faults(
        FaultsChanged(7, frozenset({StopperFault.BATTERY_LOW, CellFault.SILENT}), 1)
    )
    troubles.handle_faults(FaultsChanged(2, frozenset({StopperFault.SILENT}), 2))
    assert ["7" in sentence for sentence in sentences(troubles)] == [False, True, True]
    troubles.handle_faults(FaultsChanged(7, frozenset(), 3))
    assert len(sentences(troubles)) == 1


def test_every_ailment_can_be_said_in_german() -> None:
    troubles = FaultBoard()
    troubles.handle_faults(FaultsChanged(7, frozenset({*StopperFault, *CellFault}), 1))
    assert len(troubles.conditions) == len(StopperFault) + len(CellFault)
    for condition in troubles.conditions:
        text = Text(condition.state.template, **condition.values)
        assert say(text, "de") != say(text, "en")


def test_troubles_can_be_sent_to_another_process() -> None:
    troubles = FaultBoard()
    troubles.handle_faults(
        FaultsChanged(7, frozenset({StopperFault.BATTERY_LOW, CellFault.SILENT}), 1)
    )
    troubles.handle_suspect(2)
    troubles.handle_condition(Condition(JournalState.FULL, 1, {"file": "here"}))
    assert pickle.loads(pickle.dumps(troubles.conditions)) == troubles.conditions  # noqa: S301 - pickled by this test


def test_no_stopper_is_named_while_barrels_are_sealed_and_each_thing_is_said_once() -> None:
    troubles = FaultBoard()
    troubles.handle_condition(Condition(JournalState.FULL, 1, {"file": "here"}))
    for stopper in (3, 7):
        troubles.handle_faults(FaultsChanged(stopper, frozenset({StopperFault.BATTERY_LOW}), 2))
    full, battery, later = without_stopper_names(troubles.conditions)
    assert "here is full" in str(full)
    assert (battery.values["stopper"], later.state) == (None, TableFault.UNNAMED)
    assert without_stopper_names(troubles.conditions[:1]) == troubles.conditions[:1]


def test_a_stopper_that_may_not_be_named_is_a_stopper_in_every_sentence() -> None:
    troubles = FaultBoard()
    troubles.handle_faults(FaultsChanged(7, frozenset({*StopperFault, *CellFault}), 1))
    for one, secret in zip(
        troubles.conditions, without_stopper_names(troubles.conditions), strict=False
    ):
        for language, numbered, without in (
            ("en", r"\b[Ss]topper 7\b", r"\b[Aa] stopper\b"),
            ("de", r"\bStopfen 7\b", r"\b([Ee]in Stopfen|eines Stopfens)\b"),
        ):
            open_, told = (
                say(Text(each.state.template, **each.values), language) for each in (one, secret)
            )
            assert re.search(numbered, open_), open_
            assert re.search(without, told), told
            assert not re.search(r"\b7\b|[?{}|=]", told), told


def test_a_suspect_barrel_is_said_without_which_until_all_are_well_again() -> None:
    troubles = FaultBoard()
    assert not troubles.clear_suspect()
    troubles.handle_suspect(1)
    troubles.handle_suspect(2)
    [said] = sentences(troubles)
    assert not any(character.isdigit() for character in said)
    assert troubles.clear_suspect()
    assert sentences(troubles) == []
