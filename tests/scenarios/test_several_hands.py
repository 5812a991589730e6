"""Several people play at one simulated table, each with the hands of an own seat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.present.simulated_hands import SightOfTable, SittingPlayer, Where
from companion.referee.commands import DoAction
from companion.simulator.ground_truth import What
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.world_store import KeptWorld
from companion.system.config import SEATS
from companion.system.errors import CompanionError
from companion.system.text import SeatName
from tests.scenarios.test_hands_at_the_table import Seated

ALL_HOME = "correct pawns " + ",".join(
    f"{seat}:{where}"
    for seat, away in (("red", "24"), ("green", "24"), ("blue", "24"), ("yellow", "24"))
    for where in (away, "city", "city")
)


class Several(Seated):
    """An evening at which people have so many seats, and guests all others."""

    def __init__(
        self,
        folder: Path,
        people: int,
        seats: int = 4,
        seed: int = 1,
        kept: KeptWorld | None = None,
    ) -> None:
        super().__init__(folder, seed, seats, kept)
        self.bodies = {seat: PlayerHands(self.sim, self.guests, seat) for seat in SEATS[:people]}
        self.until(lambda: self.now.match is not None)
        for seat in self.bodies:
            self.turn_to(seat).body.sit()

    def turn_to(self, seat: SeatName) -> Several:
        """Let what follows be done by the person at a seat."""
        self.person, self.body = seat, self.bodies[seat]
        return self

    def plays(self, enough: Callable[[], bool]) -> Several:
        """Let everybody do what is asked of them, one after another, until enough."""
        while not enough():
            self.until(lambda: enough() or self._somebody_is_asked(), 300)
            if not enough():
                self._answers()
        return self

    def _somebody_is_asked(self) -> bool:
        """Turn to somebody who is asked; nobody rolls before all barrels are back."""
        asked = [seat for seat in self.bodies if self.turn_to(seat)._is_asked()]
        for seat in asked:
            if self.turn_to(seat).mine(Where.PAD):
                return True
        return bool(asked)

    def looks(self) -> dict[SeatName, SightOfTable]:
        return {seat: body.table() for seat, body in self.bodies.items()}


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("people", "seats"), [(2, 2), (4, 4), (2, 3)])
def test_people_play_until_one_wins(people: int, seats: int, tmp_path: Path, full: bool) -> None:
    """With --full: all of a match; else all pawns but one of each are put home before."""
    with Several(tmp_path, people, seats) as evening:
        if not full:
            known = ALL_HOME.split(",")[: 3 * seats]
            assert evening.says("red", DoAction(",".join(known))).refused is None
        evening.plays(lambda: evening.now.over)
        assert evening.view.winner is not None
        mine = {seat.name.lower() for seat in evening.bodies}
        decided = [(by, wish.text) for by, wish in evening.decided if isinstance(wish, DoAction)]
        of_guests = [text for by, text in decided if by not in mine]
        if people == seats:  # then nobody else decides; what all see may be told to the referee
            assert set(of_guests) <= {"flip"}
        assert not any(colour in text for text in of_guests for colour in mine)
        placed = {one.other for one in evening.sim.world.truth.of(What.PLACED)}
        assert placed == set(SEATS[:seats])
        assert [foul.raised.code for foul in evening.now.fouls if foul.raised.seat] == []


def test_two_hands_at_one_barrel_are_refused_as_at_a_real_table(tmp_path: Path) -> None:
    with Several(tmp_path, 2, 2) as evening:
        evening.plays(lambda: evening.view.phase is Phase.PLACE)
        red, green = evening.bodies[SeatName.RED], evening.bodies[SeatName.GREEN]
        handle = evening.turn_to(SeatName.RED).free()[0]
        red.lift(handle)
        for _ in range(2):  # while it is taken, and when it is in hand
            with pytest.raises(CompanionError, match="has that barrel"):
                green.lift(handle)
            evening.wait(2)
        red.put_back(handle)
        with pytest.raises(CompanionError, match="busy with that barrel"):
            green.lift(handle)
        evening.wait(2)
        green.lift(handle)
        evening.wait(2)
        assert evening.turn_to(SeatName.GREEN).mine(Where.HAND) == [handle]
        assert evening.turn_to(SeatName.RED).mine(Where.HAND) == []


def test_whoever_comes_later_plays_from_the_next_round_and_others_stay(tmp_path: Path) -> None:
    with Several(tmp_path, 1, 2) as evening:
        evening.plays(lambda: evening.sim.world.on_pad(SeatName.GREEN) is not None)
        evening.bodies[SeatName.GREEN] = PlayerHands(evening.sim, evening.guests, SeatName.GREEN)
        evening.bodies[SeatName.GREEN].sit()
        sitting = [look.sitting for look in evening.looks().values()]
        assert sitting == [SittingPlayer.YOU, SittingPlayer.NEXT_ROUND]
        evening.bodies[SeatName.RED].leave()
        assert evening.looks()[SeatName.GREEN].sitting is SittingPlayer.NEXT_ROUND
        assert evening.looks()[SeatName.RED].sitting is SittingPlayer.GUEST
