"""The bench of pages finds in a real browser what is not to be seen, and feels taps and scrolls."""

from dataclasses import replace

import pytest

from research.bench._fingers import Finger
from research.bench._pages_games import Game, play
from research.bench._pages_seen import DESK, HAND, look
from tests.browser.chromium import Drawer
from tests.browser.phases import Phase, phases
from tests.browser.sights import Sight
from tests.web.room import FakeRoom

HIDE = "document.styleSheets[0].insertRule('#mountain { display: none !important }')"


@pytest.mark.slow
def test_a_board_that_is_deliberately_hidden_is_found_on_every_screen(drawer: Drawer) -> None:
    wanted = next(one for one in phases() if one.name == "trap-the-wizard/move")
    hidden = replace(wanted, sight=replace(wanted.sight, then=lambda page: page.evaluate(HIDE)))
    looked = look(drawer, [hidden], "en", axe=False, pictures=None)
    assert len(looked.seen) == 2 * len((*HAND, *DESK))  # before and after something is chosen
    assert all("#mountain: not drawn" in one.missing for one in looked.seen)


@pytest.mark.slow
def test_a_table_that_asks_for_nothing_is_seen_on_every_screen(drawer: Drawer) -> None:
    watching = Phase("", Sight("watching", FakeRoom, role=None))
    looked = look(drawer, [watching], "de", axe=True, pictures=None)
    assert [one.missing for one in looked.seen] == [()] * len((*HAND, *DESK))
    assert looked.serious == ()


@pytest.mark.slow
def test_a_game_by_taps_feels_every_tap_and_every_scroll(drawer: Drawer) -> None:
    part = play(drawer, Game("blackmore", 360, 740, "en-GB"), most=3)
    assert part.decisions == 3
    assert set(part.taps) == {2}  # a card, and that it is this one
    assert not part.over


def test_a_game_that_does_not_go_on_is_told_of(
    drawer: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finds_nothing(*_: object) -> None:
        raise AssertionError("no such key")

    monkeypatch.setattr(Finger, "does", finds_nothing)
    part = play(drawer, Game("blackmore", 360, 740, "en-GB"), most=3)
    assert not part.over
    assert part.stuck == "after 0 decisions: no such key"
