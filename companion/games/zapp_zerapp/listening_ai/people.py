"""Simulated people (bots): how each shakes and listens to barrels, remembers and chooses.

They know what a person knows: what they hear, what has been flipped, the open board and what a
move would bring about. They must not see a state, nor a number before the flip.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final, Protocol

from companion.core import Action, Event, read
from companion.games.zapp_zerapp import rules
from companion.system.chance import below, mixed, pick, wobble
from companion.system.errors import CompanionError

NUMBERS = range(1, rules.BARRELS + 1)
PLACES: Final = "ABCDEFGHIJKLM"


@dataclass(frozen=True, slots=True)
class Ear:
    """How well somebody hears: few stones are easily told apart, many are not."""

    floor: float = 0.35  # deviation that even one stone has
    blur: float = 0.16  # and what every stone adds to it

    def deviation(self, number: int) -> float:
        return self.floor + self.blur * number

    def hear(self, number: int, rng: Random) -> float:
        """Return about how many stones it seems to be."""
        return max(0.0, number + self.deviation(number) * wobble(rng))

    def could_be(self, heard: float) -> tuple[int, int]:
        """Return the least and the most stones that sound so, but for one time in twenty.

        >>> Ear().could_be(2.0), Ear().could_be(8.0), Ear().could_be(17.0)
        ((1, 3), (6, 12), (10, 13))
        """
        heard = min(max(heard, NUMBERS[0]), NUMBERS[-1])
        fits = [n for n in NUMBERS if abs(heard - n) <= 2.0 * self.deviation(n)]
        return fits[0], fits[-1]

    def chances(self, heard: float) -> list[float]:
        """Return how probable each number is after this sound, if all were equally so before."""
        spread = [self.deviation(number) for number in NUMBERS]
        weights = [
            math.exp(-(((heard - n) / s) ** 2) / 2) / s
            for n, s in zip(NUMBERS, spread, strict=True)
        ]
        total = math.fsum(weights)
        return [weight / total for weight in weights]


@dataclass(frozen=True, slots=True)
class Barrel:
    """A barrel, and the place that it was taken from; its number stands on its underside."""

    place: str
    number: int = field(repr=False)


class Plateau:
    """The middle of the board, where all barrels stand that nobody has taken.

    >>> plateau = Plateau()
    >>> barrel = plateau.take("C")
    >>> plateau.free
    ('A', 'B', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M')
    >>> plateau.put_back(barrel)
    """

    def __init__(self) -> None:
        numbers = range(1, rules.BARRELS + 1)
        self._barrels = {p: Barrel(p, n) for p, n in zip(PLACES, numbers, strict=True)}

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(place for place in PLACES if place in self._barrels)

    def take(self, place: str) -> Barrel:
        if place not in self._barrels:
            raise CompanionError(
                "There is no barrel at {place}; there is one at each of {places}.",
                place=place,
                places=self.free,
            )
        return self._barrels.pop(place)

    def put_back(self, barrel: Barrel) -> None:
        """Stand a barrel where it came from."""
        self._barrels[barrel.place] = barrel

    def shuffle(self, rng: Random) -> None:
        """Mix all barrels; none may be missing."""
        if len(self._barrels) != rules.BARRELS:
            raise CompanionError("Barrels are shuffled when all thirteen stand on the plateau.")
        numbers = mixed(rng, [barrel.number for barrel in self._barrels.values()])
        self._barrels = {p: Barrel(p, n) for p, n in zip(PLACES, numbers, strict=True)}


class Hands:
    """What one player can do with barrels: take, shake, put back and keep; two at a time (ZZ-7).

    Nobody who has only these can learn a number other than by ear.
    """

    def __init__(
        self, plateau: Plateau, ear: Ear, rng: Random, stand: Callable[[Barrel], None]
    ) -> None:
        self._plateau = plateau
        self._ear = ear
        self._rng = rng
        self._stand = stand  # where a kept barrel goes, out of everybody's reach
        self._held: dict[str, Barrel] = {}

    @property
    def free(self) -> tuple[str, ...]:
        """Return the places with a barrel that can be taken."""
        return self._plateau.free

    @property
    def held(self) -> tuple[str, ...]:
        """Return the places that the barrels in hand came from, the first taken first."""
        return tuple(self._held)

    def shake(self, place: str) -> float:
        """Shake the barrel of a place, taken from there unless in hand; return what it sounds."""
        if place not in self._held:
            if len(self._held) == 2 and place in self.free:
                raise CompanionError("Both hands are full; put a barrel back first.")
            self._held[place] = self._plateau.take(place)
        return self._ear.hear(self._held[place].number, self._rng)

    def put_back(self, place: str) -> None:
        """Stand a barrel from the hand where it came from."""
        self._plateau.put_back(self._held.pop(place))

    def keep(self, place: str) -> None:
        """Stand a barrel from the hand in front of oneself; the other one goes back at once."""
        if place not in self._held:
            raise CompanionError(
                "Barrel {place} is not in your hands; shake it first.", place=place
            )
        self._stand(self._held.pop(place))
        for other in self.held:
            self.put_back(other)


Pawns = Mapping[rules.Colour, tuple[int, int, int]]


class Gains:
    """What a move is worth at first sight."""

    def __init__(self, settings: rules.Settings) -> None:
        self._settings = settings

    def of(self, events: Iterable[Event], pawns: Pawns) -> float:
        """Return what all that a move brings about is worth."""
        gain = 0.0
        for event in events:
            match event:
                case rules.Won():
                    gain += 1000
                case rules.Moved(seat, start, end):
                    gain += end - start + 4 * (end == rules.CITY)
                    gain += self._danger(seat, start, pawns) - self._danger(seat, end, pawns)
                case rules.Banished(_, pawn):
                    gain += pawn.step
                case rules.TakenAlong(seat, pawn, _, end):
                    gain += (end - pawn.step) * (1 if seat == pawn.colour else -0.5)
                case _:
                    pass
        return gain

    def _danger(self, seat: rules.Colour, step: int, pawns: Pawns) -> float:
        """Return what a pawn on this step risks: its way so far, by how many could reach it."""
        board = self._settings.board
        if not 0 < step < rules.CITY or board.field(seat, step) in self._safe(seat):
            return 0.0
        index = board.field(seat, step)
        ways = (
            board.step(other, index) - at
            for other, camp in pawns.items()
            for at in camp
            if other != seat and 0 < at < rules.CITY
        )
        return step * min(0.6, 0.12 * sum(0 < way < rules.BARRELS for way in ways))

    def _safe(self, seat: rules.Colour) -> tuple[int, ...]:
        board = self._settings.board
        return board.protected(seat) + (board.castles(seat) if self._settings.profi else ())


class Turn:
    """What a mover may ask before it moves; after the flip nothing is hidden."""

    def __init__(self, game: rules.ZappZerapp, state: rules.State) -> None:
        self._game, self._state = game, state
        self.view = game.view(state, state.queue[0])  # what lies open, and the choices

    def foresee(self, action: Action) -> tuple[Event, ...]:
        """Return what a move would bring about."""
        return self._game.explain(self._state, action)

    def read(self, text: str) -> Action:
        """Return the move that a text means, or raise what is wrong with it."""
        return read(self._game, self._state, text)


class Person(Protocol):
    """Somebody who can play."""

    def shake(self, hands: Hands, view: rules.View) -> None:
        """Do one thing with the barrels; called again until one is kept."""

    def move(self, turn: Turn) -> Action:
        """Choose a move."""

    def see(self, player: rules.Colour, place: str, number: int) -> None:
        """Watch a flipped barrel go back to its place."""


class Memory:
    """Where flipped barrels stand, as long as one remembers; useless once they are shuffled."""

    def __init__(self, rng: Random, *, notices: float = 0.8) -> None:
        self._rng = rng
        self._notices = notices
        self._seen: dict[str, tuple[int, float]] = {}  # by place: a number, how surely

    def see(self, place: str, number: int) -> None:
        """Notice a barrel, or not."""
        if self._rng.random() < self._notices:
            self._seen = {p: s for p, s in self._seen.items() if s[0] != number}
            self._seen[place] = number, 0.95

    def fade(self) -> None:
        keep = 0.9
        faded = {p: (number, trust * keep) for p, (number, trust) in self._seen.items()}
        self._seen = {p: s for p, s in faded.items() if s[1] > 0.3 and self._rng.random() < keep}

    def odds(self, place: str) -> list[float]:
        """Return how probable each number is on a place, before it is shaken."""
        number, trust = self._seen.get(place, (0, 0.0))
        return [(1 - trust) / rules.BARRELS + (trust if n == number else 0.0) for n in NUMBERS]


class Gambler:
    """Somebody who leaves everything to chance."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def shake(self, hands: Hands, view: rules.View) -> None:  # noqa: ARG002 - the contract has it
        """Keep any barrel."""
        place = pick(self._rng, hands.free)
        hands.shake(place)
        hands.keep(place)

    def move(self, turn: Turn) -> Action:
        return pick(self._rng, turn.view.choices)

    def see(self, player: rules.Colour, place: str, number: int) -> None:
        """Take no notice."""


class Listener:
    """Somebody who listens, remembers what stood where, and looks one move ahead."""

    def __init__(
        self,
        settings: rules.Settings,
        rng: Random,
        *,
        ear: Ear | None = None,
        overlooks: float = 0.15,
    ) -> None:
        self._settings = settings
        self._rng = rng
        self._ear = ear or Ear()
        self._overlooks = overlooks
        self.memory = Memory(rng)
        self._round = 0
        self._tries = 0  # that are left in this round
        self._worth: dict[str, float] = {}  # of every barrel shaken in this round

    def shake(self, hands: Hands, view: rules.View) -> None:
        """Shake one more barrel; keep the best in hand if it is good enough or time is up."""
        if view.round != self._round:
            self._round, self._tries, self._worth = view.round, 3 + below(self._rng, 4), {}
            self.memory.fade()
        if len(hands.held) == 2:
            hands.put_back(min(hands.held, key=self._worth.__getitem__))
        place = self._promising(hands, view.magic)
        heard = self._ear.chances(hands.shake(place))
        odds = [a * b for a, b in zip(heard, self.memory.odds(place), strict=True)]
        self._worth[place] = _worth(odds, view.magic)
        self._tries -= 1
        best = max(hands.held, key=self._worth.__getitem__)
        if self._tries <= 0 or self._worth[best] >= 0.75 * view.magic:
            hands.keep(best)

    def _promising(self, hands: Hands, magic: int) -> str:
        fresh = [place for place in hands.free if place not in self._worth] or list(hands.free)
        hopes = {place: _worth(self.memory.odds(place), magic) for place in fresh}
        most = max(hopes.values())
        return pick(self._rng, [place for place, hope in hopes.items() if hope == most])

    def move(self, turn: Turn) -> Action:
        """Make the move that looks best; where one may overlook something, it happens."""
        pawns = dict(turn.view.pawns)
        gains = Gains(self._settings)
        best = max(turn.view.choices, key=lambda move: gains.of(turn.foresee(move), pawns))
        if isinstance(best, rules.Move) and best.banish:  # ZZ-20
            noticed = tuple(p for p in best.banish if self._rng.random() >= self._overlooks)
            best = replace(best, banish=noticed)
        return best

    def see(self, player: rules.Colour, place: str, number: int) -> None:  # noqa: ARG002 - the contract has it
        """Try to remember where the barrel stands now, unless it will be shuffled anyway."""
        if not self._settings.shuffle:
            self.memory.see(place, number)


class Child(Listener):
    """Somebody who keeps the first barrel that sounds right, and often moves any pawn."""

    def shake(self, hands: Hands, view: rules.View) -> None:
        """Shake a barrel, and keep it unless it sounds like too much."""
        for place in hands.held:
            hands.put_back(place)
        place = pick(self._rng, hands.free)
        if hands.shake(place) <= view.magic:
            hands.keep(place)

    def move(self, turn: Turn) -> Action:
        """Make the move that looks best, or every other time any."""
        if self._rng.random() < 0.5:
            return pick(self._rng, turn.view.choices)
        return super().move(turn)


def _worth(odds: list[float], magic: int) -> float:
    """Return how many fields a barrel is good for: none above the magic number."""
    useful = (n * p for n, p in zip(NUMBERS, odds, strict=True) if n <= magic)
    return math.fsum(useful) / math.fsum(odds)
