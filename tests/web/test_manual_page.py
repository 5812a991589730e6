"""The manual says all that people need, in both languages, and what it says of lights is true."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from companion import games
from companion import web as phone
from companion.core.plugin import PLUGINS
from companion.i18n.translate import LANGUAGES, say
from companion.present.lights.example import examples
from companion.present.page import Chapter, page_of, pages_of_games
from companion.sensing.settings import Settings
from companion.system.text import Text
from tests.web.room import FakeRoom, client

TEMPLATES = Path(phone.__file__).parent / "templates"
GAMES = Path(games.__file__).parent


def manual(language: str) -> str:
    answer = client(FakeRoom(), language=language).get("/manual")
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_of_the_lights_is_explained_as_the_lights_show_it(language: str) -> None:
    html = unescape(manual(language))
    scenes = html[html.index('<dl class="scenes">') :]
    titles = re.findall(r"<dt>(.*?)</dt>", scenes[: scenes.index("</dl>")])
    assert titles == [say(one.meaning.title, language) for one in examples()]
    for one in examples():
        assert say(one.about, language) in scenes
        assert say(one.meaning.look, language) in scenes


def test_a_chapter_that_cannot_be_made_leaves_the_rest_to_be_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = page_of("blackmore")
    assert page is not None
    lost = replace(page, chapter=Chapter("blackmore/lost.html"))
    monkeypatch.setitem(PLUGINS["blackmore"].found, "page", lost)
    assert page.about is not None
    assert str(page.about) in unescape(manual("en"))
    assert "The chapter of the game blackmore is left out." in caplog.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_contents_lead_to_every_section_and_only_there(language: str) -> None:
    html = manual(language)
    contents = re.findall(r'<li><a href="#(\w+)"', html)
    assert contents == re.findall(r'<h2 id="(\w+)"', html)
    assert len(contents) == 9


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_rulebooks_leave_open_is_told_with_how_it_is_usually_played(language: str) -> None:
    html = unescape(manual(language))
    told = dict(re.findall(r"<li>([^<]+) <strong>(.*?)</strong></li>", html))
    for game, page in pages_of_games():
        settings = PLUGINS[game].game.settings_type()
        for option in page.options:
            values = dict(option.values) or {True: Text("usually yes"), False: Text("usually no")}
            usual = values[getattr(settings, option.name)]
            assert told[say(option.said, language)] == say(usual, language), option.name
    spares = "Whoever holds the joker may share a special field instead of capturing there."
    assert told[say(Text(spares), language)] == say(Text("usually no"), language)


def test_every_picture_says_what_it_shows_in_the_language_of_its_reader() -> None:
    told = {language: re.findall(r'role="img" aria-label="([^"]+)"', manual(language))
            for language in LANGUAGES}  # fmt: skip
    assert len(told["en"]) == len(told["de"]) == 9  # the board, and eight drawings
    assert not set(told["en"]) & set(told["de"])


def test_the_thresholds_of_peeking_are_those_that_the_sensors_go_by() -> None:
    peeking = Settings().peeking
    assert "past 60°" in manual("en")
    assert 6_000 <= peeking.hidden_cdeg < 7_000
    assert 200 <= peeking.warn_ms <= 300
    assert peeking.warn_ms < peeking.foul_ms <= 500


def test_it_stands_nowhere_that_anything_was_proved_on_a_real_table() -> None:
    assert "Nobody has built a real one yet" in unescape(manual("en"))
    assert "Gebaut hat ihn noch niemand" in manual("de")


def test_no_style_and_no_script_stands_in_the_page() -> None:
    for file in (*TEMPLATES.glob("manual*.html"), *GAMES.glob("*/templates/manual.html")):
        text = file.read_text("utf-8")
        assert not re.search(r"\sstyle=|\son\w+=|<script(?! src)", text), file


def test_what_links_lead_to_keeps_its_name() -> None:
    html = client(FakeRoom()).get("/manual").text
    ids = set(re.findall(r'<(?:h2|dt) id="([^"]+)"', html))
    assert ids >= {"rules", "variants", "games", "fouls", "unseen", "buttons", "lights", "build"}
    assert ids >= {"help", "game-blackmore", "game-trap-the-wizard", "game-via-magica"}
