"""What must not get lost when `sim` keeps a recording, and what must be put away when it is ended.

It must not know what is recorded.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from companion.condition import Condition
from companion.devices.recording import Recorder, RecordingState
from companion.errors import CompanionError
from companion.present.screen import Screen
from companion.sim_command.timeline import as_sentence

NOT_WHOLE: Final = 1  # the exit code: all was played, and not all of it is in the recording
ENDING: Final = (signal.SIGTERM, signal.SIGHUP)


class Keeping:
    """One recording, or none; if it breaks, that is said at once, and play goes on."""

    def __init__(self, file: str | None, screen: Screen) -> None:
        self.code = 0
        self._screen, self._begun = screen, False
        self.recorder = None if file is None else Recorder(Path(file), self._told)
        if self.recorder is not None and not self._begun:
            raise CompanionError(
                "{file}: the recording cannot be written ({reason}).",
                **self.recorder.condition.values,
            )

    def close(self, now_us: int) -> None:
        """Finish it."""
        if self.recorder is not None:
            self.recorder.close(now_us)

    def _told(self, condition: Condition) -> None:
        if condition.state is RecordingState.RUNNING:
            self._begun = True
        elif condition.state is RecordingState.BROKEN and self._begun:
            self.code = self._screen.complain(NOT_WHOLE, as_sentence(condition))


def check_place(file: str | None, script: str | None) -> None:
    """Raise what a recording would destroy: nobody means that, least of all the script."""
    if file is None:
        return
    path = Path(file)
    if script is not None and path.exists() and path.samefile(script):
        raise CompanionError(
            "'{file}' is the script itself; choose another name for the recording.", file=file
        )
    if path.is_file():
        raise CompanionError(
            "'{file}' exists already; choose another name, or remove it first.", file=file
        )


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
