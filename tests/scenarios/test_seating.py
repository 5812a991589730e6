"""Who placed which barrel at the whole simulated table: stoppers, air, hub, cable, pads on pins."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from companion.sensing.events import Placed, Taken
from companion.sensing.name_word import name_of
from companion.sensing.observations import (
    ChoosingBegan,
    MeasuredTime,
    NameRead,
    Observation,
    PadChanged,
    StopperMessage,
)
from companion.sensing.placement import Placement, Seen, advance, step
from companion.sensing.settings import Settings
from companion.simulator.boards import key, node
from companion.system.text import SeatName
from rappelwacht_research.reflex_pads import PadKind
from tests.scenarios.evenings import Told

RULES = Settings()
NAMES = {name_of(key(number)): number for number in range(1, 14)}
DOUBT_US = 5_000
HEARD_S = 34  # all stoppers told of themselves more than once
ROLL_US = 34_000_000
CHOOSING = f"{HEARD_S} blue lifts 7\n+0 red lifts 3\n"


def told(
    folder: Path, script: str, pads: PadKind = PadKind.SWITCH, dead: Sequence[SeatName] = ()
) -> tuple[Told, list[Placed | Taken]]:
    """Play a script, and return what seating makes of all that the host heard and saw."""
    evening = Told(folder, script, parts=True, pads=pads)
    evening.play(lambda table, _: table.light_path.dead.update(dead))
    found, state = list[Placed | Taken](), Placement()
    began: tuple[int, Seen] = (ROLL_US, ChoosingBegan(("red", "green", "blue", "yellow"), ROLL_US))
    for at_us, seen in sorted([began, *_seen(evening)], key=lambda one: one[0]):
        state, before = advance(state, at_us, RULES)
        state, after = step(state, seen, RULES)
        found += [one for one in (*before, *after) if isinstance(one, Placed | Taken)]
    state, after = advance(state, evening.table.now_us, RULES)
    return evening, [*found, *(one for one in after if isinstance(one, Placed | Taken))]


def _seen(evening: Told) -> Iterable[tuple[int, Seen]]:
    stoppers = {node(number): number for number in range(1, 14)}
    last: dict[int, tuple[int, int]] = {}
    for at_us, one in evening.news:
        if isinstance(one, PadChanged):
            yield at_us, one
        elif isinstance(one, NameRead):
            yield at_us, replace(one, stopper=NAMES[one.name])
        elif isinstance(one, Observation):
            who = stoppers[one.node]
            boot, seq = last.get(who, (one.boot, one.seq - 1))
            seq = seq if boot == one.boot else one.seq - 1
            last[who] = one.boot, max(seq, one.seq)
            happened_us = int(one.fields.get("at_us", one.sent_us))
            moment = MeasuredTime(one.at_us - (one.sent_us - happened_us), DOUBT_US)
            gap = max(0, one.seq - seq - 1)
            yield at_us, StopperMessage(who, one.name, moment, one.at_us, one.boot, gap, one.fields)


def stands(evening: Told, found: list[Placed | Taken], seat: str) -> tuple[int | None, bool]:
    """Return the barrel that was told last for a seat, and whether that is certain."""
    last = [one for one in found if isinstance(one, Placed) and one.seat == seat][-1]
    numbers = {stopper: number for number, stopper in evening.table.world.stoppers.items()}
    barrel = None if last.stopper is None else numbers[last.stopper]
    return barrel, last.confidence >= RULES.certain


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("pads", PadKind)
def test_two_choose_and_each_barrel_is_found_at_its_seat(tmp_path: Path, pads: PadKind) -> None:
    script = (
        CHOOSING + "+0 blue shakes 7 for 1\n+0 red shakes 3 for 1\nblue places 7\nred places 3\n"
    )
    evening, found = told(tmp_path, script, pads)
    assert stands(evening, found, "blue") == (7, True)
    assert stands(evening, found, "red") == (3, True)
    assert not any(isinstance(one, Taken) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("pads", PadKind)
def test_blue_places_a_barrel_for_green_and_takes_it_back(tmp_path: Path, pads: PadKind) -> None:
    script = (
        CHOOSING + "blue places 7 at green\n+1 blue lifts 7\nblue puts back 7\nred puts back 3\n"
    )
    evening, found = told(tmp_path, script, pads)
    assert stands(evening, found, "green") == (7, True)
    assert [one.seat for one in found if isinstance(one, Taken)] == ["green"]
    assert {one.seat for one in found} == {"green"}


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("barrel", [7, 3])
def test_a_flat_barrel_is_never_taken_for_another(tmp_path: Path, barrel: int) -> None:
    places = "blue places 7\n+0.3 red places 3\n"
    evening, found = told(tmp_path, f"2 fault flat {barrel}\n{CHOOSING}{places}")
    for seat, placed in (("blue", 7), ("red", 3)):
        best, certain = stands(evening, found, seat)
        assert (best, certain) == (placed, barrel != placed)  # the thirteenth is only likely


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("dead", [[SeatName.BLUE], [*SeatName]], ids=["receiver", "no names"])
def test_where_no_name_comes_one_alone_is_likely_and_with_another_in_the_air_it_is_asked(
    tmp_path: Path, dead: Sequence[SeatName]
) -> None:
    alone = f"{HEARD_S} blue lifts 7\nblue places 7\n"
    evening, placings = told(tmp_path, alone, dead=dead)
    assert stands(evening, placings, "blue") == (7, False)
    assert [len(one.candidates) for one in placings if isinstance(one, Placed)] == [1]
    (tmp_path / "two").mkdir()
    _, placings = told(tmp_path / "two", f"{CHOOSING}blue places 7\n+3 kick\n", dead=dead)
    first = next(one for one in placings if isinstance(one, Placed))
    assert first.confidence < RULES.certain
    assert len(first.candidates) > 1


@pytest.mark.slow
@pytest.mark.parametrize("pads", PadKind)
def test_with_a_third_of_packets_lost_it_is_right_or_unsure(tmp_path: Path, pads: PadKind) -> None:
    script = "30 fault loss 30%\n" + CHOOSING + "blue places 7\n+0.2 red places 3\n+3 kick\n"
    evening, found = told(tmp_path, script, pads)
    for seat, placed in (("blue", 7), ("red", 3)):
        best, certain = stands(evening, found, seat)
        assert best == placed or not certain
