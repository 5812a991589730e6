"""No action that JSON cannot carry there and back is ever applied, whatever the rules say to it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from companion.core.codec import LARGEST, demand_packable, pack, pack_action, unpack, unpack_action
from companion.core.game import Action
from companion.core.log import Log
from companion.core.plugin import GAMES
from companion.system.codec import parts
from companion.system.errors import RulesError, Unreadable
from companion.system.text import SeatName

STRANGE: list[Any] = [
    None, True, 7, 7.0, -1, LARGEST, LARGEST + 1, "red", "7", SeatName.RED, (), [], (7,), [7],
    (7.0,), ((7, 7),), b"7", object(),
]  # fmt: skip


def carried(game: Any, action: Action) -> Action:
    return unpack_action(game, json.loads(json.dumps(pack_action(action))))


def played(name: str, seed: int, most: int = 150) -> Iterator[tuple[Log[Any], Action]]:
    """Yield each step of a random game, and the action that comes next."""
    chance, log = Random(seed), Log.begin(GAMES[name]())
    while log.game.outcome(log.state) is None and len(log.actions) < most:
        seat = chance.choice(log.game.turns(log.state))
        action = chance.choice(log.game.legal(log.state, seat))
        yield log, action
        log = log.play(action)


def spoilt(action: Action) -> Iterator[Action]:
    """Yield an action with each of its parts put wrong, as far as such a thing can be made."""
    for part in parts(type(action)):
        value = getattr(action, part.name)
        inside = [] if type(value) is not tuple else [[*value], (*value, 7.0), value[:1] * 2]
        for strange in (*STRANGE, *inside):
            try:
                yield replace(action, **{part.name: strange})
            except RulesError:  # then it is no action at all
                continue


@pytest.mark.parametrize("name", GAMES)
def test_what_a_log_takes_json_carries_to_the_letter_and_nothing_else(name: str) -> None:
    kinds = set[type[Action]]()
    for log, action in played(name, 1):
        demand_packable(log.game, action)
        assert carried(log.game, action) == action
        if type(action) in kinds:
            continue
        kinds.add(type(action))
        for wrong in spoilt(action):
            try:
                demand_packable(log.game, wrong)
            except Unreadable:
                with pytest.raises((ValueError, TypeError, AttributeError, LookupError)):
                    log.play(wrong)
            else:
                assert repr(carried(log.game, wrong)) == repr(wrong)
    assert len(kinds) >= min(2, len(GAMES[name].actions))


@dataclass(frozen=True, slots=True, kw_only=True)
class ByName:
    seat: SeatName = SeatName.RED
    number: int


def test_a_record_whose_parts_go_by_name_comes_back() -> None:
    assert unpack(ByName, pack(ByName(number=7)), "record") == ByName(number=7)
    assert unpack(ByName, {"number": 7, "more": 1}, "record", exact=False) == ByName(number=7)
    with pytest.raises(Unreadable, match="'record' has no part 'more'"):
        unpack(ByName, {"number": 7, "more": 1}, "record")


@pytest.mark.parametrize("wrong", [7.0, True, LARGEST + 1, "7"])
def test_a_roll_of_no_whole_number_is_not_applied_though_the_rules_would_let_it_pass(
    wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["zapp-zerapp"]()
    log, roll = next(played("zapp-zerapp", 1))
    monkeypatch.setattr(type(game), "apply", lambda *_: log.state)  # rules that take anything
    log.play(roll)
    with pytest.raises(Unreadable, match=r"'magic' is .*; it must be"):
        log.play(replace(roll, magic=wrong))  # type: ignore[call-arg]
    with pytest.raises(Unreadable, match=r"'magic' is .*; it must be"):
        Log.begin(game, [replace(roll, magic=wrong)])  # type: ignore[call-arg]


def test_an_action_of_another_game_is_not_applied() -> None:
    log, _ = next(played("zapp-zerapp", 1))
    _, theirs = next(played("blackmore", 1))
    with pytest.raises(Unreadable, match="'do' is"):
        demand_packable(log.game, theirs)
