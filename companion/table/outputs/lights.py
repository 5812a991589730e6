"""The lights output: draws the newest scene on board and seats, and sounds the buzzer."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.devices.light_board import LightBoard
from companion.devices.seats import Seats
from companion.maintenance.controller import LightTrial
from companion.present.lights import patterns, scenes
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import BarrelMotion, BarrelMoved

FRAME_US: Final = 33_333
CALM_US: Final = 10_000_000  # for this long nothing has happened: nobody is at the table…
CALM_FRAME_US: Final = 100_000  # …and every frame costs, so the lights breathe more coarsely
AT_REST: Final = {BarrelMotion.STANDING, BarrelMotion.LYING, BarrelMotion.LOST}

TRIED_HZ, TRIED_US = 880, 500_000


def try_buzzer(seats: Seats, now_us: int) -> None:
    """Sound the buzzer for a moment, to try it."""
    seats.play(now_us, TRIED_HZ, TRIED_US)


class TableLights:
    """The lights of the board, if there is one, and those of the seats, with the buzzer."""

    def __init__(
        self, seats: Seats, board: LightBoard | None, trial: Callable[[int], LightTrial | None]
    ) -> None:
        self._seats, self._board, self._trial = seats, board, trial
        self._snapshot: Snapshot | None = None
        self._tone: patterns.Tone | None = None
        self._stirred_us = 0
        self.due_us = 0

    def handle_event(self, event: object, now_us: int) -> None:
        """Note that barrels move: somebody is at the table, though nothing is published."""
        if isinstance(event, BarrelMoved) and event.doing not in AT_REST:
            self._stirred_us = now_us

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:  # noqa: ARG002 - the contract has it
        """Show a snapshot, as soon as all is there that the same turn brings."""
        self._snapshot = snapshot
        self._stirred_us, self.due_us = snapshot.at_us, 0

    def tick(self, now_us: int) -> None:
        """Show a frame of the newest scene, or of what somebody tries in the workshop."""
        if self._snapshot is None:
            return
        trial = self._trial(now_us)
        frame_us = FRAME_US if now_us - self._stirred_us < CALM_US else CALM_FRAME_US
        self.due_us = now_us - now_us % frame_us + frame_us
        shown = scenes.scene(self._snapshot, now_us)
        if self._board is not None:
            self._board.set(shown.lights if trial is None else trial.lights(now_us))
            self._board.tick(now_us)
        for colour, brightness in (shown.seats if trial is None else trial.seats()).items():
            self._seats.set_light(colour, brightness)
        self._seats.update_lights(now_us)
        if shown.tone is not None and shown.tone != self._tone:
            self._seats.play(now_us, shown.tone.frequency_hz, shown.tone.until_us - now_us)
        self._tone = shown.tone

    def close(self, now_us: int) -> None:
        """Make everything dark."""
        self._seats.close(now_us)
        if self._board is not None:
            self._board.close(now_us)
