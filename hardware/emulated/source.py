"""The firmware's own source files as modules, under CPython; the wire is the companion's."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from companion import wire

FIRMWARE = Path(__file__).parents[2] / "firmware"


def load(name: str) -> ModuleType:
    """Return a module of the firmware, such as `stopper.stopper`, as a board would import it."""
    sys.modules.setdefault("wire", wire)
    if str(FIRMWARE) not in sys.path:
        sys.path.insert(0, str(FIRMWARE))
    return importlib.import_module(name)
