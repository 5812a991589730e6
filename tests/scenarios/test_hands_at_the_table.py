"""A person plays with guests: by hands, through firmware, wire and sensing, to the referee."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.games.zapp_zerapp.rules import Colour, Phase
from companion.games.zapp_zerapp.simulated.guests import CALM, Guests
from companion.games.zapp_zerapp.simulated.party import ARRIVE_US, CHEER_US, DICE_US, Party
from companion.present.simulated_hands import ShakeVigour, SittingPlayer, Where
from companion.referee.commands import DoAction, GiveUp, RollForUs, Undo
from companion.referee.handlers import usual_match
from companion.referee.match import Foul
from companion.simulator.ground_truth import What
from companion.simulator.live.player_hands import AWAY_US, PlayerHands
from companion.simulator.live.world_store import KeptWorld
from companion.system.config import SEATS
from companion.system.errors import CompanionError
from companion.system.text import SeatName
from tests.scenarios.refereed import Refereed

RED, PERSON = Colour.RED, SeatName.RED  # the same in the game and at the table
NEARLY_HOME = "correct pawns red:24,red:city,red:city,green:24,green:city,green:city"


class Seated(Refereed):
    """An evening of guests at which red may be a person."""

    def __init__(
        self, folder: Path, seed: int = 1, seats: int = 2, kept: KeptWorld | None = None
    ) -> None:
        super().__init__(folder, seed, seats, kept=kept)
        chance = Random(f"guests {seed}")
        self.guests = Guests(self.sim.world, chance, SEATS[:seats], (CALM,))
        self.party = Party(self.sim, self.guests, chance, 1, PERSON)
        self.person, self.body = PERSON, PlayerHands(self.sim, self.guests, PERSON)
        self.peeks_for_s = 0.0

    @property
    def colour(self) -> str:
        return self.person.name.lower()

    def mine(self, where: Where) -> list[int]:
        """Return the handles of the person's barrels in hand or on the pad."""
        barrels = self.body.table().barrels
        return [
            barrel.handle
            for barrel in barrels
            if (barrel.where, barrel.seat) == (where, self.colour)
        ]

    def free(self) -> list[int]:
        barrels = self.body.table().barrels
        return [
            barrel.handle
            for barrel in barrels
            if barrel.where is Where.PLATEAU and not barrel.sliding
        ]

    def does(self, act: Callable[[], object]) -> Seated:
        """Have the person do something as soon as it can be done, and let it be done."""

        def done() -> bool:
            try:
                act()
            except CompanionError:
                return False
            return True

        self.until(done, 30)
        self.until(lambda: self.body.table().busy_ms == 0)
        return self

    def takes_any(self) -> int:
        """Have the person lift the first barrel that can be reached, once there is one."""
        lifted = list[int]()

        def lift() -> None:
            lifted[:] = self.free()[:1]
            self.body.lift(*lifted or [-1])

        self.does(lift)
        return lifted[0]

    def sits(self) -> Seated:
        """Take the seat before the first round."""
        self.until(lambda: self.now.match is not None)
        self.does(lambda: self.body.lift(0))
        return self.does(lambda: self.body.put_back(0))

    def places_one(self) -> Seated:
        """Choose as one does: shake, compare perhaps, place; `peeks_for_s` cheats."""
        handle = self.takes_any()
        self.does(lambda: self.body.shake(handle, 0.8, ShakeVigour.AS_USUAL))
        self.does(lambda: self.body.shake(handle, 0.8, ShakeVigour.FIRMLY))
        if self.peeks_for_s:
            self.does(lambda: self.body.peek(handle, self.peeks_for_s))
        return self.does(lambda: self.body.place(handle))

    def plays(self, enough: Callable[[], bool]) -> Seated:
        """Let time pass while the person does what is the person's turn, until enough."""
        while not enough():
            self.until(lambda: enough() or self._is_asked(), 300)
            if not enough():
                self._answers()
        return self

    def _is_asked(self) -> bool:
        view = self.view
        match view.phase:
            case Phase.ROLL:
                return bool(self.mine(Where.PAD)) or view.roller == Colour(self.person)
            case Phase.PLACE:
                return Colour(self.person) not in view.placed
            case Phase.FLIP:
                return any(not self.flipped(one) for one in self.mine(Where.PAD))
            case Phase.SAY:  # after a start nobody knows what lay there
                return bool(self.mine(Where.PAD)) and self.colour not in self.numbers
            case Phase.MOVE:
                return view.turns[0] == self.person
        return False

    def flipped(self, handle: int) -> bool:
        return self.body.table().barrels[handle].flipped

    def _answers(self) -> None:
        view, pad = self.view, self.mine(Where.PAD)
        match view.phase:
            case Phase.ROLL if pad:  # unless a guest, who collects all of them, is sooner
                self.does(lambda: self.mine(Where.PAD) == pad and self.body.put_back(pad[0]))
            case Phase.ROLL:
                self.says(self.colour, RollForUs())
            case Phase.PLACE:
                self.places_one().until(lambda: Colour(self.person) in self.view.placed, 10)
            case Phase.FLIP:
                self.does(lambda: self.body.flip(pad[0]))
            case Phase.SAY if self.flipped(pad[0]):
                number = self.body.table().barrels[pad[0]].number
                assert self.insists(self.colour, f"say {self.colour} {number}").refused is None
            case Phase.SAY:
                self.does(lambda: self.body.flip(pad[0]))
            case Phase.MOVE:
                moves = [one for one in self.offers(self.colour) if isinstance(one, DoAction)]
                assert self.says(self.colour, moves[0]).refused is None

    def until_round(self, number: int) -> Seated:
        return self.plays(lambda: (self.view.round, self.view.phase) == (number, Phase.ROLL))


