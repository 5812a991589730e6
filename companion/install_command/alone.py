"""One at a time: who installs, goes back or removes keeps everybody else from it meanwhile.

The lock ends with the program, however it ends, and leaves nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock

from companion.errors import CompanionError
from companion.install_command.places import Places


@contextmanager
def alone(places: Places) -> Iterator[None]:
    """Do something to an installation, unless somebody else is at it."""
    try:
        folder = os.open(places.run, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:  # nothing was ever installed there
        yield
        return
    try:
        _lock(folder)
        yield
    finally:
        os.close(folder)


def _lock(folder: int) -> None:
    try:
        flock(folder, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise CompanionError(
            "Rappelwacht is being installed or removed right now, so nothing was changed; wait "
            "until that is done."
        ) from None
