"""The loop of the table's thread, and the guard that lets it outlive bugs of this program."""

import logging
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Thread
from types import TracebackType
from typing import Final, Self

from companion.system import format_names, status
from companion.table.inbox import Inbox, Message


class Loop(AbstractContextManager["Loop"]):
    """Turns a table until it is left; nothing in one is safe from two threads at once."""

    def __init__(
        self,
        turn: Callable[[Message | None], None],
        rest_s: Callable[[], float],  # for how long there is nothing to do if nothing comes
        inbox: Inbox,
    ) -> None:
        self._turn, self._rest_s, self._inbox, self._running = turn, rest_s, inbox, True
        self.thread = Thread(target=self._run, name="table", daemon=True)
        self.fault: BaseException | None = None  # what ended the thread before its time

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and wait until it has."""
        self._running = False
        self._inbox.wake()
        self.thread.join()

    def _run(self) -> None:
        try:
            while self._running:
                self._turn(self._inbox.wait(self._rest_s()))
        except BaseException as fault:  # noqa: BLE001 - raised again for whoever waits for the table
            self.fault = fault


LOG: Final = logging.getLogger(__name__)
HOPELESS_US: Final = 30_000_000  # if every turn failed for this long
QUIET_US: Final = 60_000_000  # after this long without another, people need no longer be told
PAUSE_S: Final = 0.05  # before the turn after one that failed: never in haste
Place = tuple[str, str, int]


@format_names.format_name("Mistake")
class BugStatus(status.Status):
    """Whether something failed lately that never should."""

    NONE = status.Fine("No bug in this program has caused a failure.")
    MADE = (
        "A bug in this program made something fail; the game goes on. Tap whatever it missed; "
        "its log says what failed."
    )


class ErrorGuard:
    """Catches what a step of the loop raises, logs each bug once, and tells people of it."""

    def __init__(
        self, clock_us: Callable[[], int], report: status.Report, heal: Callable[[int], object]
    ) -> None:
        self._clock_us, self._heal = clock_us, heal
        self._watched = status.StatusReporter(BugStatus.NONE, report)
        self._times: Counter[Place] = Counter()
        self._fault: Exception | None = None  # of this turn
        self._failing_us: int | None = None  # since when every turn failed
        self._newest_us = 0
        self._healing = False

    def __enter__(self) -> None:
        """Begin something that may fail."""

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, _: object
    ) -> bool:
        """Swallow and note a failure, so that the loop goes on."""
        if fault is None:
            return True
        if not isinstance(fault, Exception) or isinstance(fault, MemoryError):
            return False
        self._note(fault)
        if not self._healing:  # else what fails again while it is healed would never end
            self._healing = True
            try:
                self._heal(self._newest_us)
            except Exception as again:  # noqa: BLE001 - the next failure tries to heal it again
                self._note(again)
            finally:
                self._healing = False
        return True

    @property
    def pause_s(self) -> float:
        """Return for how long the loop should at least wait."""
        return 0.0 if self._failing_us is None else PAUSE_S

    def end_turn(self) -> None:
        """Note that a turn of the loop is over; raise its mistake if none went well for long."""
        fault, self._fault = self._fault, None
        if fault is None:
            self._failing_us = None
            made = self._watched.condition.state is BugStatus.MADE
            if made and (now_us := self._clock_us()) - self._newest_us >= QUIET_US:
                self._watched.becomes(BugStatus.NONE, now_us)
        elif self._failing_us is None:
            self._failing_us = self._clock_us()
        elif self._clock_us() - self._failing_us >= HOPELESS_US:
            raise fault

    def _note(self, fault: Exception) -> None:
        """Log a mistake, and tell people that there was one."""
        self._fault, self._newest_us = fault, self._clock_us()
        place = _place(fault)
        self._times[place] += 1
        times = self._times[place]
        if times == 1:
            LOG.error("A bug in this program; the table goes on.", exc_info=fault)
        elif str(times).strip("0") == "1":  # 10, 100, 1000…
            LOG.error("%s in %s, line %d: %d times by now.", *place, times)
        self._watched.becomes(BugStatus.MADE, self._newest_us)


def _place(fault: Exception) -> Place:
    """Return by what the same mistake is known again: its kind, and where it was made."""
    file, line = "?", 0
    trace: TracebackType | None = fault.__traceback__
    while trace is not None:
        file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return type(fault).__name__, file, line
