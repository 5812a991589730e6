"""All that changes a Pi, or needs a board, is typed on a Pi that is made for it and thrown away."""

import re
from pathlib import Path

import pytest

from companion.cli.install import payload
from companion.cli.main import main
from examples.readme.lines import ROOT, of, text
from examples.readme.pi import HOME, PLAYED, Pi, booted
from hardware.arm.imager import TRIXIE
from release.install.test_card_command import laid, release

FIRST = "sudo ./run install"  # wherever they stand
LAST = ("uninstall", "poweroff")
FOUND_SOMETHING = 1


@pytest.mark.slow
def test_every_line_for_a_pi_does_what_it_should(tmp_path: Path) -> None:
    lines = [one.text for one in of("on a Pi")]
    lines.sort(key=lambda line: next((n for n, word in enumerate(LAST, 1) if word in line), 0))
    lines.sort(key=FIRST.__ne__)
    with booted(tmp_path) as pi:
        (tmp_path / "run").symlink_to(ROOT / "run")
        for line in lines:
            typed(pi, line)


def test_a_card_is_made_as_it_is_said(tmp_path: Path) -> None:
    released = release(tmp_path / "released")
    for line in of("a card"):
        card = laid(tmp_path / "bootfs", TRIXIE)
        _, *words = line.text.replace("/media/$USER/bootfs", str(card)).split()
        assert main([*words, "--from", str(released)]) == 0
        assert (card / "vendor-data").is_file()
        assert payload.check(card / "rappelwacht")


@pytest.mark.slow
def test_every_line_for_a_hall_s_computer_does_what_it_should(tmp_path: Path) -> None:
    with booted(tmp_path) as pi:
        for line in [one.text for one in of("on a hall's computer")]:
            said = said_of(pi, line)
            if "install" in line:
                assert "The hall is at rappelwacht-hall.local" in " ".join(said.split())
                assert said_of(pi, "cat /etc/hostname") == "rappelwacht-hall\n"
                assert "systemctl enable --no-reload rappelwacht-hall.service" in pi.calls()
            else:
                assert line.removeprefix("sudo ") in pi.calls()


def typed(pi: Pi, line: str) -> None:
    """Type a line, and look whether the Pi is as it says."""
    program, *_ = line.removeprefix("sudo ").split()
    assert program in {*PLAYED, "rappelwacht"} or program.startswith(("./", "~/")), line
    match line.split():
        case [*_, "roll-back"]:
            rolls_back(pi, line)
        case [_, "flash", kind, *_]:
            flashes(pi, line, kind)
        case [_, "doctor"] | [_, _, "doctor", "--bundle", _]:
            said = pi.type(line, closed_home(pi))
            assert said.code in {0, FOUND_SOMETHING}, said
            assert "The user rappelwacht may use everything that is wired." in said.out
        case [_, "rappelwacht", "backup" | "restore", *_]:
            said_of(pi, "mkdir -p /var/lib/rappelwacht/table")
            said_of(pi, "chown rappelwacht: /var/lib/rappelwacht/table")
            said_of(pi, line, closed_home(pi))
        case ["systemd-analyze", *_]:
            (level,) = re.findall(r"exposure level for \S+: ([0-9.]+)", said_of(pi, line))
            assert f"gives it {level} of 10" in text("hardware/pi.md")
        case [*_, "uninstall"]:
            said_of(pi, line)
            assert not pi.type("ls /opt/rappelwacht /usr/local/bin/rappelwacht").out
            assert pi.type("cat /etc/rappelwacht/table.toml /etc/hostname").out
        case ["sudo", "./run", "install", *_]:
            installs(pi, line)
        case _:
            said_of(pi, line)
            asked = {line.removeprefix("sudo ").replace("~", HOME), line.rpartition("/")[2]}
            assert asked & {*pi.calls()}, line


def closed_home(pi: Pi) -> Path:
    """Return the home of whoever types it: nobody else may enter it, as on any Pi."""
    said_of(pi, f"chmod 700 {HOME}")
    return Path(HOME)


def said_of(pi: Pi, line: str, folder: Path | None = None) -> str:
    said = pi.type(line, folder)
    assert said.code == 0, (line, said)
    return said.out


def used(pi: Pi) -> str:
    return said_of(pi, "readlink /opt/rappelwacht/current")


def installs(pi: Pi, line: str) -> None:
    told = " ".join(said_of(pi, line).split())
    assert "is installed" in told
    assert "rappelwacht" in said_of(pi, "cat /etc/hostname")
    assert said_of(pi, "stat -c %U:%a /var/lib/rappelwacht") == "rappelwacht:750\n"
    assert "systemctl enable --no-reload rappelwacht.service" in pi.calls()
    if "--hotspot" in line:
        (password,) = re.findall(r"with the password (\w+)\.", told)
        assert password in said_of(pi, "cat /etc/NetworkManager/system-connections/*")


def rolls_back(pi: Pi, line: str) -> None:
    """Have a newer version first, then go back, and forward again, as is said beside it."""
    old = used(pi)
    pi.renew()
    installs(pi, "sudo ./run install")
    new = used(pi)
    assert new != old
    for expected in (old, new):
        said_of(pi, line)
        assert used(pi) == expected


def flashes(pi: Pi, line: str, kind: str) -> None:
    at_home = line.startswith("./run")  # the real door, which has an environment
    with pi.plugged_in("ESP32C3" if kind == "stopper" else "ESP32S3"):
        told = said_of(pi, line, pi.folder if at_home else None)
    assert "every file was read back" in " ".join(told.split())
    if kind == "stopper":
        place = "~/.local/state/rappelwacht/table" if at_home else "/var/lib/rappelwacht/table"
        assert "key" in said_of(pi, f"cat {place}/stoppers.toml")
