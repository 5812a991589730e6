"""What holds whatever a table does: total, pure, within limits, harmless, silent on secrets."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.codec import pack
from companion.core.game import TABLE, choices
from companion.core.notation import write
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.journal import JournalState
from companion.present.lights.canvas import COUNT, LIMIT, STARTS, LightCanvas, LightScene
from companion.present.lights.example import Example, examples
from companion.present.lights.scenes import scene
from companion.referee.commands import Call, DoAction, NewMatch, RollForUs
from companion.referee.events import HouseRules
from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.system.status import Condition
from tests.referee.tables import Round
from tests.table.lights.looking import SECOND, check

TIMES = st.integers(min_value=-(10**13), max_value=10**13)
DOINGS = ("short", "long", "act", "roll", "place", "take", "flip", "warn", "call", "break")
CHOSEN = st.lists(
    st.tuples(st.sampled_from(DOINGS), st.integers(0, 3), st.integers(0, 12)), max_size=40
)


def do(table: Round, doing: str, seat: int, which: int) -> None:
    """Let something happen, as far as it can."""
    colour = Colour(seat).name.lower()
    match doing:
        case "short" | "long":
            table.press(colour, long=doing == "long")
        case "act" if table.referee.match is not None:
            match = table.referee.match
            turns = match.game.turns(match.state)
            mover = turns[which % len(turns)] if turns else TABLE
            actions = choices(match.game, match.state, mover)
            if actions:
                table.wish(DoAction(write(actions[which % len(actions)])))
        case "roll":
            table.wish(RollForUs())
        case "place":
            table.place(colour, which + 1, 0.5 if which % 4 == 0 else 1.0)
        case "take":
            table.take(colour, which + 1)
        case "flip":
            table.flip(*range(1, 14))
        case "warn":
            table.tell(FoulFinding(which, FoulCode.PEEK, Weight.WARNING, 0, 9, (1,), None, 0.5))
        case "call":
            table.wish(Call("snatched", None))
        case "break":
            table.referee.handle_conditions((Condition(JournalState.FULL, 0),) * (which % 2), 0)


@settings(max_examples=60, deadline=None)
@given(
    chosen=CHOSEN, profi=st.booleans(), overlook=st.booleans(), times=st.lists(TIMES, min_size=1)
)
def test_any_table_at_any_time_has_a_scene_within_its_limits(
    *, chosen: list[tuple[str, int, int]], profi: bool, overlook: bool, times: list[int]
) -> None:
    table = Round()
    if profi or overlook:
        rules = Settings(profi=profi, overlook=overlook)
        table.wish(NewMatch(ZappZerapp.name, pack(rules), HouseRules()))
    for doing in chosen:
        do(table, *doing)
    for now in table.shown:
        for at_us in (0, *times[:3]):
            check(now, at_us)


def test_more_light_than_the_limit_gets_darker_alike() -> None:
    picture = LightCanvas()
    picture.fill(range(24), (255, 255, 255), 1.0)
    picture.draw(STARTS, (255, 0, 0), 1.0)
    shown = picture.scene(None)
    assert sum(map(sum, shown.lights)) <= LIMIT
    assert shown.lights[:24] == ((125, 125, 125),) * 24
    assert shown.lights[STARTS] == (125, 0, 0)


def evening(stoppers: dict[str, int]) -> Round:
    """A round in which these stoppers are placed, with all that may happen before the flip."""
    table = Round("red", "blue", "yellow")
    table.wish(DoAction("roll 9"))
    for seat, stopper in stoppers.items():
        table.place(seat, stopper, 0.6)
        table.tell(FoulFinding(1, FoulCode.PEEK, Weight.FOUL, 0, 9, (stopper,), seat, 0.9))
        table.press(seat)
        table.place(seat, stopper)
    table.take("red", stoppers["red"])
    table.place("red", stoppers["red"])
    table.press("yellow")
    return table


def seen(table: Round) -> list[LightScene]:
    return [scene(now, at_us) for now in table.shown for at_us in range(0, 3 * SECOND, 77_777)]


def test_until_the_flip_no_light_depends_on_which_barrel_stands_where() -> None:
    one, other = {"red": 3, "blue": 8, "yellow": 11}, {"red": 12, "blue": 1, "yellow": 5}
    first, second = evening(one), evening(other)
    assert seen(first) == seen(second)
    first.flip(*one.values())
    second.flip(*other.values())
    assert seen(first) != seen(second)


def by_name(check_one: Callable[[Example], None]) -> Callable[[Example], None]:
    decorated: Callable[[Example], None] = pytest.mark.parametrize(
        "example", examples(), ids=[example.name for example in examples()]
    )(check_one)
    return decorated


@pytest.mark.slow(but=13)
@by_name
def test_nothing_flashes_more_than_three_times_a_second(example: Example) -> None:
    now = example.shown()
    scenes = [scene(now, at_us) for at_us in range(0, 9 * SECOND, 10_000)]
    for light in range(COUNT):
        most = [max(one.lights[light]) for one in scenes]
        rises = [b - a > 100 for a, b in pairwise(most)]
        assert all(sum(rises[at : at + 100]) <= 3 for at in range(len(rises)))


def test_a_snapshot_from_the_future_or_without_times_has_a_scene() -> None:
    table = evening({"red": 3, "blue": 8, "yellow": 11})
    for at_us in (-1, -SECOND):
        assert scene(table.now, at_us).tone is None
    assert scene(table.again().now, 0).tone is None
