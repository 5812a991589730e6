"""A fresh Debian in a folder: its own apt, pip, sysusers and systemctl, and somebody called mira.

What a kernel is needed for, `hardware/kernel` proves. CI has mira try the project there:

    python -m hardware.debian.debian_root trixie "./run test tests/wire" [PACKAGES]

ends as her line does, and with 77 where no Debian can be had.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hardware.arm.debian import WITH
from release.install.roots import PROJECT, all_parts, copy_project
from tests.programs import need

HOME = "home/mira/rappelwacht"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
USERS_PATH = "/usr/local/bin:/usr/bin:/bin"  # as Debian has it: without what root alone needs
HOSTS = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n"
MADE_S, DONE_S = 900, 600
NO_DEBIAN = 77  # as other tools say that something was skipped
DEVICES = (  # as any running Debian has them
    "mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && ln -sf pts/ptmx /dev/ptmx"
    " && mount -t tmpfs tmpfs /dev/shm"
)
MIRROR = (
    *("apt-get", "indextargets", "--format", "$(REPO_URI)"),
    *("Created-By: Packages", "Origin: Debian", "Component: main"),
)
HOW_APT_ASKS = ("Acquire::http", "Acquire::Check")
WHERE_PIP_ASKS = ("etc/pip.conf", "etc/xdg/pip")
PASSED_ON = re.compile(r"CI|PIP_\w+|\w+_proxy", re.IGNORECASE)
APART = ("unshare", "--pid", "--fork", "--mount")  # what is mounted goes with the command
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


@dataclass
class Root:
    """A Debian in a folder."""

    folder: Path
    ran: list[str] = field(default_factory=list)

    def run(self, line: str, code: int = 0, within_s: float = DONE_S) -> str:
        """Have a line carried out in it, as root; return what it said."""
        done = self._done(line, capture_output=True, text=True, timeout=within_s)
        self.ran.append(line)
        assert done.returncode == code, (line, done.stdout, done.stderr)
        return f"{done.stdout}{done.stderr}"

    def show(self, line: str) -> int:
        """Have it carried out before everybody's eyes, with all devices; return how it ended."""
        return self._done(f"{DEVICES} && {line}").returncode

    def _done(self, line: str, **how: Any) -> subprocess.CompletedProcess[str]:
        mounted = f"--mount-proc={self.folder}/proc"
        passed_on = {name: word for name, word in os.environ.items() if PASSED_ON.fullmatch(name)}
        return subprocess.run(
            [*APART, mounted, "chroot", str(self.folder), "sh", "-c", line],
            env=passed_on | ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            check=False,
            **how,
        )

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
        ["debootstrap", "--variant=minbase", f"--include={WITH}", suite, str(folder), *mirror()],
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
    know_the_way(folder)
    found = Root(folder)
    found.run("apt-get -qq update")
    found.run("useradd --create-home --shell /bin/bash mira")
    return found


def _said(*words: str) -> list[str]:
    if shutil.which(words[0]) is None:  # debootstrap is on other systems, too
        return []
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def mirror() -> list[str]:
    """Return where this computer gets its Debian, if it is one."""
    return _said(*MIRROR)[:1]


def know_the_way(folder: Path, here: Path = Path("/")) -> None:
    """Let apt and pip in it ask whom they ask on this computer, and as they do."""
    asks = [line for line in _said("apt-config", "dump") if line.startswith(HOW_APT_ASKS)]
    (folder / "etc/apt/apt.conf.d/90asks").write_text(
        "".join(f"{line}\n" for line in asks), "utf-8"
    )
    for name in WHERE_PIP_ASKS:
        if (here / name).is_dir():
            shutil.copytree(here / name, folder / name, dirs_exist_ok=True)
        elif (here / name).exists():
            shutil.copy(here / name, folder / name)


def main(suite: str, line: str, *packages: str) -> int:
    """Have mira carry out a line in the project, in a fresh Debian; return how it ended."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as kept:
        try:
            root = laid_out(suite, Path(kept) / "root")
        except pytest.skip.Exception as why:
            print(f"SKIPPED: no Debian {suite} to test in: {why}", file=sys.stderr)  # noqa: T201 - whoever starts CI reads it
            return NO_DEBIAN
        root.bring(all_parts())
        root.run(
            f"apt-get -qq -y --no-install-recommends install python3-venv {' '.join(packages)}"
        )
        return root.show(f"su mira -c {quote(f'PATH={USERS_PATH} && cd /{HOME} && {line}')}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
