"""Types a line as a reader would: into bash, in a folder with the door, in a home of its own."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Final

import pytest

from examples.readme.lines import ROOT

LONG_S: Final = 600.0  # far longer than any line takes: only a line that hangs meets it
APART: Final = ("unshare", "--map-root-user", "--net")  # a network of its own: all ports are free


@dataclass(frozen=True, slots=True)
class Said:
    """What a line came to."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder in which somebody types."""

    folder: Path
    prefix: tuple[str, ...] = ()

    def type(self, line: str, until: str | None = None, **environment: str) -> Said:
        """Run a line to its end; or until it says something, and then press Ctrl-C."""
        with subprocess.Popen(
            [*self.prefix, "bash", "-c", line],
            cwd=self.folder,
            env=self._environment() | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as typed:
            too_long = Timer(LONG_S, os.killpg, (typed.pid, signal.SIGKILL))
            too_long.start()
            told = ""
            if until is not None:
                assert typed.stdout is not None
                for one in iter(typed.stdout.readline, ""):
                    told += one
                    if re.search(until, one):
                        os.killpg(typed.pid, signal.SIGINT)
                        break
            out, err = typed.communicate()
            too_long.cancel()
        return Said(typed.returncode, told + out, err)

    def _environment(self) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.folder), "LANG": "C.UTF-8"}


def desk(folder: Path) -> Desk:
    """Return a folder with the real door in it; skip where there is none to go through."""
    if Path(sys.prefix) != ROOT / ".venv":
        pytest.skip("needs the .venv that ./run makes; run: ./run test")
    (folder / "run").symlink_to(ROOT / "run")
    return Desk(folder, APART if possible(*APART) else ())


def possible(*prefix: str) -> bool:
    """Tell whether programs can be run in such a way here."""
    try:
        done = subprocess.run([*prefix, "true"], check=False, capture_output=True)
    except OSError:
        return False
    return done.returncode == 0
