"""A Debian for another processor in a folder, made once by debootstrap and kept in a cache.

Whoever wants one gets a copy.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from hardware.arm.emulated import NotApart, Processor, apart

SUITE: Final = "bookworm"
WITH: Final = "python3,systemd,ca-certificates"
MADE_S: Final = 4 * 3600  # ten minutes, where nothing else is done meanwhile
LAST_WORDS: Final = 300
# What debootstrap makes of a name space for users: devices are there, and it need not make any.
SECOND: Final = "container=lxc /debootstrap/debootstrap --second-stage"
DISK: Final = "usr/share/initramfs-tools/modules.d/disk"
DRIVER: Final = "virtio_blk\n"  # dracut-install of 32 bits, emulated, finds none in a folder


def copied(
    processor: Processor, told: str, folder: Path, suite: str = SUITE, more: tuple[str, ...] = ()
) -> None:
    """Lay a Debian into a folder, with more packages than the least; raise NotApart."""
    kept = _cache() / "-".join((suite, processor.debian, *more))
    if not kept.exists():
        part = kept.with_name(f"{kept.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        _make(processor, told, part, suite, ",".join((WITH, *more)))
        part.rename(kept)
    subprocess.run(["cp", "--archive", "--reflink=auto", str(kept), str(folder)], check=True)


def _cache() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    found = Path(folder, "rappelwacht-arm")
    found.mkdir(parents=True, exist_ok=True)
    return found


def _make(processor: Processor, told: str, root: Path, suite: str, packages: str) -> None:
    """Unpack it here, and let it set itself up."""
    line = ["debootstrap", "--foreign", f"--arch={processor.debian}", "--variant=minbase"]
    line += [f"--include={packages}", suite, str(root)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=MADE_S)
    if done.returncode != 0:
        raise NotApart(f"debootstrap fails: {done.stdout[-LAST_WORDS:]}")
    proc = root / "proc"
    if proc.is_symlink():  # so it does inside Docker
        proc.unlink()
        proc.mkdir()
    _shorten_lists(root)
    (root / DISK).parent.mkdir(parents=True, exist_ok=True)
    (root / DISK).write_text(DRIVER, "ascii")
    with apart(root, told, "sh", "-c", SECOND) as running:
        said, _ = running.communicate(timeout=MADE_S)
    if running.returncode != 0:
        raise NotApart(f"debootstrap's second stage fails: {said[-LAST_WORDS:]}")
    shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)


def _shorten_lists(root: Path) -> None:
    """Leave in the package lists what is to be set up: all is read many times, emulated."""
    wanted = {line.split()[0] for line in (root / "debootstrap/debpaths").read_text().splitlines()}
    for path in (root / "var/lib/apt/lists").glob("*_Packages"):
        packages = path.read_text("utf-8").split("\n\n")
        named = [(text.split("\n", 1)[0].removeprefix("Package: "), text) for text in packages]
        path.write_text("\n\n".join(text for name, text in named if name in wanted) + "\n", "utf-8")
