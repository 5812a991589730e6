"""What earlier versions wrote is read as they read it, whatever the wire and the files have grown.

In earlier/ lie recordings of the link, a journal and a calibration, written by the version that
heard.json names, and what that version read in them. In earlier/journals lie journals of each game
and of a table with stoppers, some as a kill left them, with what that version exported of them.
Nothing there is ever made again.
"""

import gzip
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from companion.devices.recording import replay
from companion.journal import Journal
from companion.journal.export import export_lines
from companion.referee.calibration_store import CalibrationStore
from companion.referee.replay import replay_steps
from companion.sensing.calibration import Calibration
from companion.sensing.observations import Observation
from companion.sensing.pipeline import Sensing
from companion.sensing.receiver import Receiver
from companion.system.paths import JOURNAL
from rappelwacht_research.sim_driver import STOPPERS
from tests.scenarios.refereed import Refereed

EARLIER = Path(__file__).parent / "earlier"
CALIBRATION = "calibration-000002.json"
TOLD = json.loads((EARLIER / "heard.json").read_text())
JOURNALS = sorted({file.name.split(".")[0] for file in (EARLIER / "journals").iterdir()})
RECORDINGS = tuple(TOLD["recordings"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Provide all of it as it lay on a disk then."""
    shutil.copy(EARLIER / CALIBRATION, tmp_path)
    for file in EARLIER.glob("*.gz"):
        (tmp_path / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
    return tmp_path


def heard(listening: Receiver, file: Path) -> Iterator[Observation]:
    for one in replay(file):
        yield from listening.handle_hub_message(one.at_us, one.said)


def as_text(seen: Observation) -> str:
    """Return what that version knew of it, as one line."""
    known = TOLD["fields"][seen.name].split()
    fields = [f"{name}={_shown(seen.fields[name])}" for name in known]
    sender = (seen.at_us, seen.node.hex(), seen.name, seen.boot, seen.seq, seen.sent_us)
    way = (seen.hub_us, seen.rssi, seen.gap, int(seen.resent))
    return " ".join(map(str, (*sender, *way, *fields)))


def _shown(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_heard_bit_for_bit(name: str, folder: Path) -> None:
    told, listening = TOLD["recordings"][name], Receiver(STOPPERS)
    seen = list(heard(listening, folder / f"{name}.link"))
    assert len(seen) == told["observations"]
    assert sha256("\n".join(map(as_text, seen)).encode()).hexdigest() == told["sha256"]
    assert listening.losses == told["losses"]


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_an_earlier_stopper_could_not_say_reads_0(name: str, folder: Path) -> None:
    for seen in heard(Receiver(STOPPERS), folder / f"{name}.link"):
        later = seen.fields.keys() - TOLD["fields"][seen.name].split()
        assert {seen.fields[name] for name in later} <= {0}


@pytest.mark.parametrize("name", RECORDINGS)
def test_sensing_makes_something_of_it(name: str, folder: Path) -> None:
    sensing = Sensing({node: node[-1] for node in STOPPERS})
    news = [
        one
        for seen in heard(Receiver(STOPPERS), folder / f"{name}.link")
        for one in sensing.handle(seen)
    ]
    does = [type(one).__name__ for one in news]
    assert does.count("BarrelMoved") >= TOLD["recordings"][name]["events"]["LIFT"]


def test_a_journal_is_read_event_by_event(folder: Path) -> None:
    journal = Journal(folder / JOURNAL)
    (match,) = journal.matches()
    events = [
        f"{one.number} {one.at_ms} {one.kind} "
        + sha256(json.dumps(one.body, sort_keys=True).encode()).hexdigest()[:16]
        for one in journal.events(match.id)
    ]
    journal.close()
    assert events == TOLD["journal"]


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_is_exported_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    for file in (EARLIER / "journals").glob(f"{name}.sqlite3*.gz"):
        data = gzip.decompress(file.read_bytes())
        (tmp_path / file.stem.replace(name, "journal")).write_bytes(data)
    journal = Journal(tmp_path / JOURNAL)
    matches = [journal.events(match.id) for match in reversed(journal.matches())]
    journal.close()
    exported = "".join(export_lines(entry for entries in matches for entry in entries))
    told = gzip.decompress((EARLIER / "journals" / f"{name}.jsonl.gz").read_bytes())
    assert exported.encode() == told
    assert all(replay_steps(entries)[1] is None for entries in matches)  # each can be replayed


def test_a_calibration_still_knows_each_barrel_and_what_it_weighs(folder: Path) -> None:
    found = CalibrationStore(folder).newest()
    assert (found.version, found.facts) == (2, ())
    written = json.loads((EARLIER / CALIBRATION).read_text())
    assert isinstance(found.calibration, Calibration)
    for one in written["stoppers"]:
        kept = found.calibration.for_node(one["node"])
        assert kept is not None
        assert (kept.stopper, kept.barrel, kept.read) == (
            one["stopper"],
            one["barrel"],
            one["read"],
        )
        for mass, told in ((kept.empty, one["empty"]), (kept.whole, one["whole"])):
            assert mass is not None
            assert (mass.mg, mass.times) == (told["mg"], told["times"])


def test_a_match_goes_on_where_an_earlier_version_left_it(folder: Path) -> None:
    with Refereed(folder, guests=False) as evening:
        evening.plan = replace(evening.plan, calibration=None)
        evening.cut_the_power().wait(4)
        assert evening.view.round == TOLD["match"]["round"]
        assert evening.view.phase.name == TOLD["match"]["phase"]
        assert evening.numbers == TOLD["match"]["numbers"]
