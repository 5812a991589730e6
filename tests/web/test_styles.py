"""The style sheets of games are handed out as those of the pages are, and nothing else is."""

import re

import pytest

from companion.core.plugin import GAMES
from tests.web.games.magic import kept
from tests.web.room import FakeRoom, client


@pytest.mark.parametrize("game", GAMES)
def test_a_games_style_sheet_is_kept_until_it_changes(game: str) -> None:
    phone = client(FakeRoom())
    answer = phone.get(f"/games/{game}.css")
    assert (answer.status_code, answer.mimetype) == (200, "text/css")
    usual = phone.get("/static/style.css", buffered=True)
    assert answer.headers["Cache-Control"] == usual.headers["Cache-Control"]
    usual.close()
    again = phone.get(f"/games/{game}.css", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.text) == (304, "")


@pytest.mark.parametrize("path", ["/", "/tv"])
def test_a_table_is_dressed_for_the_game_that_is_played_and_no_other(path: str) -> None:
    def page(room: FakeRoom) -> str:
        return client(room).get(path).text

    assert "/games/" not in page(FakeRoom())
    playing = page(kept())
    assert re.findall(r'<link [^>]*"/games/([a-z-]+)\.css"', playing) == ["via-magica"]
    assert 'data-styles="/games/via-magica.css"' in playing  # for pages that are open already


@pytest.mark.parametrize("name", ["none", "..%2frules", "zapp-zerapp%2fpage", "blackmore.css"])
def test_no_other_file_of_a_game_is_handed_out(name: str) -> None:
    answer = client(FakeRoom()).get(f"/games/{name}.css")
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_typeface_of_titles_is_small_and_comes_with_its_licence() -> None:
    phone = client(FakeRoom())
    with (
        phone.get("/static/titles.woff2", buffered=True) as font,
        phone.get("/static/titles-licence.txt", buffered=True) as licence,
    ):
        assert font.data[:4] == b"wOF2"
        assert len(font.data) <= 20_000
        assert "font-src 'self'" in font.headers["Content-Security-Policy"]
        assert "SIL OPEN FONT LICENSE" in licence.text
