"""The bench of pages looks at every phase of every game, counts what it says, and plays by taps."""

import json
import sys
from dataclasses import replace
from enum import Enum

import pytest

from companion.core.plugin import GAMES
from companion.games.blackmore.rules.model import Phase as Witching
from companion.games.trap_the_wizard.rules import Phase as Trapping
from companion.games.via_magica.rules import Phase as Opening
from companion.games.zapp_zerapp.rules import Phase as Shaking
from companion.present.animations import moments
from companion.table.outputs import voice
from research.bench import _pages_round, pages
from research.bench._pages_games import Played, Shown
from research.bench._pages_history import history_ms
from research.bench._pages_laid import Laid
from research.bench._pages_seen import Looked, Seen
from research.bench._pages_spoken import heard
from tests.browser.phases import phases

UNASKED = {"deal", "turn", "unveil"}  # the companion does that
GAME_PHASES: dict[str, type[Enum]] = {
    "blackmore": Witching,
    "trap-the-wizard": Trapping,
    "via-magica": Opening,
    "zapp-zerapp": Shaking,
}


@pytest.mark.slow
def test_every_phase_of_every_game_is_looked_at() -> None:
    found = phases()
    assert len({one.name for one in found}) == len(found)
    assert {one.game for one in found} == {*GAMES}
    for game, kind in GAME_PHASES.items():
        words = {one.sight.name.partition("-")[0] for one in found if one.game == game}
        assert {phase.value for phase in kind} - UNASKED <= words


def test_what_cannot_be_seen_is_counted_and_named() -> None:
    fine, bad = Seen("a/b", 360, 740, "de", ()), Seen("a/b", 320, 568, "de", ("#board: cut",))
    told = pages.told_seen([Looked((fine, bad), ()), Looked((fine,), ("label: none",))])
    assert (told["off_screen_cases"], told["off_screen_of"], told["axe_serious"]) == (1, 3, 1)
    assert told["off_screen"] == ["a/b 320x568 de: #board: cut"]


def test_the_first_page_of_a_long_history_is_timed() -> None:
    assert 0 < history_ms(12) < 60_000


def test_what_hinders_is_told_apart_from_what_keeps_people_out() -> None:
    told = pages.told_seen([Looked((), ("label: none",), ("region: b", "region: c"))])
    assert (told["axe_serious"], told["axe_moderate"]) == (1, 2)


def test_how_text_lies_is_told_of_the_phone_with_the_most_sizes() -> None:
    german, english = Laid(("a: cut",), (12.6, 18.0), 7), Laid((), (12.6, 15.3, 18.0), 7)
    told = pages.told_laid([german, english])
    assert (told["overlaps"], told["overlaps_of"], told["font_sizes"]) == (1, 14, 3)


def test_how_far_boards_move_is_told_of_each_game() -> None:
    board = (8.0, 160.0, 344.0, 280.0)
    steady, higher = Seen("a/b", 360, 640, "de", (), board), Seen("a/c", 360, 640, "en", (), board)
    wider = Seen("a/b", 390, 844, "de", (), (8.0, 160.0, 374.0, 400.0))
    moves = Seen("z/b", 360, 640, "de", (), board)
    lower = replace(moves, phase="z/c", board=(8.0, 230.0, 344.0, 280.0))
    told = pages.told_seen([Looked((steady, higher, wider, moves, lower), ())])
    assert (told["moved_px_max"], told["moved_px"]) == (70, {"a": 0, "z": 70})


def test_the_worst_of_all_games_is_told() -> None:
    one = Played("blackmore", 3, (1, 2, 2), (), 0, (), (), 9.0, True)
    other = replace(one, name="ludo", taps=(1, 1, 3), many=(4,), scrolls=2, scrolled=("a", "a"))
    turned = tuple(Shown("reveal", 0.0, ms, skipped=False) for ms in (1500.0, 3520.0))
    other = replace(other, stale=2, shown=turned)
    told = pages.told_played([one, other])
    assert (told["stale_keys"], told["reveal_s"]) == (2, 3.5)
    assert (told["taps_per_move_max"], told["taps_to_choose_several_max"]) == (3, 4)
    assert told["scrolls_per_game"] == 2
    assert [game["scrolled"] for game in told["games"]] == [[], ["a"]]


@pytest.mark.parametrize(
    ("shown", "short"),
    [
        (Shown("dice", 100.0, 1000.0, skipped=False), False),
        (Shown("dice", 100.0, 990.0, skipped=False), True),
        (Shown("dice", 100.0, 200.0, skipped=True), False),
        (Shown("card", 100.0, 801.0, skipped=False), False),
    ],
)
def test_what_was_seen_too_shortly_is_counted_unless_skipped(shown: Shown, short: bool) -> None:
    one = Played("ludo", 1, (1,), (), 0, (), (shown,), 9.0, True)
    assert pages.told_played([one])["too_short_events"] == int(short)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_all_that_happens_is_said_and_what_is_not_is_found(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(heard(game, "en", 3)) == []
    monkeypatch.setattr(voice, "moments", lambda *given: moments(*given)[:-1])
    missed = list(heard(game, "en", 3))
    assert len(missed) > 10
    assert all(missed)


def test_without_a_browser_it_says_so_and_tells_no_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pages", "--json"])
    monkeypatch.setattr(pages, "FOUND", None)
    pages.main()
    said, line = capsys.readouterr().out.splitlines()
    assert said.startswith("Nothing is measured")
    assert {name: json.loads(line)[name] for name in pages.UNMEASURED} == pages.UNMEASURED


def test_rounds_are_told_by_the_middle_one_and_the_worst() -> None:
    lasted = ((31.44, 5), (22.0, 4), (33.71, 6))
    rounds = tuple(_pages_round.Round(span_s, taps, {"roll": 5.0}) for span_s, taps in lasted)
    found = _pages_round.told(rounds)
    assert (found["round_s"], found["round_s_max"]) == (31.4, 33.7)
    assert (found["taps_per_round"], found["taps_per_round_max"]) == (5, 6)
    assert found["rounds"][1] == {"s": 22.0, "taps": 4, "roll": 5.0}
    assert {*found} - {"rounds"} <= {*pages.UNMEASURED}
