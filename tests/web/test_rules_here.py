"""Behind "?" stands what the rules are in this phase of this game, and where to read on."""

import re
from collections import defaultdict
from html import unescape

from companion.core.plugin import GAMES
from tests.browser.phases import phases
from tests.web.room import FakeRoom, app, client

OURS = {"blackmore": 3, "trap-the-wizard": 4, "via-magica": 4, "zapp-zerapp": 5}  # phases
TITLE = re.compile(r'<h2 id="rules-is">([^<]+)</h2>')


def test_each_phase_has_a_picture_and_words_and_leads_on() -> None:
    anchors = set(re.findall(r' id="([^"]+)"', client(FakeRoom()).get("/manual").text))
    titles = defaultdict[tuple[str, str], set[str]](set)
    for phase in phases(OURS):
        if phase.hands is not None:
            continue
        made = app(phase.sight.room())
        for language in ("en", "de"):
            html = client(made, None, language).get("/rules").text
            (title,) = TITLE.findall(html)
            titles[language, phase.game].add(unescape(title))
            assert "<svg" in html, phase.name
            sentences = re.findall(r"[^.:]{9,}[.:]", " ".join(re.findall(r"<p>([^<]+)</p>", html)))
            assert 2 <= len(sentences) <= 7, phase.name
            assert set(re.findall(r'href="/manual#([^"]+)"', html)) <= anchors, phase.name
    assert {at: len(found) for at, found in titles.items()} == {
        (language, game): count for language in ("en", "de") for game, count in OURS.items()
    }


def test_a_game_that_says_nothing_of_its_phases_leads_to_the_manual() -> None:
    others = phases([name for name in GAMES if name not in OURS])
    for phase in others[:1]:
        html = client(phase.sight.room()).get("/rules").text
        assert TITLE.findall(html)
        assert 'href="/manual#games"' in html
    assert others or {*GAMES} == {*OURS}
