"""The hub's cable: a real pseudo-terminal, which comes and goes under other names."""

import errno
import os
import termios
from pathlib import Path

import pytest

from companion.simulator.cable import IN_FLIGHT
from companion.system.errors import CompanionError
from rappelwacht_research.stepped import SteppedCable


def opened(folder: Path, cable: SteppedCable) -> int:
    descriptor = os.open(folder / cable.name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    termios.tcflush(descriptor, termios.TCIFLUSH)  # as pyserial does
    cable.in_step = True
    cable.opened()
    return descriptor


def test_every_byte_goes_both_ways(tmp_path: Path) -> None:
    every = bytes(range(256))
    with SteppedCable(tmp_path) as cable:
        port = opened(tmp_path, cable)
        assert cable.write(every) == 256
        cable.arrive(port)
        assert os.read(port, 999) == every
        cable.took(256)
        cable.gave(os.write(port, every))
        assert cable.read() == every
        assert cable.read() == b""
        os.close(port)


def test_nobody_listens_so_nothing_is_taken(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        assert cable.write(b"x") == 0
        port = opened(tmp_path, cable)
        assert cable.write(b"old") == 3
        os.close(port)
        assert cable.write(b"x") == 0
        port = opened(tmp_path, cable)
        assert cable.write(b"new") == 3
        cable.arrive(port)
        assert os.read(port, 9) == b"new"
        os.close(port)


def test_a_slow_host_takes_no_more_than_fits(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        port = opened(tmp_path, cable)
        assert cable.write(bytes(IN_FLIGHT + 9)) == IN_FLIGHT
        assert cable.write(b"x") == 0
        cable.arrive(port)
        cable.took(len(os.read(port, 1_000)))
        assert cable.write(bytes(2_000)) == 1_000
        os.close(port)


def test_it_comes_back_under_another_name(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        port = opened(tmp_path, cable)
        cable.unplug()
        cable.unplug()
        assert cable.write(b"x") == 0
        assert cable.read() == b""
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(OSError, match=r".*"):
            os.write(port, b"x")
        os.close(port)
        cable.plug()
        assert [path.name for path in tmp_path.iterdir()] == ["simulated-hub-1"]
    assert list(tmp_path.iterdir()) == []


def test_a_mute_hub_believes_that_it_is_heard(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        port = opened(tmp_path, cable)
        cable.mute = True
        assert cable.write(b"abc") == 3
        cable.mute = False
        assert cable.write(b"def") == 3
        cable.arrive(port)
        assert os.read(port, 9) == b"def"
        os.close(port)


def test_a_computer_without_pseudo_terminals_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> tuple[int, int]:
        raise OSError(errno.ENODEV, "No such device")  # as where no devpts is mounted

    monkeypatch.setattr(os, "openpty", refuse)
    with pytest.raises(CompanionError, match=r"pseudo-terminals, .* \(No such device\)"):
        SteppedCable(tmp_path).plug()
