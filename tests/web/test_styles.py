"""The style sheets of games are handed out as those of the pages are, and nothing else is."""

import re

import pytest

from companion.core.plugin import GAMES
from companion.referee.commands import RollForUs
from companion.web.common.asset_version import build
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
    assert re.findall(r'<link [^>]*"/games/([a-z-]+)\.css\?', playing) == ["via-magica"]
    assert 'data-styles="/games/via-magica.css"' in playing  # for pages that are open already


@pytest.mark.parametrize("path", ["/", "/tv", "/manual", "/setup", "/join"])
def test_what_a_page_asks_for_is_kept_and_never_asked_for_again(path: str) -> None:
    phone = client(kept())
    asked = re.findall(
        r'(?:src|href)="(/(?:static|games)/(?![^"]*language=)[^"]+)"', phone.get(path).text
    )
    assert len(asked) > 5
    with phone.get("/static/theme.css", buffered=True) as theme:
        asked += re.findall(r'url\("([^"]+)"\)', theme.get_data(as_text=True))
    for file in asked:
        with phone.get(file, buffered=True) as answer:
            assert answer.status_code == 200
            assert "immutable" in answer.headers["Cache-Control"], file
        with phone.get(file.replace(build(), "older"), buffered=True) as answer:
            assert "immutable" not in answer.headers["Cache-Control"], file


@pytest.mark.parametrize("role", [None, "table", "red"])
def test_whoever_watches_gets_a_page_again_only_if_it_is_new(role: str | None) -> None:
    room = FakeRoom("red", "blue")
    phone = client(room, role)
    first = phone.get("/")
    if role is not None:
        assert first.headers["Cache-Control"] == "no-store"
        return
    again = {"If-None-Match": first.headers["ETag"]}
    assert phone.get("/", headers=again).status_code == 304
    assert "no-store" not in first.headers["Cache-Control"]
    room.wish(RollForUs())
    assert phone.get("/", headers=again).status_code == 200


def test_a_page_says_which_live_part_it_was_made_with() -> None:
    phone = client(FakeRoom("red", "blue"))
    mark = re.findall(r'<meta name="seen" content="([^"]+)"', phone.get("/").text)
    assert [phone.get("/api/view/table").headers["ETag"].strip('"')] == mark


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
        assert "SIL OPEN FONT LICENSE" in licence.get_data(as_text=True)
