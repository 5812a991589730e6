"""What a round comes to where names are said to pads, or not: from sensors up to page and API.

Written from what is promised of each case, not from how it is done.
"""

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.present.viewer import Viewer
from companion.referee.match import Foul
from companion.simulator.stopper_kinds import LIGHT, WEIGHING, StopperKind
from companion.simulator.traits import HONEST, KIND, Imperfections, Trait
from companion.system.text import SeatName
from companion.web.table_page import live
from rappelwacht_research.faults import ScriptFault
from rappelwacht_research.scene import play
from rappelwacht_research.script_reader import read
from tests.scenarios.refereed import Refereed
from tests.web.room import phones

KINDS = pytest.mark.parametrize("kind", [WEIGHING, LIGHT], ids=lambda kind: kind.name)
ASKS = "which barrel?"
IN_THE_WAY = "Something has been standing on Red's pad since before the dice; put it back"
HIGH_M = 0.009  # a word is read from here, and no pad feels anything


def choosing(folder: Path, **more: object) -> Refereed:
    """Return a table at which red and blue have rolled, and are to choose."""
    evening = Refereed(folder, guests=False, **more)  # type: ignore[arg-type]
    evening.begins("red", "blue")
    assert evening.says("red", "roll 9").refused is None
    return evening


def page(evening: Refereed) -> str:
    """Return what everybody's page shows now."""
    return live(phones(room=evening.table), Viewer())


def asks(evening: Refereed) -> set[str]:
    """Return at which seats it is asked which barrel stands there; page and API agree on it."""
    assert page(evening).count(ASKS) == len(evening.asked)
    return evening.asked


def told(evening: Refereed) -> list[Foul]:
    """Return the fouls that were not withdrawn."""
    return [foul for foul in evening.now.fouls if foul.raised.weight != "withdrawn"]


def ends(evening: Refereed, *, says: dict[str, int] | None = None) -> None:
    """Flip all and move; people say only the numbers that are asked for, and none is ever wrong."""
    evening.people("all flip").rest(3)
    if evening.view.phase is Phase.FLIP:  # a dead stopper cannot tell of it
        evening.insists("red", "flip")
    for colour, number in (says or {}).items():
        assert evening.view.phase is Phase.SAY
        assert colour not in evening.numbers
        evening.insists(colour, f"say {colour} {number}")
    assert evening.view.phase is Phase.MOVE
    assert evening.numbers == {"red": 8, "blue": 4}
    assert evening.now.fouls == ()


@pytest.mark.slow(but=2)
@KINDS
@pytest.mark.parametrize("traits", [KIND, HONEST], ids=["kind", "honest"])
def test_known_names_are_unasked(tmp_path: Path, kind: StopperKind, traits: Imperfections) -> None:
    with choosing(tmp_path, kind=kind, traits=traits) as evening:
        evening.sim.light_path.dead.clear()
        evening.people("red lifts 8\n+0 blue lifts 4\nred places 8\n+0 blue places 4").rest()
        assert (evening.placed, asks(evening)) == ({"red", "blue"}, set())
        ends(evening)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("dead", "asked"), [((8,), set()), ((8, 9), {"red"})], ids=str)
def test_a_dead_cells_number_is_asked_and_it_is_the_thirteenth_or_anybody(
    tmp_path: Path, dead: tuple[int, ...], asked: set[str]
) -> None:
    with Refereed(tmp_path, guests=False) as evening:
        evening.begins("red", "blue")
        for barrel in dead:
            evening.breaks("flat", barrel=barrel, for_s=0.5)
        evening.wait(40).says("red", "roll 9")
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest(3)
        assert (evening.placed, asks(evening)) == ({"red", "blue"}, asked)
        ends(evening, says={"red": 8})


@pytest.mark.slow(but=1)
@KINDS
def test_upside_down_it_says_no_name_and_its_placing_stands(
    tmp_path: Path, kind: StopperKind
) -> None:
    with choosing(tmp_path, kind=kind) as evening:
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        evening.people("all flip").rest(60)
        assert (evening.placed, evening.numbers) == ({"red", "blue"}, {"red": 8, "blue": 4})
        assert (asks(evening), evening.now.fouls) == (set(), ())


def test_one_that_is_flipped_before_the_others_chose_stays_placed(tmp_path: Path) -> None:
    with choosing(tmp_path) as evening:
        evening.people("red lifts 8\nred places 8").rest()
        evening.people("red flips 8").rest(20)
        assert (evening.placed, asks(evening)) == ({"red"}, set())
        assert [foul.raised.code for foul in told(evening)] == ["early-flip"]
        evening.people("red puts back 8").rest(3)
        assert (evening.placed, asks(evening)) == (set(), set())


@pytest.mark.slow(but=1)
@KINDS
def test_a_second_barrel_on_one_pad_is_seen_and_told(tmp_path: Path, kind: StopperKind) -> None:
    with choosing(tmp_path, kind=kind) as evening:
        evening.people("red lifts 8\nred places 8").rest()
        evening.people("red lifts 9\nred places 9").rest(4)
        assert [foul.raised.code for foul in evening.now.fouls] == ["second-placed"]
        assert evening.placed == {"red"}
        assert asks(evening) == set()


