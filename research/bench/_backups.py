"""What a table's backup weighs, and how long it takes to restore: with as many matches as it has.

backup_figures(1_000)     # for `./run bench arrival`; every byte has to come back
"""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from companion.core.plugin import GAMES
from companion.journal import Entry, Journal
from companion.maintenance import backup
from companion.system import paths
from tests.hall.matches import moments

PLAYED: Final = 12  # matches of all games, over and over under names of their own
LONGEST: Final = 400  # events; most are over before
NOW: Final = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)


def backup_figures(matches: int = 1_000) -> dict[str, float]:
    """Return its size, and how long it takes to be made, and to be restored in an empty folder."""
    with TemporaryDirectory() as folder:
        old, new, file = Path(folder, "old"), Path(folder, "new"), Path(folder, "backup.zip")
        _play(old, matches)
        new.mkdir()
        began_s = time.perf_counter()
        with file.open("wb") as stream:
            backup.write_backup(old, stream, NOW)
        made_s = time.perf_counter()
        backup.restore(new, file, NOW)
        restored_s = time.perf_counter()
        if _bytes(new) != _bytes(old):
            raise AssertionError("what was restored is not what was saved")
        return {
            "backup_matches": matches,
            "backup_kb": -(-file.stat().st_size // 1000),
            "backup_s": round(made_s - began_s, 2),
            "restore_s": round(restored_s - made_s, 2),
        }


def _play(folder: Path, matches: int) -> None:
    """Have a table there that has played so many."""
    folder.mkdir()
    journal, played = Journal(folder / paths.JOURNAL), [*_played(min(matches, PLAYED), Random(36))]
    for number in range(matches):
        match = f"{number:012x}"
        journal.import_match(
            [replace(entry, match=match) for entry in played[number % len(played)]]
        )
    journal.close()


def _played(count: int, chance: Random) -> Iterator[list[Entry]]:
    for number in range(count):
        game = sorted(GAMES)[number % len(GAMES)]
        yield [moment.entry for moment in moments("played", game, chance, LONGEST)]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / paths.JOURNAL).glob("*.jsonl")}
