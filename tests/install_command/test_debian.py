"""The real thing, with --full: install, again, newer, back and gone in fresh Debian roots.

Nothing here is a fake but the Pi: apt, pip, sysusers and systemctl are the root's own, and whoever
brought the project is called mira. What a kernel is needed for, `tests/kernel` proves.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.install_command.places import SOURCE
from companion.install_command.releases import PARTS
from tests.programs import need

HOME = "home/mira/rappelwacht"
WITH = "python3,systemd,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
README = (SOURCE / "README.md").read_text("utf-8")
MADE_S, DONE_S = 900, 600
APART = ("unshare", "--pid", "--fork", "--mount")  # what is mounted goes with the command
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


@dataclass
class Root:
    """A Debian in a folder."""

    folder: Path
    ran: list[str] = field(default_factory=list)

    def run(self, line: str, code: int = 0) -> str:
        """Have a line carried out in it, as root; return what it said."""
        done = subprocess.run(  # noqa: S603 - our own lines
            [
                *APART,
                f"--mount-proc={self.folder}/proc",
                "chroot",
                str(self.folder),
                "sh",
                "-c",
                line,
            ],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            timeout=DONE_S,
        )
        self.ran.append(line)
        assert done.returncode == code, (line, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def used(self) -> str:
        return self.run("readlink /opt/rappelwacht/current").strip()

    def bring(self) -> None:
        """Lay the project into somebody's home, as git would."""
        for part in PARTS:
            copy = self.folder / HOME / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / part).is_dir():
                shutil.copytree(SOURCE / part, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(SOURCE / part, copy)
        self.run("chown -R mira: /home/mira")


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path, full: bool) -> Iterator[Root]:
    if not full:
        pytest.skip("only with --full: it installs a Debian")
    if os.geteuid() != 0:
        pytest.skip("needs root, who may lay out a Debian")
    need("debootstrap")
    folder = tmp_path / "root"
    made = subprocess.run(  # noqa: S603 - our own words
        ["debootstrap", "--variant=minbase", f"--include={WITH}", request.param, str(folder)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        timeout=MADE_S,
    )
    if made.returncode != 0:
        pytest.skip(f"no Debian can be had here: {made.stdout[-200:]}")
    for name, text in (("etc/hostname", "raspberrypi\n"), ("boot/firmware/config.txt", "")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    shutil.copy(CERTIFICATES, folder / CERTIFICATES.relative_to("/"))
    found = Root(folder)
    found.run("apt-get -qq update")
    found.run("useradd --create-home mira")
    found.bring()
    yield found
    shutil.rmtree(folder, ignore_errors=True)


def test_install_again_newer_back_and_gone(root: Root) -> None:
    refused = root.run(f"su mira -c 'cd /{HOME} && LANG=C ./run install'", code=2)
    assert "Only root may do that; say: sudo ./run install" in refused
    root.run(f"cd /{HOME} && ./run install --hotspot")
    first = root.used()
    assert set(root.run("id -nG rappelwacht").split()) == {"rappelwacht", "gpio", "i2c", "dialout"}
    assert root.run("stat -c %U:%a /var/lib/rappelwacht").strip() == "rappelwacht:750"
    assert root.run("systemctl is-enabled rappelwacht").strip() == "enabled"
    assert root.run("rappelwacht --version").startswith("rappelwacht ")
    told = root.run("rappelwacht doctor --listen 0 --language en", code=1)
    assert "The user rappelwacht may use all that is wired." in told
    assert "Traceback" not in told
    root.run("systemd-analyze verify rappelwacht.service")

    root.run(f"cd /{HOME} && ./run install")
    assert root.used() == first
    (root.folder / HOME / "CHANGELOG.md").write_text("Newer.\n", "utf-8")
    root.run(f"cd /{HOME} && ./run install")
    assert root.used() != first
    root.run("rappelwacht roll-back")
    assert root.used() == first
    root.run("rappelwacht doctor --listen 0", code=1)

    root.run(f"cd /{HOME} && ./run uninstall --purge")
    root.run("id rappelwacht", code=1)
    assert root.run("cat /etc/hostname").strip() == "raspberrypi"
    left = root.run("find / -xdev -iname '*rappelwacht*' -not -path '/home/*'")
    assert left == ""
    for told in re.findall(r"^(?:sudo )((?:rappelwacht|\./run) [a-z-]+)", README, re.MULTILINE):
        assert any(told in line for line in root.ran), told
    assert "__pycache__" not in root.run("ls -RA /home/mira/rappelwacht")
