"""What a game of Trap the Wizard consists of: settings, states, actions, and what one may see."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from companion.core import Action, RulesError
from companion.core.game import demand_seats
from companion.games.trap_the_wizard.rules.board import PLAYERS, SPOKED, START, Board, Place, Robe
from companion.system.format_names import record

Load = tuple[Robe, ...]  # whom a wizard holds captive, in the order of the robes
SIDES: Final = 6
WIZARDS: Final = 3  # of each player


class Phase(Enum):
    """What has to be done next."""

    ROLL = "roll"
    MOVE = "move"
    REST = "rest"  # a wizard came home; another may use the points left over
    AGAIN = "again"  # after a six; only where the other turn may be passed up
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays; the defaults are the usual reading."""

    seats: tuple[Robe, ...] = PLAYERS
    rounds: int = 5  # TW-8
    starter_rotates: bool = True  # TW-8: else the same player begins every round
    joker_spares: bool = False  # TW-7: whether its holder may share a special field instead
    six_passes: bool = False  # TW-6: whether the other turn may be passed up
    turn_back: bool = False  # TW-10: whether a wizard may turn back within a move
    pass_over: bool = True  # TW-10: whether it may pass over others
    hand_over: bool = True  # TW-10: else what a captured captor held is free, and starts again
    joker_returns: bool = True  # TW-10: else the joker leaves the round with its holder's return
    joker_scores: bool = False  # TW-10: whether the joker counts as a captured wizard
    held_count: bool = True  # TW-10: whether captives not yet brought home count
    home_exact: bool = False  # TW-10: whether one comes home by the exact number only
    idle_six_again: bool = True  # TW-10: whether a six that cannot be used gives another turn
    sixes: int = 3  # TW-10: this many in a row at most; the last of them gives no other turn
    board: Board = SPOKED

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        demand_seats(self.seats, PLAYERS)  # TW-9
        for part, count in (("rounds", self.rounds), ("sixes", self.sixes)):
            if count < 1:
                raise RulesError(
                    "'{part}' is {count}; it must be at least 1.", part=part, count=count
                )

    def beginner(self, round_: int) -> Robe:
        """Return who rolls first in a round: the next player, clockwise, or always the first."""
        return self.seats[(round_ - 1) % len(self.seats) if self.starter_rotates else 0]


class Wizard(NamedTuple):
    """A wizard that is free: where it stands, and whom it holds.

    >>> str(Wizard(START)), str(Wizard(12, (Robe.GREEN, Robe.JOKER)))
    ('start', '12 load green,joker')
    """

    place: Place
    load: Load = ()

    def opponents(self, seat: Robe) -> int:
        """Return how many wizards of others it holds for its player; the joker is nobody's."""
        load = self.load
        return len(load) - load.count(seat) - load.count(Robe.JOKER) if load else 0

    def __str__(self) -> str:
        place = "start" if self.place == START else str(self.place)
        return f"{place} load {','.join(r.name.lower() for r in self.load)}" if self.load else place


Camp = tuple[Wizard, ...]  # a player's free wizards, ascending; equal ones are the same choice


class State(NamedTuple):
    """One moment of a game. A tuple, because simulations make many of them."""

    round: int
    phase: Phase
    turn: Robe
    points: int  # still to be moved; 0 before the roll
    sixes: int  # rolled in a row, up to now; 0 if the last roll was none
    wizards: tuple[Camp, ...]  # by player; a captive is in its captor's load, or taken
    joker: bool  # whether it stands on its field
    taken: tuple[Load, ...]  # by captor: who left the game in this round
    scores: tuple[int, ...]  # by player, of the rounds that are over


Parts = tuple[int, Phase, Robe, int, int, tuple[Camp, ...], bool, tuple[Load, ...], tuple[int, ...]]
new = tuple.__new__  # new(State, (...)): as State(...), but faster, for no argument has a name


@record("roll")
class Roll(Action):
    """The die is rolled for the player whose turn it is."""

    number: int


@record("move")
class Move(Action):
    """A player moves the wizard on `start` that holds `load`, and ends on `end`.

    `spare` names whom it could capture there by the joker, and shares the field with instead.
    """

    seat: Robe
    start: Place
    end: Place
    load: Load = ()
    spare: Load = ()


@record("leave")
class Leave(Action):
    """A player leaves the points unused that were left over when its wizard came home."""

    seat: Robe


@record("again")
class Again(Action):
    """A player takes the other turn that a six gives."""

    seat: Robe


@record("pass")
class Pass(Action):
    """A player passes up the other turn that a six gives."""

    seat: Robe


ACTIONS: Final[tuple[type[Action], ...]] = (Roll, Move, Leave, Again, Pass)


@dataclass(frozen=True, slots=True)
class View:
    """All that anybody may know of a state; here nothing is hidden, and only choices differ."""

    round: int
    phase: Phase
    turns: tuple[int, ...]
    player: Robe  # whose turn it is, also while the die is rolled
    points: int
    sixes: int
    wizards: tuple[tuple[Robe, Camp], ...]
    joker: int | None  # the field on which it stands; None: somebody holds it, or it is gone
    taken: tuple[tuple[Robe, Load], ...]  # by captor
    scores: tuple[tuple[Robe, int], ...]  # of the rounds that are over
    choices: tuple[Action, ...]
    winners: tuple[Robe, ...]
