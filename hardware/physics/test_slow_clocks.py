"""Boards that take their time and sleep by a clock that errs: what is said of the error is true."""

from bisect import bisect_right
from pathlib import Path

import pytest

from companion.devices.recording import replay
from companion.sensing import clocks
from companion.sensing.clocks import ClockFits
from companion.sensing.observations import StopperMessage
from companion.sensing.receiver import Receiver
from companion.sensing.settings import Settings
from companion.simulator.boards import TICKS
from companion.simulator.processor import Oscillator
from companion.simulator.traits import traits
from rappelwacht_research.sim_driver import STOPPERS
from tests.scenarios.evenings import Told

RULES = Settings()
SEEDS = (1, 2, 3)
PAUSES = (0.3, 2, 14, 1, 35)
SHAKES = (0.4, 1.5, 3, 0.8)
EVENTS = ("LIFT", "SET", "STILL")
Leg = tuple[int, int, float]  # from when a clock goes so fast: its own time, the true one, the rate


def script(handlings: int) -> str:
    """Return short and long ones after short and long rests."""
    lines = ["6 kick"]
    for number in range(handlings):
        who, barrel = ("blue", "red", "green", "yellow")[number % 4], number * 5 % 13 + 1
        lines.append(f"+{PAUSES[number % 5]} {who} lifts {barrel}")
        lines.append(f"{who} shakes {barrel} for {SHAKES[number % 4]}")
        lines.append(f"{who} puts back {barrel}")
    return "\n".join(lines)


@pytest.fixture
def legs(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[Leg]]:
    """Return how each clock went."""
    found: dict[int, list[Leg]] = {}

    def note(clock: Oscillator) -> None:
        rate = 1 + (clock.ppm + clock.asleep_ppm) / 1e6
        found.setdefault(id(clock), []).append((clock.shown_us, clock.since_us, rate))

    def sleep(clock: Oscillator, ppm: float) -> None:
        asleep(clock, ppm)
        note(clock)

    def restart(clock: Oscillator) -> None:
        restarted(clock)
        found[id(clock)] = []
        note(clock)

    asleep, restarted = Oscillator.sleep, Oscillator.restart
    monkeypatch.setattr(Oscillator, "sleep", sleep)
    monkeypatch.setattr(Oscillator, "restart", restart)
    return found


def true_us(course: list[Leg], own_us: int) -> int:
    own, true, rate = course[max(bisect_right(course, (own_us, 1 << 62, 0.0)) - 1, 0)]
    return round(true + (own_us - own) / rate)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_truth_lies_within_the_doubt_though_clocks_sleep_and_steps_take_their_time(
    tmp_path: Path, legs: dict[int, list[Leg]], seed: int
) -> None:
    told = Told(tmp_path, script(40), seed, traits=traits("steps,sleep")).play()
    ear, state = Receiver(STOPPERS), ClockFits()
    felt_ones = list[tuple[StopperMessage, int]]()
    for heard in replay(tmp_path / "recording"):
        if heard.said.name != "RELAYED":
            state = clocks.handle_hub_message(state, heard.at_us, heard.said, RULES)
        for seen in ear.handle_hub_message(heard.at_us, heard.said):
            state, felt = clocks.step(state, seen, seen.node[-1], RULES)
            board = told.table.stoppers[felt.stopper]
            if seen.boot != board.stopper.memory.boot:
                continue  # its clock started over since
            began_us = board.stopper.clock.last - board.stopper.clock.us & TICKS
            own_us = int(felt.fields.get("at_us", seen.sent_us)) + began_us
            error_us = felt.moment.at_us - true_us(legs[id(board.oscillator)], own_us)
            felt_ones.append((felt, abs(error_us)))
    assert len(felt_ones) > 1_000
    outside = [one for one, error_us in felt_ones if error_us > one.moment.doubt_us]
    assert len(outside) <= len(felt_ones) / 1_000
    events = sorted(one.moment.doubt_us for one, _ in felt_ones if one.name in EVENTS)
    assert events[len(events) // 2] <= 12_000
