"""A game told as it happens: what is said of each event, and the picture after each round.

It must not know where the actions come from: a game being played and one read from a file are
told alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.core import Action, Event, Text, write
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, FIELDS, START, Board, Colour, View, place
from companion.games.zapp_zerapp.summary import players_of, rounds_of
from companion.present import terminal
from companion.present.fouls import foul_word, seat_of
from companion.present.terminal import BOLD, INK, WIDTH, TerminalScreen
from companion.referee.barrel_game import MatchSummary, PlayerSummary
from companion.referee.replay import FoulCount

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
    """Draw the ring as the rim of a square, with the players' starts and cities in its middle."""
    canvas = terminal.Canvas(SIDE * DOWN + 1, SIDE * ACROSS + 1)
    for index in range(FIELDS):
        _field(canvas, board, view, index)
    canvas.put(5, (SIDE * ACROSS - len(title)) // 2, title, terminal.BOLD)
    _camps_table(canvas, screen, view)
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


def _camps_table(canvas: terminal.Canvas, screen: terminal.TerminalScreen, view: View) -> None:
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


LABEL: Final = 8
COLUMN: Final = 10


def show(screen: TerminalScreen, summary: MatchSummary) -> None:
    show_counts(screen, summary.rounds, summary.players)
    if summary.best:
        screen.tell(
            "{best:and} {best:#has|have} shaken best: {lost} stones lost per spell; one that was "
            "too much loses the whole magic number.",
            best=summary.best,
            lost=float(summary.of(summary.best[0]).lost_by or 0),
        )
    for fouls in summary.fouls:
        _foul(screen, fouls)


def show_counts(screen: TerminalScreen, rounds: int, players: Sequence[PlayerSummary]) -> None:
    """Show what can be counted, one line for each player."""
    screen.tell(
        "{rounds} {rounds:#round|rounds}, {banished} {banished:#banishment|banishments}, "
        "{taken} taken along.",
        rounds=rounds,
        banished=sum(player.banished for player in players),
        taken=sum(player.took for player in players),
    )
    screen.line()
    _table(screen, players)
    screen.line()
    screen.tell(
        "'short by': how many stones a barrel that worked fell short of the magic "
        "number, on average."
    )


def _table(screen: TerminalScreen, players: Sequence[PlayerSummary]) -> None:
    heads = (
        Text("worked"),
        Text("too much"),
        Text("short by"),
        Text("banished"),
        Text("sent back"),
        Text("with it"),
    )
    cells = [*(screen.say(head) for head in heads), screen.say(rules.place(rules.CITY))]
    screen.line(" " * LABEL + _row(cells), BOLD)
    for player in players:
        name = f"  {screen.name(player.seat):{LABEL - 2}}"
        screen.line(screen.paint(name, INK[player.seat]) + _row(_cells(screen, player)))


def _row(cells: list[str]) -> str:
    return "".join(f"{cell:>{COLUMN}}" for cell in cells)


def _cells(screen: TerminalScreen, player: PlayerSummary) -> list[str]:
    short = "·" if player.short_by is None else screen.name(float(player.short_by))
    counts = (player.banished, player.sent_back, player.took, player.home)
    return [str(player.worked), str(player.failed), short, *map(str, counts)]


def _foul(screen: TerminalScreen, fouls: FoulCount) -> None:
    seat = seat_of(fouls.seat)
    screen.tell(
        "{who} – {foul}: raised {raised} {raised:#time|times}, upheld {upheld}, dismissed "
        "{dismissed}.",
        who=screen.say(Text("Seat unknown")) if seat is None else seat,
        foul=foul_word(fouls.code, screen),
        raised=fouls.raised,
        upheld=fouls.upheld,
        dismissed=fouls.dismissed,
    )


@dataclass
class Story:
    game: rules.ZappZerapp
    screen: TerminalScreen
    board: bool = True  # whether pictures are drawn
    reader: rules.Colour | None = None  # whose choices are shown
    happened: list[Event] = field(default_factory=list)
    count: int = 0  # of actions told

    def begin(self) -> None:
        settings, screen = self.game.settings, self.screen
        variants = [
            Text("Profi version") if settings.profi else Text("base game"),
            Text("shuffled every round") if settings.shuffle else Text("never shuffled"),
        ]
        if settings.overlook:
            variants.append(Text("banishments may be overlooked"))
        screen.line(f"ZAPP ZERAPP · {', '.join(map(screen.say, variants))}", BOLD)
        screen.tell("{seats:and} play.", seats=settings.seats)
        screen.line()

    def step(self, before: rules.State, action: Action, after: rules.State) -> None:
        self.count += 1
        if self.reader is not None and self.reader == action.seat:
            self._choices(before, action.seat)
        events = self.game.explain(before, action, after)
        self.happened += events
        for event in events:
            if not (isinstance(event, rules.CameHome) and after.phase is rules.Phase.OVER):
                self._tell(event)
        if any(isinstance(event, rules.RoundOver | rules.Won) for event in events):
            self.show(Text("After round {round}", round=before.round), after)

    def show(self, title: Text, state: rules.State) -> None:
        """Draw where all stand."""
        self.screen.line()
        if self.board:
            view = self.game.view(state, None)
            board = self.game.settings.board
            for line in ring(self.screen, board, view, self.screen.say(title)):
                self.screen.line(line, pause=0)
            self.screen.line(pause=4)

    def stand(self, state: rules.State) -> None:
        """Draw where all stand in the middle of a round."""
        self.show(Text("In round {round}", round=state.round), state)

    def rests(self, state: rules.State) -> bool:
        return state.phase is rules.Phase.ROLL

    def leave(self, state: rules.State, *, over: bool) -> None:
        """Say where a match stopped; what it came to is summed up elsewhere."""
        if not over:
            self.screen.tell("The match stops here, in round {round}.", round=state.round)
            if state.phase is not rules.Phase.ROLL:
                self.stand(state)

    def end(self, state: rules.State) -> None:
        view = self.game.view(state, None)
        if view.winner is None:
            self.screen.tell("The game stops here, in round {round}.", round=state.round)
            if state.phase is not rules.Phase.ROLL:
                self.stand(state)
        rounds, players = rounds_of(self.happened), players_of(self.happened, view.pawns)
        show_counts(self.screen, rounds, players)

    def _choices(self, state: rules.State, seat: int) -> None:
        choices = self.game.view(state, seat).choices
        if len(choices) > 1:
            text = Text("may choose: {choices}", choices=tuple(map(write, choices)))
            self.screen.lines(self.screen.say(text), indent="    ", hang="  ")

    def _tell(self, event: Event) -> None:
        sentence = self.screen.say(event)
        match event:
            case rules.MagicNumber():
                rule = "─" * (WIDTH - len(sentence) - 4)
                self.screen.line(f"── {sentence} {rule}"[:WIDTH], BOLD)
            case rules.Order() | rules.RoundOver():
                self.screen.lines(sentence, indent="  ", hang="  ")
            case rules.Banished(_, pawn) | rules.TakenAlong(_, pawn):
                self._marked(pawn.colour, sentence, "    ")
            case rules.Placed(seat) | rules.Shown(seat) | rules.CameHome(seat) | rules.Won(seat):
                self._marked(seat, sentence)
            case _:
                self._marked(getattr(event, "seat", None), sentence)

    def _marked(self, seat: rules.Colour | None, sentence: str, indent: str = "") -> None:
        """Show a sentence with a bar in the colour of whom it is about."""
        mark = "  "
        if self.screen.colour and seat is not None:
            mark = self.screen.paint("▌ ", INK[seat])
        self.screen.line(f"{indent}{mark}{sentence}")
