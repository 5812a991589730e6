"""Logging for the whole program: what goes wrong and, if wished for, what happens.

It goes to where errors are read, which under systemd is the journal: a line each, and for a mistake
of this program its traceback. On somebody's terminal a traceback helps nobody; there it is kept in
a file. No traceback tells values, for any of them could be a secret.
"""

import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Final

from companion.system import errors, paths

OURS: Final = "companion"  # the name of the log that all modules share
FILE: Final = "mistakes.log"
RECENT: Final = 2_000  # lines that are kept in memory, for a report
LONGEST: Final = 4_000  # characters of one of them
MOST_BYTES: Final = 256 * 1024  # of that file; then what is older is kept once more, and forgotten
Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Lines(logging.Formatter):
    """Writes a line for what happened, and perhaps the traceback of a mistake below it."""

    def __init__(self, *, traces: bool = True) -> None:
        super().__init__(fmt="%(levelname)s %(name)s: %(message)s")
        self._traces = traces

    def format(self, record: logging.LogRecord) -> str:
        """Return the text; the record stays as it is for others."""
        own = copy(record)
        own.exc_text = own.stack_info = None
        if not self._traces:
            own.exc_info = None
        return super().format(own)

    def formatException(self, ei: Caught) -> str:  # noqa: N802 - as logging names it
        """Return a traceback without any value."""
        return "" if ei[1] is None else traced(ei[1])


class StderrLog(logging.Handler):
    """Writes to where errors are read now, whoever has put something else there meanwhile."""

    verbose = False

    def __init__(self) -> None:
        super().__init__()
        self.recent = deque[str](maxlen=RECENT)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; a log that cannot be written ends nothing."""
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        self.recent.append(f"{at} {Lines().format(record)}"[:LONGEST])
        read_by_people = not self.verbose and sys.stderr is not None and sys.stderr.isatty()
        try:
            if sys.stderr is not None:
                sys.stderr.write(Lines(traces=not read_by_people).format(record) + "\n")
                sys.stderr.flush()
            if read_by_people and record.exc_info:
                _keep(Lines().format(record) + "\n")
        except (OSError, ValueError, errors.CompanionError):
            return


STDERR: Final = StderrLog()


def recent() -> str:
    """Return what was written to the log since the program began."""
    return "\n".join([*STDERR.recent])


def begin(*, verbose: bool = False) -> None:
    """Set up logging; verbose: also what happens, and tracebacks at once."""
    logging.getLogger().addHandler(STDERR)
    STDERR.verbose = verbose
    logging.getLogger(OURS).setLevel(logging.DEBUG if verbose else logging.WARNING)
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _thread_ended


def place() -> Path | None:
    """Return the file that tracebacks are kept in; None: they are where errors are read."""
    if STDERR.verbose or sys.stderr is None or not sys.stderr.isatty():
        return None
    return paths.kept_in(None, FILE)


def traced(fault: BaseException) -> str:
    """Return where something was raised, and what led to it; of what was said only the kind.

    What the computer itself says has no secrets in it, such as that a disk is full, nor has a name
    that stands in the code, such as that of a template.
    """
    before = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    led = "" if before is None else f"{traced(before)}\nand then:\n"
    where = "".join(traceback.format_tb(fault.__traceback__))
    reason = f": {message}" if (message := _said(fault)) else ""
    notes = "".join(f"\n{note}" for note in getattr(fault, "__notes__", ()))  # only we add any
    kind = f"{type(fault).__qualname__}{reason}{notes}"
    return f"{led}Traceback (most recent call last):\n{where}{kind}"


def _said(fault: BaseException) -> str | None:
    match fault:
        case LookupError():  # jinja's, of a template
            return getattr(fault, "name", None)
        case OSError():
            return fault.strerror
        case ImportError() | SyntaxError():
            return str(fault)
        case AttributeError() | NameError():
            return fault.name
    return None


def _keep(text: str) -> None:
    file = paths.kept_in(None, FILE)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if file.exists() and file.stat().st_size > MOST_BYTES:
        file.replace(file.with_name(f"{FILE}.old"))
    line = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with open(line, "a", encoding="utf-8", errors="replace") as out:  # noqa: PTH123 - a descriptor, not a path
        out.write(text)


def _thread_ended(ended: threading.ExceptHookArgs) -> None:
    """Log what ended a thread, as everything else."""
    if ended.exc_value is not None and not isinstance(ended.exc_value, SystemExit):
        name = ended.thread.name if ended.thread is not None else "?"
        logging.getLogger(OURS).error("The thread '%s' ended.", name, exc_info=ended.exc_value)
