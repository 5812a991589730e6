"""What is wrong with a stopper is told once, with its cure, and taken back when it is over."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

from companion import wire
from companion.sensing import stopper_faults
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.load_cell_faults import CellFault
from companion.sensing.observations import MeasuredTime, Refused, StopperMessage
from companion.sensing.settings import Settings
from companion.sensing.stopper_faults import BITS, StopperFault, StopperFaults
from tests.sensing.senders import HELLO, LIFE

RULES = Settings()
SECOND = 1_000_000
WELL: set[Enum] = set()


class Ward:
    """One stopper, and all that was told of it."""

    def __init__(self) -> None:
        self.state, self.told, self.now_us, self.boot = StopperFaults(), list[set[Enum]](), 0, 1

    def takes(self, seen: stopper_faults.Seen) -> None:
        self.state, told = stopper_faults.step(self.state, seen, RULES)
        self.told += [set(one.ailments) for one in told]

    def says(self, name: str, **fields: Any) -> Ward:
        self.now_us += SECOND
        event = {"event": self.now_us // SECOND, "spread_mg": 0}
        usual = {"HELLO": HELLO, "HEARTBEAT": LIFE}.get(name, event)
        moment = MeasuredTime(self.now_us, 4_000)
        self.takes(StopperMessage(7, name, moment, self.now_us, self.boot, 0, {**usual, **fields}))
        return self

    def starts(self, after_s: float = 1.0) -> Ward:
        self.now_us += int(after_s * SECOND)
        self.boot += 1
        return self.says("HELLO")


def test_a_healthy_stopper_is_not_talked_about() -> None:
    assert Ward().says("HELLO").says("HEARTBEAT").says("STILL").says("LIFT").told == []


@pytest.mark.parametrize("name", BITS)
def test_each_fault_is_told_once_and_taken_back(name: str) -> None:
    bits = 1 << wire.FAULTS.index(name)
    ward = Ward().says("HEARTBEAT", faults=bits).says("HEARTBEAT", faults=bits)
    (told,) = ward.told
    assert told - {CellFault.SILENT} == {BITS[name]}
    assert ward.says("HEARTBEAT").told[-1] == WELL


def test_an_empty_battery_that_is_being_charged_is_nothing_to_see_to() -> None:
    low = 1 << wire.FAULTS.index("battery-low")
    charging, box = 0b011, 0b001
    assert Ward().says("HEARTBEAT", faults=low, battery_mv=3400, power=charging).told == []
    ward = Ward().says("HEARTBEAT", faults=low, battery_mv=3400, power=box)
    assert ward.told == [{StopperFault.BATTERY_LOW}]


def test_what_lies_on_its_side_is_to_be_picked_up_once_that_is_sure() -> None:
    ward = Ward()
    for doing, sure in (("TILTED", True), ("LYING", False), ("LYING", True), ("LIFTED", True)):
        ward.takes(BarrelMoved(7, BarrelMotion[doing], MeasuredTime(ward.now_us, 0), sure))
    assert ward.told == [{StopperFault.LYING}, WELL]


def test_every_fault_of_the_wire_has_a_sentence_here_or_at_the_load_cell() -> None:
    of_cells = {"load-silent", "load-stuck", "load-saturated"}
    assert set(BITS) | of_cells == set(wire.FAULTS)


def test_several_things_may_be_wrong_at_once() -> None:
    silent = 1 << wire.FAULTS.index("load-silent")
    ward = Ward().says("HEARTBEAT", battery_mv=3400, unheard=2, faults=silent)
    assert ward.told == [{StopperFault.BATTERY_LOW, StopperFault.UNHEARD, CellFault.SILENT}]
    assert ward.says("HEARTBEAT", faults=silent).told[-1] == {CellFault.SILENT}


def test_other_firmware_is_named_until_it_is_flashed_again() -> None:
    ward = Ward().says("HELLO", dictionary=bytes(8))
    assert ward.told == [{StopperFault.OTHER_DICTIONARY}]
    assert ward.starts().told[-1] == WELL


def test_another_version_is_refused_by_name_until_it_is_understood() -> None:
    ward = Ward()
    ward.takes(Refused(7, True, 0))
    ward.takes(Refused(7, True, 1))
    assert ward.told == [{StopperFault.OLD_STOPPER}]
    assert ward.says("HELLO").told[-1] == WELL


def test_silence_is_an_ailment_until_it_is_heard_again() -> None:
    ward = Ward().says("STILL")
    ward.takes(BarrelMoved(7, BarrelMotion.LOST, MeasuredTime(0, 0), sure=False))
    assert ward.told == [{StopperFault.SILENT}]
    ward.takes(BarrelMoved(7, BarrelMotion.STANDING, MeasuredTime(0, 0), sure=False))
    assert ward.told[-1] == WELL


def test_whoever_restarts_in_a_hand_is_to_be_stood_on_the_table() -> None:
    ward = Ward().says("STILL").says("LIFT").starts().says("LIFT")
    assert ward.told == [{StopperFault.IN_HAND}]
    assert ward.says("SET").told[-1] == WELL


def test_whoever_restarts_on_its_head_is_in_nobodys_hand() -> None:
    ward = Ward().says("STILL").says("FLIP").starts().says("FLIP").says("LIFT")
    assert ward.told == []
    assert ward.starts().says("LIFT").told[-1] == {StopperFault.IN_HAND, StopperFault.STARTS_OFTEN}
    assert ward.says("FLIP").told[-1] == {StopperFault.STARTS_OFTEN}


def test_whoever_was_woken_by_a_hand_is_well() -> None:
    assert Ward().says("STILL").starts(after_s=400).says("LIFT").told == []


def test_whoever_starts_again_and_again_has_a_loose_wire() -> None:
    assert Ward().says("HELLO").starts().starts().told == [{StopperFault.STARTS_OFTEN}]
    assert Ward().says("HELLO").starts(400).starts(400).told == []


def test_words_that_were_lost_before_a_start_do_not_count_after_it() -> None:
    ward = Ward().says("HEARTBEAT", unheard=5).starts().says("HEARTBEAT")
    assert ward.told[-1] == WELL
