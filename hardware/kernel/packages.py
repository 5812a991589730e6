"""What the guest has of others: packages of Debian, and a wheel that Debian has not.

Debian's come through apt, unpacked and never installed, and nobody needs to be root; all of it
stays in a cache folder of the user.
"""

import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tarfile import TarFile
from typing import Final
from urllib.parse import unquote

from companion.cli.install.releases import PINS_LOCK
from release.install.roots import ROOT

KERNEL: Final = "linux-image-amd64"
WANTED: Final = ("systemd-sysv", "udev", "kmod", "python3", "base-files", "dash", "coreutils")
PINS: Final = "python3-lgpio"  # in newer Debians only
PLATFORM: Final = "manylinux_2_34_x86_64"  # of the wheel with lgpio
LISTS: Final = Path("/var/lib/apt/lists")  # changes with what apt knows
DEB: Final = re.compile(r"^'\S+' ([^_\s]+)_([^_\s]+)_\S+\.deb ", re.MULTILINE)


class Unavailable(Exception):
    """The guest cannot be made here; the reason is for whoever reads which tests were skipped."""


@dataclass(frozen=True, slots=True)
class Packages:
    """What to make the guest of, each as name=version."""

    all: tuple[str, ...]

    @property
    def python(self) -> str:
        """Return the guest's Python, such as "3.11"."""
        return next(found[1] for name in self.all if (found := re.match(r"python(3\.\d+)=", name)))

    @property
    def has_pins(self) -> bool:
        """Whether lgpio is among them."""
        return any(name.startswith(f"{PINS}=") for name in self.all)


def cache() -> Path:
    """Return the folder that keeps what was fetched and made once."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    found = Path(folder, "rappelwacht-kernel")
    (found / "debs").mkdir(parents=True, exist_ok=True)
    (found / "nothing/partial").mkdir(parents=True, exist_ok=True)
    (found / "nothing/status").touch()
    return found


def chosen(more: tuple[str, ...] = ()) -> Packages:
    """Return what a bare system would need, by the package lists of this computer."""
    note = cache() / "-".join(("chosen", *more))  # apt takes longer than the guest to boot halfway
    known_by = f"{LISTS.stat().st_mtime_ns} {KERNEL} {WANTED} {PINS}"
    if note.exists():
        before, *names = note.read_text("utf-8").splitlines()
        if before == known_by:
            return Packages(tuple(names))
    found = _solved(more)
    note.write_text("\n".join((known_by, *found)), "utf-8")
    return Packages(found)


def _solved(more: tuple[str, ...]) -> tuple[str, ...]:
    nothing = cache() / "nothing"  # is installed there
    found = re.search(r"Depends: (linux-image-\S+)", _said("apt-cache", "depends", KERNEL))
    if found is None:
        raise Unavailable(f"the package lists do not know {KERNEL}; say: sudo apt-get update")
    known = _said("apt-cache", "pkgnames", PINS).split()
    options = ["-o", "Debug::NoLocking=1", "-o", f"Dir::State::status={nothing}/status"]
    options += ["-o", f"Dir::Cache::archives={nothing}", "--no-install-recommends"]
    print_only = ("--print-uris", "-qq", "-y")
    lines = _said("apt-get", *options, *print_only, "install", *WANTED, *known, *more)
    lines += _said("apt-get", *print_only, "download", found[1])
    return tuple(sorted(f"{name}={unquote(at)}" for name, at in DEB.findall(lines)))


def fetched(packages: Packages) -> list[Path]:
    """Have them in the cache; return where."""
    folder = cache() / "debs"
    missing = [name for name in packages.all if not _kept(folder, name)]
    if missing:
        _said("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *missing, at=folder)
    return [path for name in packages.all for path in _kept(folder, name)]


def wheel(python: str) -> Path:
    """Have lgpio for this Python in the cache, as it is locked; return where."""
    folder = cache() / f"wheels-{python}"
    if not list(folder.glob("*.whl")):
        fetch = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--require-hashes",
        ]
        fetch += ["--only-binary", ":all:", "--python-version", python, "--dest", str(folder)]
        _said(*fetch, "--platform", PLATFORM, "-r", str(ROOT / PINS_LOCK))
    return next(folder.glob("*.whl"))


@contextmanager
def unpacked(deb: Path) -> Iterator[TarFile]:
    """Have the files of a package as a tar archive that comes through a pipe."""
    line = ("dpkg-deb", "--fsys-tarfile", str(deb))
    with subprocess.Popen(line, stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout is not None
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as tar:
            yield tar
        while unpacking.stdout.read(1 << 20):  # what fills the last block
            pass
    if unpacking.returncode != 0:
        raise Unavailable(f"{deb.name} cannot be unpacked")


def _kept(folder: Path, name: str) -> list[Path]:
    return list(folder.glob(f"{name.replace('=', '_').replace(':', '%3a')}_*.deb"))


def _said(*line: str, at: Path | None = None) -> str:
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=at)
    if done.returncode != 0:
        raise Unavailable(f"{' '.join(line[:2])} fails: {done.stderr.strip()[-300:]}")
    return done.stdout
