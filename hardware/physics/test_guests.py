"""Guests play rounds of their own accord: people could do all of it, and the host hears it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from random import Random

import pytest

from companion.games.zapp_zerapp.simulated.guests import (
    GENTLE,
    TEMPERAMENTS,
    WILD,
    Guests,
    Temperament,
)
from companion.sensing.observations import Observation
from companion.sensing.settings import BARRELS
from companion.simulator.boards import node
from companion.simulator.ground_truth import TAKING, Happening, What
from companion.simulator.poses import Support
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.world import World, world_of
from companion.system.config import SEATS
from companion.system.status import Condition
from companion.system.text import SeatName
from hardware.physics.test_ended_faults import power_only
from rappelwacht_research.rounds import rounds
from rappelwacht_research.scene import ScriptedTable, arrange
from rappelwacht_research.sim_driver import SimulationDriver
from rappelwacht_research.stepped import SteppedCable

KEPT_US = 4_000_000
RASH = replace(WILD, peeks=0.1, hands_on=0.15, drops=0.1, kicks=0.1)
BOTH = ("LIFT", "SET")


def played(
    seed: int,
    how_many: int,
    temperaments: tuple[Temperament, ...] = TEMPERAMENTS,
    seats: tuple[SeatName, ...] = SEATS,
) -> Iterator[tuple[World, list[Happening]]]:
    """Yield the world after each round, and what was done in it."""
    world = World(Random(seed))
    for part in rounds(Guests(world, Random(seed), seats, temperaments), how_many):
        begun_us = world.now_free_us
        arrange(world, part)
        yield world, [one for one in world.truth.happenings if one.at_us >= begun_us]
        world.forget(world.now_free_us - KEPT_US)


def upright(world: World) -> bool:
    """Return whether all barrels stand on the plateau as before the first round."""
    end_us = world.now_free_us
    return all(
        barrel.pose.support is Support.FOOT
        and barrel.pose.at_m == world.places[number]
        and barrel.tilt_deg(end_us) == pytest.approx(0.0, abs=1e-6)
        and barrel.load_g(end_us) == pytest.approx(barrel.mass_g)
        for number, barrel in world.barrels.items()
    )


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("temperaments", [TEMPERAMENTS, (RASH,)], ids=["all", "rash"])
@pytest.mark.parametrize("seed", range(6))
def test_after_each_round_all_barrels_stand_upright_on_the_plateau(
    seed: int, temperaments: tuple[Temperament, ...]
) -> None:
    for world, done in played(seed, 3, temperaments):
        assert upright(world)
        kinds = [one.what for one in done]
        assert kinds.count(What.ROLLED) == 1
        assert kinds.count(What.PLACED) == kinds.count(What.FLIPPED) == len(SEATS)
    assert world.now_free_us > 60e6


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("seats", [(SeatName.RED, SeatName.BLUE), SEATS])
@pytest.mark.parametrize("seed", range(6))
def test_no_barrel_is_in_two_hands_and_nobody_has_three(
    seed: int, seats: tuple[SeatName, ...]
) -> None:
    for _, done in played(seed, 3, (RASH,), seats):
        held: dict[int, SeatName] = {}
        for one in sorted(done, key=lambda one: one.at_us):
            if one.barrel is None or one.seat is None:
                continue
            if one.what is What.LIFTED:
                assert one.barrel not in held
                held[one.barrel] = one.seat
            else:
                assert held[one.barrel] is one.seat or one.what is What.PLACED
            if one.what is What.HANDED_OVER:
                assert one.other is not None
                held[one.barrel] = one.other
            elif one.what in (What.PUT_BACK, What.PLACED, What.FLIPPED, What.DROPPED):
                del held[one.barrel]
            hands = list(held.values())
            assert all(hands.count(seat) <= 2 for seat in seats)
        assert held == {}


@pytest.mark.parametrize("seed", range(6))
def test_guests_choose_soon_once_a_person_has(seed: int) -> None:
    world = World(Random(seed))
    guests = Guests(world, Random(seed))
    assert guests.make_room(SeatName.RED)
    for verb in (Verb.LIFT, Verb.PLACE):
        chosen = ScriptAct(verb, SeatName.RED, (13,))
        arrange(world, [ScriptLine(1, chosen, world.now_free_us / 1e6 + 1)])
    begun_us = world.now_free_us
    choosing = guests.choosing(7, begun_us)
    while (due_us := choosing.next_us()) is not None:
        if (act := choosing.step(due_us)) is not None:
            arrange(world, [ScriptLine(1, act, due_us / 1e6)])
    placed = [one for one in world.truth.of(What.PLACED) if one.at_us >= begun_us]
    assert {one.seat for one in placed} == {*SEATS} - {SeatName.RED}
    assert max(one.until_us for one in placed) <= begun_us + 15_000_000


def test_nobody_does_two_things_at_once() -> None:
    for _, done in played(4, 3, (RASH,)):
        alone = [one for one in done if one.what in (*TAKING, What.PEEKED, What.DROPPED)]
        alone.sort(key=lambda one: (one.seat, one.at_us))
        for _, mine in groupby(alone, key=lambda one: one.seat):
            for one, after in pairwise(mine):
                pair = {one.what, after.what} == {What.LIFTED}  # two at once, to compare them
                assert pair or one.until_us <= after.at_us


def test_one_seed_is_one_evening() -> None:
    first, again, other = ([done for _, done in played(seed, 3, (RASH,))] for seed in (7, 7, 8))
    assert first == again != other


def test_whims_come_with_the_temperament() -> None:
    whims = {What.PEEKED, What.DROPPED, What.KICKED, What.HANDED_OVER}
    rash = {one.what for _, done in played(1, 4, (RASH,)) for one in done}
    assert whims <= rash
    calm = replace(GENTLE, hands_on=0.0)
    assert not whims & {one.what for _, done in played(1, 8, (calm,)) for one in done}


def test_gentle_guests_shake_gently_and_wild_ones_do_not() -> None:
    for temperament in (GENTLE, WILD):
        world = World(Random(1))
        for part in rounds(Guests(world, Random(1), temperaments=(temperament,)), 2):
            lines = []
            for line in part:
                arrange(world, [line])
                lines.append(line)
            used = {line.what.vigour for line in lines if line.what.verb is Verb.SHAKE}
            assert used <= set(temperament.vigours)


@pytest.mark.slow
def test_they_keep_what_sounds_good() -> None:
    """Barrels above the magic number are worth nothing; they are kept by mistake only."""
    good = total = 0
    for _, done in played(2, 60):
        magic = next(one.magic for one in done if one.magic is not None)
        kept = [one.barrel for one in done if one.what is What.PLACED]
        total += len(kept)
        good += sum(number is not None and number <= magic for number in kept)
    by_chance = 7 / BARRELS  # the magic number is 7 on average
    assert good / total > by_chance + 0.15


@pytest.mark.slow
def test_memory_stays_flat_over_many_rounds() -> None:
    sizes = []
    for world, _ in played(3, 80):
        world.forget(world.now_free_us - KEPT_US)
        motions = sum(len(barrel.motions) for barrel in world.barrels.values())
        sizes.append(motions + len(world.truth.happenings))
    assert max(sizes[40:]) <= max(sizes[:40]) + 8
    assert max(sizes) < 80


def expected(done: list[Happening], barrel: int) -> list[str]:
    """Return what a stopper has to tell: only a barrel that stands can be lifted."""
    stands, found = True, []
    for one in sorted(done, key=lambda one: one.at_us):
        if one.barrel != barrel:
            continue
        if one.what is What.LIFTED and stands:
            stands = False
            found.append("LIFT")
        elif one.what in (What.PUT_BACK, What.PLACED):
            stands = True
            found.append("SET")
    return found


class Party:
    """An evening with guests, what they did, and what the host heard."""

    def __init__(self, folder: Path, seed: int, how_many: int) -> None:
        self.heard: list[Observation] = []
        self.done: list[Happening] = []
        folder.mkdir(exist_ok=True)
        with SteppedCable(folder) as cable:
            self.table = table = ScriptedTable((), cable, seed)
            power_only(table)
            table.arranged = self._arranged
            table.go_on(rounds(Guests(table.world, Random(seed)), how_many))
            evening = SimulationDriver(table, folder, self._tell)
            evening.play()
            evening.close()

    def _arranged(self, from_us: int) -> None:
        self.done += [one for one in self.table.world.truth.happenings if one.at_us >= from_us]

    def _tell(self, _: int, news: Observation | Condition) -> None:
        if isinstance(news, Observation):
            self.heard.append(news)

    def events(self, barrel: int) -> list[str]:
        """Return what the host heard of one barrel."""
        mine = node(self.table.stopper_of(barrel))
        return [one.name for one in self.heard if one.node == mine and one.name in BOTH]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_host_hears_every_round_in_order(seed: int, tmp_path: Path, full: bool) -> None:
    how_many = 3 if full else seed
    party = Party(tmp_path, seed, how_many)
    for barrel in party.table.world.barrels:
        assert party.events(barrel) == expected(party.done, barrel), f"barrel {barrel}"
    assert upright(party.table.world)
    assert [one.what for one in party.done].count(What.ROLLED) == how_many


@pytest.mark.slow
def test_the_same_seed_gives_the_same_observations(tmp_path: Path) -> None:
    one, again = Party(tmp_path / "one", 3, 1), Party(tmp_path / "again", 3, 1)
    assert one.done == again.done
    assert one.heard == again.heard


# --- act by act, when the time has come ---------------------------------------------------------


seeds = pytest.mark.parametrize("seed", range(3))


def chosen(guests: Guests, meanwhile: Callable[[int], None] = lambda _: None) -> World:
    """Let guests choose, each act when its time has come; a person may do something between."""
    choosing = guests.choosing(9, 4_000_000)
    while (due_us := choosing.next_us()) is not None:
        meanwhile(due_us)
        if (act := choosing.step(due_us)) is not None:
            arrange(guests.world, [ScriptLine(0, act, due_us / 1e6)])
    return guests.world


def rash(seed: int) -> Guests:
    return Guests(world_of(seed), Random(seed), temperaments=(RASH,))


@pytest.mark.slow
def test_a_table_lets_guests_choose_act_by_act_each_in_its_time(tmp_path: Path) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable((), cable, 1)
        power_only(table)
        guests = Guests(table.world, Random(1), temperaments=(RASH,))
        table.follow(guests.choosing(9, 4_000_000))
        table.advance(7_000_000)
        early = list(table.world.truth.happenings)
        assert 0 < len(early) < 20  # nothing is arranged ahead
        table.advance(14_000_000)
        done = table.world.truth.happenings
    assert len(done) > len(early)
    assert done == chosen(rash(1)).truth.happenings[: len(done)]


@seeds
def test_guests_never_reach_for_what_a_person_took_meanwhile(seed: int) -> None:
    """The person takes one barrel after another, and puts the one before back."""
    guests, held = rash(seed), list[int]()
    world = guests.world
    assert guests.make_room(SeatName.RED)

    def meddle(now_us: int) -> None:
        free = [n for n, one in world.barrels.items() if world.stands(n) and one.free_us < now_us]
        if free and now_us >= world.free_us[SeatName.RED]:
            if len(held) > 1:
                arrange(world, [person(Verb.PUT_BACK, held.pop(0), now_us)])
            held.append(free[0])
            arrange(world, [person(Verb.LIFT, free[0], now_us)])

    chosen(guests, meddle)
    assert sum(one.seat is SeatName.RED for one in world.truth.of(What.LIFTED)) > 5
    placed = {one.other for one in world.truth.of(What.PLACED)}
    assert placed == {SeatName.GREEN, SeatName.BLUE, SeatName.YELLOW}
    assert {n for n in world.barrels if world.holder(n) is SeatName.RED} == set(held)


def person(verb: Verb, barrel: int, at_us: int) -> ScriptLine:
    return ScriptLine(0, ScriptAct(verb, SeatName.RED, (barrel,)), at_us / 1e6)


@seeds
def test_what_is_left_lying_is_tidied_except_what_a_person_has(seed: int) -> None:
    guests = rash(seed)
    world = guests.world
    guests.make_room(SeatName.RED)
    for verb, number in ((Verb.LIFT, 1), (Verb.PLACE, 2), (Verb.DROP, 3), (Verb.FLIP, 4)):
        arrange(world, [person(verb, number, world.now_free_us)])
    arrange(world, guests.tidy(1, 0))
    assert [number for number in world.barrels if not world.stands(number)] == [1, 2]
    guests.fill(SeatName.RED)
    arrange(world, guests.tidy(1, 0))
    assert all(map(world.stands, world.barrels))


def test_for_seats_where_nobody_played_somebody_comes() -> None:
    guests = Guests(World(Random(1)), Random(1), (SeatName.RED, SeatName.BLUE))
    before = dict(guests.guests)
    guests.sit((SeatName.BLUE, SeatName.YELLOW))
    assert list(guests.guests) == [SeatName.BLUE, SeatName.YELLOW]
    guests.sit((SeatName.RED, SeatName.BLUE))
    assert guests.guests == before
