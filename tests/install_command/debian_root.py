"""A fresh Debian in a folder: its own apt, pip, sysusers and systemctl, and somebody called mira.

What a kernel is needed for, `tests/kernel` proves.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.install_command.roots import PROJECT, copy_project
from tests.programs import need

HOME = "home/mira/rappelwacht"
WITH = "python3,systemd,ca-certificates"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
HOSTS = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n"
MADE_S, DONE_S = 900, 600
APART = ("unshare", "--pid", "--fork", "--mount")  # what is mounted goes with the command
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


@dataclass
class Root:
    """A Debian in a folder."""

    folder: Path
    ran: list[str] = field(default_factory=list)

    def run(self, line: str, code: int = 0, within_s: float = DONE_S) -> str:
        """Have a line carried out in it, as root; return what it said."""
        mounted = f"--mount-proc={self.folder}/proc"
        done = subprocess.run(
            [*APART, mounted, "chroot", str(self.folder), "sh", "-c", line],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=within_s,
        )
        self.ran.append(line)
        assert done.returncode == code, (line, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def used(self) -> str:
        return self.run("readlink /opt/rappelwacht/current").strip()

    def bring(self, parts: Iterable[str] = PROJECT) -> None:
        """Lay the project into somebody's home, as git would."""
        copy_project(self.folder / HOME, parts)
        self.run("chown -R mira: /home/mira")


def laid_out(suite: str, folder: Path) -> Root:
    """Lay out a Debian with somebody in it; skip where none can be had."""
    if os.geteuid() != 0:
        pytest.skip("needs root, who may lay out a Debian")
    need("debootstrap")
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={WITH}", suite, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=MADE_S,
    )
    if made.returncode != 0:
        pytest.skip(f"no Debian can be had here: {made.stdout[-200:]}")
    written = {"etc/hostname": "raspberrypi\n", "etc/hosts": HOSTS, "boot/firmware/config.txt": ""}
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    shutil.copy(CERTIFICATES, folder / CERTIFICATES.relative_to("/"))
    found = Root(folder)
    found.run("apt-get -qq update")
    found.run("useradd --create-home --shell /bin/bash mira")
    return found
