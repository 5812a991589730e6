"""The first look that may have been listening is shown as a reminder on phones and television."""

from dataclasses import replace
from html import unescape

import pytest

from companion.present.viewer import Viewer
from companion.referee.commands import DoAction
from companion.referee.events import USUAL_HOUSE, HouseRules
from companion.web import tv_page
from tests.web.playing import do, offered, page, peek, table
from tests.web.room import FakeRoom, client
from tests.web.test_animations import followed

SAYS = {
    "en": "Listening or peeking? The first time is a reminder: at the ear, hold a barrel upright",
    "de": "Gelauscht oder gespickt? Das erste Mal ist eine Erinnerung: Haltet ein Fass am Ohr",
}


def reminded(house: HouseRules = USUAL_HOUSE) -> FakeRoom:
    room = table(house)
    room.wish(DoAction("roll 7"))
    room.tell(replace(peek(), seat=None, listening=True))
    return room


@pytest.mark.parametrize(("language", "sentence"), SAYS.items())
def test_phones_show_it_and_ask_nobody_to_rule(language: str, sentence: str) -> None:
    html = unescape(page(reminded(), language=language))
    assert html.count(sentence) >= 1
    assert 'id="reminder-1"' in html
    assert 'id="foul-1"' not in html
    assert not [wish for wish in offered(page(reminded())) if wish["kind"] == "rule"]


def test_it_is_a_moment_that_television_shows_and_phones_speak() -> None:
    (seen,) = (moment for moment in followed(reminded()) if moment.kind == "foul")
    assert seen.sentence.startswith(SAYS["en"])
    shown = tv_page.page_parts(reminded().now, Viewer("en"))
    assert shown["foul"] is None  # there is nothing to decide


def test_it_is_noted_once_its_round_is_over() -> None:
    room = reminded()
    do(room, "place red", "place green", "place blue", "place yellow", "flip")
    do(room, "say red 9", "say green 10", "say blue 11", "say yellow 12", "roll 6")
    html = unescape(page(room))
    assert 'id="reminder-1"' not in html
    assert SAYS["en"] in html.split('id="noted-1"')[1]


def test_without_the_house_rule_it_is_a_foul_to_rule_on() -> None:
    assert 'id="foul-1"' in page(reminded(replace(USUAL_HOUSE, reminder=False)))


def test_it_is_agreed_on_when_a_match_is_set_up() -> None:
    said = {"seat": ["red", "blue"], "version": "base", "board": "two-before-city"}
    for more, reminds in (({}, True), ({"unreminded": "1"}, False)):
        room = FakeRoom()
        html = client(room, "table").get("/setup/checked", query_string=said | more).text
        (wish,) = [wish for wish in offered(html) if "house" in wish]
        assert wish["house"]["reminder"] is reminds
        assert ("No reminder" in html) is not reminds
    strict = client(table(replace(USUAL_HOUSE, reminder=False)), "table").get("/setup").text
    assert 'name="unreminded" value="1" checked' in strict
    assert "No reminder" not in strict.split('id="differs-now"')[1].split("</template>")[0]


def test_who_names_no_house_rules_plays_by_the_usual_ones() -> None:
    room = FakeRoom()
    wish = {"kind": "new-match", "game": "zapp-zerapp", "settings": {"seats": ["red", "blue"]}}
    body = {"request": "r", "wish": wish}
    assert client(room, "table").post("/api/commands", json=body).status_code == 200
    assert room.now.house == USUAL_HOUSE
