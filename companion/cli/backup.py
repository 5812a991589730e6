"""Backup and restore on the command line: one file, shown before anything is changed.

A table that runs may be backed up, as its files only grow; it has to be stopped to be restored.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from companion.cli.files import create
from companion.journal import Journal, JournalState
from companion.maintenance import backup as backups
from companion.present.terminal import TerminalScreen, bar
from companion.system import paths
from companion.system.errors import CompanionError


def backup(options: Namespace, screen: TerminalScreen) -> int:
    """Write a new file with all that a table must not lose."""
    folder, file = _folder(options), Path(options.file)
    if not paths.is_there(folder):
        raise CompanionError("There is no table in '{folder}'.", folder=folder)
    try:
        with create(file) as stream:
            made = backups.write_backup(folder, stream, datetime.now().astimezone(), _progress)
            os.fsync(stream.fileno())
            size = stream.tell()
    except OSError as error:
        if error.filename != str(file):  # else it was there before
            file.unlink(missing_ok=True)
        raise CompanionError(
            "{file}: the backup cannot be written ({reason}).", file=file, reason=error.strerror
        ) from error
    _show(made, screen)
    screen.tell(
        "Saved as {file} ({kb} kB). It holds the keys of the stoppers, and what people called "
        "themselves: keep it where only you can read it.",
        file=file,
        kb=-(-size // 1000),
    )
    return 0


def restore(options: Namespace, screen: TerminalScreen) -> int:
    """Show what a backup holds, and have it replace what is there if that is wanted."""
    folder, file = _folder(options), Path(options.file)
    kept = backups.read_backup(file)
    screen.tell("{file} was made on {date} by version {version}:", **_words(file, kept))
    _show(kept, screen)
    if not options.yes:
        screen.tell(
            "Nothing was changed. To restore it into {folder}, type the same again with --yes; "
            "what is there now is kept beside it.",
            folder=folder,
        )
        return 0
    with _alone(paths.made_private(folder)):
        _, before = backups.restore(folder, file, datetime.now().astimezone(), _progress)
    there = before if paths.is_there(before) else None
    screen.tell("It is restored; start the table again.")
    if there is not None:
        screen.tell("What was there before is kept in {folder}.", folder=there)
    return 0


def finish(folder: Path) -> None:
    """Do what a power cut left of a restore; CompanionError: another program is just doing it."""
    if backups.is_restoring(folder):
        with _alone(folder):
            backups.finish_restore(folder)


def _progress(done: int, total: int) -> None:
    """Show how far it is, where somebody watches; what follows takes its place."""
    if sys.stderr is not None and sys.stderr.isatty():
        whole = done + 1 == total
        sys.stderr.write("\r\x1b[K" if whole else f"\r  {bar(100 * done // total)}")
        sys.stderr.flush()


def _folder(options: Namespace) -> Path:
    return paths.kept_in(options.folder, "simulated" if options.simulated else "table")


def _words(file: Path, kept: backups.Backup) -> dict[str, object]:
    return {"file": file, "date": kept.made.replace("T", " ")[:16], "version": kept.version}


def _show(kept: backups.Backup, screen: TerminalScreen) -> None:
    """Show what is in a backup, a line for each kind."""
    counts = kept.counts()
    width = max((len(str(count)) for count in counts.values()), default=0)
    for kind, count in counts.items():
        screen.line(f"  {count:{width}}  {screen.say(backups.KINDS[kind])}")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep every table out of a folder meanwhile; CompanionError: one is there."""
    journal = Journal(folder / paths.JOURNAL, mend=False)
    try:
        if journal.condition.state is JournalState.IN_USE:
            raise CompanionError(
                "A running table, or another program, uses the journal '{file}'; stop it first.",
                file=folder / paths.JOURNAL,
            )
        yield
    finally:
        journal.close()
