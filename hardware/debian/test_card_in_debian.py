"""The first boot of a card, with --full: in fresh roots of Debian, with its cloud-init, offline.

What boots a Pi in earnest is left out: systemd does not run there, so what it would start is
started as its units say. The card's partition is a folder.
"""

import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.cli import card
from companion.cli.install import payload, system
from companion.cli.options import read_options
from companion.present.terminal import TerminalScreen
from companion.system.errors import CompanionError
from hardware.arm.imager import CARDS
from hardware.debian.debian_root import APART, ENVIRONMENT, Root, laid_out
from release.install.test_card_command import laid
from tests.programs import need

CUTS = 10
STOCK = "avahi-daemon python3-venv"  # of what Raspberry Pi OS Lite has, what is used
KINDS = {
    "trixie of the imager": "trixie",
    "bookworm of the imager": "bookworm",
    "bookworm": "bookworm",
}
SOURCE = """\
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""  # as Raspberry Pi OS says where cloud-init looks
USER_DATA = """\
#cloud-config
hostname: tavern
manage_etc_hosts: true
runcmd:
  - [ touch, /imager-was-here ]
"""
OFFLINE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
IMAGER = "/usr/lib/raspberrypi-sys-mods/imager_custom"
MENDED = "sed -i 's| systemd[.][^ ]*||g' /boot/firmware/cmdline.txt"  # as Bookworm has it end
NOW = "sh /boot/firmware/rappelwacht/first-boot.sh now"
LINKED = """
rm -r /var/lib/rappelwacht/table /boot/firmware/rappelwacht/installed.txt
ln -s /etc /var/lib/rappelwacht/table
chown -h rappelwacht: /var/lib/rappelwacht /var/lib/rappelwacht/table
"""  # as its service might, if somebody had broken into it
FORGET = "rm -rf /run/cloud-init /run/rappelwacht*"  # as any boot does
PAGE = """
import time, urllib.request
for _ in range(600):
    try:
        print(urllib.request.urlopen("http://127.0.0.1:8000/", timeout=60).status)
        break
    except OSError:
        time.sleep(0.2)
