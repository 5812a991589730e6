"""How the program is ended: a signal to stop lets it put everything away first.

Programs that it started end with it, even if it is killed.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENDING: Final = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """Let being ended, or the terminal closing, put everything away first, as Ctrl-C does."""

    def end(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough
        raise SystemExit(128 + number)  # as shells count

    ours = threading.current_thread() is threading.main_thread()
    taken = [one for one in ENDING if ours and signal.getsignal(one) is signal.SIG_DFL]
    for one in taken:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in taken:
            signal.signal(one, signal.SIG_DFL)


def with_us() -> list[str]:
    """Return what makes a program end when we are killed: nobody else could end it then.

    A service may not use that: systemd allows it no call for privileges, and ends all itself.
    """
    found = shutil.which("setpriv")
    words = [] if found is None else [found, "--pdeathsig", "TERM", "--"]
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)  # noqa: S603 - our own program
    return words if tried.returncode == 0 else []
