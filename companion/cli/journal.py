"""The command `journal`: lists matches, exports and imports them.

It must not know a running table: whose journal is in use is left alone.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.cli.files import write_new
from companion.core.game import verb
from companion.journal import READABLE, Entry, Journal, JournalState, ListedMatch, export
from companion.present import history, terminal_game
from companion.present.terminal import BOLD, TerminalScreen
from companion.referee import automation, barrel_game, events, replay
from companion.referee.match import Match
from companion.referee.people.store import KeptPeople
from companion.system import errors, paths, status
from companion.system.text import SeatName, Text, program


def date(at_ms: int) -> str:
    """Return a time as people write it, where they are; '?' if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return "?"


class JournalStory:
    """Tells a match event by event: actions as its game does, all else as the page of history."""

    def __init__(self, story: terminal_game.Telling) -> None:
        self._story, self._screen = story, story.screen
        self._fouls: dict[int, tuple[str, bool | None]] = {}

    def tell(self, step: replay.ReplayStep) -> bool:
        """Tell one event; return whether a round is over with it."""
        before, after = step.before, step.after
        if before is None:
            begun = Text(
                "Match {match}, begun {date}", match=step.entry.match, date=date(step.entry.at_ms)
            )
            self._screen.line(self._screen.say(begun), BOLD)
            self._story.begin()
            return False
        match step.event:
            case events.ActionDone():
                self._story.step(before.state, after.log.actions[-1], after.state)
                return self._story.rests(after.state)
            case events.UndoneTo() | events.ActionCorrected():
                self._sentences(step)
                self._story.stand(after.state)
                return self._story.rests(after.state)
            case events.FoulRaised(foul=number) | events.FoulRuled(foul=number):
                foul = next(foul for foul in after.fouls if foul.raised.foul == number)
                if self._fouls.get(number) != (foul.raised.weight, foul.upheld):
                    self._fouls[number] = foul.raised.weight, foul.upheld
                    self._sentences(step, "! ")
            case _:
                self._sentences(step)
        return False

    def end(self, match: Match) -> None:
        self._story.leave(match.state, over=match.over)
        show, total = terminal_game.look_of(match.game.name).sums, barrel_game.summary(match)
        if show is not None and total is not None:
            show(self._screen, total)

    def _sentences(self, step: replay.ReplayStep, mark: str = "") -> None:
        reader = terminal_game.reader_of(self._screen, None)
        for sentence in history.sentences(step, reader):
            self._screen.lines(f"{mark}{sentence}", indent="  ", hang="  ")


FAULTY: Final = 1  # the exit code where a part was refused
ALL: Final = "all"
GAP: Final = "  "
SOUND: Final = {JournalState.WRITING, JournalState.CAUGHT_UP}
USABLE: Final = SOUND | {JournalState.RESTORED}


def journal(options: Namespace, screen: TerminalScreen) -> int:
    folder = paths.kept_in(options.folder, "simulated" if options.simulated else "table")
    match options.what:
        case "export":
            return _export(options, folder, screen)
        case "import":
            return _import(options, folder, screen)
    return _list(folder, screen)


def _list(folder: Path, screen: TerminalScreen) -> int:
    """Show which matches there are, the newest first."""
    with _opened(folder, screen) as kept:
        listed = kept.listed
        if not listed:
            screen.tell("There is no match in the journal yet.")
            return 0
        heads = (
            *(Text("match"), Text("begun"), Text("game")),
            *(Text("players"), Text("rounds"), Text("winner")),
        )
        rows = [tuple(map(screen.say, heads))]
        people = KeptPeople(folder if screen.out.isatty() else None)  # elsewhere it may be kept
        for match in listed:
            called = replace(screen, seating=people.in_match(match.id))
            rows.append(_row(match, kept.events(match.id), called))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for style, row in zip([BOLD] + [""] * len(listed), rows, strict=True):
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)]
        screen.line(GAP.join(cells).rstrip(), style)
    return 0


def _row(match: ListedMatch, entries: Sequence[Entry], screen: TerminalScreen) -> tuple[str, ...]:
    """Return a line of the table; what is on it lies open at the table, too."""
    steps, fault = replay.replay_steps(entries)
    last = steps[-1].after if steps else None
    if last is None or len(steps) < match.count:
        why = Text("of a newer version") if replay.of_newer_version(fault) else Text("unreadable")
        return match.id, date(match.first.at_ms), "?", "?", "?", screen.say(why)
    total, outcome = barrel_game.summary(last), last.game.outcome(last.state)
    result = screen.say(Text("given up") if last.ended else Text("unfinished"))
    if outcome is not None:
        result = screen.name(tuple(map(SeatName, outcome.winners)))
    names = screen.name(tuple(map(SeatName, last.game.seats)))
    rounds = str(total.rounds) if total else "–"
    return match.id, date(match.first.at_ms), last.game.name, names, rounds, result


