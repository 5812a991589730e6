"""A tap is carried out once, however bad the Wi-Fi is, and a refusal is said where one looks."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from companion.games.zapp_zerapp.rules import Colour
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.referee.commands import RollForUs
from companion.referee.maintenance_commands import JoinHall
from tests.browser.chromium import Complaints, Opener, halted, pass_until
from tests.browser.served import Serve
from tests.browser.sights import shaking
from tests.web.room import FakeRoom

BUTTON = """wish => {
    const live = document.querySelector('[data-live]');
    const button = document.createElement('button');
    button.id = 'tried';
    button.setAttribute('data-wish', JSON.stringify(wish));
    button.textContent = '!';
    const holder = document.createElement('div');
    holder.setAttribute('data-version', live.dataset.version);
    holder.append(button);
    document.querySelector('main').append(holder);
}"""


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


@pytest.fixture
def page(room: FakeRoom, serve: Serve, phone: Opener) -> Page:
    """Return the table's page on a phone that was let in."""
    return serve(room).open(phone("de-DE"), role="table")


def tap(page: Page, wish: dict[str, Any]) -> None:
    page.evaluate(BUTTON, wish)
    page.click("#tried")
    page.wait_for_selector("#tried:not([aria-busy])")


def test_a_tap_is_carried_out_or_its_refusal_said_in_the_readers_language(
    page: Page, room: FakeRoom, complaints: Complaints
) -> None:
    complaints.forgive("status of 4")
    tap(page, {"kind": "act", "text": "roll 13"})
    assert "13" in page.inner_text("#told")
    assert "Würfel" in page.inner_text("#told")
    room.commands.clear()
    page.evaluate("document.getElementById('tried').parentNode.remove()")
    tap(page, {"kind": "roll-for-us"})
    page.wait_for_selector('[data-live][data-version="1"]')
    assert [command.wish for command in room.commands] == [RollForUs()]
    assert room.commands[0].version == 0
    assert page.inner_text("#told") == ""


def test_what_got_lost_on_the_way_is_sent_again_as_the_same_request(
    page: Page, room: FakeRoom, complaints: Complaints
) -> None:
    complaints.forgive("ERR_")
    sent: list[str] = []

    def stumble(route: Route) -> None:
        sent.append(str(json.loads(route.request.post_data or "")["request"]))
        if len(sent) == 1:
            route.abort()  # it never got there
        elif len(sent) == 2:
            route.fetch()  # it got there, but the answer was lost
            route.abort()
        else:
            route.continue_()

    page.route("**/api/commands", stumble)
    tap(page, {"kind": "roll-for-us"})
    page.wait_for_selector('[data-live][data-version="1"]')
    assert len(sent) == 3
    assert len(set(sent)) == 1
    assert room.snapshot.version == 1
    assert page.inner_text("#told") == ""


def test_when_nobody_answers_the_page_says_so(page: Page, complaints: Complaints) -> None:
    complaints.forgive("ERR_")
    page.route("**/api/commands", lambda route: route.abort())
    tap(page, {"kind": "roll-for-us"})
    assert page.inner_text("#told").startswith("Die Rappelwacht antwortet nicht.")


def test_a_code_is_sent_as_pasted(page: Page, room: FakeRoom, complaints: Complaints) -> None:
    complaints.forgive("422")  # this room has no workshop that could do it
    nothing = CalibrationShown(0, 0, None, (), ())
    room.workshop = MaintenanceSnapshot(1, opened=MaintenanceDetails((), (), nothing))
    page.goto(page.url + "workshop")
    page.click("#hall summary")
    page.fill("#hall-code", " RW1-AB2C ")
    page.click("#hall-join")
    page.wait_for_selector("#hall-join:not([aria-busy])")
    assert [one.wish for one in room.commands] == [JoinHall("RW1-AB2C")]


def test_whoever_acted_may_undo_that_for_six_seconds(phone: Opener, serve: Serve) -> None:
    room = shaking()
    page, other = phone("en-GB"), phone("en-GB")
    with halted(page):
        served = serve(room)
        served.open(other, role="green")
        served.open(page, role="blue")
        toast, places = (
            page.locator("#undo"),
            page.get_by_role("button", name="I have placed my barrel"),
        )
        places.click()
        toast.get_by_role("button", name="Undo").click()
        expect(toast).to_be_empty()
        assert room.now.view.placed == (Colour.RED,)
        pass_until(page, lambda: places.is_visible() and places.is_enabled())
        places.click()
        expect(toast).to_contain_text("You have chosen")
        expect(other.locator("#undo")).to_be_empty()  # it is for whoever acted
        page.clock.run_for(6000)
        expect(toast).to_be_empty()
        expect(page.locator("#take-back")).to_have_count(1)  # the old way stays
