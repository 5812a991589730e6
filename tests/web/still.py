"""Hands of a person who sits at a simulated table and sees the same all the time, for tests."""

from collections.abc import Callable
from typing import Any, Final, cast

from werkzeug.test import TestResponse

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

ACT: Final = "/api/simulated/act"
TABLE: Final = "/api/simulated/table"


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


class Told(Still):
    """Hands that remember what they were told."""

    def __init__(self, number: int = 7, pressed: Callable[[], object] = bool) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.looks = self.stays = 0
        self._number, self._pressed = number, pressed

    def table(self) -> SightOfTable:
        self.looks += 1
        return super().table()

    def stay(self) -> None:
        self.stays += 1

    def sit(self) -> None:
        self.told.append(("sit",))

    def leave(self) -> None:
        self.told.append(("leave",))

    def lift(self, handle: int) -> RattleHeard:
        self.told.append(("lift", handle))
        return RattleHeard(600)

    def put_back(self, handle: int) -> RattleHeard:
        self.told.append(("put_back", handle))
        return RattleHeard(700)

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        self.told.append(("shake", handle, for_s, vigour))
        knocks = (HeardKnock(20 * i, 0.25) for i in range(self._number))
        return RattleHeard(round(1000 * for_s), tuple(knocks))

    def compare(self, one: int, other: int) -> tuple[RattleHeard, RattleHeard]:
        self.told.append(("compare", one, other))
        return RattleHeard(1600, (HeardKnock(5, 0.5),)), RattleHeard(1500, (HeardKnock(9, 1.0),))

    def place(self, handle: int) -> RattleHeard:
        self.told.append(("place", handle))
        return RattleHeard(800)

    def peek(self, handle: int, for_s: float) -> Peeked:
        self.told.append(("peek", handle, for_s))
        return Peeked(1400, self._number, 300, 1100)

    def flip(self, handle: int) -> RattleHeard:
        self.told.append(("flip", handle))
        return RattleHeard(900)

    def press(self, for_s: float) -> None:
        self.told.append(("press", for_s))
        self._pressed()


def told(answer: TestResponse) -> Any:
    """Return what an answer carries."""
    return answer.json
