"""A stopper's time becomes the host's, and what is said of the error is true."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import wire
from companion.sensing import clocks
from companion.sensing.clocks import ClockFits
from companion.sensing.observations import Observation, StopperMessage
from companion.sensing.settings import Settings
from tests.sensing.senders import NODE

RULES = Settings()
SECOND = 1_000_000


@dataclass
class Paper:
    """A stopper and a hub whose clocks go wrong by so much, and a host that hears them."""

    ppm: float = 0.0
    hub_ppm: float = 0.0
    began_us: int = 3 * SECOND  # the stopper, on the host's clock
    hub_began_us: int = SECOND
    boot: int = 1

    def __post_init__(self) -> None:
        self.state, self.seq = ClockFits(), 0
        self.rng = Random(1)

    def own_us(self, at_us: float) -> int:
        return round((at_us - self.began_us) * (1 + self.ppm / 1e6))

    def hub_us(self, at_us: float) -> int:
        return round((at_us - self.hub_began_us) * (1 + self.hub_ppm / 1e6))

    def hear(
        self,
        at_us: int,
        *,
        air_us: int = 3_500,
        cable_us: int = 1_300,
        ago_us: int = 0,
        **fields: int,
    ) -> StopperMessage:
        """Let it send at a true time, and tell of something that happened before."""
        self.seq += 1
        if ago_us:
            fields["at_us"] = self.own_us(at_us - ago_us)
        seen = Observation(
            at_us + air_us + cable_us,
            NODE,
            "LIFT" if "at_us" in fields else "FEATURES",
            self.boot,
            self.seq,
            self.own_us(at_us),
            self.hub_us(at_us + air_us),
            -50,
            dict(fields),
        )
        self.state, felt = clocks.step(self.state, seen, 7, RULES)
        return felt

    def settle(self, until_s: int = 10, step_us: int = 250_000) -> None:
        """Let it speak for a while."""
        for at_us in range(4 * SECOND, until_s * SECOND, step_us):
            self.hear(at_us, air_us=2_500 + self.rng.randrange(1_500))


def wrong_us(felt: StopperMessage, true_us: int) -> int:
    return abs(felt.moment.at_us - true_us)


def test_the_first_word_is_worth_little_and_those_after_it_soon_much() -> None:
    paper = Paper()
    first = paper.hear(4 * SECOND)
    assert first.moment.doubt_us >= 300_000  # perhaps it was overtaken by all others
    paper.settle()
    later = paper.hear(10 * SECOND)
    assert later.moment.doubt_us <= 6_000
    later = paper.hear(11 * SECOND)
    assert later.moment.doubt_us <= 11_000  # it may have slept since
    assert wrong_us(later, 11 * SECOND) <= 2_000


@pytest.mark.parametrize("ppm", [-40, 0, 40])
@pytest.mark.parametrize("hub_ppm", [-40, 40])
def test_clocks_that_err_as_much_as_crystals_may_are_followed(ppm: int, hub_ppm: int) -> None:
    paper = Paper(ppm, hub_ppm)
    paper.settle()
    for at_s in range(11, 100, 10):  # it rests, and only its heart beats
        felt = paper.hear(at_s * SECOND)
        assert wrong_us(felt, at_s * SECOND) <= 3_000
        assert felt.moment.doubt_us <= 45_000  # 10 s by a clock that may err by 3,600 ppm


def test_an_event_that_is_sent_again_keeps_its_time() -> None:
    paper = Paper(40)
    paper.settle()
    first = paper.hear(11 * SECOND, ago_us=85_000)
    third = paper.hear(11 * SECOND + 350_000, ago_us=435_000)
    assert wrong_us(first, 11 * SECOND - 85_000) <= 2_000
    assert abs(first.moment.at_us - third.moment.at_us) <= 1_000


def test_what_was_overtaken_is_dated_by_the_others() -> None:
    paper = Paper()
    paper.settle()
    late = paper.hear(10 * SECOND, air_us=200_000)
    assert wrong_us(late, 10 * SECOND) <= late.moment.doubt_us <= 12_000
    assert late.on_the_way_us >= 150_000
    after = paper.hear(10 * SECOND + 250_000)
    assert wrong_us(after, 10 * SECOND + 250_000) <= 2_000


def test_a_host_that_was_busy_does_not_change_what_happened_when() -> None:
    paper = Paper()
    paper.settle()
    for number in range(8):
        at_us = 10 * SECOND + number * 50_000
        felt = paper.hear(at_us, cable_us=500_000 - number * 50_000)
        assert wrong_us(felt, at_us) <= min(felt.moment.doubt_us, 15_000)


def test_words_that_lay_in_a_cable_for_seconds_lead_nobody_astray() -> None:
    paper = Paper()
    paper.settle()
    for at_us in (10 * SECOND, 10 * SECOND + 1_000):
        felt = paper.hear(at_us, cable_us=6 * SECOND)  # read when it was plugged in again
        assert wrong_us(felt, at_us) <= felt.moment.doubt_us
    paper.hub_began_us = 14 * SECOND
    for at_us in range(17 * SECOND, 40 * SECOND, 250_000):
        felt = paper.hear(at_us)
        assert wrong_us(felt, at_us) <= felt.moment.doubt_us
    assert felt.moment.doubt_us <= 6_000


def test_many_words_that_are_a_little_late_make_it_less_sure() -> None:
    paper = Paper()
    paper.settle()
    for at_s in range(10, 200, 10):
        felt = paper.hear(at_s * SECOND, air_us=7_500)  # others always speak just before it
        assert wrong_us(felt, at_s * SECOND) <= felt.moment.doubt_us


@pytest.mark.parametrize("ppm", [300, -300, 20_000, -20_000])
def test_a_crystal_that_breaks_is_doubted_until_it_is_known(ppm: int) -> None:
    paper = Paper()
    paper.settle()
    at_us, own_us = 10 * SECOND, paper.own_us(10 * SECOND)
    paper.ppm, paper.began_us = ppm, at_us - round(own_us / (1 + ppm / 1e6))
    wrong = 0
    for number in range(1, 120):
        felt = paper.hear(at_us + number * 250_000)
        wrong += wrong_us(felt, at_us + number * 250_000) > felt.moment.doubt_us
    assert wrong == 0
    assert felt.moment.doubt_us <= 10_000
    assert wrong_us(felt, at_us + number * 250_000) <= 8_000


def test_a_new_boot_starts_over() -> None:
    paper = Paper()
    paper.settle()
    paper.boot, paper.began_us = 2, 12 * SECOND
    first = paper.hear(13 * SECOND)
    assert wrong_us(first, 13 * SECOND) <= 2_000
    assert first.moment.doubt_us >= 300_000


def test_a_hub_that_restarts_costs_a_second_of_certainty() -> None:
    paper = Paper()
    paper.settle()
    paper.hub_began_us = 12 * SECOND
    unsure = paper.hear(13 * SECOND)
    assert wrong_us(unsure, 13 * SECOND) <= unsure.moment.doubt_us
    for at_us in range(13 * SECOND, 15 * SECOND, 250_000):
        paper.hear(at_us)
    sure = paper.hear(15 * SECOND)
    assert wrong_us(sure, 15 * SECOND) <= sure.moment.doubt_us <= 6_000


def test_the_hub_itself_tells_how_its_clock_goes() -> None:
    said = [
        wire.Said("BEACON", at_us, wire.NAMED["BEACON"].named(hub=b"", channel=1))
        for at_us in range(SECOND, 5 * SECOND, SECOND)
    ]
    state = ClockFits()
    for one in said:
        state = clocks.handle_hub_message(state, one.time_us + 7_000_000 + 300, one, RULES)
    assert state.hub.doubt_us <= 2_000
    hello = wire.NAMED["HUB_HELLO"].named(hub=b"", boot=2, firmware=1, dictionary=b"")
    state = clocks.handle_hub_message(
        state, 20 * SECOND, wire.Said("HUB_HELLO", 10 * SECOND, hello), RULES
    )
    assert state.hub.doubt_us >= 100_000  # a new boot, though its clock shows more than before


def test_a_foot_that_nobody_could_read_may_have_moved_all_that_time() -> None:
    paper = Paper()
    paper.settle()
    felt = paper.hear(10 * SECOND, ago_us=85_000, blind_ms=400)
    assert felt.moment.doubt_us >= 400_000


WORDS = st.tuples(
    st.sampled_from([100_000, 250_000, SECOND, 10 * SECOND]),  # since the one before
    st.integers(900, 6_000),  # in the air, and sealed before
    st.integers(100, 2_300),  # on the cable
    st.sampled_from([0, 0, 0, 0, 0, 20_000, 100_000, 300_000]),  # overtaken
)


@settings(max_examples=60)
@given(st.floats(-40, 40), st.floats(-40, 40), st.lists(WORDS, min_size=10, max_size=60))
def test_the_truth_lies_within_the_doubt_as_long_as_no_two_in_a_row_are_overtaken(
    ppm: float, hub_ppm: float, words: list[tuple[int, int, int, int]]
) -> None:
    paper = Paper(ppm, hub_ppm)
    at_us, before_us = 4 * SECOND, 0
    for pause_us, air_us, cable_us, late_us in words:
        at_us += pause_us
        before_us = 0 if before_us else late_us
        felt = paper.hear(at_us, air_us=air_us + before_us, cable_us=cable_us)
        assert wrong_us(felt, at_us) <= felt.moment.doubt_us
        assert felt.moment.at_us <= felt.heard_us
