"""The ring, drawn as the rim of a square with the players' starts and cities in its middle."""

from typing import Final

from companion.games.zapp_zerapp.rules import CITY, FIELDS, START, Board, Colour, View, place
from companion.present import terminal
from companion.system.text import Text

SIDE: Final = 7  # fields along one side
INSIDE: Final = 8  # characters inside a field
ACROSS: Final = INSIDE + 1
DOWN: Final = 3
MIDDLE: Final = ACROSS + 2
ROOM: Final = (SIDE - 1) * ACROSS - MIDDLE  # characters of a line in the middle
NAMES: Final = 11  # columns of the table in the middle
ON_THE_WAY: Final = 20
AT_HOME: Final = 33


def ring(screen: terminal.TerminalScreen, board: Board, view: View, title: str) -> list[str]:
    canvas = terminal.Canvas(SIDE * DOWN + 1, SIDE * ACROSS + 1)
    for index in range(FIELDS):
        _field(canvas, board, view, index)
    canvas.put(5, (SIDE * ACROSS - len(title)) // 2, title, terminal.BOLD)
    _table(canvas, screen, view)
    _legend(canvas, screen, view.pawns[0][0])
    return list(canvas.lines(colour=screen.colour))


def _field(canvas: terminal.Canvas, board: Board, view: View, index: int) -> None:
    row, column = terminal.rim(index, SIDE)
    top, left = row * DOWN, column * ACROSS
    canvas.box(top, left, DOWN, ACROSS)
    kind = board.ring[index]
    grounds = [
        terminal.GROUND[colour] for letter in kind for colour in Colour if colour.name[0] == letter
    ]
    label = f"{'/'.join(kind.lower()):^{INSIDE}}"
    for part, ground in enumerate(grounds):  # a castle field shows two colours
        start = part * INSIDE // len(grounds)
        end = (part + 1) * INSIDE // len(grounds)
        canvas.put(top + 1, left + 1 + start, label[start:end], ground)
    for colour, _ in view.pawns:
        if board.entries[colour] == index:
            canvas.put(top + 1, left + 1, f"»{colour.name[0]}", grounds[0])
        if board.gates[colour] == index:
            canvas.put(top + 1, left + INSIDE - 1, f"{colour.name[0]}»", grounds[-1])
    standing = _standing(board, view, index)
    at = left + 1 + (INSIDE - sum(len(sign) for sign, _ in standing)) // 2
    for sign, colour in standing:
        canvas.put(top + 2, at, sign, terminal.INK[colour])
        at += len(sign)


def _standing(board: Board, view: View, index: int) -> list[tuple[str, Colour]]:
    counts = [
        (colour, sum(START < s < CITY and board.field(colour, s) == index for s in camp))
        for colour, camp in view.pawns
    ]
    letters = [(colour.name[0] * count, colour) for colour, count in counts if count]
    if sum(len(sign) for sign, _ in letters) > INSIDE:
        return [(f"{colour.name[0]}{count}", colour) for colour, count in counts if count]
    spaced = [(" " + sign if number else sign, c) for number, (sign, c) in enumerate(letters)]
    return spaced if sum(len(sign) for sign, _ in spaced) <= INSIDE else letters


def _table(canvas: terminal.Canvas, screen: terminal.TerminalScreen, view: View) -> None:
    for column, step in ((NAMES, START), (AT_HOME, CITY)):
        canvas.put(7, MIDDLE + column, screen.say(place(step)), terminal.FAINT, ON_THE_WAY - NAMES)
    canvas.put(
        7, MIDDLE + ON_THE_WAY, screen.say(Text("on field")), terminal.FAINT, AT_HOME - ON_THE_WAY
    )
    for row, (colour, camp) in enumerate(view.pawns, start=8):
        letter = colour.name[0]
        name = screen.name(colour)
        way = ", ".join(str(step) for step in camp if START < step < CITY)
        canvas.put(row, MIDDLE, f"{letter}  {name}", terminal.INK[colour], NAMES)
        canvas.put(row, MIDDLE + NAMES, letter * camp.count(START) or "·", terminal.INK[colour])
        canvas.put(row, MIDDLE + ON_THE_WAY, way or "·")
        canvas.put(row, MIDDLE + AT_HOME, letter * camp.count(CITY) or "·", terminal.INK[colour])


def _legend(canvas: terminal.Canvas, screen: terminal.TerminalScreen, colour: Colour) -> None:
    letter = colour.name[0]
    texts = (
        Text("»{letter}  here {seat} joins the ring, clockwise", letter=letter, seat=colour),
        Text("{letter}»  from here {seat} enters the city", letter=letter, seat=colour),
        Text("{letter}   protects {seat}     r/g  castles", letter=letter.lower(), seat=colour),
        Text("Each counts fields from its own »."),
    )
    for row, text in enumerate(texts, start=13):
        canvas.put(row, MIDDLE, screen.say(text), terminal.FAINT, ROOM)
