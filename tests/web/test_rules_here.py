"""Behind "?" stands what the rules are in this phase of this game, and where to read on."""

import re
from html import unescape

import pytest

from companion.core.plugin import GAMES
from tests.browser.phases import Phase, phases
from tests.web.room import FakeRoom, client

OURS = ("blackmore", "trap-the-wizard", "via-magica", "zapp-zerapp")
TITLE = re.compile(r'<h2 id="rules-is">([^<]+)</h2>')


@pytest.fixture(scope="module")
def ours() -> list[Phase]:
    return [phase for phase in phases() if phase.game in OURS and phase.hands is None]


@pytest.mark.parametrize("language", ["en", "de"])
def test_each_phase_has_a_picture_and_words_and_leads_on(ours: list[Phase], language: str) -> None:
    anchors = set(re.findall(r' id="([^"]+)"', client(FakeRoom()).get("/manual").text))
    titles = dict[str, set[str]]()
    for phase in ours:
        html = client(phase.sight.room(), None, language).get("/rules").text
        (title,) = TITLE.findall(html)
        titles.setdefault(phase.game, set()).add(unescape(title))
        assert "<svg" in html, phase.name
        sentences = re.findall(r"[^.:]{9,}[.:]", " ".join(re.findall(r"<p>([^<]+)</p>", html)))
        assert 2 <= len(sentences) <= 7, phase.name
        assert set(re.findall(r'href="/manual#([^"]+)"', html)) <= anchors, phase.name
    assert {game: len(found) for game, found in titles.items()} == {
        "blackmore": 3,
        "trap-the-wizard": 4,
        "via-magica": 4,
        "zapp-zerapp": 5,
    }


def test_a_game_that_says_nothing_of_its_phases_leads_to_the_manual() -> None:
    others = phases([name for name in GAMES if name not in OURS])
    for phase in others[:1]:
        html = client(phase.sight.room()).get("/rules").text
        assert TITLE.findall(html)
        assert 'href="/manual#games"' in html
    assert others or {*GAMES} == {*OURS}
