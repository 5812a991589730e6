"""What a barrel does follows from what its stopper says, and from what is missing of that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from companion import wire
from companion.sensing import tracking
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import MeasuredTime, StopperMessage
from companion.sensing.settings import Settings
from companion.sensing.tracking import TABLE, Tracking

RULES = Settings()
SECOND = 1_000_000
STANDS = {"load_min_mg": 24_000, "load_max_mg": 26_000, "tilt_max_cdeg": 100}
CALM = {"load_min_mg": -10, "load_max_mg": 10, "tilt_max_cdeg": 2_000}
SHAKES = {**CALM, "shake_rms_permille": 2_000, "tilt_max_cdeg": 6_500}
EVENTS = {"TILT": {"tilt_cdeg": 9_000, "deviation_permille": 30}}
STUCK = 1 << wire.FAULTS.index("load-stuck")


@dataclass
class Stopper:
    """One stopper and what was told of its barrel; each thing happens half a second later."""

    state: Tracking = field(default_factory=Tracking)
    told: list[BarrelMoved] = field(default_factory=list)
    now_us: int = 0
    event: int = 0
    boot: int = 1

    def says(self, name: str, *, gap: int = 0, **fields: Any) -> Stopper:
        self.now_us += SECOND // 2
        self.hear(self.message(name, gap=gap, **fields))
        return self

    def message(self, name: str, *, gap: int = 0, **more: Any) -> StopperMessage:
        if name == "FEATURES":
            more = {"span_ms": 250, "shake_rms_permille": 100, "tilt_min_cdeg": 0, **more}
        elif name == "HEARTBEAT":
            more = {"faults": 0, **more}
        else:
            self.event += 1
            more = {"event": self.event & 0xFFFF, **EVENTS.get(name, {}), **more}
        resent, late_us = more.pop("resent", False), more.pop("late_us", 0)
        moment = MeasuredTime(self.now_us - 100_000, 4_000)
        return StopperMessage(
            7, name, moment, self.now_us, self.boot, gap, more, resent, on_the_way_us=late_us
        )

    def hear(self, felt: StopperMessage) -> None:
        self.state, told = tracking.step(self.state, felt, RULES)
        self.told += told

    def waits(self, seconds: float) -> Stopper:
        self.now_us += int(seconds * SECOND)
        self.state, told = tracking.advance(self.state, self.now_us, RULES)
        self.told += told
        return self

    @property
    def does(self) -> tuple[str, bool]:
        barrel = self.state.barrels[7]
        return barrel.doing.value, barrel.sure


def test_the_table_knows_what_follows_everywhere() -> None:
    cues = {cue for _, cue in TABLE}
    assert len(TABLE) == len(BarrelMotion) * len(cues)
    assert {cue for cue in cues if cue.isupper()} <= set(wire.NAMED)


def test_a_whole_round_is_told_with_certainty() -> None:
    barrel = Stopper().says("STILL").says("LIFT").says("FEATURES", **SHAKES)
    barrel.says("FEATURES", **CALM).says("TILT").says("UPRIGHT").says("SET").says("STILL")
    barrel.says("LIFT").says("TILT").says("FLIP").says("UPRIGHT").says("SET")
    assert [one.doing.value for one in barrel.told] == [
        *("standing", "lifted", "shaken", "lifted", "tilted", "lifted", "standing"),
        *("lifted", "tilted", "flipped", "lifted", "standing"),
    ]
    assert all(one.sure for one in barrel.told)


LIES = {
    "load_min_mg": -10,
    "load_max_mg": 10,
    "tilt_min_cdeg": 8_910,
    "tilt_max_cdeg": 8_930,
    "shake_rms_permille": 12,
}


def test_what_lies_as_still_as_nothing_but_a_table_keeps_it_is_in_nobodys_hand() -> None:
    barrel = Stopper().says("STILL").says("LIFT").says("TILT")
    assert barrel.says("FEATURES", **LIES).does == ("lying", False)
    assert barrel.says("FEATURES", **LIES).does == ("lying", True)
    assert barrel.waits(100).does == ("lost", False)
    barrel.says("HEARTBEAT")
    for held in ({"tilt_min_cdeg": 8_850}, {"shake_rms_permille": 80}, {"tilt_max_cdeg": 9_990}):
        picked_up = (
            Stopper().says("STILL").says("LIFT").says("TILT").says("FEATURES", **LIES | held)
        )
        assert picked_up.does == ("tilted", True)
    assert Stopper().says("STILL").says("FEATURES", **LIES | STANDS).does == ("standing", True)
    blind = Stopper().says("HEARTBEAT", faults=STUCK).says("TILT").says("FEATURES", **LIES)
    assert blind.says("FEATURES", **LIES).does == ("lying", True)


def test_a_barrel_that_was_only_heard_to_live_is_unknown() -> None:
    assert Stopper().says("HEARTBEAT").does == ("unknown", False)


def test_after_a_reboot_it_is_unknown_until_it_tells() -> None:
    barrel = Stopper().says("STILL")
    barrel.boot = 2
    assert barrel.says("HEARTBEAT").does == ("unknown", False)
    barrel.event = 0
    assert barrel.says("LIFT").does == ("lifted", True)


def test_until_its_cell_has_read_anything_nobody_takes_a_barrel_for_lifted() -> None:
    nothing = {**CALM, "load_mg": 0, "load_min_mg": 0, "load_max_mg": 0}
    barrel = Stopper().says("FEATURES", **nothing).says("FEATURES", **nothing)
    assert barrel.does == ("unknown", False)
    assert barrel.told == []
    assert barrel.says("FEATURES", **CALM).does == ("lifted", False)


def test_a_lift_that_was_lost_follows_from_what_it_shows_but_is_not_sure_at_once() -> None:
    barrel = Stopper().says("STILL")
    assert barrel.says("FEATURES", gap=3, **CALM).does == ("lifted", False)
    assert barrel.says("FEATURES", **CALM).does == ("lifted", True)


def test_a_moment_that_is_no_more_known_is_not_told_as_if_it_were() -> None:
    barrel = Stopper().says("SET").says("FEATURES", gap=3, shake_rms_permille=0, **{
        **STANDS, "load_min_mg": 0})  # fmt: skip
    assert barrel.does == ("standing", False)
    barrel.says("FEATURES", **STANDS)
    assert barrel.told[-1].sure
    assert barrel.told[-1].moment.at_us > 1_200_000  # it may have been lifted in between


def test_shaking_shows_even_where_the_load_cannot_be_believed() -> None:
    barrel = Stopper().says("STILL").says("HEARTBEAT", faults=STUCK)
    assert barrel.does == ("standing", False)
    assert barrel.says("FEATURES", **{**SHAKES, **STANDS}).does == ("shaken", False)
    assert barrel.says("FEATURES", **STANDS).does == ("shaken", False)  # who knows where
    assert barrel.says("TILT").does == ("tilted", True)


def test_a_table_that_is_kicked_shakes_no_barrel() -> None:
    kick = {**STANDS, "load_min_mg": 300, "shake_rms_permille": 1_100}
    assert Stopper().says("STILL").says("FEATURES", **kick).does == ("standing", True)


def test_what_was_overtaken_by_newer_events_changes_nothing() -> None:
    barrel = Stopper().says("STILL")
    late = barrel.message("LIFT")
    barrel.says("SET")
    barrel.hear(late)
    assert barrel.does == ("standing", True)
    barrel.hear(barrel.message("FEATURES", late_us=200_000, **CALM))
    assert barrel.does == ("standing", True)


def test_event_numbers_start_over() -> None:
    barrel = Stopper(event=0xFFFE).says("LIFT").says("SET")
    assert barrel.event == 0x10000
    assert barrel.does == ("standing", True)


@pytest.mark.parametrize("gap", [1, 2, 3])
def test_packets_that_are_missing_make_unsure_until_it_is_clear_that_none_was_an_event(
    gap: int,
) -> None:
    barrel = Stopper().says("STILL")
    assert barrel.says("HEARTBEAT", gap=gap).does == ("standing", False)
    barrel.waits(9.5)
    assert barrel.says("HEARTBEAT").does == ("standing", gap < wire.TRIES)


def test_a_second_try_does_not_say_what_was_lost_since_the_first() -> None:
    barrel = Stopper().says("STILL")
    assert barrel.says("LIFT", gap=2, resent=True).does == ("lifted", False)
    assert barrel.says("SET", gap=2).does == ("standing", True)


def test_a_tilt_that_a_hard_landing_may_have_shown_is_not_sure() -> None:
    barrel = Stopper().says("LIFT")
    assert barrel.says("TILT", tilt_cdeg=6_200, deviation_permille=80).does == ("tilted", False)


def test_whoever_is_silent_is_lost_and_when_heard_again_what_it_was_but_unsure() -> None:
    barrel = Stopper().says("LIFT").waits(24)
    assert barrel.does == ("lifted", True)
    assert barrel.waits(2).does == ("lost", False)
    assert barrel.says("HEARTBEAT", gap=2).does == ("lifted", False)
    assert barrel.says("SET").does == ("standing", True)


@pytest.mark.parametrize(("rests", "does"), [("STILL", "standing"), ("FLIP", "flipped")])
def test_whoever_rested_for_five_minutes_sleeps_and_is_not_lost(rests: str, does: str) -> None:
    barrel = Stopper().says(rests)
    for _ in range(31):
        barrel.waits(9.5).says("HEARTBEAT")
    assert barrel.waits(3600).does == (does, False)


def test_nothing_is_told_twice() -> None:
    barrel = Stopper().says("STILL").says("SET").says("FEATURES", **STANDS).waits(1).waits(1)
    assert len(barrel.told) == 1
