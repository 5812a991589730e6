"""The real thing, with --full: installed and run on the processors of Pis, which are emulated.

Debian, apt, pip, the wheels and Python are those of a Pi with 64 bits, and of one with 32; only
the kernel is this computer's. What a kernel is needed for, `hardware/kernel` proves.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli.install import system
from hardware.arm import debian
from hardware.arm.emulated import ARM64, ARMHF, NotApart, Processor, apart
from hardware.debian.debian_root import CERTIFICATES, HOME, Root
from hardware.debian.test_package import debs as debs  # noqa: PLC0414 - a fixture
from hardware.debian.test_package import installed, page
from tests.programs import need

DONE_S = 3600  # with that much patience; alone on a computer it takes minutes
VENV = "/opt/rappelwacht/current/venv/bin/python"
# Import all that a table needs, and say which file of it is made for one processor only.
IMPORTED = (
    "import flask, gpiozero, mpremote, segno, serial, smbus2, waitress;"
    "from markupsafe import _speedups; print(_speedups.__file__)"
)
PINS = "import lgpio, _lgpio; print(_lgpio.__file__)"  # which the package only recommends
# A simulated table through the real libraries, until its first round; then it is told to end.
PLAYED = f"""cd /tmp
{VENV} -P -m companion --games 1 --seat none --seed 3 --port 0 --language en \\
  --folder played >said 2>&1 &
until grep -q "Round 1: the magic number" said; do
  kill -0 $! || {{ cat said; exit 9; }}
  sleep 1
done
kill $!
wait $!
code=$?
cat said
exit $code"""
ELSEWHERE = "-not -path '/home/*' -not -path '/root/*'"
ENDED = 143  # as a shell says it of whoever ends by SIGTERM, as wished


@dataclass
class Pi(Root):
    """A Debian of another processor."""

    processor: Processor = ARM64

    @property
    def told(self) -> str:
        return self.processor.told(shutil.which(self.processor.emulator) or "")

    def run(self, line: str, code: int = 0, within_s: float = DONE_S) -> str:
        with apart(self.folder, self.told, "sh", "-c", line) as running:
            said, _ = running.communicate(timeout=within_s)
        self.ran.append(line)
        assert running.returncode == code, (line, said)
        return said


@pytest.fixture(params=[ARM64, ARMHF], ids=lambda processor: processor.debian)
def pi(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pi]:
    found = Pi(tmp_path / "root", processor=request.param)
    if os.geteuid() != 0:
        pytest.skip("needs root, who may lay out a Debian")
    need("debootstrap", "qemu-arm-static")
    try:
        debian.copied(found.processor, found.told, found.folder)
    except NotApart as reason:
        pytest.skip(f"no Debian of another processor can be had here: {reason}")
    certificates = CERTIFICATES.read_text("ascii")
    for name, text in (
        ("etc/hostname", "raspberrypi\n"),
        ("boot/firmware/config.txt", ""),
        (str(CERTIFICATES).lstrip("/"), certificates),
    ):
        (found.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (found.folder / name).write_text(text, "utf-8")
    found.run("apt-get -qq update")
    found.run("useradd --create-home mira")
    found.bring()
    yield found
    shutil.rmtree(found.folder, ignore_errors=True)


@pytest.mark.slow  # it emulates a processor for many minutes
def test_it_is_installed_plays_and_is_gone_again(pi: Pi) -> None:
    assert pi.run("uname -m").strip() == pi.processor.linux
    refused = pi.run(f"su mira -c 'cd /{HOME} && LANG=C ./run install'", code=2)
    assert "Only root may do that; run: sudo ./run install" in refused
    pi.run(f"cd /{HOME} && ./run install")
    made_for = pi.run(f"{VENV} -c '{IMPORTED}; {PINS}'")
    assert made_for.count(pi.processor.library) == 2
    assert pi.run("rappelwacht --version").startswith("rappelwacht ")

    told = pi.run("rappelwacht doctor --listen 0 --language en", code=1)
    assert "The user rappelwacht may use everything that is wired." in told
    assert "Traceback" not in told
    played = pi.run(f"su mira -c '{PLAYED}'", code=ENDED)
    assert "Round 1: the magic number is" in played
    assert "Traceback" not in played

    pi.run(f"cd /{HOME} && ./run uninstall --purge")
    assert pi.run("find / -xdev -iname '*rappelwacht*' -not -path '/home/*'") == ""


@pytest.mark.slow
def test_its_package_is_installed_shows_the_page_and_is_gone_again(
    pi: Pi, debs: tuple[Path, Path]
) -> None:
    pi.run(f"apt-get -qq -y --no-install-recommends install {' '.join(system.NEEDED)}")
    shutil.copy(debs[0], pi.folder / "root")
    installed(pi, debs[0])
    assert pi.processor.library in pi.run(f"{VENV} -c '{IMPORTED}'")
    assert "page 200" in page(pi)
    assert "Rappelwacht is gone" in pi.run("dpkg --purge rappelwacht")
    assert pi.run(f"find / -xdev -iname '*rappelwacht*' {ELSEWHERE}") == ""
