"""The commands `backup` and `restore`: one file, shown before anything is changed.

A table that runs may be backed up, as its files only grow; it has to be stopped to be restored.
A passphrase is asked for, and never a word of the command, which others could read.
"""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from getpass import getpass
from pathlib import Path
from typing import IO, Final

from companion.cli.files import create
from companion.journal import Journal, JournalState
from companion.maintenance import backup as backups
from companion.present.terminal import TerminalScreen, bar, show_progress
from companion.system import paths
from companion.system.errors import CompanionError, WrongPassphrase
from companion.system.text import Text

TRIES: Final = 3  # passphrases; more only after the command was typed again


def backup(options: Namespace, screen: TerminalScreen) -> int:
    """Write a new file with all that a table must not lose."""
    folder, file = _folder(options), Path(options.file)
    if not paths.is_there(folder):
        raise CompanionError("There is no table in '{folder}'.", folder=folder)
    passphrase = _new_passphrase(screen) if options.passphrase else ""
    now = datetime.now().astimezone()
    try:
        with create(file) as stream, ExitStack() as fails:
            fails.callback(file.unlink, missing_ok=True)
            made = backups.write_backup(
                folder, stream, now, _progress, passphrase, simulated=_is_simulated(options, folder)
            )
            os.fsync(stream.fileno())
            size = stream.tell()
            fails.pop_all()
    except OSError as error:
        raise CompanionError(
            "{file}: the backup cannot be written ({reason}).", file=file, reason=error.strerror
        ) from error
    _show(made, screen)
    if passphrase:
        screen.tell(
            "Saved as {file} ({kb} kB). Nobody can open it without the passphrase, and nobody can "
            "find that again: write it down.",
            file=file,
            kb=-(-size // 1000),
        )
        return 0
    screen.tell(
        "Saved as {file} ({kb} kB). Whoever has it can read all of that: keep it where only you "
        "can.",
        file=file,
        kb=-(-size // 1000),
    )
    if paths.is_there(folder / backups.AUTHORITY):
        screen.tell("What phones trust by https is not in it; that takes --passphrase.")
    return 0


def restore(options: Namespace, screen: TerminalScreen) -> int:
    """Show what a backup holds, and have it replace what is there if that is wanted."""
    folder, file = _folder(options), Path(options.file)
    with ExitStack() as life:
        plain = life.enter_context(_plain(file, screen)) if backups.is_locked(file) else None
        kept = backups.read_backup(file, plain)
        screen.tell("{file} was made on {date} by version {version}:", **_words(file, kept))
        _show(kept, screen)
        if (other := backups.other_kind(kept, _is_simulated(options, folder))) is not None:
            screen.lines(screen.say(other))
        if (untrusted := backups.trusted_anew(kept)) is not None:
            screen.lines(screen.say(untrusted))
        if not options.yes:
            screen.tell(
                "Nothing was changed. To restore it into {folder}, type the same again with --yes; "
                "what is there now is kept beside it.",
                folder=folder,
            )
            return 0
        life.enter_context(backups.only_one(paths.ensure_private_folder(folder)))
        life.enter_context(_alone(folder))
        _, before = backups.restore(folder, file, datetime.now().astimezone(), _progress, plain)
    there = before if paths.is_there(before) else None
    screen.tell("It is restored; start the table again.")
    if there is not None:
        screen.tell("What was there before is kept in {folder}.", folder=there)
    return 0


@contextmanager
def beginning(folder: Path) -> Iterator[None]:
    """Lock a folder for a table that starts; what is left of a restore is done first.

    CompanionError: another program is just doing it.
    """
    with backups.only_one(folder):
        if backups.is_restoring(folder):
            with _alone(folder):
                backups.finish_restore(folder)
        yield


def _new_passphrase(screen: TerminalScreen) -> str:
    """Return a passphrase that somebody has typed twice."""
    typed = backups.passphrase_of(getpass(screen.say(Text("A new passphrase: "))))
    if backups.passphrase_of(getpass(screen.say(Text("The same again: ")))) != typed:
        raise CompanionError("These were two different passphrases, so nothing was saved.")
    return typed


def _plain(file: Path, screen: TerminalScreen) -> IO[bytes]:
    """Return a backup that somebody opens with its passphrase."""
    for tries in range(TRIES, 0, -1):
        try:
            return backups.unlocked(
                file, backups.passphrase_of(getpass(screen.say(Text("Its passphrase: "))))
            )
        except WrongPassphrase as wrong:
            if tries == 1:
                raise
            screen.lines(screen.say(wrong))
    raise AssertionError


def _progress(done: int, total: int) -> None:
    show_progress("" if done + 1 == total else f"  {bar(100 * done // total)}")


def _folder(options: Namespace) -> Path:
    return paths.kept_in(options.folder, "simulated" if options.simulated else "table")


def _is_simulated(options: Namespace, folder: Path) -> bool | None:
    return options.simulated or backups.is_simulated(folder)


def _words(file: Path, kept: backups.Backup) -> dict[str, object]:
    return {"file": file, "date": kept.made.replace("T", " ")[:16], "version": kept.version}


def _show(kept: backups.Backup, screen: TerminalScreen) -> None:
    """Show what is in a backup, a line for each kind."""
    for line in kept.lines:
        screen.line(f"  {screen.say(line)}")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep every table out of a folder meanwhile; CompanionError: one is there."""
    with ExitStack() as life:
        for kept in (folder, folder / backups.SIMULATED):
            file = kept / paths.JOURNAL
            if kept.is_dir():
                journal = life.enter_context(closing(Journal(file, mend=False)))
                if journal.condition.state is JournalState.IN_USE:
                    raise CompanionError(
                        "A running table, or another program, uses the journal '{file}'; stop it "
                        "first.",
                        file=file,
                    )
        yield
