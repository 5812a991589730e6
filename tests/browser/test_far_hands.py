"""Somebody far away says by a tap what hands at the table are to do, and they see it at once."""

from playwright.sync_api import expect

from tests.browser.chromium import Opener
from tests.browser.served import Serve
from tests.web.playing import do, table


def test_hands_are_named_by_taps(phone: Opener, serve: Serve) -> None:
    room = table()
    served = serve(room)
    far, near = phone("de-DE"), phone("en-GB")
    served.open(far, "/people?next=/", role="blue")
    far.locator("#person-name").fill("Oma")
    far.locator("#shakes").select_option("red")
    far.locator("#who .stays button").tap()
    expect(far).to_have_url(f"{served.home}/")
    assert served.server.people.now.hands_of("blue") == "red"
    served.open(near, "/", role="red")
    do(room, "roll 9")
    room.stir()
    expect(near.locator("#ear-blue")).to_contain_text("You shake for Oma, too")
    far.get_by_role("button", name="Zurückstellen").tap()
    expect(near.locator("#ear-blue")).to_contain_text("Oma says: put it back")
    far.get_by_role("button", name="Behalten").tap()
    expect(near.locator("#ear-blue")).to_contain_text("Oma says: keep it.")
    pressed = far.get_by_role("button", name="Behalten")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    do(room, "place blue")
    room.stir()
    expect(near.locator("#ear-blue")).to_have_count(0)
    expect(far.locator("#ear-blue")).to_have_count(0)
