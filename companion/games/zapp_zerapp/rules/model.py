"""What a game of Zapp Zerapp consists of: settings, states, actions, events, views."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, ClassVar, Final, NamedTuple

from companion.core import Action, Event, Ruling, Sealed
from companion.core.game import demand_seats
from companion.games.zapp_zerapp.rules.board import CITY, PRESETS, START, Board, Colour
from companion.system import format_names, text

Step = Annotated[int, {START: "start", CITY: "city"}]  # on the way round, as its colour counts
Barrels = tuple[int, int, int, int]  # by colour: EMPTY, UNREAD, OUT or the barrel's number
Camp = tuple[int, int, int]  # the steps of a colour's three pawns, ascending
Camps = tuple[Camp, Camp, Camp, Camp]  # by colour; a colour that does not play stays at its start

EMPTY: Final = 0  # no barrel stands there
UNREAD: Final = -1  # a barrel stands there whose number nobody has told
OUT: Final = -2  # no barrel stands there, for its player sits this round out
BARRELS: Final = 13

ALL_AT_START: Final[Camp] = (START, START, START)
ALL_HOME: Final[Camp] = (CITY, CITY, CITY)


def place(step: Step) -> text.Text:
    """Return how people call one of their own steps."""
    if step == START:
        return text.Text("start")
    return text.Text("city") if step == CITY else text.Text("field {step}", step=step)


class Phase(Enum):
    """Where in a round the game stands."""

    ROLL = "roll"
    PLACE = "place"
    FLIP = "flip"
    SAY = "say"
    MOVE = "move"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays."""

    seats: tuple[Colour, ...] = tuple(Colour)
    profi: bool = False  # castle fields are take-along fields
    overlook: bool = False  # the mover names whom it banishes; the unnamed stay
    shuffle: bool = True  # barrels are mixed before every round
    board: Board = PRESETS["two-before-city"]

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        demand_seats(self.seats, tuple(Colour))  # ZZ-1

    def roller(self, round_: int) -> Colour:
        """Return who is suggested to roll (ZZ-11)."""
        return self.seats[(round_ - 1) % len(self.seats)]


class State(NamedTuple):
    """One moment of a game. A tuple, because simulations make hundreds of thousands a second."""

    round: int
    phase: Phase
    magic: int  # 0 until it is rolled
    barrels: Barrels
    queue: tuple[Colour, ...]  # who has still to place (in any order) or to move (in this order)
    pawns: Camps

    def stands(self, seat: Colour) -> bool:
        """Tell whether a barrel stands in front of a seat, flipped or not."""
        return self.barrels[seat] not in {EMPTY, OUT}


def with_barrel(barrels: Barrels, seat: int, barrel: int) -> Barrels:
    """Return what stands where, with another barrel, or none, at one seat."""
    stand = list(barrels)
    stand[seat] = barrel
    red, green, blue, yellow = stand
    return red, green, blue, yellow


class Pawn(NamedTuple):
    """A pawn by colour and place; equal pawns on one spot are the same choice (ZZ-14)."""

    colour: Colour
    step: Step

    def __str__(self) -> str:
        """Return the pawn as the notation names it.

        >>> str(Pawn(Colour.RED, 4)), str(Pawn(Colour.BLUE, START))
        ('red:4', 'blue:start')
        """
        place = {START: "start", CITY: "city"}.get(self.step, self.step)
        return f"{self.colour.name.lower()}:{place}"


@format_names.record("roll")
class Roll(Action):
    """Both dice are rolled; their sum is the magic number."""

    magic: int


@format_names.record("flip")
class Flip(Action):
    """All turn their barrels over at once."""


@format_names.record("sitout")
class SitOut(Ruling):
    """A player takes no further part in this round."""

    player: Colour


@format_names.record("putback")
class PutBack(Ruling):
    """A player's barrel goes back to the plateau, and it chooses again."""

    player: Colour


@format_names.record("place")
class Place(Action):
    """A player stands one barrel in front of itself; None: its number is not known yet."""

    sealed: ClassVar[Sealed | None] = Sealed(("barrel",), opened_by=Flip, lost_by=(SitOut, PutBack))
    seat: Colour
    barrel: int | None = None


@format_names.record("say")
class Say(Action):
    """After the flip a number is read aloud that was not known before."""

    player: Colour
    number: int


@format_names.record("move")
class Move(Action):
    """A player moves the pawn that stands on `step`, by the number of its barrel."""

    seat: Colour
    step: Step
    take: tuple[Pawn, ...] = ()  # Profi: who is taken along
    banish: tuple[Pawn, ...] | None = None  # None: everybody whom the rules banish


@format_names.record("correct")
class Correct(Ruling):
    """The pawns truly stand so: all three of each colour that is named."""

    pawns: tuple[Pawn, ...]


ACTIONS: Final[tuple[type[Action], ...]] = (Roll, Place, Flip, Say, Move)
RULINGS: Final[tuple[type[Ruling], ...]] = (SitOut, PutBack, Correct)


