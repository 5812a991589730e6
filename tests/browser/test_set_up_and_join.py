"""On a phone: it is let in, a board is painted and mended, and the match begins with it."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from companion.games.zapp_zerapp.rules import Settings
from companion.referee.commands import Command, NewMatch
from companion.referee.events import FoulCost, HouseRules
from companion.referee.people.person import Animal
from companion.system.text import SEATS
from tests.browser.asked import unseen
from tests.browser.chromium import Complaints, Opener, box_of, until
from tests.browser.served import Serve, loaded
from tests.browser.sights import paints
from tests.web.room import FakeRoom
from tests.web.running import accused, remembering

LONG = ["Maximilianea", "Großmutter", "שרה לוי-כהן", "Anne-Kathrin"]
TYPED = {"Ada": "Ada", "Wilhelmine Auguste": "Wilhelmine A", "👩‍🚀" * 13: "👩‍🚀" * 12}
CHECKED = "**/setup/checked?*"
HASTE = """() => {
    const real = window.setTimeout;
    window.setTimeout = (done, ms) => real(done, ms / 100);
    window.calm = () => { window.setTimeout = real; };
}"""


def held(page: Page) -> list[Route]:
    """Hold back what the server says to a change, and return where it gathers."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(CHECKED, hold)
    return waiting


def changes(page: Page, cost: str, waiting: list[Route]) -> Route:
    """Change a setting; return what the server is asked of it."""
    page.locator("#rules").evaluate("fold => { fold.open = true; }")
    page.locator("#cost").select_option(cost)
    until(page, lambda: bool(waiting))
    return waiting.pop()


def test_a_wrong_pin_lets_nobody_in_and_the_right_one_does(
    phone: Opener, serve: Serve, complaints: Complaints
) -> None:
    complaints.forgive("status of 403")
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("de-DE"), "/join")
    wrong = f"{(int(served.pin) + 1) % 10**6:06}"
    for digit in wrong:
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.locator("#told")).to_contain_text("PIN")
    expect(page.locator("#pin")).to_have_value("")
    for digit in served.pin:
        page.get_by_role("button", name=digit, exact=True).tap()
    loaded(page.get_by_text("Ich spiele mit")).tap()
    page.get_by_role("button", name="Blau").tap()
    expect(page.get_by_role("heading", name="Wer bist du?")).to_be_visible()
    page.get_by_role("link", name="Ohne Namen spielen, als Blau").tap()
    expect(page.locator("#seat-blue .yours")).to_be_visible()


def test_who_joins_takes_an_animal_and_a_name_and_is_so_called(phone: Opener, serve: Serve) -> None:
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("de-DE"), f"/join#{served.pin}")
    loaded(page.get_by_text("Ich spiele mit")).tap()
    page.get_by_role("button", name="Rot").tap()
    loaded(page.get_by_label("Eule")).check()
    page.locator("#person-name").fill("Oma <b>Ilse")
    page.get_by_role("button", name="Das bin ich").tap()
    expect(page.locator("#told")).to_be_empty()
    expect(page.locator("#headline")).to_have_text("Du bist dran: Würfle!")
    expect(page.locator("#seat-red bdi")).to_have_text("Oma <b>Ilse")
    expect(page.locator("#seat-red .animal")).to_be_visible()
    other = served.open(phone("en-GB"), "/")
    expect(other.locator("#headline")).to_have_text("Oma <b>Ilse: roll the dice.")
    served.open(page, "/people")
    page.get_by_text("Oma <b>Ilse löschen").tap()
    page.get_by_role("button", name="Ja, löschen").tap()
    expect(other.locator("#headline")).to_have_text("Red: roll the dice.")


