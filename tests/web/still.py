"""Hands of a person who sits at a simulated table and sees the same all the time, for tests."""

from typing import cast

from companion.games.zapp_zerapp.rules import BARRELS
from companion.present.simulated_hands import (
    HandActRequest,
    HandActResult,
    HeardKnock,
    Peeked,
    PhoneFelt,
    PhonePose,
    PhoneSamples,
    RattleHeard,
    SeenBarrel,
    ShakeVigour,
    SightOfTable,
    SittingPlayer,
    Where,
)
from companion.simulator.live.player_hands import PlayerHands


class Still:
    """Does what it is told, to no effect."""

    seat = "red"

    def table(self) -> SightOfTable:
        barrels = tuple(SeenBarrel(handle, Where.PLATEAU) for handle in range(BARRELS))
        return SightOfTable(self.seat, SittingPlayer.YOU, 0, barrels)

    def stay(self) -> None:
        """Be there already."""

    def do(self, asked: HandActRequest) -> HandActResult:
        """Do what the request asks for, by the method of that name."""
        return PlayerHands.do(cast("PlayerHands", self), asked)

    def sit(self) -> None:
        """Sit there already."""

    def leave(self) -> None:
        """Stay."""

    def lift(self, handle: int) -> RattleHeard:
        return RattleHeard(100 + handle, (HeardKnock(20, 0.5),))

    put_back = place = flip = lift

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        strength = 0.5 if vigour is ShakeVigour.AS_USUAL else 1.0
        return RattleHeard(round(1000 * for_s) + handle, (HeardKnock(20, strength),))

    def compare(self, one: int, other: int) -> tuple[RattleHeard, RattleHeard]:
        return self.lift(one), self.lift(other)

    def peek(self, handle: int, for_s: float) -> Peeked:
        return Peeked(round(1000 * for_s) + handle, 7, 20, 40)

    def press(self, for_s: float) -> None:
        """Press nothing."""

    def follow(self, handle: int, samples: PhoneSamples) -> PhoneFelt:  # noqa: ARG002
        """Knock once for each sample."""
        knocks = (HeardKnock(20 * at, 0.5) for at in range(len(samples.at_ms)))
        return PhoneFelt(PhonePose.MOVING, tuple(knocks))
