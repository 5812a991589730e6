"""At one keyboard nobody sees another's hand: tables that differ in it alone look the same."""

import re
from collections.abc import Callable

import pytest

from companion.core.game import TABLE, Action
from companion.present.terminal import CLEAR
from companion.referee.automation import Randomness
from companion.referee.match import Match
from tests.cli.terminal.keyboard import sit

BLUE = 2
TRIED = (  # by red, about what only blue or nobody may know
    "play blue white:9",
    "play red white:9",
    "play white:3",
    "keep blue portals 37,38,39",
    "keep red portals 37,38,39",
    "deal blue white:9",
    "deal blue 39",
    "turn white:9",
    "draw 39",
)


def deal(monkeypatch: pytest.MonkeyPatch, other: int) -> None:
    """Have blue get the last cards but `other`, and all else come from the beginning."""

    def draw(_luck: Randomness, match: Match) -> Action:
        legal = match.game.legal(match.state, TABLE)
        blue = getattr(legal[0], "player", None) == BLUE
        action: Action = legal[-1 - other] if blue else legal[0]
        return action

    monkeypatch.setattr(Randomness, "draw", draw)


def asking(turns: dict[str, list[str]]) -> Callable[[str], str | None]:
    """Let each say its own lines; whoever has none left ends it."""

    def answer(shown: str) -> str | None:
        question = shown.rsplit("\n", 1)[-1]
        if "Enter shows" in question:
            return ""
        lines = turns[question.split(",")[0]]
        return lines.pop(0) if lines else None

    return answer


def screens(out: str) -> dict[str, list[str]]:
    """Return what was on the screen between two clearings, by whose eyes read it last."""
    found: dict[str, list[str]] = {"Red": [], "Blue": []}
    for screen in out.split(CLEAR):
        if eyes := re.findall(r"^(\w+), (?:Enter|1 to)", screen, re.MULTILINE):
            found[eyes[-1]].append(screen)
    return found


@pytest.mark.parametrize(
    ("game", "red", "blue", "looks"),
    [
        ("blackmore", [*TRIED, "1", "2", *["1"] * 4], ["undo", "play white:5", "play white:4"], 4),
        ("via-magica", [*TRIED, "3", "undo", "4", "1"], ["undo"], 2),
    ],
)
def test_red_sees_the_same_whatever_blue_holds(
    game: str, red: list[str], blue: list[str], looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    for other in (0, 2):
        with monkeypatch.context() as patch:
            deal(patch, other)
            words = ["--game", game, "--you", "red,blue", "--bots", "0", "--seed", "1"]
            code, out = sit(patch, words, asking({"Red": red.copy(), "Blue": blue.copy()}))
        assert code == 66
        assert out.endswith(CLEAR)  # whoever comes next sees no hand
        shown.append(screens(out))
    assert shown[0]["Red"] == shown[1]["Red"]
    assert len(shown[0]["Red"]) == looks
    assert all(one != other for one, other in zip(*(s["Blue"] for s in shown), strict=True))
    assert shown[0]["Blue"]


@pytest.mark.parametrize("game", ["blackmore", "via-magica", "trap-the-wizard"])
def test_whoever_plays_alone_or_has_nothing_to_hide_is_not_asked_to_look(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = "red,blue" if game == "trap-the-wizard" else "red"
    words = ["--game", game, "--you", people, "--bots", "1", "--seed", "1"]
    _, out = sit(monkeypatch, words, asking({"Red": ["1"] * 4, "Blue": ["1"] * 4}))
    assert CLEAR not in out
    assert "Enter shows" not in out
