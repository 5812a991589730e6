"""Builds the package of the fifth game as its author would, and installs it into a folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent.parent


def built(folder: Path) -> Path:
    """Build it in a folder of its own; return where it can be imported from."""
    ours = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(HERE / "package", folder / "package", ignore=ours)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=package, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"
