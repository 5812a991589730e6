"""The machine that a bench runs on: how busy it is besides, and what its disk is."""

import os
from pathlib import Path


def stolen() -> float:
    """Return how many seconds of a core other virtual machines have taken since the start."""
    ticks = Path("/proc/stat").read_text().split(maxsplit=9)[8]
    return int(ticks) / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


def load() -> float:
    """Return how many processes wanted a core in the last minute."""
    return round(os.getloadavg()[0], 1)


def disk_of(folder: Path) -> str:
    """Return which file system a folder is on."""
    best, kind = Path("/"), "unknown"
    for line in Path("/proc/mounts").read_text().splitlines():
        _, point, name, *_ = line.split()
        if folder.resolve().is_relative_to(point) and len(point) >= len(str(best)):
            best, kind = Path(point), name
    return kind
