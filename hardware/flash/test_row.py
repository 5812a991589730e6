"""All stoppers in a row: one board after another, and what fails, comes twice or is cut off."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli import flash, flash_board, flash_programs
from companion.cli.main import main
from companion.devices import stopper_registry
from companion.devices.firmware import image
from companion.devices.firmware.image import KINDS
from companion.devices.stopper_registry import Stopper
from hardware.flash.test_flash import Bench, bench
from hardware.tests import agreement

__all__ = ["bench"]  # pytest finds the fixture by its name

KIND = KINDS["stopper"]
ROW = ["flash", "stopper", "--all"]
Turns = Callable[..., None]


def node(number: int) -> bytes:
    return bytes.fromhex("240ac40001") + bytes((number,))


@pytest.fixture
def turns(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Turns:
    """Return what tells who is plugged in at each look; after the last one somebody gives up."""

    def begin(*looks: tuple[int, ...], **special: Any) -> None:
        rest = list(looks)

        def there() -> list[SimpleNamespace]:
            if not rest:
                raise KeyboardInterrupt
            numbers = rest.pop(0)
            shutil.rmtree(bench.port, ignore_errors=True)
            for number in numbers[:1]:
                shutil.copytree(bench.folder / f"board {number}", bench.port, dirs_exist_ok=True)
                bench.special(node=node(number).hex(), **special.get(f"of_{number}", {}))
            return [
                SimpleNamespace(
                    device=port, vid=0x303A, pid=0x1001, serial_number=node(number).hex(":").upper()
                )
                for port, number in zip((str(bench.port), "/dev/other"), numbers, strict=False)
            ]

        monkeypatch.setattr(flash_board, "comports", there)

    for number in range(1, 14):
        (bench.folder / f"board {number}").mkdir()
    monkeypatch.setattr(flash, "AGAIN_S", 0.0)
    return begin


def types(bench: Bench, *more: str) -> int:
    return main([*ROW, "--folder", str(bench.table), "--language", "en", *more])


def finished(bench: Bench, *numbers: int) -> None:
    """Let some be done already."""
    for number in numbers:
        stopper = Stopper(node(number), number, bytes((number,)) * 16)
        stopper_registry.save(bench.table, stopper)
        flash_board.note_flashed(bench.table, stopper, KIND)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_the_last_two_end_the_row(
    bench: Bench, turns: Turns, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(bench, *range(1, 12))
    turns((), (12,), (12,), (), (13,))
    assert types(bench) == 0
    assert bench.known() == {number: node(number) for number in range(1, 14)}
    said = told(capsys)
    assert "11 of 13 are done; plug in the next one." in said
    assert "Stopper 12: firmware 0.2.0. Its accelerometer and its load cell work." in said
    assert "13 of 13 stoppers are done. A running table knows them" in said
    assert f"1 {node(1).hex(':')} done before" in said
    turns()
    assert types(bench) == 0  # again: it only tells
    assert "Already done with this firmware: 1, 2, 3" in told(capsys)


def test_one_that_fails_is_named_and_the_row_goes_on(
    bench: Bench, turns: Turns, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(bench, *range(1, 13))
    turns((5,), (), (), (), (), (6,), (13,), of_5={"deaf": True}, of_6={"chip": "ESP32S3"})
    assert types(bench) == 1
    said = told(capsys)
    assert said.count("hold its BOOT button while you plug it in") == 2  # at once, and at the end
    assert "is 'ESP32S3', but a stopper needs an ESP32C3" in said
    assert "go on with the next" in said
    assert "13 of 13 stoppers are done." in said


def test_one_whose_sensor_fails_is_not_done_until_it_comes_again(
    bench: Bench, turns: Turns, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(bench, *range(1, 13))
    turns((13,), of_13={"without": ["motion"]})
    assert types(bench) == 130
    assert f"! {node(13).hex(':')} Its accelerometer does not work" in told(capsys)
    turns((13,))
    assert types(bench) == 0
    assert bench.known()[13] == node(13)


def test_cut_off_it_goes_on_where_it_was_and_does_nobody_twice(
    bench: Bench, turns: Turns, capsys: pytest.CaptureFixture[str]
) -> None:
    finished(bench, *range(1, 12))
    turns((), (12,))
    assert types(bench) == 130
    assert "12 of 13 stoppers are done." in told(capsys)
    keys = {one.number: one.key for one in stopper_registry.load(bench.table)}
    (bench.folder / "board 12/flash").mkdir()
    (bench.folder / "board 12/flash/main.py").touch()
    turns((12,), (12,), (12,))  # it stays where it is while it starts over
    assert types(bench) == 130
    said = told(capsys)
    assert said.count("This is stopper 12, which is done.") == 1
    assert {one.number: one.key for one in stopper_registry.load(bench.table)} == keys


def test_with_a_newer_firmware_or_another_key_nobody_is_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(bench, *range(1, 14))
    known = stopper_registry.load(bench.table)
    assert len(flash_board.up_to_date(bench.table, known, KIND)) == 13
    stopper_registry.save(
        bench.table, Stopper(node(4), 4, bytes(16))
    )  # by hand, or by `flash --port`
    assert len(flash_board.up_to_date(bench.table, stopper_registry.load(bench.table), KIND)) == 12
    same = replace(known[6], number=7, key=known[2].key)  # two that say one name to pads…
    stopper_registry.save(bench.table, same)
    flash_board.note_flashed(bench.table, same, KIND)
    alike = flash_board.up_to_date(bench.table, stopper_registry.load(bench.table), KIND)
    assert {4, 7} == {*range(1, 14)} - {one.number for one in alike}  # …one of them once more
    newer = {"main.py": b"newer"}
    monkeypatch.setattr(image, "firmware_files", lambda _: newer)
    assert not flash_board.up_to_date(bench.table, known, KIND)
    (bench.table / flash_board.FLASHED_FILE.name).write_text("[[[")
    assert not flash_board.up_to_date(bench.table, known, KIND)


def test_of_two_at_once_neither_is_touched(
    bench: Bench, turns: Turns, capsys: pytest.CaptureFixture[str]
) -> None:
    turns((3, 4), (3, 4), ())
    assert types(bench) == 130
    assert told(capsys).count("2 boards are plugged in") == 1
    assert bench.known() == {}


def test_a_row_takes_no_other_words(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    for more in (["--port=/dev/ttyACM0"], ["--number=3"]):
        assert types(bench, *more) == 2
        assert "all you need is" in capsys.readouterr().err
    assert main(["flash", "hub", "--all", "--language", "en"]) == 2


def test_the_sensors_are_tried_at_their_pins() -> None:
    for pins in agreement.of_firmware().values():
        assert {name: pins[name] for name in flash_programs.BUS} == flash_programs.BUS
