"""The journal on the command line: which matches there are, and how they leave it and come in.

It must not know a running table: whose journal is in use is left alone.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.core.declarations import verb
from companion.errors import CompanionError
from companion.folders import JOURNAL, OLD_JOURNAL, kept_in, made_private
from companion.journal import READABLE, Entry, Journal, JournalState, Match
from companion.journal.exchange import lines, take_in
from companion.outputs.terminal.files import write_new
from companion.outputs.terminal.journal_story import date
from companion.people.kept_people import KeptPeople
from companion.present.screen import BOLD, Screen
from companion.program import program
from companion.referee.deeds import Stood
from companion.referee.match_steps import of_newer_version, open_part, retold
from companion.referee.own_moves import demand_bots
from companion.referee.summary import summary
from companion.text import SeatName, Text

FAULTY: Final = 1  # the exit code where a part was refused
ALL: Final = "all"
GAP: Final = "  "
SOUND: Final = {JournalState.WRITING, JournalState.CAUGHT_UP}
USABLE: Final = SOUND | {JournalState.RESTORED}


def journal(options: Namespace, screen: Screen) -> int:
    """Do with the journal what the options say."""
    folder = kept_in(options.folder, "simulated" if options.simulated else "table")
    match options.what:
        case "export":
            return _export(options, folder, screen)
        case "import":
            return _import(options, folder, screen)
    return _list(folder, screen)


def _list(folder: Path, screen: Screen) -> int:
    """Show which matches there are, the newest first."""
    with _opened(folder, screen) as kept:
        found = kept.listed
        if not found:
            screen.tell("There is no match in the journal yet.")
            return 0
        heads = (
            *(Text("match"), Text("begun"), Text("game")),
            *(Text("players"), Text("rounds"), Text("winner")),
        )
        rows = [tuple(map(screen.say, heads))]
        people = KeptPeople(folder if screen.out.isatty() else None)  # elsewhere it may be kept
        for match in found:
            called = replace(screen, seating=people.in_match(match.id))
            rows.append(_row(match, kept.events(match.id), called))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for style, row in zip([BOLD] + [""] * len(found), rows, strict=True):
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)]
        screen.line(GAP.join(cells).rstrip(), style)
    return 0


def _row(match: Match, entries: Sequence[Entry], screen: Screen) -> tuple[str, ...]:
    """Return a line of the table; what is on it lies open at the table, too."""
    steps, fault = retold(entries)
    last = steps[-1].after if steps else None
    if last is None or len(steps) < match.count:
        why = Text("of a newer version") if of_newer_version(fault) else Text("unreadable")
        return match.id, date(match.first.at_ms), "?", "?", "?", screen.say(why)
    total, outcome = summary(last), last.game.outcome(last.state)
    result = screen.say(Text("given up") if last.ended else Text("unfinished"))
    if outcome is not None:
        result = screen.name(tuple(map(SeatName, outcome.winners)))
    names = screen.name(tuple(map(SeatName, last.game.seats)))
    rounds = str(total.rounds) if total else "–"
    return match.id, date(match.first.at_ms), last.game.name, names, rounds, result


def _export(options: Namespace, folder: Path, screen: Screen) -> int:
    """Write matches into a new file, without what is still sealed at the table."""
    with _opened(folder, screen) as kept:
        chosen = _chosen(kept.listed, options.match)
        parts = [_open_entries(match, kept.events(match.id), screen) for match in chosen]
    entries = [entry for part in parts for entry in part]
    if not entries:
        raise CompanionError(
            "Everything there is to export is still sealed; export it after a flip."
        )
    write_new(Path(options.file), "".join(lines(entries)).encode("ascii"))
    screen.tell(
        "{count} {count:#match|matches} with {entries} entries {count:#is|are} in '{file}' now.",
        count=len(list(filter(None, parts))),
        entries=len(entries),
        file=options.file,
    )
    if any(entry.kind == verb(Stood) for entry in entries):
        screen.tell(
            "It tells which stopper stood where: keep it safe, and show it to nobody while its "
            "barrels are in play; '{program} replay' tells the match without."
        )
    return 0


def _chosen(found: Sequence[Match], wanted: str | None) -> Sequence[Match]:
    """Return the matches that somebody wants, in the order in which they were begun."""
    if not found:
        raise CompanionError("There is no match in the journal yet.")
    if wanted is None:
        return found[:1]
    if wanted == ALL:
        return found[::-1]
    fitting = [match for match in found if match.id.startswith(wanted)]
    if exact := [match for match in fitting if match.id == wanted]:
        return exact
    if len(fitting) == 1:
        return fitting
    if fitting:
        raise CompanionError(
            "'{match}' fits {matches:and}; type more of it.",
            match=wanted,
            matches=tuple(match.id for match in fitting),
        )
    raise CompanionError(
        "There is no match '{match}'; '{program} journal list' shows them.",
        match=wanted,
        program=program(),
    )


def _open_entries(match: Match, entries: Sequence[Entry], screen: Screen) -> Sequence[Entry]:
    """Return the entries of a match up to the first that holds what is sealed; say so."""
    if match.last.ends:
        return entries
    steps, fault = retold(entries)
    if fault is not None:
        screen.complain(FAULTY, fault)  # what is sealed behind it, nobody can tell
    count = open_part(steps)
    if count < len(entries):
        screen.complain(
            0,
            Text(
                "Match {match} is exported up to entry {number}; the rest is still sealed. Export "
                "it again after the flip.",
                match=match.id,
                number=count - 1,
            ),
        )
    return entries[:count]


def _import(options: Namespace, folder: Path, screen: Screen) -> int:
    """Take in matches from a file; what is in the journal stays as it is."""
    with _opened(made_private(folder), screen, to_write=True) as kept:
        taken = take_in(kept, Path(options.file), _check)
        waiting = [match.id for match in kept.unfinished() if match.id in taken.matches]
    screen.tell(
        "{matches} {matches:#match|matches} imported from '{file}': {new} {new:#entry|entries} "
        "{new:#is|are} new, {known} {known:#was|were} already in the journal.",
        matches=len(taken.matches),
        file=options.file,
        new=taken.new,
        known=taken.known,
    )
    if waiting and taken.new:
        screen.tell(
            "Not finished: {matches:and}. The next table to start goes on with the latest match.",
            matches=tuple(waiting),
        )
    return screen.complain(FAULTY, *taken.refused) if taken.refused else 0


def _check(entries: Sequence[Entry]) -> None:
    """Refuse a match that a table could not go on with: it would keep it from starting."""
    steps, fault = retold(entries)
    if fault is not None:
        raise CompanionError("{fault} This match was skipped.", fault=fault)
    try:
        demand_bots(steps[0].after.game, steps[0].after.house)
    except CompanionError as error:
        raise CompanionError("{fault} This match was skipped.", fault=error) from error


@contextmanager
def _opened(folder: Path, screen: Screen, *, to_write: bool = False) -> Iterator[Journal]:
    """Yield the journal of a folder; CompanionError, if it cannot be used for that."""
    path = folder / JOURNAL
    if not to_write and not path.exists() and not (folder / OLD_JOURNAL).exists():
        raise CompanionError(
            "There is no journal in '{folder}'; --folder names another, --simulated that of the "
            "simulated table.",
            folder=folder,
        )
    kept = Journal(path)
    try:
        found = kept.condition
        if found.state is JournalState.IN_USE:
            raise CompanionError(
                "A running table, or another program, uses the journal '{file}'; stop it first.",
                file=path,
            )
        if found.state not in (USABLE if to_write else USABLE | READABLE):
            raise CompanionError(found.state.template, **found.values)
        if found.state not in SOUND:
            screen.complain(0, Text(found.state.template, **found.values))
        yield kept
    finally:
        kept.close()
