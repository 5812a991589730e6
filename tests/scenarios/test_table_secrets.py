"""Before the flip nothing that leaves the table depends on which barrel holds which number."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

from companion.rules.zapp_zerapp import Phase
from companion.simulator.bus import Message
from companion.table_command import Teller
from companion.terminal.screen import Screen
from tests.scenarios.refereed import Refereed


@dataclass(frozen=True, slots=True)
class Heard:
    """All that anybody could get out of a table."""

    snapshots: tuple[str, ...]
    said: str
    bus: tuple[Message, ...]
    seat_lights: tuple[str, ...]


def listen(folder: Path, labels: dict[int, int], until: Phase) -> Heard:
    """Play the same round at a table that believes these labels, and take down what it tells."""
    folder.mkdir()
    with Refereed(folder, seed=1, seats=2, labels=labels) as evening:
        bus: deque[Message] = deque()
        evening.live.outside.bus.log = bus
        lights: list[str] = []
        light, out = evening.table.seats.light, StringIO()

        def shine(colour: str, brightness: float) -> None:
            lights.append(f"{evening.sim.now_us} {colour} {brightness}")
            light(colour, brightness)

        evening.table.seats.light = shine  # type: ignore[method-assign]
        teller = Teller(Screen(out))
        evening.table.watchers.append(teller.tell)
        evening.until_phase(until)
        shown = tuple(repr(replace(one, match=str(bool(one.match)))) for one in evening.shown)
        return Heard(shown, out.getvalue(), tuple(bus), tuple(lights))


TRUE = {number: number for number in range(1, 14)}
FALSE = {number: 14 - number for number in TRUE}


def test_two_tables_that_differ_in_their_numbers_are_the_same_up_to_the_flip(
    tmp_path: Path,
) -> None:
    one = listen(tmp_path / "one", TRUE, Phase.FLIP)
    other = listen(tmp_path / "other", FALSE, Phase.FLIP)
    assert len(one.bus) > 500
    assert "foul" in one.said
    assert one.snapshots == other.snapshots
    assert one.said == other.said
    assert one.bus == other.bus
    assert one.seat_lights == other.seat_lights


def test_what_is_compared_would_show_a_difference(tmp_path: Path) -> None:
    """After the flip all of it differs, so the test above listens at the right places."""
    with_true, with_false = (
        heard_after_a_short_round(tmp_path / name, labels)
        for name, labels in (("one", TRUE), ("other", FALSE))
    )
    assert with_true != with_false


def heard_after_a_short_round(folder: Path, labels: dict[int, int]) -> list[str]:
    folder.mkdir()
    with Refereed(folder, guests=False, labels=labels).begins("red", "blue") as evening:
        evening.says("red", "roll 12")
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        evening.people("all flip").rest()
        assert evening.numbers == {"red": labels[8], "blue": labels[4]}
        return [repr(one.view) for one in evening.shown]