@dataclass(frozen=True, slots=True)
class MagicNumber(Event):
    sentence = "Round {round}: the magic number is {magic}"

    round: int
    magic: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A player has chosen; `waiting` have not."""

    sentence = (
        "{seat:@{seat} has|you have} chosen a barrel; {waiting:@{waiting:and} "
        "{waiting:#is|are}|you are} still shaking."
    )
    last = "{seat:@{seat} has|you have} chosen a barrel too. Now all flip theirs!"

    seat: Colour
    waiting: tuple[Colour, ...]

    @property
    def template(self) -> str:
        return self.sentence if self.waiting else self.last


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """A barrel's number is known to everybody; above the magic number it does not work."""

    sentence = "{seat:@{seat} shows|you show} {number}: the spell works."
    fails = (
        "{seat:@{seat} shows|you show} {number}: too much. The barrel goes back, and "
        "{seat:@{seat} sits|you sit} out."
    )

    seat: Colour
    number: int
    works: bool

    @property
    def template(self) -> str:
        return self.sentence if self.works else self.fails


@dataclass(frozen=True, slots=True)
class Order(Event):
    """Who moves, in this order; nobody, if every barrel failed."""

    sentence = "Order of moves: {seats}."
    nobody = "No spell has worked; nobody moves."

    seats: tuple[Colour, ...]

    @property
    def template(self) -> str:
        return self.sentence if self.seats else self.nobody


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A pawn went from one of its own steps to another; `path` are the ring indexes it came to."""

    sentence = "{seat:@{seat} moves|you move} from field {start} to field {end}."
    from_start = (
        "{seat:@{seat} leaves the start and comes|you leave the start and come} to field {end}."
    )
    into_city = "{seat:@{seat} moves|you move} from field {start} into the city."

    seat: Colour
    start: Step
    end: Step
    path: tuple[int, ...]

    @property
    def template(self) -> str:
        if self.start == START:
            return self.from_start
        return self.into_city if self.end == CITY else self.sentence


@dataclass(frozen=True, slots=True)
class Banished(Event):
    """A pawn was sent back to its start; `field` is the ring index where it stood."""

    sentence = "Banished: {pawn.colour} has to go from its field {pawn.step} back to the start."

    seat: Colour
    pawn: Pawn
    field: int


@dataclass(frozen=True, slots=True)
class TakenAlong(Event):
    """A pawn went with the mover, from ring index `field` to its own step `end`."""

    sentence = "Taken along: {pawn.colour} comes from its field {pawn.step} to its field {end}."
    own = "Taken along: one of its own, from field {pawn.step} to field {end}."
    into_city = "Taken along: one of its own, from field {pawn.step} into the city."

    seat: Colour
    pawn: Pawn
    field: int
    end: Step

    @property
    def template(self) -> str:
        if self.seat != self.pawn.colour:
            return self.sentence
        return self.into_city if self.end == CITY else self.own


@dataclass(frozen=True, slots=True)
class CameHome(Event):
    sentence = "{seat:@{seat} has|you have} {pawns} apprentices in the city now."
    first = "{seat:@{seat} has the|you have your} first apprentice in the city."

    seat: Colour
    pawns: int

    @property
    def template(self) -> str:
        return self.first if self.pawns == 1 else self.sentence


@dataclass(frozen=True, slots=True)
class Won(Event):
    """A player's third pawn is home, and the game is over at once."""

    sentence = (
        "{seat:@{seat} has all three apprentices in the city and wins|you have all three "
        "apprentices in the city and win}!"
    )

    seat: Colour


@dataclass(frozen=True, slots=True)
class SatOut(Event):
    """The table has ruled that a player sits the round out."""

    sentence = "{seat:@{seat} sits|you sit} this round out."

    seat: Colour


@dataclass(frozen=True, slots=True)
class WentBack(Event):
    """A placed barrel stands on the plateau again; `waiting` are to place one."""

    sentence = (
        "{seat:@{seat}'s|Your} barrel goes back; {waiting:@{waiting:and} {waiting:#has|have}|you "
        "have} to choose."
    )

    seat: Colour
    waiting: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """A player's pawns were found on other steps than the record said."""

    sentence = "{seat:@{seat}'s|Your} apprentices stood elsewhere; that is corrected now."

    seat: Colour
    before: Camp
    now: Camp


@dataclass(frozen=True, slots=True)
class RoundOver(Event):
    """All barrels go back to the plateau; `roller` may roll next."""

    sentence = "All barrels go back and are shuffled. {roller} may roll next."
    unshuffled = "All barrels go back and are not shuffled. {roller} may roll next."

    round: int
    shuffle: bool
    roller: Colour

    @property
    def template(self) -> str:
        return self.sentence if self.shuffle else self.unshuffled


@dataclass(frozen=True, slots=True)
class View:
    """All that anybody may know of a state: what lies open on the table, and nothing else."""

    round: int
    phase: Phase
    magic: int
    roller: Colour  # a suggestion: the next player, clockwise, every round (ZZ-11)
    turns: tuple[int, ...]
    placed: tuple[Colour, ...]
    out: tuple[Colour, ...]  # who sits this round out
    numbers: tuple[tuple[Colour, int], ...]  # of the barrels that have been flipped and read
    order: tuple[Colour, ...]
    pawns: tuple[tuple[Colour, Camp], ...]
    choices: tuple[Action, ...]
    winner: Colour | None
