"""An evening that is recorded, by choice: all that was felt is in the file, whatever ends it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Note, RecordingState, replay, replay_all
from companion.present.viewer import Viewer
from companion.sensing.observations import ChoosingBegan, PadChanged
from companion.web.table_page import live
from rappelwacht_research.notes import from_note
from tests.scenarios.refereed import Refereed
from tests.web.room import phones
from tests.web.test_secrets_of_a_table import Stack

TOLD = 'id="recorded"'


def recorded(folder: Path, file: Path) -> Refereed:
    evening = Refereed(folder, guests=False)
    evening.plan = replace(evening.plan, record=file)
    return evening.cut_the_power()


def one_round(evening: Refereed) -> Refereed:
    evening.begins("red", "blue").says("red", "roll 9")
    return evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()


def test_a_recorded_evening_has_all_that_was_heard_and_the_pads_and_phases_between(
    tmp_path: Path,
) -> None:
    with recorded(tmp_path, tmp_path / "evening") as evening:
        one_round(evening)
        frames = evening.table.sensing_link.listening.frames
        torn = (tmp_path / "evening").read_bytes()  # as somebody who kills it leaves it
    (tmp_path / "torn").write_bytes(torn[:-5])
    found = list(replay_all(tmp_path / "torn"))
    relayed = [one for one in found if isinstance(one, HubMessage) and one.said.name == "RELAYED"]
    assert frames - 1 <= len(relayed) <= frames
    seen = [from_note(one.what) for one in found if isinstance(one, Note)]
    pads = {one.colour for one in seen if isinstance(one, PadChanged) and one.occupied}
    assert pads == {"red", "blue"}
    assert next(one.seats for one in seen if isinstance(one, ChoosingBegan)) == ("red", "blue")


def test_the_page_says_that_it_is_recorded_and_no_more_once_the_disk_is_full(
    tmp_path: Path,
) -> None:
    table = Stack(tmp_path / "table", {})
    evening = table.evening
    with evening:
        assert TOLD not in live(phones(room=table), Viewer())
        evening.plan = replace(evening.plan, record=tmp_path / "evening")
        one_round(evening.cut_the_power())
        assert TOLD in live(phones(room=table), Viewer())
        recorder = evening.table.hardware.recorder
        assert recorder is not None
        recorder._fail(OSError(28, "No space left on device"), evening.sim.now_us)
        evening.wait(2)
        assert recorder.condition.state is RecordingState.BROKEN
        assert any("has stopped" in condition for condition in evening.troubles)
        assert TOLD not in live(phones(room=table), Viewer())
        evening.people("all flip").rest()  # the game goes on
    assert list(replay(tmp_path / "evening"))


def test_a_recording_replaces_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = tmp_path / "mine"
    there.write_text("mine")
    for words in ([], ["table"]):
        folder = ["--folder", str(tmp_path / "folder"), "--port", "0"]
        assert main([*words, "--record", str(there), *folder, "--language", "en"]) == 2
        assert "already exists" in capsys.readouterr().err
    assert there.read_text() == "mine"
    words = ["table", "--record", str(tmp_path / "new"), "--folder", str(tmp_path / "folder")]
    assert main([*words, "--language", "en"]) == 2
    assert "has no hub, so" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_note_is_json_of_one_line(tmp_path: Path) -> None:
    with recorded(tmp_path, tmp_path / "evening") as evening:
        one_round(evening)
    lines = (tmp_path / "evening").read_text("ascii").splitlines()
    notes = [line.split(" ", 2)[2] for line in lines if " note " in line]
    assert {json.loads(note)["kind"] for note in notes} >= {"pad", "choosing"}
