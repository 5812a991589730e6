"""Every recording of a phone is played into a stopper, and judged by its labels."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Note, replay_all
from companion.devices.stopper_registry import simulated_stopper
from companion.maintenance.measurement import MeasuredTable
from companion.sensing.settings import BARRELS, Settings
from companion.system.errors import CompanionError
from companion.web.recording_page import TASKS
from rappelwacht_research.phone_recordings import lying_of, played, samples
from rappelwacht_research.tune import items, judged

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("phone-*.link*"))
OF_EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
ANYBODYS = {one.node: one for one in map(simulated_stopper, range(1, BARRELS + 1))}
NOTES = {  # nothing else stands in one, so that no name nor place can
    "about": {"kind", "licence", "simulated", "saved", "stoppers"},
    "phone": {"kind", "model", "rate_hz", "by_hand", "down", "up"},
    "choosing": {"kind", "seats", "at_us"},
    "felt": {"kind", "samples"},
    "chosen": {"kind", "at_us"},
    "done": {"kind", "task", "stopper", "seat", "from_us", "to_us", "noticed"},
    "again": {"kind"},
}
LAID = {"kind": "phone", "model": "", "rate_hz": 60, "by_hand": False}
LAID |= {"down": [0, 0, -9.8], "up": [0, 0, 9.8]}


@cache
def result(file: Path) -> MeasuredTable:
    found = judged(items(file, ANYBODYS), ANYBODYS, Settings())
    assert found is not None
    return found


def notes(file: Path) -> list[Note]:
    return [one for one in replay_all(file) if isinstance(one, Note)]


def test_there_is_one() -> None:
    assert FILES


@OF_EACH
def test_what_is_in_it_is_what_the_format_says_and_nothing_else(file: Path) -> None:
    entries = list(replay_all(file))
    found = [one.what for one in entries if isinstance(one, Note)]
    assert len(found) == len(entries)  # no table, no hub, nothing that it could betray
    assert all(set(one) == NOTES[one["kind"]] for one in found)
    (about,) = (one for one in found if one["kind"] == "about")
    assert (about["licence"], about["simulated"]) == ("CC0-1.0", True)
    assert about["saved"].count("-") == 1  # a month, and no day
    assert about["stoppers"] == {simulated_stopper(7).node.hex(): 7}
    tasks = {one["task"] for one in found if one["kind"] == "done"}
    assert tasks <= {task.name for task in TASKS}
    assert file.stat().st_size < 400_000
    assert file.name in (HERE / "README.md").read_text("utf-8")


@OF_EACH
def test_who_moved_it_stands_in_its_name(file: Path) -> None:
    (phone,) = (one.what for one in notes(file) if lying_of(one.what))
    assert phone["by_hand"] == ("simulated" not in file.name)


@OF_EACH
def test_only_what_lies_in_a_label_was_written_down(file: Path) -> None:
    found = [one.what for one in notes(file)]
    spans = [(one["from_us"], one["to_us"]) for one in found if one["kind"] == "done"]
    times = [at_us for one in found for at_us, _ in samples(one)]
    assert times == sorted(times)
    assert all(any(begin <= at_us < end for begin, end in spans) for at_us in times)


@OF_EACH
def test_it_is_played_bit_for_bit_and_only_once(file: Path) -> None:
    def begins() -> Iterator[HubMessage | Note]:
        return takewhile(lambda one: one.at_us < 46_000_000, replay_all(file))

    first = list(played(begins()))
    said = [one.said for one in first if isinstance(one, HubMessage)]
    assert len(said) > 20
    assert first == list(played(begins()))
    assert [one.at_us for one in first] == sorted(one.at_us for one in first)
    without = [one for one in first if isinstance(one, HubMessage)]
    assert list(played(without)) == without


@OF_EACH
def test_nobody_is_accused_falsely_and_looks_are_noticed(file: Path) -> None:
    found = result(file)
    assert found.accused.of > 0
    assert found.accused.hits == 0
    assert (found.known.of, found.wrong.of) == (0, 0)  # a phone stands on no pad
    if "simulated" in file.name:
        assert found.looks.hits == found.looks.of > 0
        assert found.handled.hits == found.handled.of > 0


def test_other_thresholds_are_counted_beside_and_it_is_replayed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Both commands know such a file; a short one here, as stoppers take their time."""
    file = written(tmp_path, {"kind": "felt", "samples": held(15_000_000, 3)}, done(18))
    assert main(["replay-link", str(file), "--language", "en"]) == 0
    assert "stopper 7 is lifted" in capsys.readouterr().out
    assert main(["tune", str(file), "peeking.foul_ms=2500", "--language", "en"]) == 0
    assert "Barrels whose lifting was noticed: 1 of 1" in capsys.readouterr().out


def held(from_us: int, seconds: int) -> list[list[float]]:
    """Return what is felt while a phone is held, never quite still."""
    return [
        [from_us + round(at * 1e6 / 60), 0.1 * (at % 3), 0, -9.8 + 0.1 * (at % 2)]
        for at in range(60 * seconds)
    ]


def done(to_s: int, task: str = "carry") -> dict[str, object]:
    told = {"kind": "done", "task": task, "stopper": 7, "seat": None, "noticed": True}
    return told | {"from_us": 15_000_000, "to_us": to_s * 1_000_000}


def written(folder: Path, *what: dict[str, object], at_us: int = 18_000_000) -> Path:
    lines = ["rappelwacht link 2", f"0 note {json.dumps(LAID)}"]
    lines += [f"{at_us} note {json.dumps(one)}" for one in what]
    file = folder / "phone.link"
    file.write_text("\n".join(lines) + "\n", "ascii")
    return file


@pytest.mark.parametrize(
    "row",
    [
        [1, 2, 3],
        [1.5, 0, 0, 1],
        [-1, 0, 0, 1],
        [10**18, 0, 0, 1],
        [1, 0, 0, None],
        [1, 0, 0, True],
        [1, 0, 0, 1e300],
        [1, 0, 0, float("nan")],
        "felt",
        None,
    ],
)
def test_what_is_damaged_is_left_out(row: object) -> None:
    good: list[object] = [5, 0, 0, 9.8]
    note = {"kind": "felt", "samples": [row, good]}
    assert list(samples(note)) == [(5, (0.0, 0.0, 9.8))]
    assert not list(samples({"kind": "felt", "samples": row}))
    assert not list(samples({"kind": "done", "samples": [good]}))


@pytest.mark.parametrize("down", [None, [0, 0], [0, 0, float("inf")], "down", [0, 0, "1"]])
def test_a_phone_that_does_not_say_how_it_lies_is_none(down: object, tmp_path: Path) -> None:
    assert lying_of(LAID | {"down": down}) is None
    assert lying_of({"kind": "felt"}) is None
    file = written(tmp_path, LAID | {"down": down})
    file.write_text(file.read_text().replace(json.dumps(LAID), "{}"))
    assert len(list(played(replay_all(file)))) == 2


def test_a_file_that_claims_years_of_motion_is_refused_and_not_played(tmp_path: Path) -> None:
    file = written(tmp_path, {"kind": "chosen", "at_us": 1}, at_us=2**62)
    with pytest.raises(CompanionError, match="longer than an hour"):
        list(played(replay_all(file)))


def test_a_phone_that_never_lay_flat_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, {"kind": "felt", "samples": held(15_000_000, 1)})
    file.write_text(file.read_text().replace('"up": [0, 0, 9.8]', '"up": [0, 0, -9.8]'))
    assert main(["tune", str(file), "peeking.foul_ms=2500", "--language", "en"]) == 2
    assert "did not lie flat" in capsys.readouterr().err
