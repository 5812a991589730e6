"""What a person can do at the simulated table and perceive, and what they cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.i18n.translate import say
from companion.present.simulated_hands import RattleHeard, ShakeVigour, SightOfTable, Where
from companion.sensing.settings import BARRELS
from companion.simulator.ground_truth import What
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.poses import Pose, stay
from companion.system.errors import CompanionError
from companion.system.text import SeatName
from hardware.physics.test_ended_faults import power_only
from rappelwacht_research.exposures import exposures
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedCable

RED, STEP_US = SeatName.RED, 50_000
ORDERS = [list(range(1, 14)), list(range(13, 0, -1)), [5, 1, 13, 2, 9, 3, 12, 7, 4, 11, 6, 10, 8]]


class Alone:
    """A person at a table where the guests do nothing, and all that was seen meanwhile."""

    def __init__(self, cable: SteppedCable, order: list[int] | None = None) -> None:
        self.sim = ScriptedTable((), cable, 1)
        power_only(self.sim)
        self.world = world = self.sim.world
        for spot, number in zip(world.spots, order or [], strict=False):
            world.places[number] = spot
            world.barrels[number].motions[:] = [stay(Pose(spot), 0)]
        self.body = PlayerHands(self.sim, Guests(world, Random(1), (RED, SeatName.BLUE)), RED)
        self.sights: list[SightOfTable] = []
        self.wait(4)

    @property
    def number(self) -> dict[int, int]:
        """Return the barrel of each handle."""
        spots = self.world.spots
        return {spots.index(place): number for number, place in self.world.places.items()}

    def wait(self, seconds: float) -> Alone:
        end_us = self.sim.now_us + round(1e6 * seconds)
        while self.sim.now_us < end_us:
            self.sim.advance(self.sim.now_us + STEP_US)
            self.sights.append(self.body.table())
        return self

    def people(self, script: str) -> Alone:
        self.sim.act(read(f"{self.sim.now_us / 1e6:.2f} {script}"))
        return self

    def rest(self) -> Alone:
        return self.wait((self.world.now_free_us - self.sim.now_us) / 1e6 + 0.1)

    def where(self, handle: int) -> tuple[Where, str | None]:
        seen = self.body.table().barrels[handle]
        return seen.where, seen.seat


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Alone]:
    with SteppedCable(tmp_path) as cable:
        yield Alone(cable)


def test_a_barrel_goes_from_the_plateau_over_the_hand_to_the_pad_and_back(alone: Alone) -> None:
    assert alone.where(3) == (Where.PLATEAU, None)
    alone.body.lift(3)
    alone.rest()
    assert alone.where(3) == (Where.HAND, "red")
    alone.body.place(3)
    alone.rest()
    assert alone.where(3) == (Where.PAD, "red")
    alone.body.put_back(3)
    alone.rest()
    assert alone.where(3) == (Where.PLATEAU, None)
    kinds = [one.what for one in alone.world.truth.happenings]
    assert kinds == [What.LIFTED, What.PLACED, What.LIFTED, What.PUT_BACK]


def test_more_stones_make_more_knocks_each_within_the_shaking(alone: Alone) -> None:
    handles = {number: handle for handle, number in alone.number.items()}
    heard = {}
    for number in (1, 5, 13):
        heard[number] = alone.body.shake(handles[number], 0.8)
        alone.rest()
        alone.body.put_back(handles[number])
        alone.rest()
    counts = [len(one.knocks) for one in heard.values()]
    assert counts == sorted(counts)
    assert counts[0] * 5 < counts[2]
    for one in heard.values():
        times = [knock.at_ms for knock in one.knocks]
        assert times == sorted(times)
        assert 300 < times[0] <= times[-1] < one.lasts_ms  # it is lifted first
        assert all(0 < knock.strength <= 1 for knock in one.knocks)


def test_a_wild_shaking_is_louder_than_a_gentle_one(alone: Alone) -> None:
    loud, soft = (strength(alone, vigour) for vigour in (ShakeVigour.WILDLY, ShakeVigour.GENTLY))
    assert loud > 3 * soft


def strength(alone: Alone, vigour: ShakeVigour) -> float:
    heard = [knock for _ in range(4) for knock in shaken(alone, vigour).knocks]
    return sum(knock.strength for knock in heard)


def shaken(alone: Alone, vigour: ShakeVigour) -> RattleHeard:
    heard = alone.body.shake(7, 0.8, vigour)
    alone.rest()
    return heard


def test_whoever_shakes_on_hears_every_knock_once(alone: Alone) -> None:
    first, then = alone.body.shake(4, 0.8), alone.body.shake(4, 0.8)
    assert first.knocks[-1].at_ms <= first.lasts_ms <= then.knocks[0].at_ms


def test_the_left_ear_hears_one_barrel_and_the_right_ear_the_other(alone: Alone) -> None:
    handles = {number: handle for handle, number in alone.number.items()}
    few, many = alone.body.compare(handles[2], handles[12])
    assert len(few.knocks) < len(many.knocks)
    alone.rest()
    assert [alone.where(handles[number]) for number in (2, 12)] == 2 * [(Where.HAND, "red")]


def test_whoever_peeks_reads_the_label_while_it_is_in_sight(alone: Alone) -> None:
    begun_us = alone.sim.now_us
    peeked = alone.body.peek(6, 0.8)
    assert peeked.number == alone.number[6]
    assert 750 <= peeked.until_ms - peeked.from_ms <= 900
    assert peeked.until_ms < peeked.lasts_ms
    (exposure,) = exposures(alone.world, begun_us, alone.world.now_free_us)
    assert (exposure.barrel, exposure.seat) == (peeked.number, RED)
    assert abs(exposure.from_us - begun_us - 1000 * peeked.from_ms) < 10_000


def test_whoever_looks_too_briefly_reads_nothing(alone: Alone) -> None:
    peeked = alone.body.peek(6, 0.1)
    assert (peeked.number, peeked.from_ms, peeked.until_ms) == (None, 0, 0)


def test_a_flipped_barrel_is_read_by_all_eyes_once_it_stands(alone: Alone) -> None:
    alone.body.place(2)
    alone.rest()
    alone.body.flip(2)
    assert alone.body.table().barrels[2].number is None
    alone.rest()
    seen = alone.body.table().barrels[2]
    assert (seen.flipped, seen.number, seen.tilt_deg) == (True, alone.number[2], 180)
    assert (seen.where, seen.seat) == (Where.PAD, "red")
    assert sum(one.number is not None for one in alone.body.table().barrels) == 1


def test_what_guests_do_is_seen(alone: Alone) -> None:
    handles = {number: handle for handle, number in alone.number.items()}
    alone.people("blue shakes 9 for 2\nblue drops 9").wait(1.5)
    seen = alone.body.table().barrels[handles[9]]
    assert (seen.where, seen.seat, seen.shaken) == (Where.HAND, "blue", True)
    alone.rest()
    seen = alone.body.table().barrels[handles[9]]
    assert (seen.where, seen.seat, seen.tilt_deg) == (Where.ASIDE, None, 90)


def test_a_button_is_pressed_for_as_long_as_one_likes(alone: Alone) -> None:
    alone.body.press(1.0)
    (press,) = alone.world.truth.of(What.PRESSED)
    assert (press.seat, press.until_us - press.at_us) == (RED, 1_000_000)


def grasp_three(alone: Alone) -> None:
    alone.body.lift(1)
    alone.rest()
    alone.body.lift(2)
    alone.rest()
    alone.body.lift(3)


def take_what_blue_has(alone: Alone) -> None:
    alone.people(f"blue lifts {alone.number[4]}").rest()
    alone.body.lift(4)


def take_what_blue_placed(alone: Alone) -> None:
    alone.people(f"blue places {alone.number[4]}").rest()
    alone.body.lift(4)


def take_what_fell(alone: Alone) -> None:
    alone.people(f"blue drops {alone.number[4]}").rest()
    alone.body.lift(4)


def take_what_is_being_mixed(alone: Alone) -> None:
    alone.people("all mix").body.lift(4)


def place_beside_the_last_rounds(alone: Alone) -> None:
    alone.people("red lifts 4\nred places 4\nred flips 4\nred lifts 9").rest()
    alone.body.place(next(handle for handle, number in alone.number.items() if number == 9))


def hurry(alone: Alone) -> None:
    for _ in range(9):
        alone.body.shake(5, 0.8)


REFUSED: list[tuple[Callable[[Alone], object], str]] = [
    (grasp_three, "Both hands are full"),
    (take_what_blue_has, "Blue has that barrel"),
    (take_what_blue_placed, "Blue has that barrel"),
    (take_what_fell, "Somebody is busy with that barrel"),
    (take_what_is_being_mixed, "All barrels are being shuffled"),
    (place_beside_the_last_rounds, "A barrel that was flipped is still on your pad"),
    (hurry, "Your hands are still busy"),
    (lambda alone: alone.body.put_back(5), "That barrel is already in its place"),
    (lambda alone: alone.body.compare(5, 5), "One barrel alone cannot be compared"),
    (lambda alone: alone.body.lift(13), "There is no barrel 13 on this table"),
    (lambda alone: alone.body.lift(-1), "There is no barrel -1 on this table"),
]


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(("does", "sentence"), REFUSED)
def test_what_hands_cannot_do_is_refused_with_a_sentence(
    alone: Alone, does: Callable[[Alone], object], sentence: str
) -> None:
    with pytest.raises(CompanionError) as refusal:
        does(alone)
    assert say(refusal.value).startswith(sentence)
    assert say(refusal.value, "de") != say(refusal.value)
    alone.rest()  # and the table goes on


# --- secrecy ----------------------------------------------------------------------------------


@contextmanager
def plays(folder: Path, order: list[int]) -> Iterator[Alone]:
    """Have the same hands do the same at a table where barrels stand in another order."""
    folder.mkdir()
    with SteppedCable(folder) as cable:
        alone = Alone(cable, order)
        for act in (
            lambda: alone.body.shake(3, 0.8, ShakeVigour.WILDLY),
            lambda: alone.body.lift(8),
            lambda: alone.body.compare(3, 8),
            lambda: alone.body.peek(8, 0.8),
            lambda: alone.body.put_back(3),
            lambda: alone.people("all mix").rest().body.shake(11, 0.5),
            lambda: alone.body.put_back(11),
            lambda: alone.body.place(8),
        ):
            act()
            alone.rest()
        yield alone


@pytest.mark.slow
def test_the_eye_sees_the_same_at_tables_that_differ_in_their_numbers(tmp_path: Path) -> None:
    seen, numbers = [], []
    for index, order in enumerate(ORDERS):
        with plays(tmp_path / str(index), order) as alone:
            numbers.append(alone.number)
            assert sorted(alone.number) == list(range(BARRELS))
            seen.append(alone.sights)
    assert numbers[0] != numbers[1] != numbers[2]
    assert len(seen[0]) > 200
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.slow
def test_what_is_compared_would_show_a_difference_once_all_is_flipped(tmp_path: Path) -> None:
    shown = []
    for index, order in enumerate(ORDERS[:2]):
        with plays(tmp_path / str(index), order) as alone:
            alone.body.flip(8)
            shown.append(alone.rest().sights)
    assert shown[0] != shown[1]


BOTH: list[Callable[[PlayerHands, PlayerHands], object]] = [
    lambda one, other: (one.lift(3), other.compare(8, 9)),
    lambda one, other: (one.shake(3, 0.8, ShakeVigour.WILDLY), other.shake(8, 0.4)),
    lambda one, other: (one.peek(3, 0.8), other.put_back(8)),
    lambda one, other: (one.place(3), other.place(9)),
    lambda one, other: (one.lift(8), other.lift(3)),
]


@pytest.mark.parametrize("seats", [(RED, SeatName.GREEN), (SeatName.YELLOW, RED)])
def test_several_people_see_the_same_at_tables_that_differ_in_their_numbers(
    tmp_path: Path, seats: tuple[SeatName, SeatName]
) -> None:
    """Their hands act at once; how long they are busy, too, depends on no number."""
    seen = []
    for index, order in enumerate(ORDERS):
        (tmp_path / str(index)).mkdir()
        with SteppedCable(tmp_path / str(index)) as cable:
            alone, looks = Alone(cable, order), list[object]()
            guests = Guests(alone.world, Random(1), seats)
            one, other = (PlayerHands(alone.sim, guests, seat) for seat in seats)
            for act in BOTH:
                try:
                    act(one, other)
                except CompanionError as why:
                    looks.append(say(why))
                alone.wait(0.5)
                looks += [one.table(), other.table()]
                alone.rest()
                looks += [one.table(), other.table()]
            seen.append(looks)
    assert seen[0] == seen[1] == seen[2]
    assert sum(isinstance(look, str) for look in seen[0]) == 1  # the other one has that barrel
