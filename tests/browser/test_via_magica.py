"""Via Magica by taps: a whole game on two phones with a bot, and one that keeps score by hand."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from companion.core.game import TABLE, Action
from companion.core.notation import write
from companion.games.via_magica.players import experienced
from companion.games.via_magica.rules import Crystallize, Keep, Phase
from companion.system.text import seat_word
from tests.browser.chromium import Opener, box_of
from tests.browser.served import Serve, shows
from tests.web.games.magic import caught, kept, play, to_open
from tests.web.room import FakeRoom

PEOPLE = ("red", "yellow")
TAPPED = 12  # this many decisions, then whatever comes for the first time, and the end; else all


def wish(page: Page, text: str) -> None:
    """Tap what does this; it can be seen."""
    page.locator(f"""[data-wish*='"{text}"']:visible""").first.tap()


def taps(page: Page, action: Action) -> None:
    """Do something as people do: choose a hand, or a crystal and then a field, or tap a key."""
    if isinstance(action, Keep):
        for portal in action.portals or ():
            page.locator(f"#keep-{portal}").check()
        page.locator("#confirm-keeping").tap()
        return
    if isinstance(action, Crystallize) and action.source is not None:
        field = f"{action.source.portal}-{action.source.animus.name.lower()}"
        page.locator(f".spot:has(input[id$='-{field}'])").tap()
    wish(page, write(action))


def decides(room: FakeRoom, page: Page | None) -> None:
    """Have the next decision made, by tapping the page or without it."""
    view = room.snapshot.view
    if view.turns == (TABLE,):
        if page:
            page.locator("#draw-for-us, #call-1").first.tap()
        else:
            play(room, "draw" if view.phase is Phase.CATCH else "call")
        return
    seat = next(seat for seat in view.turns if seat_word(seat) in PEOPLE)
    seen = room.snapshot.seen_by(seat_word(seat))
    action = experienced(room.snapshot.settings, seen, seat, seen.choices, Random(1))
    if page:
        taps(page, action)
    else:
        play(room, write(action))


def acts(room: FakeRoom) -> str:
    """Return the seat whose phone is needed now."""
    view = room.snapshot.view
    if view.phase is Phase.CATCH:
        return seat_word(view.catcher)
    awaited = view.queue if view.phase is Phase.CALL else view.turns
    return next((word for word in map(seat_word, awaited) if word in PEOPLE), PEOPLE[0])


@pytest.mark.slow
def test_a_whole_game_is_played_by_taps_on_two_phones(
    phone: Opener, serve: Serve, full: bool
) -> None:
    room = FakeRoom()
    room.referee.chance = Random(4)
    served = serve(room)
    pages = {seat: served.open(phone("en-GB"), role=seat) for seat in PEOPLE}
    red, watcher = pages["red"], served.open(phone("de-DE"))
    red.goto(f"{served.home}/setup?game=via-magica")
    for seat in ("red", "green", "blue", "yellow", "violet", "white"):
        who = "people" if seat in PEOPLE else "casual" if seat == "blue" else ""
        red.locator(f"#seat-{seat}").select_option(who)
    begins = red.get_by_role("button", name="Begin the match")
    expect(begins).to_have_attribute("data-wish", re.compile('"red", ?"blue", ?"yellow".*casual'))
    begins.tap()
    expect(red.locator("#keeping-red")).to_be_visible()
    expect(pages["yellow"].locator("#keeping-yellow")).to_be_visible()
    done, phases = 0, set[Phase]()
    while not room.snapshot.over:
        phase = room.snapshot.view.phase
        opened = max(len(zone.opened) for zone in room.snapshot.view.zones)
        tapped = full or done < TAPPED or opened >= 6 or phase not in phases
        done += 1
        assert done < 999
        page = pages[acts(room)]
        if tapped:
            phases.add(phase)
            room.stir()
            shows(page, room)
        before = room.snapshot.version
        decides(room, page if tapped else None)
        if tapped:
            expect(page.locator(f"#table[data-version='{before}']")).to_have_count(0)
            shows(watcher, room)
            assert watcher.locator("main form, main [data-wish]").count() == 0
    assert phases > {Phase.KEEP, Phase.CATCH, Phase.CRYSTALLIZE, Phase.OPEN, Phase.TAKE}
    assert room.snapshot.outcome is not None
    for page in (*pages.values(), watcher):
        shows(page, room)
        for _, points in room.snapshot.outcome.scores:
            expect(page.locator(".scores")).to_contain_text(str(points))
    expect(red.get_by_role("button", name="Another match, the same way")).to_be_visible()


def test_a_crystal_is_moved_by_tapping_it_and_then_a_field(phone: Opener, serve: Serve) -> None:
    room = caught("water", "air")
    page = serve(room).open(phone("en-GB"), role="red")
    fields = page.locator("#building-r2-red")
    assert fields.locator(".here:visible").count() == 2  # from the supply: 21 and 33
    fields.locator(".movable").first.tap()
    expect(fields.locator(".here:visible")).to_have_count(2)
    fields.get_by_role("button", name="Place on air of portal 33").tap()
    expect(fields).to_have_count(0)
    zone = room.snapshot.view.zones[0]
    assert zone.supply == 6
    assert sum(sum(building.covered) for building in zone.building) == 1


@pytest.mark.parametrize("room", [lambda: kept(("water",)), to_open])
def test_own_portals_are_seen_whole_while_one_draws_and_calls(
    phone: Opener, serve: Serve, room: Callable[[], FakeRoom]
) -> None:
    page = serve(room()).open(phone("de-DE"), role="red")
    for width, height in ((320, 568), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        panel, portals = box_of(page.locator("#play")), page.locator("#zone-red .portal")
        assert portals.count() == 3
        for portal in portals.all():
            box = box_of(portal)
            assert box["y"] + box["height"] <= panel["y"] + 1


@pytest.mark.slow
def test_a_game_with_real_portals_is_begun_on_one_phone(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    page = serve(room).open(phone("de-DE"), role="table")
    page.goto(f"{page.url}setup?game=via-magica")
    for seat in ("red", "green", "blue"):
        page.locator(f"#seat-{seat}").select_option("people" if seat != "blue" else "")
    page.locator("#rules > summary").tap()
    page.get_by_text("Eigene Tore und eigener Beutel").tap()
    begins = page.get_by_role("button", name="Partie beginnen")
    expect(begins).to_have_attribute("data-wish", re.compile('"red", ?"green".*"by_hand": ?true'))
    begins.tap()
    expect(page.locator("#headline")).to_contain_text("Welches ist Nummer 1?")
    for number, hue in ((26, "violett"), (11, "gelb"), (7, "grün"), (38, "blau"), (23, "gelb")):
        tells(page, room, hue, number)
    for number, hue in ((33, "violett"), (9, "grün"), (21, "gelb")):
        tells(page, room, hue, number)
    expect(page.locator("#telling-green")).to_be_visible()
    for number, hue in ((33, "violett"), (10, "grün"), (39, "blau")):
        tells(page, room, hue, number)
    page.get_by_role("button", name="Wasser").tap()
    page.get_by_role("button", name="Auf Wasser von Tor 9 setzen").tap()
    expect(page.locator("#building-r1-red")).to_have_count(0)
    assert room.snapshot.view.zones[0].supply == 6


def tells(page: Page, room: FakeRoom, hue: str, number: int) -> None:
    """Tap the colour of a portal, then the portal."""
    before = room.snapshot.version
    page.get_by_role("radio", name=hue, exact=True).check()
    wish_ = page.locator(f".card-key[id$='-{number}']:visible")
    wish_.tap()
    expect(page.locator(f"#table[data-version='{before}']")).to_have_count(0)
