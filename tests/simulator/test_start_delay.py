"""Guests wait with their first match for a person who may come, and while somebody practises."""

from companion.maintenance.practice import PracticeStep
from companion.maintenance.view import CalibrationShown, MaintenanceDetails
from companion.referee.snapshot import Snapshot
from companion.simulator.guests import NoGuests
from companion.simulator.live.live import CHOOSES_US, COMING_US, StartDelay
from companion.system.text import SeatName

NOTHING, MATCH = Snapshot(-1), Snapshot(0, "m0")


def opened(mark: PracticeStep | None = None, *, practised: bool = False) -> MaintenanceDetails:
    return MaintenanceDetails(
        (), (), CalibrationShown(0, 0, None, (), ()), practice=mark, practised=practised
    )


def test_nobody_comes_so_they_begin_after_a_while() -> None:
    coming = StartDelay(NoGuests(), 0, at_once=False)
    assert coming.waits(NOTHING, opened(), COMING_US - 1)
    assert not coming.waits(NOTHING, opened(), COMING_US)


def test_whoever_sits_down_is_asked_first_and_may_take_time() -> None:
    guests = NoGuests()
    coming = StartDelay(guests, 0, at_once=False)
    guests.make_room(SeatName.RED)
    sat_us = COMING_US // 2
    for at_us in (sat_us, sat_us + CHOOSES_US - 1):
        assert coming.waits(NOTHING, opened(), at_us)
    assert not coming.waits(NOTHING, opened(practised=True), sat_us + 1)
    assert not coming.waits(NOTHING, opened(), sat_us + 2)


def test_they_look_on_for_as_long_as_somebody_practises() -> None:
    coming = StartDelay(NoGuests(), 0, at_once=True)
    assert not coming.waits(NOTHING, opened(), 0)
    assert coming.waits(MATCH, opened(PracticeStep.PLACE), 10 * CHOOSES_US)
    assert not coming.waits(MATCH, opened(practised=True), 10 * CHOOSES_US + 1)


def test_where_a_match_goes_on_nobody_waits() -> None:
    assert not StartDelay(NoGuests(), 0, at_once=False).waits(MATCH, None, 0)


def test_guests_begin_only_when_the_family_has_its_names() -> None:
    coming, now_us = StartDelay(NoGuests(), 0, at_once=False), COMING_US - 1
    assert coming.waits(NOTHING, opened(), 0, ("red",))
    for names in (("red", "Oma"), ("red", "Oma", "Ada"), ("red", "Oma", "Ada", "Ben")):
        assert coming.waits(NOTHING, opened(), now_us, names)
        now_us += CHOOSES_US - 1
        assert coming.waits(NOTHING, opened(), now_us, names)
    assert not coming.waits(NOTHING, opened(), now_us + 1, names)


def test_guests_wait_as_long_as_somebody_sets_up_a_match() -> None:
    coming = StartDelay(NoGuests(), 0, at_once=False)
    for now_us in (0, 10 * CHOOSES_US):
        assert coming.waits(NOTHING, opened(practised=True), now_us, sets_up=True)
    assert coming.waits(NOTHING, opened(), now_us + COMING_US - 1)
    assert not coming.waits(NOTHING, opened(), now_us + COMING_US)
    assert not coming.waits(MATCH, opened(), now_us, sets_up=True)
