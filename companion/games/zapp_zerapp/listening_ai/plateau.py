"""A plateau with thirteen barrels, and two hands of each who shakes them, as bots need it.

Nobody who has only `Hands` can learn a number other than by ear.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol

from companion.games.zapp_zerapp.rules import BARRELS
from companion.system.chance import mixed
from companion.system.errors import CompanionError

PLACES: Final = "ABCDEFGHIJKLM"


class Hearing(Protocol):
    """An ear: it makes a sound of a number."""

    def hear(self, number: int, rng: Random) -> float:
        """Return about how many stones it seems to be."""


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
        numbers = range(1, BARRELS + 1)
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
        if len(self._barrels) != BARRELS:
            raise CompanionError("Barrels are shuffled when all thirteen stand on the plateau.")
        numbers = mixed(rng, [barrel.number for barrel in self._barrels.values()])
        self._barrels = {p: Barrel(p, n) for p, n in zip(PLACES, numbers, strict=True)}


class Hands:
    """What one player can do with barrels: take, shake, put back and keep; two at a time (ZZ-7)."""

    def __init__(
        self, plateau: Plateau, ear: Hearing, rng: Random, stand: Callable[[Barrel], None]
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
