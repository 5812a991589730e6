"""How soon the history is seen at a table that has just started and keeps a thousand matches."""

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.journal import Entry
from companion.journal.match_file import MatchFile
from companion.system.config import TableWiring
from companion.table.table import Table
from companion.table.table_config import TableConfig
from research.bench._first_look import body_of
from tests.browser.served import Served
from tests.web.running import remembering

MATCHES: Final = 1000
APART_MS: Final = 3_600_000  # one began an hour after the one before


def history_ms(matches: int = MATCHES) -> float:
    """Return how long its first page takes for somebody who has seen another page before."""
    with TemporaryDirectory() as kept:
        folder = Path(kept)
        with Table(TableConfig(TableWiring(), folder)):
            pass  # makes the journal
        lay(folder / "journal", matches)
        with Table(TableConfig(TableWiring(), folder)) as table, Served(table) as served:
            body_of(served.port, "/manual")
            begun_s = time.monotonic()
            body_of(served.port, "/history")
            return round(1000 * (time.monotonic() - begun_s), 1)


def lay(journal: Path, matches: int) -> None:
    """Put so many matches into a journal, each played to its end."""
    room = remembering()
    won: list[Entry] = [*room.entries(room.matches()[-1].id)]
    for number in range(matches):
        match = f"{number:012x}"
        entries = [replace(e, match=match, at_ms=e.at_ms + number * APART_MS) for e in won]
        MatchFile(journal / f"{number + 1:06}-{match}.jsonl").write(entries)
