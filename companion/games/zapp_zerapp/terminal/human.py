"""Somebody who plays at the keyboard: types which barrel to shake or keep, and which pawn to move.

It must not know more than the people at its table: it hears barrels and sees the open board.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from companion.core import Action, Text, write
from companion.games.zapp_zerapp.listening_ai import people
from companion.games.zapp_zerapp.rules import BARRELS, Colour, Settings, View
from companion.i18n.translate import Keyword
from companion.present.terminal import FAINT, HELP, QUIT, UNDO, TerminalScreen
from companion.system.errors import CompanionError, RulesError

PATIENCE: Final = 3  # shakes that the others still wait for, once they have all chosen
KEEP: Final = Keyword("keep|k")
NOTATION: Final = (  # what a move may be typed with
    *(
        Keyword("move"),
        Keyword("take"),
        Keyword("banish"),
        Keyword("none"),
        Keyword("start"),
        Keyword("city"),
    ),
    *(Keyword("red"), Keyword("green"), Keyword("blue"), Keyword("yellow")),
)


class TakenBack(Exception):
    """The player wants the last own move back; `typed` is what remains."""

    def __init__(self, typed: list[str]) -> None:
        super().__init__(typed)
        self.typed = typed


class Human:
    """The player in front of the screen."""

    def __init__(
        self,
        seat: Colour,
        settings: Settings,
        screen: TerminalScreen,
        typed: Iterable[str] = (),
        caught_up: Callable[[], None] = lambda: None,
    ) -> None:
        self._seat = seat
        self._settings = settings
        self._screen = screen
        self._keep = screen.typed(KEEP)
        self._english = {
            own: keyword.english for keyword in NOTATION for own in screen.typed(keyword)
        }
        self._typed: list[str] = []
        self._again = deque(typed)  # typed before, played once more without asking
        self._caught_up = caught_up
        self._ear = people.Ear()
        self._round = 0
        self._heard: dict[str, int] = {}  # in this round, by place
        self._left: int | None = None  # shakes, once all others have chosen
        self._moved = False  # whether the last thing typed was a move

    def shake(self, hands: people.Hands, view: View) -> None:
        """Shake or keep one barrel, whichever is typed."""
        if not self._round:
            self._tell("Shake: type a place from A to M; 'keep C' decides for C; '?' helps.")
        if view.round != self._round:
            self._round, self._heard, self._left = view.round, {}, None
        if self._left is None and view.turns == (self._seat,):
            self._left = PATIENCE
        while True:
            words = self._line(self._hand(hands, view), lambda: self._stock(hands)).split()
            try:
                self._use(words, hands)
            except CompanionError as error:
                self._screen.lines(self._screen.say(error), indent="  ")
            else:
                self._typed.append(" ".join(words))
                self._moved = False
                return

    def move(self, turn: people.Turn) -> Action:
        view = turn.view
        number = dict(view.numbers)[self._seat]
        question = Text(
            "{seat}, which pawn goes {number} {number:#field|fields}? ",
            seat=self._seat,
            number=number,
        )
        while True:
            line = self._line(self._screen.say(question), lambda: self._list(turn))
            try:
                action = turn.read(self._notation(line))
            except RulesError as error:
                self._screen.lines(self._screen.say(error), indent="  ")
            else:
                self._typed.append(line)
                self._moved = True
                return action

    def see(self, player: Colour, place: str, number: int) -> None:
        """Read where flipped barrels stand, if that is worth remembering."""
        if not self._settings.shuffle:
            self._tell(
                "({player}: barrel {number} goes back to place {place}.)",
                player=player,
                number=number,
                place=place,
            )

    def _use(self, words: list[str], hands: people.Hands) -> None:
        place = words[-1].upper() if words else ""
        keeps = bool(words) and words[0].lower() in self._keep
        if len(words) == 1 and keeps and len(hands.held) == 1:
            words.append(place := hands.held[0])
        if place not in set(people.PLACES) or len(words) > 2 or (len(words) == 2 and not keeps):
            raise CompanionError("Type a place from A to M to shake its barrel, or 'keep A'.")
        if len(words) == 2:
            hands.keep(place)
            return
        if self._left == 0:
            raise CompanionError(
                "The others have waited long enough; keep a barrel, for example 'keep {place}'.",
                place=hands.held[0],
            )
        if place not in hands.held and len(hands.held) == 2 and place in hands.free:
            first = hands.held[0]
            hands.put_back(first)
            self._tell("Both hands were full, so {place} goes back.", place=first)
        sound = hands.shake(place)
        count = min(BARRELS, max(1, int(sound + 0.5)))
        least, most = self._ear.could_be(sound)
        self._heard[place] = count
        if self._left is not None:
            self._left -= 1
        self._tell(
            "Barrel {place}: that sounds like about {count} {count:#stone|stones}. "
            "It may be {least} to {most}.",
            place=place,
            count=count,
            least=least,
            most=most,
        )

    def _hand(self, hands: people.Hands, view: View) -> str:
        held = ", ".join(f"{place} ≈ {self._heard[place]}" for place in hands.held) or "–"
        question = Text(
            "{seat}, at most {magic}; in hand: {held}. Which barrel? ",
            seat=self._seat,
            magic=view.magic,
            held=held,
        )
        if self._left is not None:
            question = Text(
                "{seat}, at most {magic}; in hand: {held}. The others wait; {left} more "
                "{left:#shake|shakes}. Which barrel? ",
                seat=self._seat,
                magic=view.magic,
                held=held,
                left=self._left,
            )
        return self._screen.say(question)

    def _stock(self, hands: people.Hands) -> None:
        heard = ", ".join(f"{place} ≈ {count}" for place, count in self._heard.items()) or "–"
        self._tell("On the plateau: {places}", places=" ".join(hands.free))
        self._tell("Heard so far: {heard}", heard=heard)
        self._tell("'C' shakes C, 'keep C' keeps it, 'undo' takes your last move back.")
        self._tell("'quit' ends the game.")
        self._tell(
            (
                "Nobody waits forever: once everybody else has chosen, you may shake {count} "
                "more times."
            ),
            count=PATIENCE,
        )

    def _list(self, turn: people.Turn) -> None:
        for action in turn.view.choices:
            self._screen.line(f"  {write(action)}")
            for event in turn.foresee(action):
                sentence = self._screen.say(event)
                self._screen.lines(sentence, indent="      ", hang="  ", style=FAINT)
        self._tell(
            "The field alone is enough, such as '8'; then 'undo' takes it back until you shake."
        )

    def _notation(self, line: str) -> str:
        """Return a line in the notation; a move may begin with the pawn's field."""
        words = [self._english.get(word, word) for word in line.lower().split()]
        if words and (words[0].isdecimal() or words[0] in {"start", "city"}):
            words = ["move", self._seat.name.lower(), *words]
        return " ".join(words)

    def _line(self, question: str, helps: Callable[[], None]) -> str:
        """Return what is typed, or was typed before."""
        if self._again:
            return self._again.popleft()
        self._caught_up()
        while True:
            line = self._screen.ask(question)
            if line.lower() in self._screen.typed(HELP):
                helps()
            elif line.lower() in self._screen.typed(UNDO):
                self._take_back()
            elif line.lower() in self._screen.typed(QUIT):
                raise KeyboardInterrupt
            elif line.strip():
                return line

    def _take_back(self) -> None:
        """Give up the move just made; whatever has been heard or flipped cannot be unknown."""
        if not self._moved:
            self._screen.tell(
                "There is nothing to take back: only your own move, until you shake again."
            )
            return
        raise TakenBack(self._typed[:-1])

    def _tell(self, template: str, **values: object) -> None:
        sentence = self._screen.say(Text(template, **values))
        self._screen.lines(sentence, indent="  ", hang="  ")
