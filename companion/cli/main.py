"""The entry point of the command line: runs a command, and turns every error into an exit code.

- 0: all is done
- 1: it was done, but a saved game or an export is not sound, a recording not whole, a table sick
- 2: the words, a file or the output do not fit; a sentence says why
- 66: the input ended before all was answered
- 70: a mistake of this program; the log says where it was made
- 129, 130, 143: the terminal closed, Ctrl-C, or somebody ended it; everything is put away
- 141: whoever read the output has had enough
"""

import errno
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Final, NoReturn

from companion.cli.options import language_of, read_options
from companion.i18n.translate import Translatable, spoken
from companion.present.terminal import TerminalScreen, Unwritten, wants_colour
from companion.system import logs, signals
from companion.system.errors import CompanionError, RulesError

MISUSED: Final = 2
UNANSWERED: Final = 66  # as BSD counts: there is no input
MISTAKEN: Final = 70  # and: a fault in the software
INTERRUPTED: Final = 130  # as shells count: 128 and the number of the signal
CUT_OFF: Final = 141


def main(words: Sequence[str] | None = None) -> int:
    """Do what the words say; return the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    if sys.stdout is None:  # closed before the start, as by `>&-`
        closed = Unwritten(errno.EBADF, os.strerror(errno.EBADF))
        return TerminalScreen(sys.stderr, spoken(os.environ)).complain(MISUSED, _refused(closed))
    logs.begin()
    screen = TerminalScreen(sys.stdout, spoken(os.environ), wants_colour(sys.stdout, os.environ))
    with signals.handled():
        return _answered(sys.argv[1:] if words is None else words, screen)


def _answered(words: Sequence[str], screen: TerminalScreen) -> int:
    """Do what the words say; whatever comes of it is an exit code."""
    try:
        return _run(words, screen)
    except CompanionError as error:
        return screen.complain(MISUSED, error)
    except RulesError as error:
        return screen.complain(MISUSED, *(error.faults or (error,)))
    except KeyboardInterrupt:
        return signals.code() or INTERRUPTED
    except EOFError:
        if (code := signals.code()) is not None:  # such as a terminal that was closed
            return code
        return screen.complain(UNANSWERED, _unanswered())
    except Unwritten as error:
        _silence()
        if (code := signals.code()) is not None:  # such as a terminal that was closed
            return code
        if error.errno == errno.EPIPE:  # whoever read this has had enough
            return CUT_OFF
        return screen.complain(MISUSED, _refused(error))
    except OSError as error:  # whatever is foreseen, a command says in its own words
        logging.getLogger(logs.OURS).debug("The computer refused something.", exc_info=error)
        return screen.complain(MISUSED, _refused(error))
    except Exception as mistake:
        if _no_more_threads(mistake):
            return screen.complain(MISUSED, _crowded())
        logging.getLogger(logs.OURS).exception("A bug in this program.", exc_info=mistake)
        return screen.complain(MISTAKEN, _mistaken())


def _run(words: Sequence[str], screen: TerminalScreen) -> int:
    screen.language, rest = language_of(words, os.environ)
    try:
        options = read_options(screen.language, rest)
    except SystemExit:  # all was said already, as by --help
        screen.put()
        raise
    logs.begin(verbose=options.verbose)
    command: Callable[[Namespace, TerminalScreen], int] = resolve_name(options.place)
    signals.check()
    return command(options, screen)


def _refused(error: OSError) -> Translatable:
    """Return what the computer refused, and of what."""
    file, reason = error.filename2 or error.filename, error.strerror or type(error).__name__
    if isinstance(error, Unwritten):
        return CompanionError("The output cannot be written: {reason}.", reason=reason)
    if file is None:
        return CompanionError(
            "The computer refuses that: {reason}. With --verbose the log says where.", reason=reason
        )
    return CompanionError(
        "{file} cannot be used: {reason}. Put that right, then run the same command again.",
        file=os.fsdecode(file) if isinstance(file, bytes) else file,
        reason=reason,
    )


def _unanswered() -> Translatable:
    return CompanionError(
        "The input ended, and there was more to answer. Start it again in a terminal and type "
        "your answers there, or have each of them be a line of the input."
    )


def _no_more_threads(fault: BaseException | None) -> bool:
    """Tell whether what ended the program is that it may start no more threads."""
    return fault is not None and (
        (isinstance(fault, RuntimeError) and "start new thread" in str(fault))
        or _no_more_threads(fault.__cause__ or fault.__context__)
    )


def _crowded() -> Translatable:
    return CompanionError(
        "The computer lets this program start no more threads. End other programs of the same "
        "user, or raise the limit: ulimit -u, or TasksMax of a service. Then start again."
    )


def _mistaken() -> Translatable:
    file = logs.place()
    if file is None:
        return CompanionError("That was a bug in this program; the log says where it is.")
    return CompanionError("That was a bug in this program; {file} says where it is.", file=file)


def _silence() -> None:
    """Discard what is still to be written to the output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def start() -> NoReturn:
    """Do what this program's own command line says, and end it."""
    signals.leave(main())
