"""Hands of a person who sits at a simulated table and sees the same all the time, for tests."""

from __future__ import annotations

from companion.games.zapp_zerapp.rules import BARRELS
from companion.present.simulated_hands import (
    Heard,
    Knock,
    Peeked,
    SeenBarrel,
    Sight,
    Sitting,
    Vigour,
    Where,
)


class Still:
    """Does what it is told, to no effect."""

    def table(self) -> Sight:
        barrels = tuple(SeenBarrel(handle, Where.PLATEAU) for handle in range(BARRELS))
        return Sight("red", Sitting.YOU, 0, barrels)

    def sit(self) -> None:
        """Sit there already."""

    def leave(self) -> None:
        """Stay."""

    def lift(self, handle: int) -> Heard:
        return Heard(100 + handle, (Knock(20, 0.5),))

    put_back = place = flip = lift

    def shake(self, handle: int, for_s: float, vigour: Vigour = Vigour.AS_USUAL) -> Heard:
        strength = 0.5 if vigour is Vigour.AS_USUAL else 1.0
        return Heard(round(1000 * for_s) + handle, (Knock(20, strength),))

    def compare(self, one: int, other: int) -> tuple[Heard, Heard]:
        return self.lift(one), self.lift(other)

    def peek(self, handle: int, for_s: float) -> Peeked:
        return Peeked(round(1000 * for_s) + handle, 7, 20, 40)

    def press(self, for_s: float) -> None:
        """Press nothing."""