def test_a_name_has_no_more_letters_than_is_said(phone: Opener, serve: Serve) -> None:
    page = phone("en-GB")
    page.set_viewport_size({"width": 360, "height": 640})
    serve(FakeRoom("red", "blue")).open(page, "/people?seat=red", "red")
    field = page.get_by_label("Your name, if you like")
    expect(field).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("At most 12 letters")).to_be_in_viewport(ratio=1)
    for typed, kept in TYPED.items():
        field.fill(typed)
        expect(field).to_have_value(kept)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("width", "height"), [(360, 740), (320, 568)])
def test_the_key_of_who_has_chosen_an_animal_is_seen_without_scrolling(
    phone: Opener, serve: Serve, width: int, height: int
) -> None:
    page = serve(FakeRoom()).open(phone(), "/people?seat=red", "red")
    page.set_viewport_size({"width": width, "height": height})
    key = page.locator("#who button.wide-key")
    expect(key).to_be_in_viewport(ratio=1)
    page.locator(".animals input[value=owl]").check()
    key.tap()
    expect(page).to_have_url(re.compile(r"/$"))


def test_whoever_only_watches_is_asked_once(phone: Opener, serve: Serve) -> None:
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("en-GB"), f"/join#{served.pin}")
    loaded(page.get_by_role("button", name="I watch")).tap()
    expect(page.locator(".watching")).to_be_visible()
    assert page.url == f"{served.home}/"


def test_six_seats_with_names_fit_on_the_smallest_phone(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    seats = list(SEATS)
    room.ask(Command("six-1234", NewMatch("blackmore", {"seats": seats}, HouseRules()), "table"))
    served = serve(room)
    for seat, animal in zip(seats, Animal, strict=False):
        served.server.people.sit(seat, f"Maximiliane{seat[0]}", animal)
    page = phone("de-DE")
    page.set_viewport_size({"width": 320, "height": 568})
    served.open(page)
    for seat in seats:
        within = box_of(page.locator(f"#seat-{seat} .animal"))
        assert within["x"] >= 0
        assert within["x"] + within["width"] <= 320
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    strip = box_of(page.locator("#seats"))
    assert strip["height"] < 130


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
def test_four_long_names_stand_on_one_line_each_and_leave_room_for_a_ruling(
    phone: Opener, serve: Serve, width: int, height: int
) -> None:
    served = serve(accused())
    for seat, name, animal in zip(SEATS[:4], LONG, Animal, strict=False):
        served.server.people.sit(seat, name, animal)
    page = phone("de-DE")
    page.set_viewport_size({"width": width, "height": height})
    served.open(page, role="table")
    names = page.locator("#seats bdi")
    expect(names.first).to_have_text(LONG[0])
    assert names.evaluate_all("all => all.every(one => one.getClientRects().length === 1)")
    assert unseen(page) == []


def test_whoever_joins_from_setting_up_a_game_comes_back_to_it(phone: Opener, serve: Serve) -> None:
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("en-GB"), "/setup?game=via-magica")
    expect(page.locator(".watching").first).to_contain_text("A match is being played.")
    page.get_by_role("link", name="Join to act").first.tap()
    loaded(page.locator("#join"))
    for digit in served.pin:
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.locator("#begin")).to_be_visible()
    expect(page).to_have_url(f"{served.home}/setup?game=via-magica")
    expect(page.locator(".watching")).to_have_count(0)


def test_whoever_joins_on_the_way_to_a_page_is_led_there(phone: Opener, serve: Serve) -> None:
    served = serve(remembering())
    page = served.open(phone("en-GB"), "/history/m0?step=7")
    page.evaluate("location.assign('/join')")  # by whichever link
    page.wait_for_url(f"{served.home}/join")  # and its script is there
    for digit in served.pin:
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page).to_have_url(f"{served.home}/history/m0?step=7")
    expect(page.locator("#slider")).to_have_value("7")


