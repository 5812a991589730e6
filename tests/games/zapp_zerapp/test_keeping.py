"""A game that is kept: the log, its text, undo and replay, and what is refused when read back."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.codec import pack, unpack
from companion.core.game import Action
from companion.core.log import Log, load
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import Flip, Move, Pawn, Place, Roll, Settings, ZappZerapp
from companion.system.errors import Illegal, RulesError, Unreadable
from tests.cases import check_cases
from tests.games import golden
from tests.games.zapp_zerapp.tables import GREEN, RED, YELLOW, position

GAMES = {ZappZerapp.name: ZappZerapp}
MINE = ZappZerapp(Settings((RED, GREEN), True, True, False, rules.PRESETS["three-before-city"]))
ROUND: list[Action] = [
    Roll(9),
    Place(GREEN, 5),
    Place(RED),
    Flip(),
    rules.Say(RED, 9),
    Move(RED, 0, (), ()),
    Move(GREEN, 0, (), ()),
]
PLAYED = Log.begin(MINE, ROUND)


def lines(log: Log[Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.dump().splitlines()]


def reload(*changed: object, head: object = None) -> tuple[Log[Any], RulesError | None]:
    """Read a log whose first line or actions are not what they should be."""
    first = lines(PLAYED)[0] if head is None else head
    texts = [line if isinstance(line, str) else json.dumps(line) for line in (first, *changed)]
    return load("\n".join(texts), GAMES)


# What a log holds.


def test_a_log_is_one_line_for_the_game_and_one_for_each_action() -> None:
    head, *actions = lines(PLAYED)
    assert head == {
        "rappelwacht": 1,
        "game": "zapp-zerapp",
        "schema": 1,
        "settings": {
            "seats": ["red", "green"],
            "profi": True,
            "overlook": True,
            "shuffle": False,
            "board": {
                "ring": list(rules.PRESETS["three-before-city"].ring),
                "entries": [0, 6, 12, 18],
                "gates": [23, 5, 11, 17],
            },
        },
    }
    assert actions == [
        {"do": "roll", "magic": 9},
        {"do": "place", "seat": "green", "barrel": 5},
        {"do": "place", "seat": "red"},
        {"do": "flip"},
        {"do": "say", "player": "red", "number": 9},
        {"do": "move", "seat": "red", "step": 0, "banish": []},
        {"do": "move", "seat": "green", "step": 0, "banish": []},
    ]


def test_what_was_written_is_read_back() -> None:
    log, fault = load(PLAYED.dump(), GAMES)
    assert fault is None
    assert log.actions == tuple(ROUND)
    assert log.states == PLAYED.states
    assert log.game.settings == MINE.settings
    assert log.dump() == PLAYED.dump()
    assert len(log.states) == len(ROUND) + 1


def test_taken_and_banished_pawns_are_written_and_read_back() -> None:
    move = Move(GREEN, 18, (Pawn(RED, 4), Pawn(RED, 4)), (Pawn(YELLOW, 7),))
    packed = pack(move)
    assert packed["take"] == [{"colour": "red", "step": 4}] * 2
    assert unpack(Move, json.loads(json.dumps(packed)), "move") == move


def test_every_state_is_read_back() -> None:
    for state in PLAYED.states:
        assert unpack(rules.State, json.loads(json.dumps(pack(state))), "state") == state


def test_undo_leads_back_to_what_was() -> None:
    for count in range(len(ROUND) + 1):
        undone = PLAYED.undo(count)
        assert undone.actions == tuple(ROUND[: len(ROUND) - count])
        assert undone == Log.begin(MINE, undone.actions)
    assert PLAYED.undo() == PLAYED.undo(1)
    assert PLAYED.undo().play(ROUND[-1]) == PLAYED


def test_only_legal_actions_are_played_or_replayed() -> None:
    with pytest.raises(Illegal):
        PLAYED.play(Flip())
    with pytest.raises(Illegal):
        Log.begin(MINE, [*ROUND, Flip()])
    assert PLAYED.state.phase is rules.Phase.ROLL


# What is refused.


def test_what_is_wrong_with_a_log_is_said(rewrite_golden: bool) -> None:
    check_cases(Path(__file__).with_name("logs.txt"), refusal, rewrite=rewrite_golden)


def refusal(heading: str, line: str) -> list[str]:
    """Return why a line is refused: an action, or what a log begins with, wholly or in part."""
    first = lines(PLAYED)[0]
    match heading:
        case "an action":
            log, fault = reload(line, {"do": "roll", "magic": 9})
            assert (log.actions, fault is None) == ((), False)
            return [f"{type(fault).__name__}: {fault}"]
        case "an undo":
            return [golden.refusal(lambda: PLAYED.undo(int(line)))]
        case "a first line with this":
            line = json.dumps(first | json.loads(line))
        case "settings with this":
            line = json.dumps(first | {"settings": first["settings"] | json.loads(line)})
    return [golden.refusal(lambda: reload(head=line))]


def test_a_log_is_read_as_far_as_it_is_sound() -> None:
    _, *actions = lines(PLAYED)
    log, fault = reload(*actions[:2], "", *actions[2:4], {"do": "flip"}, actions[4])
    assert log.actions == tuple(ROUND[:4])
    assert str(fault).startswith("Line 7: ")


def test_empty_lines_mean_nothing() -> None:
    log, fault = reload("", *lines(PLAYED)[1:], " ")
    assert (log.actions, fault) == (tuple(ROUND), None)


@pytest.mark.parametrize("text", ["", "\n"])
def test_a_text_that_is_not_a_log(text: str) -> None:
    with pytest.raises(Unreadable):
        load(text, GAMES)


def test_settings_that_are_not_said_are_the_usual_ones() -> None:
    log, _ = reload(head=lines(PLAYED)[0] | {"settings": {}})
    assert log.game.settings == Settings()
    assert log.game.seats == tuple(rules.Colour)


def test_a_position_is_kept_too() -> None:
    table = position(red=(3, 4, 25), green=(0, 21, 22), numbers={RED: 6}, profi=True)
    assert pack(table.state)["pawns"] == [[3, 4, 25], [0, 21, 22], [0, 0, 0], [0, 0, 0]]


def test_what_could_not_be_read_again_is_not_kept() -> None:
    log, action = Log.begin(ZappZerapp()), Roll(7.0)  # type: ignore[arg-type]
    for keep in (log.play, lambda one: Log.begin(log.game, [one])):
        with pytest.raises(Illegal, match="'magic'"):
            keep(action)


def test_a_byte_order_mark_and_signs_that_some_call_line_ends_do_no_harm() -> None:
    log, fault = load("\ufeff" + PLAYED.dump().replace("\n", "\r\n"), GAMES)
    assert (log.actions, fault) == (PLAYED.actions, None)


def test_a_long_log_is_read_in_a_time_that_grows_with_it() -> None:
    """Copying all that came before for every line would take hours."""
    endless = [Roll(2), Place(RED, 12), Place(GREEN, 13), Flip()]
    played = Log.begin(ZappZerapp(Settings((RED, GREEN))), endless)
    head, *lines = played.dump().splitlines()
    log, fault = load("\n".join([head, *lines * 25_000]), GAMES)
    assert (len(log.actions), fault) == (100_000, None)