def peeks(evening: Refereed) -> list[Foul]:
    fouls = [foul for foul in evening.now.fouls if foul.raised.code == "peek"]
    return [foul for foul in fouls if foul.raised.weight == "foul"]


@pytest.mark.slow
def test_a_person_who_peeks_is_caught_and_one_who_only_listens_is_not(tmp_path: Path) -> None:
    with Seated(tmp_path, seed=5) as evening:
        evening.sits().peeks_for_s = 0.8
        evening.until_round(2)
        (caught,) = peeks(evening)
        assert caught.raised.evidence
        assert max(point.tilt_deg for point in caught.raised.evidence) > 60
        (placed,) = evening.sim.world.truth.of(What.PEEKED)
        assert placed.seat is PERSON
        evening.peeks_for_s = 0.0
        evening.until_round(3)
        assert peeks(evening) == [caught]
        assert evening.troubles == []


@pytest.mark.slow
def test_whoever_compares_and_shakes_wildly_is_not_taken_for_somebody_who_peeks(
    tmp_path: Path,
) -> None:
    with Seated(tmp_path, seed=2) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        one = evening.takes_any()
        other = evening.takes_any()
        evening.does(lambda: evening.body.compare(one, other))
        for _ in range(4):
            evening.does(lambda: evening.body.shake(one, 0.8, ShakeVigour.WILDLY))
        evening.does(lambda: evening.body.put_back(other)).wait(2)
        assert [foul.raised for foul in evening.now.fouls] == []


@pytest.mark.slow
def test_a_person_and_guests_play_until_somebody_wins(tmp_path: Path, full: bool) -> None:
    """With --full: all of a match; else all pawns but one of each are put home before."""
    with Seated(tmp_path, seed=3) as evening:
        evening.sits()
        if not full:
            assert evening.says("red", NEARLY_HOME).refused is None
        evening.plays(lambda: evening.now.over)
        decided = [(by, wish.text) for by, wish in evening.decided if isinstance(wish, DoAction)]
        of_guests = {text for by, text in decided if by != "red"}
        assert of_guests
        assert not any("red" in text for text in of_guests)  # nobody decides for a person
        first, winner = evening.now.match, evening.view.winner
        assert winner is not None
        evening.wait(1.5 * CHEER_US / 1e6)
        assert (evening.now.match, evening.now.over) == (first, True)  # the person is asked
        assert evening.party.go(evening.now, evening.decide)
        evening.says("red", usual_match(["red", "green", "yellow"]))
        evening.plays(lambda: evening.view.phase is Phase.FLIP)
        assert set(evening.view.placed) == {Colour.RED, Colour.GREEN, Colour.YELLOW}


