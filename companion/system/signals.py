"""Signals: how Ctrl-C, SIGTERM or the closing of the terminal stops the program gracefully.

Python runs a signal's handler between any two instructions of the main thread: also in a callback
of a weak reference or of the garbage collector, where an exception is swallowed and whatever lock
was being taken stays held for good. So the handler only notes the signal and wakes whoever waits.
`Stopped` is raised by `check`, and by all here that waits, in the main thread and once: where the
program can be left as by any other exception. What must not be cut in two stands in `postponed`.

After that, Ctrl-C is the kernel's: a second one ends the program at once, wherever it is. What was
acknowledged is on disk by then. Programs that ours started end with it, even if it is killed.
"""

import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, NoReturn, TypeVar

T = TypeVar("T")
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
USUAL: Final = (signal.SIG_DFL, signal.default_int_handler)  # else whoever started us ignores it
PATIENCE_S: Final = 1.0  # with whoever does not read what is shown, once the program is stopped
LOOK_S: Final = 0.1  # how often a program that ours waits for is looked at


class Stopped(KeyboardInterrupt):
    """Somebody stops the program."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number  # of the program's exit, as shells count


class _Stop:
    """Whether somebody stops the program, and what is woken then."""

    __slots__ = ("ear", "number", "pending", "postponed", "wake")

    def __init__(self) -> None:
        self.number: int | None = None  # of the first signal
        self.pending = False  # whether nobody has been told yet
        self.postponed = 0
        self.ear: int | None = None  # readable after each signal
        self.wake: Callable[[], object] | None = None  # may be called between any instructions

    def handle(self, number: int, _: FrameType | None) -> None:
        """Note a signal; nothing may be raised here, and no lock be taken."""
        if self.number is None:
            self.number, self.pending = number, True
        if signal.getsignal(signal.SIGINT) == self.handle:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if self.wake is not None:
            self.wake()


_stop = _Stop()


@contextmanager
def handled() -> Iterator[None]:
    """Handle the signals that stop the program, except those it was told to ignore."""
    global _stop  # noqa: PLW0603 - a process has its signals once
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, _stop = _stop, _Stop()
    ear, mouth = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    _stop.ear = ear
    taken = {number: signal.getsignal(number) for number in STOPPING}
    taken = {number: handler for number, handler in taken.items() if handler in USUAL}
    woken = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    for number in taken:
        signal.signal(number, _stop.handle)
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken)
        os.close(mouth)
        os.close(ear)
        _stop = before


def code() -> int | None:
    """Return the program's exit code if somebody has stopped it."""
    return None if _stop.number is None else 128 + _stop.number


def leave(code: int) -> NoReturn:
    """End the process; at once, if somebody stopped it and all is put away.

    What Python itself does at the end may wait for ever: for a lock of a thread that it has ended.
    """
    if code > 128:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, or nobody reads it
                stream.flush()
        os._exit(code)
    raise SystemExit(code)


def check() -> None:
    """Raise Stopped in the main thread if somebody stops the program, once."""
    if not _stop.pending or _stop.postponed or _stop.number is None:
        return
    if threading.current_thread() is threading.main_thread():
        _stop.pending = False
        raise Stopped(_stop.number)


@contextmanager
def postponed() -> Iterator[None]:
    """Finish this before Stopped is raised."""
    _stop.postponed += 1
    try:
        yield
    finally:
        _stop.postponed -= 1
    check()


def sleep(seconds: float) -> None:
    """Wait so long; raise Stopped as soon as somebody stops the program."""
    _wait(seconds)


def readable(file: int, seconds: float | None = None) -> bool:
    """Wait until a file can be read, for so long at most; return whether it can.

    Raise Stopped as soon as somebody stops the program.
    """
    return _wait(seconds, file, select.POLLIN)


def writable(file: int) -> bool:
    """Wait until a file can be written, however slowly it is read; return whether it can.

    Raise Stopped as soon as somebody stops the program; after that nobody is waited for.
    """
    while not _wait(PATIENCE_S, file, select.POLLOUT):
        if _stop.number is not None:
            return False
    return True


def _wait(seconds: float | None, file: int | None = None, event: int = 0) -> bool:
    until_s = None if seconds is None else time.monotonic() + seconds
    poll, ear = select.poll(), _stop.ear
    if file is not None:
        poll.register(file, event)
    if ear is not None and threading.current_thread() is threading.main_thread():
        poll.register(ear, select.POLLIN)
    while True:
        check()
        rest_s = None if until_s is None else max(0.0, until_s - time.monotonic())
        ready = {number for number, _ in poll.poll(None if rest_s is None else rest_s * 1000)}
        check()  # it may have come at the same time, and comes first
        if ear is not None and ear in ready:
            os.read(ear, 4096)
        elif file in ready or not ready:
            return file in ready


def get(waiting: queue.SimpleQueue[T], seconds: float, nothing: T) -> T:
    """Return the next of a queue, or `nothing` if none comes in time.

    Raise Stopped as soon as somebody stops the program.
    """
    _stop.wake = lambda: waiting.put(nothing)  # this kind of queue may be interrupted by itself
    try:
        check()
        return waiting.get(timeout=seconds)
    except queue.Empty:
        return nothing
    finally:
        _stop.wake = None


def run(
    words: Sequence[str], seconds: float | None = None, **more: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end, as subprocess.run does; kill it if somebody stops ours.

    Ctrl-C reaches it only through us: it may be doing what is to be finished.
    """
    until_s = None if seconds is None else time.monotonic() + seconds
    with subprocess.Popen(  # noqa: S603 - a list of words, and no shell
        words, stdin=subprocess.DEVNULL, process_group=0, **more
    ) as process:
        while True:
            try:
                check()
                out, errors = process.communicate(timeout=LOOK_S)
            except subprocess.TimeoutExpired:
                if until_s is None or time.monotonic() < until_s:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                raise
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            return subprocess.CompletedProcess(words, process.returncode, out, errors)


def with_us() -> list[str]:
    """Return what makes a program end when we are killed: nobody else could end it then.

    A service may not use that: systemd allows it no call for privileges, and ends all itself.
    """
    setpriv = shutil.which("setpriv")
    words = [] if setpriv is None else [setpriv, "--pdeathsig", "TERM", "--"]
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)  # noqa: S603 - our own program
    return words if tried.returncode == 0 else []
