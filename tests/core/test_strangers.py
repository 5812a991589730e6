"""What other programs do with games: they copy them, keep them, and say what nobody declared."""

import pickle
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, replace
from random import Random
from typing import Any, Final

import pytest

from companion.cli.install.care import WentBack
from companion.core.codec import demand_packable
from companion.core.game import Action
from companion.core.plugin import GAMES, OURS, PLUGINS
from companion.devices.gpio import PinError, PinFault
from companion.devices.serial_line import LineError, LineFault
from companion.games.zapp_zerapp.rules import BadBoard, Board
from companion.simulator.chips.board_bus import Unmodelled
from companion.system.errors import CompanionError, ConfigError, Illegal
from companion.system.safe_json import BadJson, JsonFault
from companion.system.signals import Stopped
from companion.system.text import SeatName, Text
from companion.web.common.errors import RequestError
from tests.formats.test_formats import ours

STEPS = 250
ODD: tuple[Any, ...] = (
    None,
    "x",
    "",
    -1,
    99,
    10**9,
    3.5,
    True,
    b"x",
    (),
    (1,),
    ((1, 2),),
    ("a",),
    [1],
    {},
    object,
)
Copy = Callable[[Any], Any]


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled by this test


def played(name: str, seed: int = 3) -> Iterator[tuple[Any, Any, Action]]:
    """Yield a game, its states one after another, and what is done in each."""
    game = GAMES[name]()
    return played_on(game, game.start(), Random(seed), STEPS)


def played_on(
    game: Any, state: Any, chance: Random, steps: int
) -> Iterator[tuple[Any, Any, Action]]:
    """Yield the same from a state on, for so many steps."""
    for _ in range(steps):
        seats = game.turns(state)
        if not seats:
            return
        action = chance.choice(game.legal(state, seats[0]))
        yield game, state, action
        state = game.apply(state, action)


@pytest.mark.parametrize("copy", [pickled, deepcopy])
@pytest.mark.parametrize("name", GAMES)
def test_game_states_views_and_actions_can_be_copied_and_pickled(name: str, copy: Copy) -> None:
    steps = list(played(name))
    another = copy(steps[0][0])
    assert another.settings == steps[0][0].settings
    for game, state, action in steps[::9]:
        assert copy(state) == state
        assert copy(action) == action
        for viewer in (None, *game.seats):
            assert copy(game.view(state, viewer)) == game.view(state, viewer)
        assert another.apply(copy(state), copy(action)) == game.apply(state, action)


MADE_OF: Final[Mapping[type[BaseException], tuple[Any, ...]]] = {
    BadJson: (JsonFault.DEEP,),
    ConfigError: ((CompanionError("There is no file '{file}'.", file="table.toml"),),),
    LineError: (LineFault.GONE, "unplugged"),
    PinError: (PinFault.BUSY, "taken"),
    RequestError: (404, "not-found", CompanionError("There is no file '{file}'.", file="/x"), 7),
    Unmodelled: ("NAU7802", "reading", 0x15),
    Stopped: (15,),
    WentBack: ("0.1.0", Text("it does not answer")),
}


@pytest.mark.parametrize("copy", [pickled, deepcopy])
@pytest.mark.parametrize(
    "kind", sorted(ours(BaseException), key=str), ids=lambda kind: kind.__name__
)
def test_what_is_raised_another_process_can_tell(kind: type[BaseException], copy: Copy) -> None:
    """Else a pool of processes waits for ever."""
    error = kind(*MADE_OF.get(kind, ("What went wrong.",)))
    again: Any = copy(error)
    assert type(again) is kind
    for one, other in zip(
        [*again.args, *vars(again).values()], [*error.args, *vars(error).values()], strict=True
    ):
        assert str(one) == str(other)


@pytest.mark.parametrize("copy", [pickled, deepcopy])
def test_what_is_refused_can_be_told_elsewhere(copy: Copy) -> None:
    with pytest.raises(BadBoard) as several:
        Board((), (0, 0, 0, 0), (0, 0, 0, 0))
    for error in (Illegal("{count} are too many.", count=3), several.value):
        again = copy(error)
        assert type(again) is type(error)
        assert (str(again), again.values) == (str(error), error.values)
        assert [*map(str, again.faults)] == [*map(str, error.faults)]


def refusal(step: Callable[[Any, Any], object], state: object, action: object) -> str | None:
    """Return why a step is refused; None: it is taken. Whatever else is raised fails the test."""
    try:
        step(state, action)
    except Illegal as refused:
        return str(refused)
    return None


@pytest.mark.parametrize("name", GAMES)
def test_what_is_wrongly_typed_is_illegal(name: str) -> None:
    refused = steps = 0
    for game, state, action in played(name):
        steps += 1
        for part in fields(action):
            for value in ODD if part.init else ():
                wrong = replace(action, **{part.name: value})
                refused += refusal(game.apply, state, wrong) is not None
    assert refused > steps > 0


def likenesses(value: object) -> Iterator[Any]:
    """Yield what equals a value and is of another type."""
    if isinstance(value, tuple):
        yield (*value,)
    if isinstance(value, int):
        yield from (float(value), *[place for place in SeatName if place == value])


@pytest.mark.parametrize("name", [name for name in GAMES if PLUGINS[name].package.startswith(OURS)])
def test_what_only_equals_an_action_is_illegal_or_leaves_no_trace(name: str) -> None:
    """What people do is read by type: only a program could ask for Roll(3.0), which is Roll(3)."""
    tried = steps = 0
    for game, state, action in played(name):
        steps += 1
        demand_packable(game, action)  # though the game may remember what it was asked before
        for part in fields(action):
            for value in likenesses(getattr(action, part.name)) if part.init else ():
                wrong = replace(action, **{part.name: value})
                tried += 1
                refusal(game.explain, state, wrong)
                then = state if refusal(game.apply, state, wrong) else game.apply(state, wrong)
                for _, _, further in played_on(game, then, Random(tried), 6):
                    demand_packable(game, further)
    assert tried > steps > 0


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("value", ODD, ids=repr)
def test_what_is_not_an_action_or_ruling_is_illegal(name: str, value: object) -> None:
    game = GAMES[name]()
    assert refusal(game.apply, game.start(), value)
    for ruling in game.rulings:
        given = [value for part in fields(ruling) if part.init]
        if value or value is None:  # else nothing at all is put right
            assert refusal(game.rule, game.start(), ruling(*given))
