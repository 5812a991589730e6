"""The command `coach`: what of a match was luck and what was skill, on a screen or as JSON."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any, Final

from companion.cli.replay import FAULTY, read_file, seated, tables_here
from companion.coach import text
from companion.coach.evaluator import Coach
from companion.coach.report import Report, coach_of, report
from companion.core.log import Log
from companion.journal.export import ReadExport
from companion.present.page import title_of
from companion.present.terminal import BOLD, FAINT, INK, TerminalScreen
from companion.present.to_json import written
from companion.present.viewer import Viewer
from companion.referee.people.person import NOBODY, Seating
from companion.referee.replay import replay_steps
from companion.system.errors import CompanionError, RulesError
from companion.system.text import SeatName, Text

HIGH: Final = 10  # lines of the plot
SHADES: Final = "█░▒▓"  # of the seats, for whom there are no colours
NARROW: Final = 34  # rounds; with fewer, each is two signs wide
LABEL: Final = 24
BAR: Final = 30


def coach(options: Namespace, screen: TerminalScreen) -> int:
    try:
        source = read_file(options.file)
    except RulesError as nothing_sound:
        return screen.complain(FAULTY, nothing_sound)
    faults: list[RulesError | CompanionError] = []
    shown = 0
    for log, seating in _logs(source, screen, faults):
        screen.seating = seating
        coach_, made = coach_of(log.game), report(log)
        if coach_ is None or made is None:
            continue
        if shown and not options.json:
            screen.line()
        shown += 1
        reader = Viewer(screen.language, seating=seating)
        if options.json:
            screen.line(written(text.report_record(log, coach_, made, reader), reader))
        else:
            _show(screen, log, coach_, made, reader)
    code = screen.complain(FAULTY, *faults) if faults else 0
    if not shown:
        raise CompanionError(
            "The coach has nothing to say about '{file}': no match in it is won, or its game has "
            "no coach.",
            file=options.file,
        )
    return code


def _logs(
    source: Any, screen: TerminalScreen, faults: list[RulesError | CompanionError]
) -> Iterator[tuple[Log[Any], Seating]]:
    """Yield the matches of a file with who played them; what is wrong joins the faults."""
    if not isinstance(source, ReadExport):
        log, fault = source
        faults += [fault] if fault else []
        yield log, NOBODY
        return
    faults += source.refused
    tables = tables_here(screen)
    for entries in source.matches:
        steps, fault = replay_steps(entries)
        faults += [fault] if fault else []
        if steps:
            yield steps[-1].after.log, seated(tables, steps[0].entry.match)


def _show(
    screen: TerminalScreen, log: Log[Any], coach_: Coach, made: Report, reader: Viewer
) -> None:
    outcome = log.game.outcome(log.state)
    assert outcome is not None
    winners = tuple(map(SeatName, outcome.winners))
    won = screen.say(Text("{winners:and} {winners:#has|have} won", winners=winners))
    screen.line(f"{screen.say(title_of(log.game.name))}: {won}", BOLD)
    screen.lines(reader.say(text.mostly(made, coach_, outcome.winners[0])), style=BOLD)
    screen.lines(text.certainty(made, reader), style=FAINT)
    screen.tell("A hundred points are a sure win.")
    _head(screen, "Who was ahead, round by round")
    _plot(screen, made)
    _head(screen, "What the result is made of")
    for parts in text.sums(made, coach_, reader):
        _sum(screen, parts)
    _head(screen, "The costliest decisions")
    _dear(screen, log, coach_, made, reader)
    if ears := text.ears(made, reader):
        screen.line()
        screen.line(screen.say(coach_.ear or Text("The ear")), BOLD)
        for ear in ears:
            screen.lines(f"{ear.sentence} {ear.grown}", hang="  ")
    if jokers := text.jokers(made, coach_, reader):
        _head(screen, "Jokers")
        for joker in jokers:
            screen.lines(joker)


def _head(screen: TerminalScreen, template: str) -> None:
    screen.line()
    screen.line(screen.say(Text(template)), BOLD)


def _plot(screen: TerminalScreen, made: Report) -> None:
    """Show who had how much of each round, one upon the other, as high as it was."""
    columns = [shares for _, shares in text.rounds(made)]
    columns.append(tuple(round(worth * 100) for worth in made.curve[-1].worths))
    wide = 2 if len(columns) <= NARROW else 1
    shades = [
        screen.paint(SHADES[place] * wide, INK.get(seat, ""))
        for place, seat in enumerate(made.seats)
    ]
    for line in reversed(range(HIGH)):
        level = (line + 0.5) * 100 / HIGH
        signs = "".join(shades[_holder(shares, level)] for shares in columns)
        label = {HIGH - 1: "100", HIGH // 2: "50", 0: "0"}.get(line, "")
        screen.line(f"{label:>4} {signs}")
    legend = (
        f"{shades[place]} {screen.name(SeatName(seat))}" for place, seat in enumerate(made.seats)
    )
    screen.line(" " * 5 + "  ".join(legend))


def _holder(shares: Sequence[int], level: float) -> int:
    """Return who has what lies at a level.

    >>> [_holder((30, 70), level) for level in (5, 29, 31, 95)]
    [0, 0, 1, 1]
    """
    foot = 0
    for place, share in enumerate(shares):
        foot += share
        if level < foot:
            return place
    return len(shares) - 1


def _sum(screen: TerminalScreen, parts: text.Sum) -> None:
    low, high = parts.span
    screen.line(screen.paint(f"  {screen.name(parts.seat)}", INK.get(parts.seat, "")))
    screen.line(f"    {screen.say(text.AT_FIRST):{LABEL}}{parts.first:>6}")
    for row in parts.rows:
        left, right = sorted((row.start, row.start + row.by))
        begins, ends = (round((at - low) / (high - low) * BAR) for at in (left, right))
        bar = " " * begins + ("█" if row.by >= 0 else "░") * max(ends - begins, int(row.by != 0))
        screen.line(f"    {row.name:{LABEL}}{row.signed:>6}  {bar}".rstrip())
    screen.line(f"    {screen.say(text.AT_THE_END):{LABEL}}{parts.last:>6}")


def _dear(
    screen: TerminalScreen, log: Log[Any], coach_: Coach, made: Report, reader: Viewer
) -> None:
    dear = [*text.costly_decisions(log, made, coach_, reader)]
    if not dear:
        screen.tell("No decision cost anybody more than two points.")
    for decision in dear:
        cost = screen.say(
            Text(
                "{kind} in round {round}: {points} points",
                kind=decision.kind,
                round=decision.round,
                points=decision.cost,
            )
        )
        screen.lines(f"{decision.number}. {screen.name(decision.seat)}. {cost}")
        screen.lines(screen.say(Text("Done: {what}", what=decision.played)), indent="   ")
        screen.lines(screen.say(Text("Better: {what}", what=decision.better)), indent="   ")
    for sentence in text.decided(made, reader):
        screen.lines(sentence, hang="  ")