"""
STARTED = f"""
export XDG_STATE_HOME=/var/lib
chown -R rappelwacht: /var/lib/rappelwacht
start=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/rappelwacht.service)
runuser -u rappelwacht -- $start >/said 2>&1 &
python3 -c '{PAGE}'
cat /var/lib/rappelwacht/table/phone.pin
"""


@dataclass
class FirstBoot(Root):
    """A Pi with such a card, which has no network."""

    kind: str = ""

    def _done(self, line: str, **how: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._line(line)], env=ENVIRONMENT, stdin=subprocess.DEVNULL, check=False, **how
        )

    def _line(self, line: str) -> Iterator[str]:
        yield from OFFLINE
        yield from (*APART, f"--mount-proc={self.folder}/proc", "--kill-child")
        yield from ("chroot", str(self.folder), "sh", "-c", line)

    def boot(self, code: int = 0) -> None:
        """Do what its system does at each boot until the card's turn, which ends with a code."""
        self.run(FORGET)
        if self.kind.startswith("trixie"):
            stages = "init --local", "init", "modules --mode config", "modules --mode final"
            self.run("; ".join(f"cloud-init {stage}" for stage in stages))
        else:
            script = self.folder / "boot/firmware/firstrun.sh"
            if script.exists():
                self.run(f"sh /boot/firmware/firstrun.sh; {MENDED}")
            elif "systemd.run=" in self.read("boot/firmware/cmdline.txt"):
                self.run("sh /boot/firmware/rappelwacht/first-boot.sh", code)

    def cut(self, after_s: float) -> None:
        """Have the service of the first boot begin, and cut it off."""
        with subprocess.Popen(
            [*self._line(NOW)],
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as running:
            time.sleep(after_s)
            running.kill()

    def read(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8")

    def has(self, name: str) -> bool:
        return (self.folder / name).exists()

    def demand_table(self) -> None:
        """Look whether it is one."""
        pin = self.read("var/lib/rappelwacht/table/phone-card.pin")
        assert self.run(STARTED).split() == ["200", pin.strip()]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the zip of a card with this version."""
    folder = tmp_path_factory.mktemp("payload")
    try:
        payload.build(folder / "rappelwacht", system.run)
    except CompanionError as fault:
        pytest.skip(f"nothing to install from can be made here: {fault}")
    payload.pack(folder / "rappelwacht", folder / "card.zip")
    return folder / "card.zip"


@pytest.fixture(scope="module", params=KINDS)
def fresh(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, source: Path
) -> Iterator[FirstBoot]:
    """Yield a Pi that was never switched on, with a card that was made for it."""
    need("ip")
    kind: str = request.param
    folder = tmp_path_factory.mktemp("pi") / "root"
    root = laid_out(KINDS[kind], folder)
    cloud = kind.startswith("trixie")
    root.run(f"apt-get -qq -y --no-install-recommends install {STOCK} {'cloud-init' * cloud}")
    shutil.rmtree(folder / "boot/firmware")
    files = CARDS[kind][0] | ({"user-data": USER_DATA} if cloud else {})
    at = laid(folder / "boot/firmware", files)
    options = read_options("en", ["card", str(at), "--yes", "--from", str(source)])
    with (folder.parent / "told").open("w", encoding="utf-8") as out:
        assert card.card(options, TerminalScreen(out)) == 0
    if cloud:
        (folder / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(SOURCE, "ascii")
    else:
        script = folder / IMAGER.lstrip("/")
        script.parent.mkdir(parents=True)
        script.write_text(
            '#!/bin/sh\n[ "$1" != set_hostname ] || echo "$2" >/etc/hostname\n', "ascii"
        )
        script.chmod(0o755)
    yield FirstBoot(folder, kind=kind)
    shutil.rmtree(folder, ignore_errors=True)


def copied(fresh: FirstBoot, folder: Path) -> FirstBoot:
    subprocess.run(["cp", "-a", "--reflink=auto", str(fresh.folder), str(folder)], check=True)
    return FirstBoot(folder, kind=fresh.kind)


@pytest.mark.slow
def test_its_first_boot_is_a_table_and_so_is_the_second(fresh: FirstBoot, tmp_path: Path) -> None:
    pi = copied(fresh, tmp_path / "root")
    pi.boot()
    assert pi.has("etc/systemd/system/multi-user.target.wants/rappelwacht-arrival.service")
    assert "systemd.run" not in pi.read("boot/firmware/cmdline.txt")
    pi.run(NOW)
    name = "tavern" if "imager" in pi.kind else "rappelwacht"
    assert pi.read("etc/hostname") == f"{name}\n"
    assert "was installed from here" in pi.read("boot/firmware/rappelwacht/installed.txt")
    assert not pi.has("etc/systemd/system/rappelwacht-arrival.service")
    pi.demand_table()
    if pi.kind.startswith("trixie"):
        assert pi.has("imager-was-here")
    pi.boot()
    assert not pi.has("etc/systemd/system/rappelwacht-arrival.service")  # once is enough
    pi.demand_table()


@pytest.mark.slow
def test_cut_off_at_any_instant_the_next_boot_goes_on(fresh: FirstBoot, tmp_path: Path) -> None:
    whole = copied(fresh, tmp_path / "whole")
    whole.boot()
    began = time.monotonic()
    whole.run(NOW)
    took_s = time.monotonic() - began
    for at in range(CUTS):
        pi = copied(fresh, tmp_path / f"root-{at}")
        pi.boot()
        pi.cut(took_s * (at + 0.5) / CUTS)
        pi.boot()
        if not pi.has("boot/firmware/rappelwacht/installed.txt"):
            pi.run(NOW)
        pi.demand_table()
        shutil.rmtree(pi.folder)


@pytest.mark.slow
def test_what_goes_wrong_is_on_the_card(fresh: FirstBoot, tmp_path: Path) -> None:
    pi = copied(fresh, tmp_path / "root")
    pi.boot()
    damaged = next((pi.folder / "boot/firmware/rappelwacht/wheels").glob("flask-*.whl"))
    damaged.write_bytes(damaged.read_bytes()[:1000])
    said = pi.run(NOW, code=1)
    for told in (said, pi.read("boot/firmware/rappelwacht/first-boot.txt")):
        assert "is damaged" in told
    assert pi.has("etc/systemd/system/multi-user.target.wants/rappelwacht-arrival.service")


@pytest.mark.slow
def test_half_of_what_begins_it_is_told_of(fresh: FirstBoot, tmp_path: Path) -> None:
    pi = copied(fresh, tmp_path / "root")
    script = pi.folder / "boot/firmware/rappelwacht/first-boot.sh"
    script.write_bytes(script.read_bytes()[: script.stat().st_size // 2])
    pi.boot(code=1)
    assert "is damaged" in pi.read("boot/firmware/rappelwacht/first-boot.txt")


@pytest.mark.slow
def test_no_link_of_the_service_has_root_write_elsewhere(fresh: FirstBoot, tmp_path: Path) -> None:
    pi = copied(fresh, tmp_path / "root")
    pi.boot()
    pi.run(NOW)
    pi.run(LINKED)
    said = pi.run(NOW, code=1)
    assert "Permission denied" in said
    assert not pi.has("etc/phone-card.pin")
