"""The load, reading by reading: what a few of them in a row make a stopper believe."""

from __future__ import annotations

from typing import Any

from hardware.emulated.source import load

scale_source = load("stopper.scale")
GRAM = scale_source.COUNTS_PER_G
STEP_MS = 25


class Foot:
    """A scale that is fed a reading every 25 ms."""

    def __init__(self) -> None:
        self.scale: Any = scale_source.Scale(0)
        self.now_ms = 0
        self.told: list[tuple[str, int, int]] = []  # the latest time, and how blind

    def feel(self, load_g: float, milliseconds: int, **how: Any) -> Foot:
        """Let a load rest on it for a while; readings differ a little, as they do."""
        every_ms, spread_g = how.get("every_ms", STEP_MS), how.get("spread_g", 0.01)
        end_ms = self.now_ms + milliseconds
        while self.now_ms < end_ms:
            self.now_ms += every_ms
            raw = round((load_g + spread_g * (self.now_ms // every_ms % 3 - 1) / 2) * GRAM)
            jolt_ms, scale = how.get("jolt_ms", -1000), self.scale
            quiet, tilted = how.get("quiet", True), how.get("tilted", False)
            agitation = how.get("agitation", 0)
            if scale.take(raw, self.now_ms, quiet, tilted, jolt_ms, agitation=agitation):
                name = "SET" if scale.standing.on else "LIFT"
                self.told.append((name, scale.began_ms, scale.blind_ms))
            if scale.fresh:
                scale.fresh = False
                self.told.append(("STILL", self.now_ms, scale.blind_ms))
        return self

    def miss(self, milliseconds: int, every_ms: int = STEP_MS) -> Foot:
        """Let nothing be read for a while."""
        end_ms = self.now_ms + milliseconds
        while self.now_ms < end_ms:
            self.now_ms += every_ms
            self.scale.miss(self.now_ms)
        return self

    def names(self) -> list[str]:
        """Return what was told."""
        return [name for name, _, _ in self.told]


def stood() -> Foot:
    """Return a foot on which a barrel has settled."""
    foot = Foot().feel(26, 2000)
    assert foot.names() == ["STILL"]
    foot.told.clear()
    return foot


def known(foot: Foot) -> Foot:
    """Return a foot once it is known well what it reads when it is empty."""
    return foot.feel(26, 2000).feel(0, 2000)


def test_one_reading_that_is_missing_is_not_an_outage_however_seldom_it_is_read() -> None:
    foot = stood().miss(500, every_ms=500).feel(26, 3000)
    assert foot.names() == []
    foot.miss(500, every_ms=500).feel(0, 500)
    assert [(name, blind_ms) for name, _, blind_ms in foot.told] == [("LIFT", 0)]


def test_steps_that_come_often_find_nothing_new_in_between() -> None:
    foot = stood()
    for _ in range(40):
        foot.miss(20, every_ms=5).feel(26, 5, every_ms=5)
    foot.feel(0, 500)
    assert [(name, blind_ms) for name, _, blind_ms in foot.told] == [("LIFT", 0)]


def test_an_outage_that_begins_in_doubt_reaches_back_to_where_the_doubt_began() -> None:
    foot = stood()
    lifted_ms = foot.now_ms
    foot.feel(0, 58, every_ms=29).miss(1000).feel(0, 500)
    ((name, at_ms, blind_ms),) = foot.told
    assert name == "LIFT"
    assert at_ms - blind_ms <= lifted_ms <= at_ms


def test_doubt_before_an_outage_is_forgotten_in_it() -> None:
    foot = stood().feel(0, 50).miss(1000)
    back_ms = foot.now_ms
    foot.feel(0, 500)
    assert foot.told[0][1] == back_ms + STEP_MS  # and not before it, as if nothing had been
    foot = stood().feel(0, 50).miss(1000).feel(0, 25).feel(26, 300)
    assert foot.names() == []


def test_of_two_outages_before_it_settles_the_first_counts() -> None:
    foot = stood()
    first_ms = foot.now_ms
    foot.miss(1000).feel(26, 300).miss(1000).feel(26, 2000)
    ((name, at_ms, blind_ms),) = foot.told
    assert name == "STILL"
    assert at_ms - blind_ms <= first_ms


def test_what_happens_after_an_outage_is_seen_again() -> None:
    foot = stood().miss(1000).feel(26, 300).feel(0, 1000).feel(26, 2000)
    assert foot.names() == ["LIFT", "SET", "STILL"]
    assert [blind_ms for _, _, blind_ms in foot.told] == [0, 0, 0]


def test_an_outage_in_the_air_is_over_when_it_is_set_down() -> None:
    foot = stood().feel(0, 1000).miss(1000).feel(0, 500).feel(26, 2000)
    assert foot.names() == ["LIFT", "SET", "STILL"]
    assert [blind_ms for _, _, blind_ms in foot.told] == [0, 0, 0]


def test_a_blow_before_an_outage_ends_does_not_date_it() -> None:
    foot = stood().feel(0, 1000).miss(1000)
    back_ms = foot.now_ms
    foot.feel(26, 500, jolt_ms=back_ms - 50)
    assert foot.told[-1][:2] == ("SET", back_ms + STEP_MS)


def test_what_is_shaken_on_the_table_seems_to_lie_and_stands_nevertheless() -> None:
    assert stood().feel(26, 500, quiet=False, tilted=True).names() == []
    assert stood().feel(26, 500, quiet=True, tilted=True).names() == ["LIFT"]


def test_what_a_finger_rests_on_is_not_settled() -> None:
    foot = Foot().feel(26, 4000, spread_g=0.5)
    for tenth in range(60):  # it presses more, and less again
        foot.feel(26 + 0.2 * (tenth // 2 % 2), 100)
    assert foot.names() == []
    assert foot.feel(26, 2000).names() == ["STILL"]


def test_what_music_heaves_settles_at_its_mean() -> None:
    foot = Foot().feel(26, 2000, spread_g=0.3)
    assert foot.names() == ["STILL"]
    assert abs(foot.scale.settled / GRAM - 26) < 0.02
    assert 0.2 < foot.scale.spread / GRAM < 0.301


def test_calm_must_last_before_it_is_weighed() -> None:
    foot = Foot().feel(26, 1000, quiet=False)
    calm_ms = foot.now_ms
    foot.feel(26, 2000)
    ((_, at_ms, _),) = foot.told
    assert 250 + 500 <= at_ms - calm_ms <= 850


def test_a_change_that_is_worth_telling_is_told_either_way() -> None:
    assert stood().feel(26.05, 2000).names() == []
    assert stood().feel(26.3, 2000).names() == ["STILL"]
    assert stood().feel(25.7, 2000).names() == ["STILL"]


def test_a_zero_is_new_once_the_readings_agree_in_the_air_and_hardly_while_they_do_not() -> None:
    foot = stood().feel(0.5, 1000)
    assert abs(foot.scale.empty.zero / GRAM - 0.5) < 0.05
    assert foot.scale.empty.zeroed
    foot = known(stood().feel(0, 2000)).feel(1.5, 1000, spread_g=6)
    assert abs(foot.scale.empty.zero) < 0.2 * GRAM


def test_a_first_zero_makes_it_zeroed() -> None:
    scale = scale_source.Scale(None)
    assert not scale.empty.zeroed
    foot = Foot()
    foot.scale = scale
    foot.feel(1, 1000)
    assert scale.empty.zeroed


def test_what_is_set_down_while_it_swings_is_dated_when_it_touched() -> None:
    foot = known(stood())
    foot.told.clear()
    foot.feel(0, 500)
    touched_ms = foot.now_ms
    foot.feel(26, 150, agitation=2000, quiet=False).feel(26, 300)
    assert foot.names() == ["SET"]
    assert abs(foot.told[0][1] - touched_ms) <= STEP_MS


def test_a_stone_that_rattled_before_the_last_empty_reading_dates_nothing() -> None:
    foot = known(stood())
    foot.told.clear()
    foot.feel(0, 500)
    touched_ms = foot.now_ms
    foot.feel(26, 300, jolt_ms=touched_ms - 60)
    assert foot.told[0][1] >= touched_ms - STEP_MS
