"""Tells how this program was started, so that what it tells people to type can be typed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

DOOR: Final = "RAPPELWACHT_STARTED_AS"  # of the environment; ./run says there how it was started
INSTALLED: Final = "rappelwacht"


def program() -> str:
    """Return the first word of every command of this program."""
    return os.environ.get(DOOR) or INSTALLED


def is_project() -> bool:
    """Tell whether it was started by ./run, which can do more than the program."""
    return program() != INSTALLED


def program_for_root() -> str:
    """Return the same behind `sudo`, whose PATH may not know a virtual environment."""
    script = Path(sys.argv[0])
    return str(script) if script.name == INSTALLED else program()
