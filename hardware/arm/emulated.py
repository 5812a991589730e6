r"""Runs programs for another processor, in a Debian of theirs in a folder.

Each command has name spaces of its own, for users, mounts and
processes: in them the kernel is told of the emulator, which nothing else on this computer sees,
and of which nothing stays. Linux can do that since 6.7; before, it must know the emulator already.

    with apart(root, ARM64, "uname", "-m") as running:
        assert running.stdout.read() == "aarch64\n"
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ENVIRONMENT: Final = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
USERS: Final = "0 0 65536\n"  # of inside, of outside, this many: all are who they are
READY: Final = "ready\n"
# Says that it is apart, waits for its users, and becomes the command.
BEGIN: Final = r"""
echo ready
read -r _
emulators=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc none $emulators 2>/dev/null && printf %s "$1" >$emulators/register
set -e
mount -t proc proc "$2/proc"
mount -t devpts -o ptmxmode=666 devpts "$2/dev/pts"
shift
exec chroot "$@"
"""
SPACES: Final = ("unshare", "--user", "--mount", "--pid", "--fork", "--kill-child")


class NotApart(Exception):
    """Nobody may do that on this kernel; the reason is for whoever reads what is skipped."""


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor by the names that Debian, Linux and libraries have for it."""

    debian: str
    linux: str
    library: str
    bits: int
    number: int  # in the head of its programs, which are ELF files

    @property
    def emulator(self) -> str:
        """Return the program that knows its instructions."""
        return f"qemu-{'aarch64' if self.bits == 64 else 'arm'}-static"

    def told(self, emulator: str) -> str:
        """Return the line that tells the kernel which programs an emulator is for."""
        word = 2 if self.bits == 64 else 1
        head = b"\x7fELF" + bytes((word, 1, 1)) + bytes(9) + bytes((2, 0, self.number, 0))
        mask = b"\xff" * 7 + b"\0" + b"\xff" * 8 + b"\xfe\xff\xff\xff"
        return f":{self.debian}:M::{_escaped(head)}:{_escaped(mask)}:{emulator}:F"


def _escaped(data: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in data)


ARM64: Final = Processor("arm64", "aarch64", "aarch64-linux-gnu", 64, 0xB7)
ARMHF: Final = Processor("armhf", "armv7l", "arm-linux-gnueabihf", 32, 0x28)


@contextmanager
def apart(root: Path, told: str, *line: str) -> Iterator[subprocess.Popen[str]]:
    """Start a line in a root; it has ended, with all that it started, when the block is left."""
    with subprocess.Popen(
        [*SPACES, "sh", "-c", BEGIN, "sh", told, str(root), *line],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        try:
            _give_users(running)
            yield running
        finally:
            running.kill()


def _give_users(running: subprocess.Popen[str]) -> None:
    assert running.stdin is not None
    assert running.stdout is not None
    first = running.stdout.readline()
    if first != READY:
        raise NotApart(first.strip())
    try:
        for kind in ("uid", "gid"):
            Path(f"/proc/{running.pid}/{kind}_map").write_text(USERS, "ascii")
    except OSError as error:
        raise NotApart(str(error)) from error
    running.stdin.write("\n")
    running.stdin.flush()
