"""Boards that somebody had before: worn flash, another table's number, a number that is taken."""

import os

import pytest

from companion.cli import flash_board
from companion.cli.main import main
from companion.devices import stopper_registry
from companion.devices.stopper_registry import Stopper
from hardware.flash.board import NODE
from hardware.flash.test_flash import OTHER, Bench, bench

__all__ = ["bench"]  # pytest finds the fixture by its name


@pytest.mark.slow
@pytest.mark.parametrize(
    "kept", [b"", b"\xff\xff", b"0", b"14", b"77", b"-1", "\u0663".encode(), b"7" * 5000]
)
def test_a_number_that_makes_no_sense_on_the_board_is_left_out_of_account(
    bench: Bench, kept: bytes
) -> None:
    bench.flash()
    (bench.port / "flash/kept/number").write_bytes(kept)
    (bench.table / stopper_registry.STOPPERS).unlink()
    assert bench.flash() == 0
    assert bench.known() == {1: NODE}


@pytest.mark.slow
def test_a_number_from_another_table_is_not_taken_from_the_stopper_that_bears_it_here(
    bench: Bench,
) -> None:
    bench.flash("stopper", "--number", "7")
    (bench.table / stopper_registry.STOPPERS).unlink()
    stopper_registry.save(bench.table, Stopper(OTHER, 7, bytes(16)))
    bench.flash()
    assert bench.known() == {7: OTHER, 1: NODE}


def test_whose_number_was_taken_is_told(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    stopper_registry.save(bench.table, Stopper(OTHER, 4, bytes(16)))
    bench.flash("stopper", "--number", "4")
    assert "The board that was stopper 4 until now" in " ".join(capsys.readouterr().out.split())
    assert bench.known() == {4: NODE}
    bench.flash("stopper", "--number", "4")  # its own: nobody loses anything
    assert "until now" not in capsys.readouterr().out


@pytest.mark.slow
def test_an_interrupted_flash_is_taken_up_again_with_the_same_number(bench: Bench) -> None:
    bench.flash("stopper", "--number", "9")
    bench.special(full="a/wire.py")
    assert bench.flash() == 2
    bench.special()
    assert bench.flash() == 0
    assert bench.known() == {9: NODE}
    (stopper,) = stopper_registry.load(bench.table)
    assert bench.on_board("kept/key") == stopper.key


def test_neither_board_becomes_the_other_kind(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.flash("hub") == 2
    assert "a hub needs an ESP32S3" in capsys.readouterr().err
    assert not (bench.port / "flash/main.py").exists()


def test_a_port_at_which_nobody_answers_is_not_waited_for_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flash_board, "ANSWERS_S", 1.0)
    silent, port = os.openpty()
    name = os.ttyname(port)
    try:
        assert main(["flash", "stopper", "--port", name, "--language", "en"]) == 2
    finally:
        os.close(silent)
        os.close(port)
    told = capsys.readouterr()
    assert f"Connecting to the board at {name} …" in told.out
    assert "no answer for 1 s" in told.err
