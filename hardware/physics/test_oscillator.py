"""Clocks of boards never go back: a tick less would look to firmware like 18 minutes more."""

from companion.simulator.processor import Oscillator


def test_a_clock_does_not_go_back_though_a_step_begins_before_a_sleep_did() -> None:
    now_us = 0
    clock = Oscillator(lambda: now_us, 0.0)
    now_us = 10_000_000
    clock.sleep(3000.0)
    shown_us = clock.us()
    now_us -= 3_000
    clock.sleep(0.0)
    assert clock.us() == shown_us
    now_us += 1_000_000
    assert clock.us() > shown_us