def _export(options: Namespace, folder: Path, screen: TerminalScreen) -> int:
    """Write matches into a new file, without what is still sealed at the table."""
    with _opened(folder, screen) as kept:
        chosen = _chosen(kept.listed, options.match)
        parts = [_open_entries(match, kept.events(match.id), screen) for match in chosen]
    entries = [entry for part in parts for entry in part]
    if not entries:
        raise errors.CompanionError(
            "Everything there is to export is still sealed; export it after a flip."
        )
    write_new(Path(options.file), "".join(export.export_lines(entries)).encode("ascii"))
    screen.tell(
        "{count} {count:#match|matches} with {entries} entries {count:#is|are} in '{file}' now.",
        count=len(list(filter(None, parts))),
        entries=len(entries),
        file=options.file,
    )
    if any(entry.kind == verb(events.BarrelAssigned) for entry in entries):
        screen.tell(
            "It tells which stopper stood where: keep it safe, and show it to nobody while its "
            "barrels are in play; '{program} replay' tells the match without."
        )
    return 0


def _chosen(listed: Sequence[ListedMatch], wanted: str | None) -> Sequence[ListedMatch]:
    """Return the matches that somebody wants, in the order in which they were begun."""
    if not listed:
        raise errors.CompanionError("There is no match in the journal yet.")
    if wanted is None:
        return listed[:1]
    if wanted == ALL:
        return listed[::-1]
    fitting = [match for match in listed if match.id.startswith(wanted)]
    if exact := [match for match in fitting if match.id == wanted]:
        return exact
    if len(fitting) == 1:
        return fitting
    if fitting:
        raise errors.CompanionError(
            "'{match}' fits {matches:and}; type more of it.",
            match=wanted,
            matches=tuple(match.id for match in fitting),
        )
    raise errors.CompanionError(
        "There is no match '{match}'; '{program} journal list' shows them.",
        match=wanted,
        program=program(),
    )


def _open_entries(
    match: ListedMatch, entries: Sequence[Entry], screen: TerminalScreen
) -> Sequence[Entry]:
    """Return the entries of a match up to the first that holds what is sealed; say so."""
    if match.last.ends:
        return entries
    steps, fault = replay.replay_steps(entries)
    if fault is not None:
        screen.complain(FAULTY, fault)  # what is sealed behind it, nobody can tell
    count = replay.count_unsealed(steps)
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


def _import(options: Namespace, folder: Path, screen: TerminalScreen) -> int:
    """Import matches from a file; what is in the journal stays as it is."""
    with _opened(paths.ensure_private_folder(folder), screen, to_write=True) as kept:
        taken = export.import_file(kept, Path(options.file), _check)
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
    steps, fault = replay.replay_steps(entries)
    if fault is not None:
        raise errors.CompanionError("{fault} This match was skipped.", fault=fault)
    try:
        automation.demand_bots(steps[0].after.game, steps[0].after.house)
    except errors.CompanionError as error:
        raise errors.CompanionError("{fault} This match was skipped.", fault=error) from error


@contextmanager
def _opened(folder: Path, screen: TerminalScreen, *, to_write: bool = False) -> Iterator[Journal]:
    """Yield the journal of a folder; CompanionError, if it cannot be used for that."""
    path = folder / paths.JOURNAL
    if not to_write and not path.exists() and not (folder / paths.OLD_JOURNAL).exists():
        raise errors.CompanionError(
            "There is no journal in '{folder}'; --folder names another, --simulated that of the "
            "simulated table.",
            folder=folder,
        )
    aside = list[status.Condition]()
    kept = Journal(path, aside.append)
    try:
        journal_condition = kept.condition
        if journal_condition.state is JournalState.IN_USE:
            raise errors.CompanionError(
                "A running table, or another program, uses the journal '{file}'; stop it first.",
                file=path,
            )
        if journal_condition.state not in (USABLE if to_write else USABLE | READABLE):
            raise errors.CompanionError(
                journal_condition.state.template, **journal_condition.values
            )
        for condition in aside:
            if condition.state not in SOUND:
                screen.complain(0, Text(condition.state.template, **condition.values))
        yield kept
    finally:
        kept.close()
