"""Measures a simulated table and writes the recording of it, as a real one gives it away.

.venv/bin/python -m tests.recordings.make kind 1 5 9        # the world, and which stoppers
.venv/bin/python -m tests.recordings.make honest 2 7
.venv/bin/python -m tests.recordings.make phone             # by the page, and a simulated hand
"""

import gzip
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.referee.maintenance_commands import BeginMeasuring
from companion.simulator.live.auto_measure import AutoMeasure
from companion.simulator.live.live import PeriodicTask
from companion.simulator.traits import traits
from companion.web import recording_page
from tests.browser.chromium import FOUND, PHONE, Drawer, Opener, started
from tests.browser.recorded_hand import RecordedHand
from tests.browser.served import Served
from tests.maintenance.benches import opened, wants
from tests.programs import lacking
from tests.scenarios.refereed import Refereed
from tests.web.room import FakeRoom

HERE: Final = Path(__file__).parent
LASTS_S: Final = 1_500.0


def make(world: str, stoppers: tuple[int, ...]) -> bytes:
    """Return the recording of a measure."""
    with TemporaryDirectory() as folder:
        evening = Refereed(Path(folder), guests=False, traits=traits(world))
        with evening:
            evening.plan = replace(evening.plan, simulated=True)
            evening.cut_the_power().wait(4)
            follower = AutoMeasure(evening.sim, lambda: opened(evening).measuring)
            evening.also.append(PeriodicTask(100_000, follower.go))
            assert wants(evening, BeginMeasuring(stoppers)).refused is None
            evening.until(lambda: opened(evening).measuring is None, LASTS_S)
            sys.stdout.write(f"{opened(evening).measured}\n")
            found = evening.table.recording()
    assert found is not None
    return found


def make_by_page() -> bytes:
    """Return what the page for it writes down of a phone, each thing once."""
    recording_page.TIMES = 1  # type: ignore[misc]
    assert FOUND is not None, lacking("chromium")
    with started(FOUND) as browser, Served(FakeRoom()) as served:
        drawer = Drawer(browser)
        page = served.open(Opener(drawer, PHONE)("en-GB"), "/workshop/recording")
        hand = RecordedHand(page)
        hand.agrees()
        hand.records()
        written = hand.saves()
        drawer.put_back()
    return gzip.compress(written, mtime=0)


if __name__ == "__main__":
    named, *chosen = sys.argv[1:]
    if named == "phone":
        (HERE / "phone-simulated-hand.link.gz").write_bytes(make_by_page())
        raise SystemExit
    file = HERE / f"simulated-{named}-{'-'.join(chosen)}.link.gz"
    file.write_bytes(make(named, tuple(map(int, chosen))))