def test_a_scanned_invitation_lets_in_and_leaves_no_pin_behind(phone: Opener, serve: Serve) -> None:
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("en-GB"), f"/join#{served.pin}")
    loaded(page.get_by_role("heading", name="Invite more phones"))
    expect(page).to_have_url(f"{served.home}/join")
    page.get_by_role("button", name="Let this phone go", exact=True).tap()
    expect(page.get_by_role("button", name="Let me in", exact=True)).to_be_visible()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("locale", "begin"), [("de-DE", "Partie beginnen"), ("en-GB", "Begin the match")]
)
def test_a_painted_board_is_played_on(phone: Opener, serve: Serve, locale: str, begin: str) -> None:
    room = FakeRoom()
    page = serve(room).open(phone(locale), "/setup", "table")
    key = page.get_by_role("button", name=begin)
    expect(key).to_be_enabled()
    paints(page)
    expect(page.locator("#faults li").first).to_be_visible()
    expect(key).to_be_disabled()
    page.locator("#painting [data-field='6']").tap()  # where it entered before
    expect(page.locator("#faults")).to_have_count(0)
    page.locator("input[name=brush][value=R]").check()
    page.locator("#painting [data-field='3']").tap()
    expect(page.locator("input[name=ring]")).to_have_value(re.compile("^B B B R Y"))
    page.locator("#painting [data-field='2']").focus()
    page.keyboard.press("Enter")  # by keys, too
    expect(page.locator("input[name=ring]")).to_have_value(re.compile("^B B R R Y"))
    expect(key).to_have_attribute("data-wish", re.compile(r'"B", ?"B", ?"R", ?"R", ?"Y"'))
    key.tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    assert isinstance(room.snapshot.settings, Settings)
    assert room.snapshot.settings.board.ring[:5] == ("B", "B", "R", "R", "Y")


def test_no_match_begins_before_the_last_change_was_read(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    page = serve(room).open(phone("en-GB"), "/setup", "table")
    waiting, key = held(page), page.locator("#begin")
    expect(key).to_be_enabled()
    first = changes(page, "put-back", waiting)
    expect(key).to_be_disabled()
    second = changes(page, "sit-out", waiting)
    with page.expect_response(CHECKED):
        first.continue_()  # the one before the last change
    expect(key).to_be_disabled()
    second.continue_()
    expect(key).to_be_enabled()
    key.tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    assert room.snapshot.house is not None
    assert room.snapshot.house.cost is FoulCost.SIT_OUT


def test_a_change_that_the_server_did_not_read_is_asked_again(
    phone: Opener, serve: Serve, complaints: Complaints
) -> None:
    complaints.forgive("ERR_FAILED|status of 503")
    room = FakeRoom()
    page = serve(room).open(phone("en-GB"), "/setup", "table")
    waiting, key = held(page), page.locator("#begin")
    page.evaluate(HASTE)  # it is asked again after seconds
    changes(page, "sit-out", waiting).abort()
    expect(page.locator("#told")).not_to_be_empty()
    expect(key).to_be_disabled()
    until(page, lambda: bool(waiting))
    waiting.pop().fulfill(status=503, body="")
    until(page, lambda: len(waiting) > 1)  # no answer at all: that has an end, too
    expect(key).to_be_disabled()
    page.evaluate("calm()")
    page.unroute_all(behavior="ignoreErrors")
    expect(key).to_be_enabled()
    key.tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    assert room.snapshot.house is not None
    assert room.snapshot.house.cost is FoulCost.SIT_OUT


def test_whoever_sets_up_by_keys_keeps_the_focus(desk: Opener, serve: Serve) -> None:
    page = serve(FakeRoom("red", "blue")).open(desk("en-GB"), "/setup", "table")
    waiting, key = held(page), page.locator("#begin")
    page.get_by_label("Give up the current match").focus()
    page.keyboard.press("Space")
    until(page, lambda: bool(waiting))
    waiting.pop().continue_()
    expect(key).to_be_enabled()
    expect(page.get_by_label("Give up the current match")).to_be_focused()
    key.focus()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, lambda: bool(waiting))
    expect(key).to_be_disabled()
    page.wait_for_function("() => document.activeElement === document.body")  # as browsers do then
    waiting.pop().continue_()
    expect(key).to_be_focused()
