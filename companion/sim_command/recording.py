"""The recording that `sim` makes, if one is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from companion.condition import Condition
from companion.devices.recording import Recorder, RecordingState, demand_new
from companion.errors import CompanionError
from companion.present.screen import Screen
from companion.sim_command.timeline import as_sentence

NOT_WHOLE: Final = 1  # the exit code: all was played, and not all of it is in the recording


class KeptRecording:
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
    demand_new(file)
