"""A simulated table that is stopped and started again goes on with the same barrels, or says no."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli.simulated_table import _simulated
from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Phase, View
from companion.present.simulated_hands import SeenBarrel, Where
from companion.referee.commands import Command, GiveUp, Undo
from companion.referee.snapshot import Snapshot
from companion.simulator.live.player_hands import seen_barrel as by_eye
from companion.simulator.live.world_store import (
    WORLD,
    How,
    KeptWorld,
    Lying,
    load,
    restore_barrels,
    world_to_keep,
)
from companion.simulator.traits import USUAL
from companion.system.status import Condition
from companion.system.text import SeatName
from tests.scenarios.players import begun, bring_to, finish
from tests.scenarios.refereed import Refereed
from tests.scenarios.test_several_hands import Several
from tests.test_table_command import options
from tests.web.test_server import until

ROUND_S: Final = 300.0
SEALED: Final = (Phase.PLACE, Phase.FLIP, Phase.SAY)
STOPS: Final = [
    (Phase.FLIP, 0.0),
    (Phase.PLACE, 0.5),
    *((Phase.PLACE, 3.0 + 2.0 * late) for late in range(6)),
    (Phase.ROLL, 1.0),
    (Phase.FLIP, 1.5),
    (Phase.MOVE, 0.0),
    (Phase.MOVE, 3.0),
]


class Compared(Refereed):
    """A table at which every number that is shown must be on the barrel that lies there."""

    def keep(self, now: Snapshot) -> None:
        super().keep(now)
        view = now.view
        if isinstance(view, View) and view.phase in {Phase.SAY, Phase.MOVE}:
            for seat, number in view.numbers:
                assert self.sim.world.on_pad(SeatName(seat)) in {None, number}, now


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("lost", [False, True], ids=["kept", "lost"])
@pytest.mark.parametrize(("phase", "more_s"), STOPS)
def test_it_goes_on_in_every_phase_and_tells_no_number_that_is_not_on_that_barrel(
    tmp_path: Path, phase: Phase, more_s: float, *, lost: bool
) -> None:
    with Compared(tmp_path, seed=5, seats=2) as evening:
        evening.until_phase(phase).wait(more_s)
        kept = world_to_keep(evening.sim, ())
    with Compared(tmp_path, seed=8, seats=2, kept=None if lost else kept) as evening:
        begun = evening.view
        read = {Phase.MOVE, Phase.OVER}
        evening.until(lambda: evening.view.round > 1 or evening.view.phase in read, ROUND_S)
        taken_back = any(isinstance(wish, Undo) for _, wish in evening.decided)
        assert taken_back is (lost and begun.phase in SEALED and bool(begun.placed))
        assert evening.party.shakes_again is taken_back


class ComparedPeople(Several, Compared):
    """Such a table at which several people play."""


def in_hand(evening: Several) -> bool:
    """Have the last who has yet to choose take a barrel, once somebody else has chosen."""
    view = evening.view
    waits = [seat for seat in evening.bodies if Colour(seat) not in view.placed]
    if view.phase is not Phase.PLACE or not view.placed or not waits:
        return False
    evening.turn_to(waits[-1]).takes_any()
    return True


def reaches(phase: Phase) -> Callable[[Several], bool]:
    """Return whether a phase is reached."""
    return lambda evening: evening.view.phase is phase


STOPPED: Final[Sequence[Callable[[Several], bool]]] = (
    *map(reaches, (Phase.ROLL, Phase.PLACE, Phase.FLIP, Phase.MOVE)),
    in_hand,
    lambda evening: evening.view.phase is Phase.PLACE and bool(evening.view.placed),
    lambda evening: evening.view.phase is Phase.MOVE and len(evening.view.turns) == 1,
)


@pytest.mark.slow
@pytest.mark.parametrize("world", ["kept", "lost", "the same, lost"])
@pytest.mark.parametrize(("people", "seats"), [(2, 2), (3, 3), (2, 4)])
def test_people_who_sit_there_go_on_wherever_they_were_stopped(
    tmp_path: Path, people: int, seats: int, world: str
) -> None:
    """One after another: so a match is stopped in every phase, and once more after each."""
    seed, kept = 5, None
    for stops in STOPPED:
        with ComparedPeople(tmp_path, people, seats, seed, kept) as evening:
            reached = evening.view.round
            evening.plays(lambda e=evening, at=stops: at(e))  # type: ignore[misc]
            assert evening.view.round <= reached + 2
            kept = world_to_keep(evening.sim, evening.bodies) if world == "kept" else None
        seed += world == "lost"
    with ComparedPeople(tmp_path, people, seats, seed, kept) as evening:
        assert evening.now.match is not None
        last = evening.view.round
        evening.plays(lambda: evening.view.round > last)
        assert evening.view.phase is Phase.ROLL


def test_what_was_in_hands_on_pads_and_upside_down_is_there_again(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False).begins("red", "blue") as evening:
        evening.people("red lifts 8\nblue lifts 4\nblue places 4\nblue flips 4").rest()
        kept = world_to_keep(evening.sim, (SeatName.RED,))
        before = lies(evening)
    data = json.loads(json.dumps(pack(kept)))
    (tmp_path / WORLD.name).write_text(json.dumps(data))
    again = load(tmp_path, list[Condition]().append)
    assert again == kept
    assert kept.person == "red"
    with Refereed(tmp_path, seed=77, guests=False, kept=again) as evening:
        evening.wait(1)
        after = lies(evening)
        assert after == before
        assert [one.where for one in after].count(Where.HAND) == 1
        evening.people("red places 8").rest()
        assert evening.sim.world.on_pad(SeatName.RED) == 8


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("phase", "did", "does"),
    [
        *((phase, "", "") for phase in (Phase.ROLL, Phase.FLIP, Phase.MOVE, Phase.SAY)),
        (Phase.PLACE, "", ""),
        (Phase.PLACE, "red lifts 8", "red places 8"),
        (Phase.PLACE, "red lifts 8\nred lifts 11", "red puts back 11\nred places 8"),
    ],
    ids=["roll", "flip", "move", "say", "placed", "held", "two held"],
)
def test_a_person_who_sits_there_goes_on_in_every_phase(
    tmp_path: Path, phase: Phase, did: str, does: str
) -> None:
    with begun(tmp_path) as evening:
        if did:
            assert evening.says("red", "roll 9").refused is None
            evening.people(did).rest()
        else:
            bring_to(evening, phase)
        kept, before = world_to_keep(evening.sim, (SeatName.RED,)), lies(evening)
    with Refereed(tmp_path, seed=77, guests=False, kept=kept) as evening:
        evening.wait(1)
        assert (lies(evening), evening.view.phase) == (before, phase)
        evening.people(does).rest()
        finish(evening)


def lies(evening: Refereed) -> list[SeenBarrel]:
    """Return where a person sees each barrel lie, however a hand holds it."""
    barrels = (by_eye(evening.sim.world, handle, evening.sim.now_us) for handle in range(13))
    return [replace(barrel, tilt_deg=0) for barrel in barrels]


def test_a_world_that_does_not_fit_is_not_laid(tmp_path: Path) -> None:
    def lies(at: int, one: Lying) -> dict[str, Any]:
        barrels = list(kept.barrels)
        barrels[at] = one
        return {"barrels": tuple(barrels)}

    with Refereed(tmp_path, guests=False) as evening:
        kept, before = world_to_keep(evening.sim, ()), dict(evening.sim.world.places)
        for spoilt in (
            {"stoppers": kept.stoppers[::-1]},
            {"barrels": kept.barrels[:12]},
            lies(0, kept.barrels[1]),
            lies(0, replace(kept.barrels[0], seat="white")),
            lies(0, replace(kept.barrels[0], how=How.HELD)),
            lies(0, replace(kept.barrels[0], place=13)),
        ):
            assert not restore_barrels(replace(kept, **spoilt), evening.sim)
            assert evening.sim.world.places == before


def test_it_is_kept_as_long_as_a_match_is_played_whatever_number_is_asked_for(
    tmp_path: Path,
) -> None:
    def kept() -> KeptWorld | None:
        return load(tmp_path, list[Condition]().append)

    quiet = options(tmp_path, "--seat", "none", "--games", "1")
    with _simulated(quiet, 1, USUAL) as (real, live):
        while not until(lambda: kept() is not None):
            assert live.fault is None
    first = kept()
    assert first is not None
    assert (first.seed, (tmp_path / WORLD.name).stat().st_mode & 0o777) == (1, 0o600)
    with _simulated(quiet, 2, USUAL) as (real, live):
        assert live.table.seed == 1
        assert tuple(live.table.world.stoppers.values()) == first.stoppers
        live.also.clear()  # or guests play on
        assert real.snapshot.match is not None
    with _simulated(quiet, 3, USUAL) as (real, live):
        assert live.table.seed == 1
        assert real.snapshot.match is not None
        real.ask(Command("over", GiveUp(), "red"))
        while not until(lambda: not (tmp_path / WORLD.name).exists()):
            assert live.fault is None
    with _simulated(quiet, 4, USUAL) as (_, live):
        assert live.table.seed == 4
