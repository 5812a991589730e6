"""Liar's dice: all throw under a cup and bid on the dice; whoever is caught out loses one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, ClassVar, Final, NamedTuple

from companion.core import (
    TABLE,
    Action,
    BaseGame,
    BaseView,
    Event,
    GamePlugin,
    Illegal,
    Outcome,
    RulesError,
    Sealed,
    Seat,
    refusing,
)

FACES: Final = range(1, 7)
Dice = tuple[int, ...]  # ascending


class Colour(IntEnum):
    """The seats, clockwise."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table agrees on before it plays."""

    seats: tuple[Colour, ...] = tuple(Colour)
    dice: int = 2  # that each begins with

    def __post_init__(self) -> None:
        """Refuse a table that cannot play."""
        right = tuple(sorted({*self.seats} & {*Colour}))
        if len(self.seats) < 2 or self.seats != right:
            raise RulesError("2 to 4 play, each once and clockwise; write {right}.", right=right)
        if not 1 <= self.dice <= 5:
            raise RulesError("Each has 1 to 5 dice, not {count}.", count=self.dice)


@dataclass(frozen=True, slots=True)
class Said:
    """A bid: there are at least so many dice of this face."""

    seat: Colour
    count: int
    face: int


class State(NamedTuple):
    """One moment of a match."""

    round: int
    turn: Colour  # who bids next, or doubts
    left: tuple[int, ...]  # how many dice each colour has
    cups: tuple[Dice, ...]  # what each threw in this round; nothing: not yet
    bid: Said | None


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """Somebody says how many dice of a face there are, under all cups together."""

    seat: Colour
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class Doubt(Action):
    """Somebody does not believe the last bid."""

    seat: Colour


@dataclass(frozen=True, slots=True)
class Throw(Action):
    """Somebody throws under a cup, and alone looks; a doubt lifts all cups."""

    sealed: ClassVar[Sealed | None] = Sealed(("dice",), opened_by=Doubt, known_to="player")
    player: Colour
    dice: tuple[int, ...] | None = None  # None where it is hidden


@dataclass(frozen=True, slots=True)
class Thrown(Event):
    """Somebody looks under the own cup."""

    sentence: ClassVar = "{seat} throws {count} {count:#die|dice} under the cup."
    seat: Colour
    count: int


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """There is a higher bid."""

    sentence: ClassVar = "{seat} bids {count} times {face}."
    seat: Colour
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class Lifted(Event):
    """Everybody sees what was under a cup."""

    sentence: ClassVar = "{seat} has {dice:and}."
    seat: Colour
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """The bid was wrong, or the doubt was."""

    sentence: ClassVar = "There {count:#is|are} {count} times {face}: {seat} loses a die."
    seat: Colour
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class View(BaseView):
    """What a seat sees: the own dice, and of all others only how many they are."""

    round: int
    scores: tuple[tuple[Colour, int], ...]  # dice that are left
    bid: Said | None
    hand: Dice


class LiarsDice(BaseGame[State]):
    """One match: its settings, and the rules under them."""

    name = "liars-dice"
    actions: ClassVar[tuple[type[Action], ...]] = (Throw, Bid, Doubt)
    unasked = (Throw,)  # the companion has the dice
    settings_type = Settings

    def start(self) -> State:
        """Return the first round, before anybody has thrown."""
        left = tuple(self.settings.dice if seat in self.seats else 0 for seat in Colour)
        return State(1, Colour(self.seats[0]), left, ((),) * len(Colour), None)

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return the table until all have thrown, then who bids or doubts."""
        if len(self._playing(state)) < 2:
            return ()
        return (state.turn,) if self._thrower(state) is None else (TABLE,)

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return every throw, or every higher bid, and a doubt once something was bid."""
        if seat not in self.turns(state):
            return ()
        if (player := self._thrower(state)) is not None:
            dice = combinations_with_replacement(FACES, state.left[player])
            return [Throw(player, thrown) for thrown in dice]
        least = (0, 0) if state.bid is None else (state.bid.count, state.bid.face)
        counts = range(1, sum(state.left) + 1)
        bids = [Bid(state.turn, n, face) for n in counts for face in FACES if (n, face) > least]
        return [*bids, Doubt(state.turn)] if state.bid else bids

    def odds(self, state: State) -> Sequence[int]:
        """Return in how many ways each throw can fall."""
        return [_ways(one.dice) for one in self.legal(state, TABLE) if isinstance(one, Throw)]

    @refusing
    def apply(self, state: State, action: Action) -> State:
        """Return the state after a legal action."""
        if action not in self.legal(state, action.seat):
            raise Illegal("It is {seat}'s turn: bid more, or doubt.", seat=state.turn)
        if isinstance(action, Throw):
            return state._replace(cups=_but(state.cups, action.player, action.dice))
        if isinstance(action, Bid):
            said = Said(action.seat, action.count, action.face)
            return state._replace(turn=self._after(state, action.seat), bid=said)
        loser, _ = self._settled(state)
        left = _but(state.left, loser, state.left[loser] - 1)
        new = State(state.round + 1, loser, left, ((),) * len(Colour), None)
        return new if left[loser] else new._replace(turn=self._after(new, loser))

    @refusing
    def explain(
        self,
        state: State,
        action: Action,
        then: State | None = None,  # noqa: ARG002 - the contract has it
    ) -> tuple[Event, ...]:
        """Return what everybody hears and sees."""
        if isinstance(action, Throw):
            return (Thrown(action.player, state.left[action.player]),)
        if isinstance(action, Bid):
            return (Claimed(action.seat, action.count, action.face),)
        loser, count = self._settled(state)
        shown = tuple(Lifted(seat, state.cups[seat]) for seat in self._playing(state))
        return (*shown, Lost(loser, count, self._bid(state).face))

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open, and what is under the viewer's own cup."""
        scores = tuple((Colour(seat), state.left[seat]) for seat in self.seats)
        hand = () if viewer not in self.seats else state.cups[viewer]
        more = {"round": state.round, "scores": scores, "bid": state.bid, "hand": hand}
        return View.of(self, state, viewer, **more)

    def outcome(self, state: State) -> Outcome | None:
        """Return who is the last to have any dice."""
        if len(playing := self._playing(state)) > 1:
            return None
        return Outcome(playing, tuple((seat, state.left[seat]) for seat in self.seats))

    def _playing(self, state: State) -> tuple[Colour, ...]:
        return tuple(Colour(seat) for seat in self.seats if state.left[seat])

    def _thrower(self, state: State) -> Colour | None:
        """Return who throws next; None: all have."""
        return next((seat for seat in self._playing(state) if not state.cups[seat]), None)

    def _after(self, state: State, seat: Colour) -> Colour:
        """Return who sits next and still plays."""
        playing = self._playing(state)
        return next((one for one in playing if one > seat), playing[0])

    def _settled(self, state: State) -> tuple[Colour, int]:
        """Return who loses a die, and how many of the face there are."""
        bid = self._bid(state)
        count = sum(cup.count(bid.face) for cup in state.cups)
        return (bid.seat if count < bid.count else state.turn), count

    def _bid(self, state: State) -> Said:
        if state.bid is None:
            raise Illegal("Nothing was bid yet.")
        return state.bid


def _but(items: tuple[Any, ...], seat: Seat, item: Any) -> tuple[Any, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


def _ways(dice: Dice | None) -> int:
    thrown = dice or ()
    return factorial(len(thrown)) // prod(factorial(thrown.count(face)) for face in FACES)


PLUGIN = GamePlugin(LiarsDice, __name__)
