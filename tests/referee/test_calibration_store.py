"""Calibrations survive a power cut and a full card; the newest good one serves."""

import os
from pathlib import Path

import pytest

from companion.referee.calibration_store import (
    LARGEST_BYTES,
    CalibrationFault,
    CalibrationFileFault,
    CalibrationStore,
    StoredCalibration,
)
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.sensing.calibration_json import FORMAT, NAME, Unusable, write


def evening(number: int) -> Calibration:
    return Calibration(f"evening {number}", (StopperCalibration(1, "7cdfa1000001", barrel=number),))


def filled(folder: Path, count: int = 3, kept: int = 12) -> CalibrationStore:
    shelf = CalibrationStore(folder / "calibration", kept)
    for number in range(1, count + 1):
        assert shelf.save(evening(number)) == number
    return shelf


def name(version: int) -> str:
    return f"calibration-{version:06}.json"


def file(folder: Path, version: int) -> Path:
    return folder / "calibration" / name(version)


def test_an_empty_shelf_is_not_trouble(tmp_path: Path) -> None:
    assert CalibrationStore(tmp_path / "nowhere").newest() == StoredCalibration(None, None)


def test_the_newest_serves_and_the_older_stay(tmp_path: Path) -> None:
    shelf = filled(tmp_path)
    assert shelf.newest() == StoredCalibration(evening(3), 3)
    assert shelf.versions() == (3, 2, 1)
    assert shelf.version(1) == evening(1)
    assert shelf.version(9) == CalibrationFault(CalibrationFileFault.ABSENT, name(9))


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    assert filled(tmp_path, 9, kept=4).versions() == (9, 8, 7, 6)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", Unusable.TORN),
        (write(evening(3))[:-40], Unusable.TORN),
        (b"\xff\xfe\x00", Unusable.TORN),
        (b'{"game": 1}', Unusable.FOREIGN),
        (b" " * (LARGEST_BYTES + 1), Unusable.FOREIGN),
        (f'{{"{NAME}": {FORMAT + 1}}}'.encode(), Unusable.NEWER),
    ],
)
def test_a_bad_one_is_told_the_one_before_used(tmp_path: Path, data: bytes, what: Unusable) -> None:
    shelf = filled(tmp_path)
    file(tmp_path, 3).write_bytes(data)
    assert shelf.newest() == StoredCalibration(evening(2), 2, (CalibrationFault(what, name(3)),))
    assert shelf.save(evening(4)) == 4
    assert shelf.newest() == StoredCalibration(evening(4), 4)


def test_all_bad_is_not_a_calibration_and_every_reason(tmp_path: Path) -> None:
    shelf = filled(tmp_path, 2)
    for version in (1, 2):
        file(tmp_path, version).write_bytes(b"x")
    facts = tuple(CalibrationFault(Unusable.TORN, name(version)) for version in (2, 1))
    assert shelf.newest() == StoredCalibration(None, None, facts)


def test_a_folder_in_its_place_cannot_be_read(tmp_path: Path) -> None:
    shelf = filled(tmp_path)
    file(tmp_path, 4).mkdir()
    assert shelf.newest() == StoredCalibration(
        evening(3), 3, (CalibrationFault(CalibrationFileFault.UNREADABLE, name(4)),)
    )


def test_rolling_back_makes_an_earlier_one_the_newest_and_loses_none(tmp_path: Path) -> None:
    shelf = filled(tmp_path)
    assert shelf.roll_back(1, "back") == 4
    found = shelf.newest()
    assert found.version == 4
    assert found.calibration is not None
    assert found.calibration.stoppers == evening(1).stoppers
    assert found.calibration.saved == "back"
    assert shelf.version(3) == evening(3)
    assert shelf.roll_back(77, "back") == CalibrationFault(CalibrationFileFault.ABSENT, name(77))


def test_any_power_cut_leaves_old_or_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for call in ("fsync", "replace"):
        shelf = filled(tmp_path / call)

        def cut(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as broken:
            target: object = os if call == "fsync" else Path
            broken.setattr(target, call, cut)
            assert shelf.save(evening(4)) == CalibrationFault(
                CalibrationFileFault.UNWRITABLE, name(4)
            )
        assert shelf.newest() == StoredCalibration(evening(3), 3)
        assert not list((tmp_path / call).rglob(".*"))


def test_what_a_power_cut_left_half_written_is_never_read_and_goes(tmp_path: Path) -> None:
    shelf = filled(tmp_path)
    part = file(tmp_path, 4).with_name(f".{name(4)}.new")
    part.write_bytes(b"half")
    assert shelf.newest() == StoredCalibration(evening(3), 3)
    shelf.save(evening(4))
    assert not part.exists()


def test_a_place_where_nothing_can_be_written_is_a_fact(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert CalibrationStore(tmp_path / "file").save(evening(1)) == CalibrationFault(
        CalibrationFileFault.UNWRITABLE, name(1)
    )
    assert CalibrationStore(tmp_path / "file").newest() == StoredCalibration(None, None)


def test_nobody_else_may_read_the_numbers(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    assert file(tmp_path, 1).stat().st_mode & 0o077 == 0
