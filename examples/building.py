"""Builds the package of a game as its author would, and installs it into a folder."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent


def built(folder: Path, package: Path = HERE / "ludo/package") -> Path:
    """Build one in a folder of its own; return where it can be imported from."""
    ours = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(package, folder / "package", ignore=ours)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=package, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def passes(site: Path, home: Path, game: str, *suites: str, full: bool = False) -> str:
    """Have a game pass suites, or what any game must keep, as its author would; return the log."""
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir"]
    words += [str(ROOT), "-c", str(ROOT / "pyproject.toml"), "--basetemp", str(home / "temp")]
    done = subprocess.run(
        [sys.executable, *words, "-rA", "--game", game, *["--full"] * full, *suites],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout
