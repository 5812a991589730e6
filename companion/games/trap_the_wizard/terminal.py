"""Trap the Wizard in the terminal: its board as letters and numbers, and who goes where.

The phones' layout of the board, in cells, is a square with a cross in it; tables stand in the four
rooms between.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.core.notation import write
from companion.games.trap_the_wizard import moves, page, places, rules
from companion.present import terminal, terminal_game, viewer
from companion.referee.snapshot import Snapshot

REACH: Final = 7  # cells from the middle to each side
SIDE: Final = 2 * REACH + 1
ACROSS: Final = 5  # characters of a cell, one of them a gap
LEFT, RIGHT = ACROSS + 1, (REACH + 1) * ACROSS + 1  # where the rooms begin
COLUMNS: Final = (13, 19, 24, 28)  # where those of the table in the first room end


def picture(
    screen: terminal.TerminalScreen,
    reader: viewer.Viewer,
    settings: rules.Settings,
    view: rules.View,
) -> Iterable[str]:
    """Return the board with all wizards; nothing for one whose fields do not fit into cells."""
    cells = _cells(settings.board)
    if len({*cells}) < len(cells):
        return ()
    canvas = terminal.Canvas(SIDE, SIDE * ACROSS)
    for field, (row, column) in enumerate(cells):
        at = column * ACROSS
        standing = _standing(view, field)
        if standing:
            for sign, ink in _signs(standing, field):
                canvas.put(row, at, sign, ink)
                at += len(sign)
        else:
            canvas.put(row, at, *_empty(settings.board, view, field))
    _accounts(canvas, reader, view)
    _legend(canvas, reader, settings, view)
    return canvas.lines(colour=screen.colour)


def _cells(board: rules.Board) -> list[tuple[int, int]]:
    unit = places.HALF / REACH
    spots = places.layout(board).fields
    return [
        (REACH + round((y - places.MIDDLE[1]) / unit), REACH + round((x - places.MIDDLE[0]) / unit))
        for x, y in spots
    ]


def _standing(view: rules.View, field: int) -> list[tuple[rules.Robe, rules.Wizard]]:
    return [
        (robe, wizard) for robe, camp in view.wizards for wizard in camp if wizard.place == field
    ]


def _signs(
    standing: list[tuple[rules.Robe, rules.Wizard]], field: int
) -> Iterator[tuple[str, str]]:
    """Yield each wizard's letter with those of its captives, and the field's number if it fits.

    >>> few = rules.Wizard(17, (rules.Robe.BLUE, rules.Robe.JOKER))
    >>> [sign for sign, _ in _signs([(rules.Robe.RED, few)], 17)]
    ['Rbj', '']
    >>> many = rules.Wizard(17, (rules.Robe.BLUE,) * 4)
    >>> [sign for sign, _ in _signs([(rules.Robe.RED, many)], 17)]
    ['R4', '17']
    """
    wide = sum(1 + len(wizard.load) for _, wizard in standing) >= ACROSS
    length = 0
    for robe, (_, load) in standing:
        captives = "".join(captive.name[0].lower() for captive in load)
        sign = robe.name[0] + (str(len(load)) if wide and load else captives)
        length += len(sign)
        yield sign, terminal.INK[robe]
    number = str(field)
    yield (number if length + len(number) < ACROSS else ""), terminal.FAINT


def _empty(board: rules.Board, view: rules.View, field: int) -> tuple[str, str]:
    if field == view.joker:
        return f"J{field}", terminal.BOLD
    if field in board.homes:
        robe = rules.Robe(board.homes.index(field))
        return f"»{field}", terminal.INK[robe]
    return (f"[{field}]", "") if field in board.special else (f" {field}", terminal.FAINT)


def _accounts(canvas: terminal.Canvas, reader: viewer.Viewer, view: rules.View) -> None:
    """Write who has how many wizards on the start, holds how many, took home, and the points."""
    heads = (reader.say("start"), reader.say("holds"), reader.say("home"), reader.say("pts"))
    _row(canvas, 1, heads, terminal.FAINT)
    for row, (robe, camp) in enumerate(view.wizards, start=2):
        letter = robe.name[0]
        at_start = letter * sum(wizard.place == rules.START for wizard in camp)
        held = sum(wizard.opponents(robe) for wizard in camp)
        home, points = len(dict(view.taken)[robe]), dict(view.scores)[robe]
        canvas.put(row, LEFT, f"{letter} {reader.name(robe)}", terminal.INK[robe])
        _row(canvas, row, (at_start, held, home, points), "")


def _row(canvas: terminal.Canvas, row: int, cells: Iterable[object], style: str) -> None:
    for end, cell in zip(COLUMNS, cells, strict=True):
        text = str(cell or "·")
        canvas.put(row, LEFT + end - len(text), text, style)


def _legend(
    canvas: terminal.Canvas, reader: viewer.Viewer, settings: rules.Settings, view: rules.View
) -> None:
    canvas.put(1, RIGHT, page.progress(view, settings, reader), terminal.BOLD)
    robe = settings.seats[0]
    signs = {
        2: reader.say("»{field}  {seat} starts here", field=settings.board.homes[robe], seat=robe),
        3: reader.say("[ ]  nobody is captured there"),
        4: reader.say("J    the joker"),
        5: reader.say("{letter}bj  {seat} holds Blue, joker", letter=robe.name[0], seat=robe),
    }
    for row, text in signs.items():
        canvas.put(row, RIGHT, text, terminal.FAINT)


def offers(now: Snapshot, reader: viewer.Viewer) -> Iterator[terminal_game.TerminalOffer]:
    """Yield the ways of each wizard; to leave what is left over; whether to roll again."""
    for choice in moves.choices(now, reader):
        for way in choice.ways:
            sentence = f"{choice.sentence}: {way.sentence}"
            yield terminal_game.TerminalOffer(way.text, sentence, choice.sentence, way.sentence)
    for action in now.seen_by(reader.seat).choices:
        if isinstance(action, rules.Leave | rules.Again | rules.Pass):
            yield terminal_game.TerminalOffer(write(action), page.act(type(action), {}, reader))


LOOK: Final = terminal_game.TerminalGame(
    picture, page.PAGE.headline, offers, milestones=(rules.TrapShut,)
)
