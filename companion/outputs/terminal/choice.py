"""Somebody at the keyboard chooses what a seat does: by the number in a list, or in the notation.

It must not know any one game, nor what is hidden from that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from companion.core.declarations import verb
from companion.core.game import Action, Game, Seat
from companion.core.notation import read
from companion.errors import CompanionError, RulesError
from companion.present.look import Offer
from companion.present.screen import FAINT, HELP, QUIT, UNDO, WIDTH, Screen
from companion.text import SEATS, SeatName, Text, seat_word

SHORT: Final = 8  # choices or fewer stand below one another
LONGEST: Final = 4  # no list has more choices than so many digits can number
Entry = tuple[str, Sequence[Offer]]  # what is listed, and what can be meant by it


class Choice:
    """What one seat can do at one moment."""

    def __init__(
        self, screen: Screen, game: Game[Any], state: Any, seat: Seat, offers: Iterable[Offer]
    ) -> None:
        self._screen, self._game, self._state, self._seat = screen, game, state, seat
        self._all = _grouped(offers)
        self._title = ""  # of what was chosen first
        self._shown = self._all if len(self._all) > 1 else self._apart(self._all[0])

    def make(self) -> Action | None:
        """Return what is chosen; None: take back the last choice."""
        self._list()
        while True:
            question = Text("{seat}, 1 to {count}: ", seat=self._name, count=len(self._shown))
            line = self._screen.ask(self._screen.say(question)).lower()
            if line in self._screen.typed(UNDO):
                return None
            if line in self._screen.typed(QUIT):
                raise EOFError
            if line in self._screen.typed(HELP):
                self._help()
                continue
            try:
                found = self._meant(line)
            except (CompanionError, RulesError) as error:
                self._screen.lines(self._screen.say(error), indent="  ")
                continue
            if isinstance(found, Action):
                return found
            self._shown = found
            self._list()

    @property
    def _name(self) -> SeatName:
        return SeatName(self._seat)

    @property
    def _inside(self) -> bool:
        """Whether what is listed belongs to something that was chosen before."""
        return self._shown is not self._all and len(self._all) > 1

    def _meant(self, line: str) -> Action | Sequence[Entry]:
        """Return the action that a line means, or what there is to choose from then."""
        if not line and self._inside:
            self._title = ""
            return self._all
        if line and not line.isdecimal():
            return self._typed(line)
        number = int(line[:LONGEST]) if line else len(self._shown)  # Enter: the only one
        if not 0 < number <= len(self._shown) or (not line and number > 1):
            raise self._puzzled()
        offers = self._shown[number - 1][1]
        if len(offers) > 1:
            return self._apart(self._shown[number - 1])
        return self._read(offers[0].text)

    def _apart(self, entry: Entry) -> Sequence[Entry]:
        """Return what can be meant by something that is listed, one by one."""
        _, offers = entry
        self._title = offers[0].group
        return [(offer.within or offer.said, (offer,)) for offer in offers]

    def _typed(self, line: str) -> Action:
        """Return the action that is written; whose it is may be left out."""
        own = {verb(type(action)) for action in self._game.legal(self._state, self._seat)}
        word, *rest = line.split()
        if word not in own:  # nobody tries out by errors what the table might do
            raise self._puzzled()
        seat = seat_word(self._seat)
        if not rest or rest[0] not in SEATS:
            rest = [seat, *rest]
        if rest[0] != seat:
            raise CompanionError("Now {seat} chooses.", seat=self._name)
        return self._read(" ".join((word, *rest)))

    def _read(self, text: str) -> Action:
        return read(self._game, self._state, text, self._seat)

    def _puzzled(self) -> CompanionError:
        return CompanionError(
            "Type a number from 1 to {count}, or an action such as '{example}'; '?' helps.",
            count=len(self._shown),
            example=self._all[0][1][0].text,
        )

    # --- what is shown ------------------------------------------------------------------------

    def _list(self) -> None:
        """Show the choices with their numbers, in columns if there are many and all are short."""
        if self._title:
            self._screen.line(f"{self._title}:", pause=0)
        texts = [f"{number:4}  {said}" for number, (said, _) in enumerate(self._shown, start=1)]
        width = max(map(len, texts)) + 2
        columns = max(1, (WIDTH + 2) // width) if len(texts) > SHORT else 1
        rows = -(-len(texts) // columns)
        for row in range(rows):
            if columns == 1:
                self._screen.lines(texts[row], hang=" " * 6, pause=0)
            else:
                line = "".join(f"{text:{width}}" for text in texts[row::rows])
                self._screen.line(line.rstrip(), pause=0)

    def _help(self) -> None:
        for _, offers in self._shown:
            self._screen.line(f"      {offers[0].text}", FAINT, pause=0)
        self._tell("Type a number to choose, or an action as above.")
        if self._inside:
            self._tell("The Enter key alone takes you back to all choices.")
        self._tell("'undo' takes the last choice back, and all that followed from it.")
        self._tell("'quit' ends the game.")

    def _tell(self, template: str) -> None:
        self._screen.lines(self._screen.say(Text(template)), indent="  ", hang="  ", pause=0)


def _grouped(offers: Iterable[Offer]) -> Sequence[Entry]:
    """Return what to list first: offers of one group together, at the place of the first."""
    groups: dict[str, list[Offer]] = {}
    for offer in offers:
        groups.setdefault(offer.group or offer.said, []).append(offer)
    return [
        (group if len(together) > 1 else together[0].said, together)
        for group, together in groups.items()
    ]
