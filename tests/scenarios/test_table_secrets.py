"""Before the flip nothing that leaves the table depends on which barrel holds which number."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import pytest

from companion.cli.table import SnapshotPrinter
from companion.games.zapp_zerapp.rules import Phase
from companion.present.animations import RecentEvents
from companion.present.fouls import disputed_claims
from companion.present.output import CallbackOutput
from companion.present.terminal import TerminalScreen
from companion.present.viewer import Viewer
from companion.referee.commands import ConfirmDisputed
from companion.referee.events import SUREST
from companion.referee.snapshot import Snapshot, TableEvent
from tests.scenarios.permuted import Told, round_of, swapped
from tests.scenarios.refereed import Refereed


@dataclass(frozen=True, slots=True)
class Heard:
    """All that anybody could get out of a table."""

    snapshots: tuple[str, ...]
    said: str
    bus: tuple[tuple[int, bytes], ...]
    seat_lights: tuple[str, ...]
    moments: str


def listen(folder: Path, labels: dict[int, int], until: Phase) -> Heard:
    """Play the same round at a table that believes these labels, and take down what it tells."""
    folder.mkdir()
    with Refereed(folder, seed=1, seats=2, labels=labels) as evening:
        bus: deque[tuple[int, bytes]] = deque()
        evening.live.outside.bus.log = bus
        lights: list[str] = []
        light, out = evening.table.hardware.seats.set_light, StringIO()

        def shine(colour: str, brightness: float) -> None:
            lights.append(f"{evening.sim.now_us} {colour} {brightness}")
            light(colour, brightness)

        evening.table.hardware.seats.set_light = shine  # type: ignore[method-assign]
        teller = SnapshotPrinter(TerminalScreen(out))
        evening.table.outputs.join(CallbackOutput(teller.tell))
        evening.table.outputs.join(animated := Animated())
        evening.until_phase(until)
        shown = tuple(repr(replace(one, match=str(bool(one.match)))) for one in evening.shown)
        return Heard(shown, out.getvalue(), tuple(bus), tuple(lights), "\n".join(animated.seen))


class Animated(CallbackOutput):
    """All that phones show one after another."""

    def __init__(self) -> None:
        super().__init__(lambda _: None)
        self._recent, self.seen = RecentEvents(), list[str]()

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        self._recent.on_update(snapshot, events)
        self.seen += [repr(self._recent.moments(snapshot, reader)) for reader in READERS]


READERS = (Viewer(), Viewer("de", "red"))
TRUE = {number: number for number in range(1, 14)}
FALSE = {number: 14 - number for number in TRUE}


@pytest.mark.slow
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
    assert one.moments == other.moments
    assert "'foul'" in one.moments


@pytest.mark.slow
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
        evening.table.outputs.join(animated := Animated())
        evening.says("red", "roll 12")
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        evening.people("all flip").rest()
        assert evening.numbers == {"red": labels[8], "blue": labels[4]}
        return [repr(one.view) for one in evening.shown] + animated.seen


def test_what_is_asked_back_before_the_flip_depends_on_no_number(tmp_path: Path) -> None:
    one, other = (
        asked_in_a_round_that_nobody_shakes(tmp_path / name, labels)
        for name, labels in (("one", TRUE), ("other", FALSE))
    )
    assert one == other
    assert [what for what in one if what] == [
        ["The sensors see no barrel in front of Red. Placed anyway?"],
        ["The sensors do not see every barrel upside down. Flipped anyway?"],
    ]


def asked_in_a_round_that_nobody_shakes(folder: Path, labels: dict[int, int]) -> list[list[str]]:
    folder.mkdir()
    found: list[list[str]] = []
    with Refereed(folder, guests=False, labels=labels).begins("red", "blue") as evening:
        evening.says("red", "roll 12")
        evening.wait(2)

        def claims(by: str, text: str) -> None:
            evening.says(by, text)
            found.append([one.question for one in disputed_claims(evening.now, Viewer())])
            evening.says(by, ConfirmDisputed(text))

        claims("red", "place red")
        evening.people("blue lifts 4\nblue shakes 4\nblue places 4").rest()
        assert evening.placed == {"red", "blue"}
        evening.people("blue flips 4").rest()
        claims("red", "flip")
    return found


# --- other stones -----------------------------------------------------------------------------

LATER_US = 60_000  # what is told, at most, because something else rattles: one packet and its step
WAITS_US = 1_100_000  # a stone may decide whether a placing is just certain, or waits to be so


def kinds(told: list[Told]) -> list[object]:
    """Return what was told, without its figures."""
    return [
        (event.placed, [(foul.code, foul.weight, foul.seat) for foul in event.fouls])
        for event in told
    ]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("seed", "few", "many"), [(1, 1, 13), (2, 2, 9)])
def test_other_stones_move_a_figure_by_a_step_and_its_time_by_hardly_more_than_a_packet(
    seed: int, few: int, many: int, tmp_path: Path
) -> None:
    """Sensors feel stones rattle, so this cannot be nothing; the page on sensing says how much."""
    found = []
    for number in (few, many):
        (folder := tmp_path / f"{number}").mkdir()
        found.append(round_of(folder, seed, swapped(number)))
    one, other = found
    assert kinds(one) == kinds(other)
    assert [told.rest for told in one] == [told.rest for told in other]
    assert [foul.times for foul in one[-1].fouls] == [2]  # two looks at one barrel, on one card
    standing: tuple[str, ...] = ()
    for a, b in zip(one, other, strict=True):
        most_us = LATER_US if a.placed == standing else WAITS_US
        assert abs(a.at_us - b.at_us) <= most_us
        standing = a.placed
    for foul, again in zip(one[-1].fouls, other[-1].fouls, strict=True):
        assert abs(foul.percent - again.percent) <= 5
        assert abs(foul.length_ms - again.length_ms) <= 100 * foul.times
        assert foul.percent == SUREST or foul.percent % 5 == 0
        assert foul.length_ms % 100 == 0
        charts = [{point.at_ms: point for point in told.evidence} for told in (foul, again)]
        pairs = [(charts[0][at], charts[1][at]) for at in charts[0].keys() & charts[1].keys()]
        assert len(pairs) > 8
        assert max(abs(a.tilt_deg - b.tilt_deg) for a, b in pairs) <= 5
        assert sum(a != b for a, b in pairs) <= len(pairs) // 5
        for point in (*foul.evidence, *again.evidence):
            assert point.at_ms % 100 == point.tilt_deg % 5 == 0
            assert point.deviation_permille in {0, 250}
