"""At the simulated table: when things happened, against its true clock, and the doubt of it."""

from pathlib import Path
from typing import Final

import pytest

from companion.devices.recording import replay
from companion.sensing import clocks
from companion.sensing.clocks import ClockFits
from companion.sensing.receiver import Receiver
from companion.sensing.settings import Settings
from companion.simulator.radio import Weather
from companion.simulator.traits import KIND
from rappelwacht_research.sim_driver import STOPPERS
from tests.scenarios.evenings import CLEAR, Told

RULES = Settings()
STORM: Final = Weather(0.3, 0.02, 0.02)
CRYSTALS: Final = KIND  # nothing else errs; what steps and sleeps do to times: test_slow_clocks
MOVES: Final = """
4 fault drift 7 {ppm} ppm
+1 blue lifts 7
+0 red lifts 3
+0 green compares 5 11 for 2
blue shakes 7 for 2
red shakes 3 for 2
blue places 7
red puts back 3
kick
+12 yellow lifts 7
yellow carries 7 for 8
"""


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("weather", "ppm"), [(CLEAR, 0), (STORM, 0), (CLEAR, 200), (STORM, -200)])
def test_the_truth_lies_within_the_doubt_and_the_doubt_is_small(
    tmp_path: Path, weather: Weather, ppm: int
) -> None:
    script = MOVES.format(ppm=ppm)
    told = Told(tmp_path, script, 5, weather=weather, traits=CRYSTALS).play()
    ear, state, errors, doubts = Receiver(STOPPERS), ClockFits(), list[int](), list[int]()
    outside = 0
    for heard in replay(tmp_path / "recording"):
        if heard.said.name != "RELAYED":
            state = clocks.handle_hub_message(state, heard.at_us, heard.said, RULES)
        for seen in ear.handle_hub_message(heard.at_us, heard.said):
            state, felt = clocks.step(state, seen, seen.node[-1], RULES)
            oscillator = told.table.stoppers[felt.stopper].oscillator
            own_us = int(felt.fields.get("at_us", seen.sent_us)) - oscillator.shown_us
            if own_us < 0:
                continue  # before it drifted
            true_us = oscillator.since_us + oscillator.true_us(own_us)
            error_us = abs(felt.moment.at_us - true_us)
            outside += error_us > felt.moment.doubt_us
            if felt.heard_us > 6_000_000:
                errors.append(error_us)
                doubts.append(felt.moment.doubt_us)
    assert len(errors) > 100
    assert outside == 0
    assert sorted(doubts)[len(doubts) // 2] <= 10_000  # a pad closes up to 30 ms sooner or later
    assert sorted(errors)[len(errors) * 99 // 100] <= 5_000
