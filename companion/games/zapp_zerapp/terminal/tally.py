"""What a game came to: counted from its events, shown as a small table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    CITY,
    Banished,
    Colour,
    MagicNumber,
    Shown,
    TakenAlong,
    View,
    place,
)
from companion.present.screen import BOLD, INK, Screen
from companion.say import Text

LABEL: Final = 8
COLUMN: Final = 10


class Tally:
    """Counts of one game."""

    def __init__(self) -> None:
        self.rounds = 0
        self._magic = 0
        self._worked: Counter[Colour] = Counter()
        self._failed: Counter[Colour] = Counter()
        self._short: Counter[Colour] = Counter()  # of the magic number, all rounds together
        self._banished: Counter[Colour] = Counter()
        self._lost: Counter[Colour] = Counter()
        self._taken: Counter[Colour] = Counter()

    def count(self, events: Iterable[Event]) -> None:
        """Add what has happened."""
        for event in events:
            match event:
                case MagicNumber(round_, magic):
                    self.rounds, self._magic = round_, magic
                case Shown(seat, number, True):
                    self._worked[seat] += 1
                    self._short[seat] += self._magic - number
                case Shown(seat):
                    self._failed[seat] += 1
                case Banished(seat, pawn):
                    self._banished[seat] += 1
                    self._lost[pawn.colour] += 1
                case TakenAlong(seat):
                    self._taken[seat] += 1
                case _:
                    pass

    def show(self, screen: Screen, view: View) -> None:
        """Show the summary, one line for each player."""
        screen.tell(
            "{rounds} {rounds:#round|rounds}, {banished} {banished:#banishment|banishments}, "
            "{taken} taken along.",
            rounds=self.rounds,
            banished=self._banished.total(),
            taken=self._taken.total(),
        )
        screen.line()
        heads = (
            Text("worked"),
            Text("too much"),
            Text("short by"),
            Text("banished"),
            Text("sent back"),
            Text("with it"),
        )
        cells = [*(screen.say(head) for head in heads), screen.say(place(CITY))]
        screen.line(" " * LABEL + "".join(f"{cell:>{COLUMN}}" for cell in cells), BOLD)
        for seat, camp in view.pawns:
            name = screen.name(seat)
            cells = [*self._cells(screen, seat), str(camp.count(CITY))]
            row = "".join(f"{cell:>{COLUMN}}" for cell in cells)
            screen.line(screen.paint(f"  {name:{LABEL - 2}}", INK[seat]) + row)
        screen.line()
        screen.tell(
            "'short by': how many stones a barrel that worked lacked to the magic number, on "
            "average."
        )

    def _cells(self, screen: Screen, seat: Colour) -> list[str]:
        worked = self._worked[seat]
        short = screen.name(self._short[seat] / worked) if worked else "·"
        counts = (self._banished[seat], self._lost[seat], self._taken[seat])
        return [str(worked), str(self._failed[seat]), short, *map(str, counts)]