def hovers(evening: Refereed, barrel: int, over: SeatName, for_s: float) -> None:
    """Have a barrel that is in hand held just over a pad."""
    world = evening.sim.world
    held = world.barrels[barrel]
    (x, y, z), (to_x, to_y, _) = held.pose.at_m, world.pads[over]
    by = (to_x - x, to_y - y, HIGH_M - z)
    at_us = max(held.free_us, evening.sim.now_us) + 100_000
    held.add(world.hand.hand_over(at_us, replace(held.pose, tilt_rad=0.05), by))
    for stopper in evening.sim.stoppers:
        evening.sim.wake(stopper)
    evening.rest(for_s)


@pytest.mark.slow(but=1)
@KINDS
def test_what_is_held_over_a_pad_is_not_placed_there(tmp_path: Path, kind: StopperKind) -> None:
    with choosing(tmp_path, kind=kind) as evening:
        evening.people("blue lifts 4")
        hovers(evening, 4, SeatName.RED, 3)
        assert (evening.placed, asks(evening)) == (set(), set())
        evening.people("blue places 4").rest()
        assert (evening.placed, asks(evening)) == ({"blue"}, set())
        evening.people("red lifts 8\nred places 8").rest()
        ends(evening)


RECEIVER = (SeatName.RED,)
NO_NAMES = tuple(SeatName)


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("dead", "together", "asked"),
    [
        (RECEIVER, False, set()),  # one SET, and nobody else in the air: likely, which is not told
        (RECEIVER, True, set()),  # the other one in the air has said its name elsewhere
        (NO_NAMES, False, set()),
        (NO_NAMES, True, {"red", "blue"}),
    ],
    ids=["receiver", "receiver, at once", "no names", "no names, at once"],
)
def test_where_no_name_comes_the_number_is_asked_for(
    tmp_path: Path, dead: tuple[SeatName, ...], asked: set[str], *, together: bool
) -> None:
    one_by_one = "red lifts 8\nred places 8\nblue lifts 4\nblue places 4"
    at_once = "red lifts 8\n+0 blue lifts 4\nred places 8\n+0 blue places 4"
    with choosing(tmp_path) as evening:
        evening.sim.light_path.dead.update(dead)
        evening.people(at_once if together else one_by_one).rest(3)
        assert (evening.placed, asks(evening)) == ({"red", "blue"}, asked)
        ends(evening, says={"red": 8} | ({} if dead == RECEIVER else {"blue": 4}))


@pytest.mark.parametrize("late_s", [0.05, 0.9])
def test_who_flips_before_the_last_has_placed_is_no_cheat(tmp_path: Path, late_s: float) -> None:
    with choosing(tmp_path) as evening:
        evening.sim.light_path.dead.add(SeatName.BLUE)  # told after a second, for want of a name
        evening.people("red lifts 8\nred places 8\nblue lifts 4").rest()
        evening.people("blue places 4")
        barrel = evening.sim.world.barrels[4]
        placing = barrel.motion(barrel.free_us - 1)
        at_s = (placing.start_us / 1e6) + placing.contact.ramps[-1][0] + late_s
        evening.until(lambda: evening.sim.now_us >= 1e6 * at_s - 50_000)
        assert evening.placed == {"red"}
        play(evening.sim, read(f"{at_s:.3f} red flips 8"))
        evening.rest(3)
        assert (evening.view.phase, evening.placed) == (Phase.FLIP, {"red", "blue"})
        assert (asks(evening), evening.now.fouls) == (set(), ())
        evening.people("blue flips 4").rest(3).insists("red", "flip")
        assert evening.numbers == {"red": 8}
        evening.insists("blue", "say blue 4")
        assert (evening.view.phase, evening.now.fouls) == (Phase.MOVE, ())


def test_an_old_configuration_has_no_pins_for_names_and_plays_without(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False) as evening:
        seats = tuple(replace(seat, name=None) for seat in evening.plan.wiring.seats)
        evening.plan = replace(evening.plan, wiring=replace(evening.plan.wiring, seats=seats))
        evening.cut_the_power().begins("red", "blue")
        evening.says("red", "roll 9")
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest(3)
        assert (evening.placed, asks(evening)) == ({"red", "blue"}, set())
        ends(evening, says={"red": 8, "blue": 4})


def test_without_stoppers_pads_say_that_something_stands_there(tmp_path: Path) -> None:
    with choosing(tmp_path) as evening:
        evening.faults.carry_out(ScriptFault("absent", part="hub"))
        evening.sim.light_path.keep_clean(0.0)
        evening.wait(3)
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest(3)
        assert evening.placed == {"red", "blue"}
        ends(evening, says={"blue": 4, "red": 8})


def test_a_barrel_of_the_last_round_in_the_way_is_told_of(tmp_path: Path) -> None:
    with choosing(tmp_path, traits=frozenset({Trait.REACH})) as evening:
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        ends(evening)
        evening.says("red", "move red start")
        evening.says("blue", "move blue start")
        evening.people("blue puts back 4").rest()
        assert evening.says("blue", "roll 8").refused is None
        evening.people("red lifts 9\nred places 9\nblue lifts 5\nblue places 5").rest(5)
        assert evening.placed == {"blue"}  # the pad has seen nothing new
        assert [trouble.values["seat"] for trouble in evening.now.troubles] == [SeatName.RED]
        assert IN_THE_WAY in unescape(page(evening))
        evening.people("red puts back 9\nred puts back 8").rest(2)
        assert evening.troubles == []
        evening.people("red lifts 9\nred places 9").rest()
        assert (evening.placed, asks(evening)) == ({"red", "blue"}, set())
        evening.people("all flip").rest(3)
        assert evening.numbers == {"red": 9, "blue": 5}
