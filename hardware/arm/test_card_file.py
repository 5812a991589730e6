"""A card that is a file is booted by one line, and its pages are at this computer."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import pytest

from companion.web.common.tls import ABOVE
from examples.readme.lines import ROOT, of
from hardware.arm import __main__ as program
from hardware.arm import machine
from hardware.arm.emulated import ARM64
from hardware.arm.machine import Card
from tests import programs
from tests.programs import need

KERNEL: Final = "QEMU reads it"
QEMU: Final = """#!/bin/sh
echo "$@" >>"$0.calls"
echo "rappelwacht login: "
echo "page: 200 after 30 s"
if [ "$(wc -l <"$0.calls")" = 1 ]; then
  echo "[   99.9] reboot: Restarting system"
  exit
fi
read -r typed
printf "half of it\\ngeh\\303"
read -r rest
printf "\\266rt: %s\\n" "$typed $rest"
read -r name
echo "root@rappelwacht:~# "
read -r word
echo "$name: $word" >>"$0.calls"
"""


@pytest.fixture
def card(tmp_path: Path) -> Card:
    """Return a card with nothing behind its boot partition."""
    need("mcopy", "mkfs.vfat", "mke2fs")
    root, at = tmp_path / "root", tmp_path / "bootfs"
    (at / "rappelwacht").mkdir(parents=True)
    root.mkdir()
    for name, text in (
        *((name, KERNEL) for name in machine.KERNEL),
        ("cmdline.txt", "console=tty1 root=PARTUUID=1-02 rootwait resize"),
        ("rappelwacht/settings", "pin=123456\n"),
    ):
        (at / name).write_text(text, "ascii")
    made = Card(ARM64, tmp_path / "card.img")
    machine._lay_out(made, root, at)
    return made


@contextmanager
def booted(line: list[str], path: str = "") -> Iterator[subprocess.Popen[str]]:
    """Type it in the project; whoever leaves the block presses Ctrl-C."""
    env = os.environ | {"PATH": f"{path}:{os.environ['PATH']}"}
    with subprocess.Popen(
        line,
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as running:
        try:
            yield running
            os.killpg(running.pid, signal.SIGINT)
            running.wait(program.WITHIN_S)
        finally:
            running.kill()


def said_until(running: subprocess.Popen[str], sign: str) -> str:
    assert running.stdout is not None
    said = ""
    for line in running.stdout:
        said += line
        if sign in line:
            break
    return said


def test_a_card_has_its_partitions_where_a_pi_has_them(card: Card) -> None:
    with card.image.open("rb") as file:
        head = file.read(512)
        file.seek((4 << 20) + (512 << 20) + 1024 + 56)
        assert file.read(2) == b"\x53\xef"  # as every ext begins
    assert head[-2:] == b"\x55\xaa"
    assert head[446 + 4] == 0x0C
    assert int.from_bytes(head[446 + 8 : 446 + 12], "little") * 512 == 4 << 20
    assert head[462 + 4] == 0x83
    assert card.image.stat().st_blocks * 512 < 300 << 20  # and what is empty takes no room
    assert card.read("kernel") == KERNEL
    assert card.read("nothing") == ""


def test_it_says_where_the_page_is_begins_anew_and_is_shut_down(card: Card) -> None:
    bin_ = card.image.with_name("bin")
    bin_.mkdir()
    qemu = bin_ / "qemu-system-aarch64"
    qemu.write_text(QEMU, "ascii")
    qemu.chmod(0o755)
    line = [sys.executable, "-P", "-m", "hardware.arm", str(card.image)]
    with booted(line, str(bin_)) as running:
        said = [said_until(running, "the PIN is 123456") for _ in range(2)]
        assert running.stdin is not None
        for asked, answer in (("uname", "half of it"), ("-m", "gehört: uname -m")):
            running.stdin.write(f"{asked}\n")
            running.stdin.flush()
            said_until(running, answer)
    first, second, word = (bin_ / f"{qemu.name}.calls").read_text("ascii").splitlines()
    assert running.returncode == 0
    (port,) = {*re.findall(r"open http://127\.0\.0\.1:(\d+)", "".join(said))}
    for call in (first, second):
        assert f"hostfwd=tcp:127.0.0.1:{port}-:8000" in call
        assert f"hostfwd=tcp:127.0.0.1:{int(port) + ABOVE}-:8443" in call
        assert "restrict=on" in call
        assert "root=/dev/vda2 rw" in call
        assert "PARTUUID" not in call
    assert word == "root: poweroff"


def test_a_port_is_taken_only_with_that_of_https() -> None:
    with socket.socket() as plain, socket.socket() as secure:
        port = program.free_port()
        secure.bind((machine.HERE, port + ABOVE))
        secure.listen()
        assert program.free_port() != port
        plain.bind((machine.HERE, port))


def test_what_is_missing_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(programs, "path", lambda _: None)
    (tmp_path / "card.img").touch()
    assert program.main([str(tmp_path / "card.img")]) == 1
    assert "sudo apt-get install qemu-system-arm mtools\n" in capsys.readouterr().err
    assert program.main([str(tmp_path / "new.img")]) == 1
    assert "debootstrap qemu-user-static dosfstools" in capsys.readouterr().err


def test_another_file_is_not_booted_and_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    need("mcopy")
    monkeypatch.setattr(program, "BOOTS", ("mcopy",))
    (tmp_path / "film.img").write_bytes(b"film" * 4096)
    assert program.main([str(tmp_path / "film.img")]) == 1
    assert "no card that was made here" in capsys.readouterr().err
    assert (tmp_path / "film.img").read_bytes() == b"film" * 4096


@pytest.mark.slow  # it emulates a computer for many minutes
def test_the_readme_s_line_makes_a_card_and_boots_it_again(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, who may lay out a Debian")
    need(*program.BOOTS, *program.WRITES)
    (command,) = of("an emulated Pi")
    line = (
        command.text.removeprefix("sudo ")
        .replace(".venv/bin/python", sys.executable)
        .replace("card.img", str(tmp_path / "card.img"))
        .split()
    )
    for _ in range(2):
        with booted(line) as running:
            said = said_until(running, "the PIN is")
            (port,) = re.findall(r"open http://127\.0\.0\.1:(\d+);", said)
            asked = HTTPConnection(machine.HERE, int(port), timeout=program.WITHIN_S)
            asked.request("GET", "/")
            assert asked.getresponse().status == 200
            asked.close()
        assert running.returncode == 0
