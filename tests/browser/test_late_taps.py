"""A tap on what a phone still shows of an earlier match does nothing in the one that is played."""

import pytest
from playwright.sync_api import expect

from companion.referee.commands import Call, DoAction, GiveUp
from companion.referee.handlers import usual_match
from tests.browser.chromium import Complaints, Opener, box_of, halted, looked, pass_until, until
from tests.browser.served import Serve
from tests.web.room import FakeRoom


def test_a_late_tap_is_for_the_match_that_the_phone_shows(
    serve: Serve, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("ERR_FAILED|status of 409")
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 8"))
    table, page = serve(room), phone("en-US")
    page.route("**/api/stream*", lambda route: route.abort())
    page.route("**/api/view/*", lambda route: route.abort())  # the Wi-Fi is bad
    table.open(page, role="table")
    room.wish(GiveUp())
    room.wish(usual_match(("red", "blue")))
    room.wish(DoAction("roll 4"))
    page.get_by_role("button", name="Red has placed a barrel").tap()
    expect(page.locator("#told")).to_have_text(
        "That was for another match; look at the table again, then decide."
    )
    assert room.now.view.placed == ()


@pytest.mark.parametrize("late", [True, False], ids=["late", "soon"])
def test_a_key_stays_dead_until_the_page_shows_what_came_of_it(
    serve: Serve, phone: Opener, complaints: Complaints, *, late: bool
) -> None:
    complaints.forgive("ERR_FAILED")
    room = FakeRoom("red", "blue")
    table, page = serve(room), phone("en-US")
    page.route("**/api/stream*", lambda route: route.abort())
    page.route("**/api/view/*", lambda route: route.abort() if late else route.continue_())
    table.open(page, role="table")
    with page.expect_response("**/api/commands"):
        page.locator("#roll-8").tap()
    if not late:
        expect(page.locator("#table.phase-place")).to_be_visible()
        expect(page.locator("[aria-busy], [aria-disabled]")).to_have_count(0)
        return
    expect(page.locator("#roll-8")).to_have_attribute("aria-busy", "true")
    alive = page.locator("#play [data-wish]:not([disabled], [aria-disabled=true])")
    expect(alive).to_have_count(0)
    version = room.now.version
    page.locator("#roll-9").tap(force=True)
    page.wait_for_timeout(100)
    assert room.now.version == version
    assert room.now.view.magic == 8
    expect(page.locator("#told")).to_be_empty()


def test_a_question_that_is_settled_is_gone_at_once(
    serve: Serve, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("ERR_FAILED")
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 8"))
    room.wish(Call("snatched", "red"))
    table, page = serve(room), phone("en-US")
    page.route("**/api/stream*", lambda route: route.abort())
    page.route("**/api/view/*", lambda route: route.abort())  # it is not told what came of it
    table.open(page, role="table")
    card = page.locator("#play > .foul")
    card.get_by_role("button", name="No, that was nothing").tap()
    expect(card).to_be_hidden()
    assert room.now.fouls[-1].upheld is False


def test_a_foul_that_has_just_come_takes_no_tap_that_was_on_its_way(
    serve: Serve, phone: Opener
) -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 8"))
    table, page = serve(room), phone("en-US")
    with halted(page):
        table.open(page, role="table")
        looked(page)
        room.wish(Call("snatched", "red"))
        card = page.locator("#play > .foul")
        expect(card).to_have_js_property("inert", True)
        page.clock.run_for(1_000)
        expect(card).to_have_js_property("inert", False)
        card.get_by_role("button", name="No, that was nothing").tap()
        pass_until(page, lambda: card.count() == 0)
        assert room.now.fouls[-1].upheld is False


@pytest.mark.parametrize(
    ("done", "key", "then"),
    [
        (("roll 8",), "Red has placed a barrel", "No, Red is still choosing"),
        (("roll 8", "place red", "place blue"), "All barrels are flipped", "8"),
    ],
    ids=["place", "flip"],
)
def test_whoever_taps_twice_means_one_thing(
    done: tuple[str, ...], key: str, then: str, serve: Serve, phone: Opener
) -> None:
    room = FakeRoom("red", "blue")
    for event in done:
        room.wish(DoAction(event))
    table, page = serve(room), phone("en-US")
    with halted(page):
        table.open(page, role="table")
        looked(page)
        tapped = page.get_by_role("button", name=key)
        box = box_of(tapped)
        tapped.tap()
        next_key = page.get_by_role("button", name=then, exact=True).first
        pass_until(page, next_key.is_visible)
        version = room.now.version
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(200)
        assert room.now.version == version
        page.clock.run_for(500)
        next_key.tap()  # a little later it counts
        until(page, lambda: room.now.version > version)
