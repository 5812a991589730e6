"""The ladder: each level against each other one, in equal company, told in three ways."""

import json
from itertools import combinations
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.core.players.levels import level_names
from companion.core.plugin import GAMES
from rappelwacht_research.study.ladder import _seatings, climbed
from research.package_tests.study.test_study import Reader, figures, told


def test_both_of_a_pair_have_each_half_once_with_the_same_chance() -> None:
    for seats in (2, 4):
        found = [*_seatings("ab", seats, 4)]
        for players, _ in found:
            assert players.count("a") == players.count("b")
        for (first, luck), (second, same) in zip(found[::2], found[1::2], strict=True):
            assert luck == same
            assert all(one != other for one, other in zip(first, second, strict=True))


@pytest.mark.slow
def test_every_level_meets_every_other_one_and_the_same_seed_tells_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["via-magica", "--ladder", "--games", "2", "--seed", "1"]
    found = figures(capsys, *words)
    assert found == figures(capsys, *words)
    assert [ladder["seats"] for ladder in found["ladders"]] == [2, 4]
    for ladder in found["ladders"]:
        pairs = [(one, other) for one, beaten in ladder["beats"].items() for other in beaten]
        assert pairs == [*combinations(level_names("via-magica"), 2)]
        won = ladder["beats"]["casual"]["random"]
        assert won["low"] < won["share"] <= won["high"] <= 1


@pytest.mark.slow
@pytest.mark.usefixtures("no_search")
def test_a_level_that_wins_always_beats_the_other_and_intervals_are_wider_of_few_matches() -> None:
    game = GAMES["via-magica"]()
    few, many = climbed(game, 2, 1), climbed(game, 8, 1)
    ends = [one.between("casual", "random").won for one in (few, many)]
    assert [end.share for end in ends] == [1, 1]
    assert ends[0].low < ends[1].low
    assert [(rung.better, rung.worse) for rung in few.rungs] == [
        *zip(few.levels, few.levels[1:], strict=False)
    ]


@pytest.mark.usefixtures("no_search")
def test_the_ladder_is_a_table_and_a_page_in_both_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("en", "de"):
        words = ["study", "via-magica", "--ladder", "--games", "2", "--seed", "1"]
        words += ["--folder", str(tmp_path)]
        assert main(["--language", language, *words]) == 0
        out = capsys.readouterr().out
        assert max(map(len, out.replace(str(tmp_path), "").splitlines())) <= 80
        assert "{" not in out
        page = (tmp_path / "study-ladder.html").read_text("utf-8")
        reader = Reader()
        reader.feed(page)
        assert (reader.open, reader.refers) == ([], [])
        assert page.count("<svg") == 2
        assert f'<html lang="{language}">' in page


@pytest.mark.usefixtures("no_search")
def test_a_study_needs_a_game_and_a_ladder_of_one_that_is_unknown_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--language", "en", "study"]) == 2
    assert "Name a game: one of zapp-zerapp" in capsys.readouterr().err
    assert main(["--language", "en", "study", "chess", "--ladder"]) == 2
    assert "'chess' is not known" in capsys.readouterr().err
    assert "casual" in told(capsys, "via-magica", "--ladder", "--games", "1")
    assert json.loads(told(capsys, "via-magica", "--ladder", "--games", "1", "--json"))