@pytest.mark.slow
def test_guests_wait_for_a_person_as_long_as_it_takes(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.wait(25)
        assert set(evening.view.placed) == {Colour.GREEN}
        evening.places_one().until(lambda: evening.view.phase is Phase.FLIP).wait(10)
        assert evening.view.phase is Phase.FLIP  # though the guest has flipped long ago
        green = evening.sim.world.on_pad(SeatName.GREEN)
        assert [one.number for one in evening.body.table().barrels if one.flipped] == [green]
        evening.until_round(2)


def test_no_guest_rolls_for_a_person_who_is_there_however_long_that_takes(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits()
        assert evening.view.roller is RED
        evening.wait(40)
        assert (evening.view.phase, evening.decided) == (Phase.ROLL, evening.decided[:1])
        evening.body.leave()  # as if the phone had not looked for long
        evening.until_phase(Phase.PLACE, 1)
        assert evening.decided[-1][0] in {"red", "green"}


@pytest.mark.slow
def test_guests_leave_the_referee_time_to_notice_that_a_person_flips(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.places_one().until(lambda: evening.view.phase is Phase.FLIP).wait(15)
        (handle,) = evening.mine(Where.PAD)
        evening.body.flip(handle)
        evening.until(lambda: evening.view.phase is not Phase.FLIP)
        assert DoAction("flip") not in [wish for _, wish in evening.decided]


@pytest.mark.slow
def test_a_roll_that_a_person_takes_back_is_made_again_by_whose_turn_it_is(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.wait(3).says("red", Undo())
        evening.wait(2 * DICE_US / 1e6)
        assert evening.view.phase is Phase.ROLL
        evening.until_round(2).until_phase(Phase.PLACE, 2)
        assert evening.view.roller is Colour.GREEN
        evening.wait(3).says("red", Undo())
        evening.wait(0.5 * DICE_US / 1e6)  # to think about it
        assert evening.view.phase is Phase.ROLL
        evening.until_phase(Phase.PLACE, 2)  # and guests do not wait for ever


def test_a_person_who_comes_before_the_guest_has_done_anything_plays_at_once(
    tmp_path: Path,
) -> None:
    with Seated(tmp_path) as evening:
        evening.until_phase(Phase.PLACE)
        evening.body.lift(evening.free()[0])
        assert evening.body.table().sitting is SittingPlayer.YOU
        evening.wait(ARRIVE_US / 1e6 + 5)
        assert len(evening.mine(Where.HAND)) == 1  # no guest reached out, too


@pytest.mark.slow
def test_where_a_person_leaves_a_guest_plays_on_with_what_is_in_hand(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.takes_any()
        evening.takes_any()
        evening.body.leave()
        assert evening.body.table().sitting is SittingPlayer.GUEST
        evening.until_phase(Phase.ROLL, 2).until_phase(Phase.PLACE, 2)


@pytest.mark.slow
def test_whoever_begins_another_match_in_the_middle_finds_all_barrels_on_the_plateau(
    tmp_path: Path,
) -> None:
    with Seated(tmp_path) as evening:
        evening.sits().plays(lambda: evening.view.phase is Phase.PLACE)
        evening.until(lambda: Colour.GREEN in evening.view.placed)
        assert evening.says("red", GiveUp()).refused is None
        evening.says("red", usual_match(["red", "blue"]))
        evening.until(lambda: len(evening.free()) == 13)
        evening.plays(lambda: evening.view.phase is Phase.FLIP)
        assert set(evening.view.placed) == {Colour.RED, Colour.BLUE}


@pytest.mark.slow
def test_whoever_comes_while_the_guest_still_shakes_goes_on_with_what_is_in_hand(
    tmp_path: Path,
) -> None:
    with Seated(tmp_path) as evening:
        evening.until_phase(Phase.PLACE)
        begun_us = evening.sim.now_us
        evening.until(lambda: bool(evening.mine(Where.HAND)))
        assert ARRIVE_US < evening.sim.now_us - begun_us < ARRIVE_US + 5_000_000
        held = evening.mine(Where.HAND)
        evening.does(lambda: evening.body.press(0.2))  # that is to sit down
        assert evening.body.table().sitting is SittingPlayer.YOU
        evening.wait(20)
        assert evening.mine(Where.HAND) == held  # no guest reaches out any more
        evening.does(lambda: evening.body.place(held[0]))
        evening.until_phase(Phase.FLIP)


@pytest.mark.slow
def test_a_guest_who_has_placed_plays_until_the_next_round(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.until_phase(Phase.PLACE)
        places = dict(evening.sim.world.places)
        assert evening.body.table().sitting is SittingPlayer.GUEST
        evening.until(lambda: bool(evening.mine(Where.PAD)))
        with pytest.raises(CompanionError, match="a guest is playing for you"):
            evening.body.lift(evening.free()[0])
        assert evening.body.table().sitting is SittingPlayer.NEXT_ROUND
        evening.until(lambda: evening.body.table().sitting is SittingPlayer.YOU)
        assert (evening.view.round, evening.view.phase) == (2, Phase.ROLL)
        evening.plays(lambda: evening.view.phase is Phase.PLACE)
        assert evening.sim.world.places != places  # who watched learned nothing: they are mixed


@pytest.mark.slow
def test_where_a_person_has_gone_without_a_word_a_guest_plays_on(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.sits()
        evening.wait(AWAY_US / 1e6 - 20)
        evening.body.stay()
        evening.wait(AWAY_US / 1e6 - 20)
        evening.body.table()  # whoever only watches
        evening.body.leave_if_gone()
        assert evening.body._guests.wanted == {PERSON}
        evening.wait(40)
        evening.body.leave_if_gone()
        assert evening.body._guests.wanted == set()
