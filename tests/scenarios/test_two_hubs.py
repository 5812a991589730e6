"""A table with two hubs: what one misses the other hears, and a recording has what both heard."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from companion.devices.anonymised_recording import anonymise
from companion.devices.hub_discovery import HubMessage, HubState
from companion.devices.recording import replay
from companion.devices.second_hub import SecondHubState
from companion.games.zapp_zerapp.rules import Phase
from companion.simulator.live.live import stoppers_of
from companion.simulator.run import HUB_TURN, SECOND_TURN
from companion.simulator.traits import KIND, RADIO, Imperfections
from companion.system.status import Status
from tests.scenarios.refereed import Refereed

PLACED = "red places 8\nblue places 4\n"
OUT_S = 25.0  # longer than a round takes from here on


def pull(evening: Refereed, turn: int) -> None:
    """Pull the plug of one hub."""
    evening.sim.cables[turn].unplug()


def plug(evening: Refereed, turn: int) -> None:
    evening.sim.cables[turn].plug()
    evening.sim.hubs[turn].power_on()


def reset(evening: Refereed, turn: int) -> None:
    """Let one hub start over, as it does when its radio takes nothing any more."""
    evening.sim.hubs[turn].reset()


def both(evening: Refereed) -> list[Status]:
    assert evening.table.hardware.hub is not None
    return [condition.state for condition in evening.table.hardware.hub.conditions]


def packets(heard: Iterable[HubMessage]) -> list[bytes]:
    return [one.said.fields.packet for one in heard if one.said.name == "RELAYED"]


WELL = [HubState.PRESENT, SecondHubState.PRESENT]
BREAKS: dict[str, tuple[Callable[[Refereed], None], list[Status]]] = {
    "nothing": (lambda _: None, WELL),
    "the first is unplugged": (
        lambda evening: pull(evening, HUB_TURN),
        [HubState.UNPLUGGED, SecondHubState.PRESENT],
    ),
    "the second is unplugged": (
        lambda evening: pull(evening, SECOND_TURN),
        [HubState.PRESENT, SecondHubState.ABSENT],
    ),
    "the first starts over": (lambda evening: reset(evening, HUB_TURN), WELL),
    "the second starts over": (lambda evening: reset(evening, SECOND_TURN), WELL),
}


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("broken", "traits"),
    [*((broken, KIND) for broken in BREAKS), ("the first is unplugged", RADIO)],
)
def test_one_fails_in_the_middle_of_a_round_and_it_goes_on(
    tmp_path: Path, broken: str, traits: Imperfections
) -> None:
    breaks, states = BREAKS[broken]
    recording, heard = tmp_path / "recording", list[HubMessage]()
    with Refereed(tmp_path, guests=False, traits=traits, hubs=2, record=recording) as evening:
        listens = evening.table.sensing_link.handle_hub_message

        def hears(at_us: int, said: object) -> object:
            heard.append(HubMessage(at_us, said))  # type: ignore[arg-type]
            return listens(at_us, said)  # type: ignore[arg-type]

        evening.table.sensing_link.handle_hub_message = hears  # type: ignore[method-assign,assignment]
        evening.begins("red", "blue")
        assert both(evening) == WELL
        evening.says("red", "roll 9")
        evening.people("red lifts 8\n+0 blue lifts 4\nred shakes 8 for 0.6\n").rest()
        breaks(evening)
        evening.people(PLACED).rest()
        assert both(evening) == states
        assert (evening.view.phase, evening.placed) == (Phase.FLIP, {"red", "blue"})
        evening.people("all flip").rest()
        assert evening.numbers == {"red": 8, "blue": 4}
        for turn in (HUB_TURN, SECOND_TURN):
            if not evening.sim.cables[turn].is_plugged:
                plug(evening, turn)
        evening.says("red", "move red start")
        evening.says("blue", "move blue start")
        evening.people("red puts back 8\nblue puts back 4\n").rest(4)
        assert (evening.view.round, evening.view.phase) == (2, Phase.ROLL)
        assert both(evening) == WELL
        assert (evening.now.fouls, evening.troubles) == ((), [])
        assert evening.table.sensing_link.listening.strangers == 0
    assert recording.read_text("ascii").startswith("rappelwacht link 3\n")
    assert list(replay(recording)) == heard
    assert len(heard) > 100
    (tmp_path / "given").write_bytes(anonymise(recording, stoppers_of(evening.sim)))
    assert packets(replay(tmp_path / "given")) == packets(heard)
