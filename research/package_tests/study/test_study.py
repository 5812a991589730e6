"""The command plays as many matches as wished, and tells of them in words, figures and a page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.core.plugin import GAMES, PLUGINS, GamePlugin
from companion.games.blackmore.rules import Blackmore
from rappelwacht_research.study import match
from rappelwacht_research.study.match import play


class Reader(HTMLParser):
    """Notes what a page refers to, and which tags it leaves open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.refers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "line", "rect", "circle"}:
            self.open.append(tag)
        self.refers += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_endtag(self, tag: str) -> None:
        assert tag in {"line", "rect", "circle"} or self.open.pop() == tag


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["--language", "en", "study", *words]) == 0
    return capsys.readouterr().out


def figures(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(told(capsys, *words, "--json"))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_told_of_in_both_languages_and_as_a_page(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("en", "de"):
        words = ["study", game, "--games", "3", "--seed", "1", "--folder", str(tmp_path)]
        assert main(["--language", language, *words]) == 0
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= 80
        assert "{" not in out
        page = (tmp_path / f"study-{game}.html").read_text("utf-8")
        reader = Reader()
        reader.feed(page)
        assert (reader.open, reader.refers) == ([], [])  # all is in it
        assert "://" not in page
        assert page.count("<svg") >= 2
        assert f'<html lang="{language}">' in page


@pytest.mark.parametrize(
    ("bare", "best"),
    [
        (GamePlugin(Blackmore, "companion.games.blackmore"), "random"),
        (GamePlugin(Blackmore, "companion.games.blackmore", players="players:PLAYERS"), "casual"),
    ],
)
def test_a_game_that_brings_no_subject_is_told_of_by_actions_and_points(
    bare: GamePlugin,
    best: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(PLUGINS.loaded, "blackmore", bare)
    words = ["blackmore", "--games", "3", "--seed", "1"]
    out = told(capsys, *words, "--folder", str(tmp_path))
    assert out.startswith("Blackmore: 3 matches\n")
    assert len(re.findall(r"^  actions ", out, re.MULTILINE)) == 1
    assert "In a match, on average" not in out
    assert "<h2>In a match" not in (tmp_path / "study-blackmore.html").read_text("utf-8")
    found = figures(capsys, *words)
    assert list(found["players"]) == [best]
    assert found["seats"]["red"]["points"] > 0


def test_the_same_seed_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["blackmore", "--games", "5"]
    first = figures(capsys, *words, "--seed", "7")
    assert first == figures(capsys, *words, "--seed", "7") != figures(capsys, *words, "--seed", "8")
    assert first["matches"] == 5
    unsown = figures(capsys, *words)
    assert unsown == figures(capsys, *words, "--seed", str(unsown["seed"]))


def test_players_move_on_by_a_seat_so_that_no_seat_has_the_better_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["blackmore", "--games", "30", "--seed", "1", "--players", "casual,random,random"]
    found = figures(capsys, *words)
    assert set(found["seats"]) == {"red", "green", "blue"}
    assert found["players"]["casual"]["low"] > found["players"]["random"]["share"]
    assert all(0.1 < seat["wins"]["share"] < 0.6 for seat in found["seats"].values())


def test_whoever_has_enough_of_it_gets_what_has_been_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    count = iter(range(100))

    def interrupted(*asked: Any) -> Any:
        if next(count) == 4:
            raise KeyboardInterrupt
        return play(*asked)

    monkeypatch.setattr(match, "play", interrupted)
    assert main(["study", "blackmore", "--games", "50", "--seed", "1", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["matches"] == 4
    count = iter([4])
    assert main(["study", "blackmore", "--games", "50", "--seed", "1", "--json"]) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["chess"], "The game 'chess' is not known"),
        (
            ["blackmore", "--players", "casual,somebody"],
            "no player 'somebody' for this game; there are expert, good",
        ),
        (["blackmore", "--players", "casual"], "2 to 6 players, not 1"),
        (["trap-the-wizard", "--players", "random,random,random,random,random"], "4 seats"),
        (["blackmore", "--players", ",".join(["random"] * 7)], "there are 6 seats"),
        (["blackmore", "--games", "0"], "nothing to say about 0 games"),
        (["blackmore", "--games", "1", "--folder", "/dev/null/x"], "cannot be created"),
    ],
)
def test_what_cannot_be_studied_is_one_sentence(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "study", *words]) == 2
    error = capsys.readouterr().err
    assert wrong in error
    assert len(error.splitlines()) == 1


def test_the_progress_is_shown_to_whoever_waits_at_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", "blackmore", "--games", "2", "--seed", "1", "--json"]
    main(words)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    main(words)
    captured = capsys.readouterr()
    assert re.search(r"\r1 / 2 ", captured.err)
    assert json.loads(captured.out)["matches"] == 2


def test_matches_that_never_end_are_said_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(match, "LONGEST", 10)
    assert main(["--language", "en", "study", "blackmore", "--games", "2"]) == 2
    assert "None of the 2 matches" in capsys.readouterr().err


def test_many_random_matches_run_in_lockstep_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numpy")
    words = ("zapp-zerapp", "--players", "random,random", "--seed", "1")
    many = figures(capsys, *words, "--games", "1000")
    few = figures(capsys, *words, "--games", "10")
    assert (many["lockstep"], few["lockstep"]) == (True, False)
    assert many["matches"] == 1000
    assert 30 < many["rounds"]["mean"] < 50
    assert "in lockstep" in told(capsys, *words, "--games", "1000")
