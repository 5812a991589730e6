"""Matches that were played, and the journals that keep them."""

from collections.abc import Callable
from pathlib import Path

from companion.journal import Entry, Journal, NewEntry, TimeAndIds
from companion.referee.commands import AssignBarrel, CommandBody, CorrectAction, DoAction, Undo
from companion.system.paths import JOURNAL
from tests.referee.tables import Round

BEGUN_MS = 1_763_755_200_000  # 2025-11-21 20:00 UTC
MOVED = ("roll 8", "place red 4", "place blue 9", "flip", "move red start")
LAST = (
    "roll 4",
    "place red 1",
    "place blue 3",
    "flip",
    "correct pawns red:24,red:city,red:city",
    "move blue start",
    "move red 24",
)
Told = Callable[..., tuple[int, str, str]]  # says words to the command line


def play(at: Round, *wishes: CommandBody | str) -> Round:
    """Have all this done at a table."""
    for wish in wishes:
        one = DoAction(wish) if isinstance(wish, str) else wish
        assert at.wish(one).refused is None, wish
    return at


def kept(folder: Path, *tables: Round) -> Path:
    """Write what was played at tables into the journal of a folder, and return that."""
    folder.mkdir(exist_ok=True)
    names = (f"{number:x}" * 3 for number in range(10, 16))
    journal = Journal(
        folder / JOURNAL, clocks=TimeAndIds(lambda: BEGUN_MS, lambda: 0, names.__next__)
    )
    for entries in (entries for table in tables for entries in table.paper.matches.values()):
        happened = (NewEntry(one.kind, one.body, one.request, one.ends) for one in entries)
        journal.start(*happened)
    journal.close()
    return folder


def inside(folder: Path) -> list[tuple[Entry, ...]]:
    """Return all matches in the journal of a folder, the newest first."""
    journal = Journal(folder / JOURNAL)
    try:
        return [journal.events(match.id) for match in journal.matches()]
    finally:
        journal.close()


def before_the_flip(table: Round, red: int, blue: int, way: str) -> None:
    """Play a round in which all is open, and a second up to its flip."""
    play(table, *MOVED[:4])
    play(table, "move red start")
    match way:
        case "sensed":
            play(table, "roll 7")
            table.place("red", red)
            table.place("blue", blue)
        case "typed":
            play(table, "roll 7", f"place red {red}", f"place blue {blue}")
        case "settled early":
            play(table, AssignBarrel("red", red), "roll 7", "place red")
        case "roll taken back":
            play(table, "roll 7")
            table.place("red", red)
            play(table, Undo(), Undo())
        case "put right":
            play(table, "roll 7", "place red 13", "place blue 12")
            number = table.now.version
            play(table, CorrectAction(number - 1, f"place red {red}"))
