"""On a phone: it is let in, a board is painted and mended, and the match begins with it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.phone.room import Room
from companion.rules.zapp_zerapp import Settings
from tests.browser.chromium import Complaints, Opener
from tests.browser.served import Served
from tests.browser.sights import paints
from tests.phone.room import FakeRoom

Serve = Callable[[Room], Served]


def test_a_wrong_pin_lets_nobody_in_and_the_right_one_does(
    phone: Opener, serve: Serve, complaints: Complaints
) -> None:
    complaints.forgive("status of 403")
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("de-DE"), "/join")
    page.locator("input[name=seat][value=blue]").check()
    wrong = f"{(int(served.pin) + 1) % 10**6:06}"
    for digit in wrong:
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.locator("#told")).to_contain_text("PIN")
    expect(page.locator("#pin")).to_have_value("")
    for digit in served.pin:
        page.get_by_role("button", name=digit, exact=True).tap()
    expect(page.get_by_role("heading", name="Dieses Handy spielt mit")).to_be_visible()
    expect(page.locator("main .big")).to_contain_text("Blau")
    page.get_by_role("link", name="Zum Tisch").tap()
    expect(page.locator("#seat-blue .yours")).to_be_visible()


def test_a_scanned_invitation_lets_a_phone_in_and_leaves_no_pin_behind(
    phone: Opener, serve: Serve
) -> None:
    served = serve(FakeRoom("red", "blue"))
    page = served.open(phone("en-GB"), f"/join#{served.pin}")
    expect(page.get_by_role("heading", name="Invite more phones")).to_be_visible()
    expect(page).to_have_url(f"{served.home}/join")
    page.get_by_role("button", name="Let this phone go", exact=True).tap()
    expect(page.get_by_role("button", name="Let me in", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "begin"), [("de-DE", "Partie beginnen"), ("en-GB", "Begin the match")]
)
def test_a_painted_board_is_mended_and_played_on(
    phone: Opener, serve: Serve, locale: str, begin: str
) -> None:
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
