"""The style sheets of games are handed out as those of the pages are, and nothing else is."""

from __future__ import annotations

import re

import pytest

from companion.core.kit import GAMES
from tests.outputs.web.room import FakeRoom, client


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


def test_the_table_links_to_every_games_style_sheet() -> None:
    html = client(FakeRoom()).get("/").text
    assert re.findall(r'href="/games/([a-z-]+)\.css"', html) == [*GAMES]


@pytest.mark.parametrize("name", ["none", "..%2frules", "zapp-zerapp%2fpage", "blackmore.css"])
def test_no_other_file_of_a_game_is_handed_out(name: str) -> None:
    answer = client(FakeRoom()).get(f"/games/{name}.css")
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"
