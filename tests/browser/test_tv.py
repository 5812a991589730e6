"""On a television: large enough for four metres, all within the screen, and never a tap."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import companion.web
from companion.journal import JournalState
from companion.referee.commands import NewMatch
from companion.referee.events import HouseRules
from companion.system.status import Condition
from tests.browser.chromium import Complaints, OnScreen, Screen, barriers, box_of
from tests.browser.phases import next_of
from tests.browser.served import Serve
from tests.browser.sights import caught, flipping, joining, shaking
from tests.web.playing import do, moving, won
from tests.web.room import FakeRoom
from tests.web.running import RUNNING

STATIC = Path(companion.web.__file__).parent / "static"
HD, FULL_HD, UHD = Screen(1280, 720), Screen(1920, 1080), Screen(3840, 2160)
SCALE = """() => {
    const words = document.querySelector('#picture > *');
    return words.getBoundingClientRect().width / words.offsetWidth;
}"""
UPRIGHT, BEAMER = Screen(1080, 1920), Screen(1024, 768)
NAME_SHARE = 48 / 1080  # of the height of a screen that lies


def of_six() -> FakeRoom:
    """Return a table of six who all choose, with a full card, and of which all is recorded."""
    room, seats = FakeRoom(), ["red", "green", "blue", "yellow", "violet", "white"]
    do(room, NewMatch("via-magica", {"seats": seats}, HouseRules()))
    room.referee.handle_conditions(
        (Condition(JournalState.FULL, 0, {"file": "journal.sqlite3"}),), 0
    )
    room.recorded = True
    return room


ROOMS: dict[str, Callable[[], FakeRoom]] = {
    "nobody": FakeRoom,
    "joining": joining,
    "shaking": shaking,
    "flipping": flipping,
    "caught": caught,
    "over": won,
    "six": of_six,
    **{name: of for name, (_, of) in RUNNING.items()},
}
CASES = [
    *((name, FULL_HD) for name in ROOMS),
    *((name, size) for name in ROOMS for size in (HD, UHD, UPRIGHT, BEAMER)),
]
MEASURED = """() => {
    const box = one => one.getBoundingClientRect();
    const shown = one => one.offsetParent !== null && one.textContent.trim();
    const all = Array.from(document.querySelectorAll(
        '#headline, #stands, #banner, #how, #last, #seats li, #picture > *, .code'));
    const clipped = Array.from(document.querySelectorAll(
        '#side, #banner, #stage, #seats li, #notes'));
    const picture = document.querySelector('#picture > *, #crest, #stage > .landscape, #happened');
    return {
        names: Array.from(document.querySelectorAll('#seats .seat-name'))
            .map(one => parseFloat(getComputedStyle(one).fontSize)),
        picture: picture ? [box(picture).width, box(picture).height] : null,
        outside: all.filter(one => box(one).width && (box(one).left < -1 || box(one).top < -1
            || box(one).right > innerWidth + 1 || box(one).bottom > innerHeight + 1))
            .map(one => one.id || one.className),
        clipped: clipped.filter(one => shown(one) && (one.scrollHeight > one.clientHeight + 2
            || one.scrollWidth > one.clientWidth + 2)).map(one => one.id),
        covered: Array.from(document.querySelectorAll(
            '#headline, #seats li, #banner, #notes p, #how, #last')).filter(one => {
            const a = box(one);
            const things = ['#join .code', '#clock'].map(what => document.querySelector(what));
            return things.filter(thing => thing && box(thing).width).some(thing => {
            const b = box(thing);
            const range = document.createRange();
            range.selectNodeContents(one);
            const words = one.id === 'headline' ? range.getBoundingClientRect() : a;
            return words.left < b.right && b.left < words.right
                && words.top < b.bottom && b.top < words.bottom;
            });
        }).map(one => one.id),
    };
}"""

UNEVEN = """all => all.map(one => Math.abs(["bdi", ".doing"]
    .map(what => one.querySelector(what).getBoundingClientRect().bottom)
    .reduce((name, fact) => name - fact)))"""


@pytest.fixture
def television(on: OnScreen) -> Callable[[Screen], Page]:
    """Open a page on a television: `television(FULL_HD)`."""
    return lambda screen: on(screen)("de-DE")


def measured(page: Page) -> dict[str, Any]:
    page.wait_for_load_state("load")
    found: dict[str, Any] = page.evaluate(MEASURED)
    return found


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(("name", "screen"), CASES)
def test_all_of_it_is_large_and_within_the_screen(
    name: str, screen: Screen, television: Callable[[Screen], Page], serve: Serve
) -> None:
    page = serve(ROOMS[name]()).open(television(screen), "/tv?language=de")
    found = measured(page)
    assert found["outside"] == []
    assert found["clipped"] == []
    assert found["covered"] == []
    lies = screen.width_px > screen.height_px
    least = NAME_SHARE * (screen.height_px if lies else screen.width_px)
    assert not [size for size in found["names"] if size < least - 0.1]
    width, height = found["picture"]
    if screen in (HD, FULL_HD, UHD) and name not in ("via-magica-keeping", "six"):
        assert height >= 0.89 * screen.height_px or width >= 0.5 * screen.width_px


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", ["shaking", "trap-moving", "blackmore-following"])
def test_the_board_has_nine_tenths_of_the_height(
    name: str, television: Callable[[Screen], Page], serve: Serve
) -> None:
    page = serve(ROOMS[name]()).open(television(FULL_HD), "/tv")
    assert box_of(page.locator("#picture > svg"))["height"] >= 0.9 * 1080


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("screen", [Screen(1080, 1440), BEAMER, UPRIGHT])
def test_on_other_screens_it_has_nine_tenths_of_what_it_could_have(
    screen: Screen, television: Callable[[Screen], Page], serve: Serve
) -> None:
    page = serve(shaking()).open(television(screen), "/tv?language=de")
    found = measured(page)
    lies = screen.width_px > screen.height_px  # a banner takes a tenth of the height
    assert min(found["picture"]) >= 0.9 * (0.9 * screen.height_px if lies else screen.width_px)
    assert found["clipped"] == []


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("steps", "least"), [(0, 2.1), (120, 0.7)])
def test_cards_of_six_are_as_large_as_an_upright_screen_lets_them(
    steps: int, least: float, television: Callable[[Screen], Page], serve: Serve
) -> None:
    room, chance = of_six(), Random(3)
    for _ in range(steps):
        wish, by = next_of(room, chance)
        room.wish(wish, by=by)
    page = serve(room).open(television(Screen(1080, 1440)), "/tv?language=de")
    found = measured(page)
    scale = page.evaluate(SCALE)
    assert scale > least
    assert found["picture"][1] >= 0.9 * box_of(page.locator("#picture"))["height"]
    assert found["clipped"] == []


def test_awards_are_honoured_on_it(television: Callable[[Screen], Page], serve: Serve) -> None:
    page = serve(won()).open(television(FULL_HD), "/tv")
    expect(page.locator("#awards li")).not_to_have_count(0)
    assert max(page.locator("#awards li").evaluate_all(UNEVEN)) < 4  # pixels
    assert measured(page)["clipped"] == []


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", ["nobody", "caught", "over"])
def test_nobody_is_kept_out(name: str, television: Callable[[Screen], Page], serve: Serve) -> None:
    page = serve(ROOMS[name]()).open(television(FULL_HD), "/tv?language=de")
    assert barriers(page) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, "color-contrast") == []


def test_it_follows_the_table_without_a_tap_and_says_when_it_cannot(
    television: Callable[[Screen], Page], serve: Serve, complaints: Complaints
) -> None:
    complaints.forgive("ERR_|status of|Failed to")
    room = moving()
    served = serve(room)
    page = served.open(television(HD), "/tv?language=en")
    expect(page.locator("#headline")).to_contain_text("Red moves")
    do(room, "move red start")
    room.stir()
    expect(page.locator("#headline")).to_contain_text("Green moves")
    assert page.evaluate("getComputedStyle(document.body).cursor") == "none"
    served.stop()
    expect(page.locator("#line")).to_contain_text("No connection")


def test_a_match_that_begins_while_it_hangs_there_fits_it_too(
    television: Callable[[Screen], Page], serve: Serve
) -> None:
    room = FakeRoom()
    page = serve(room).open(television(FULL_HD), "/tv?language=de")
    do(room, NewMatch("zapp-zerapp", {"seats": ["red", "green"]}, HouseRules()))
    room.stir()
    board = page.locator("#picture > svg")
    expect(board).to_be_visible()
    assert measured(page)["clipped"] == []
    box = box_of(board)
    assert 0.9 * 1080 <= box["height"] <= 0.92 * 1080


def test_nothing_stands_still_for_hours(television: Callable[[Screen], Page], serve: Serve) -> None:
    page = television(FULL_HD)
    page.clock.install()
    serve(moving()).open(page, "/tv")
    seen = set()
    for _ in range(12):
        box = box_of(page.locator("#headline"))
        seen.add((round(box["x"]), round(box["y"])))
        assert measured(page)["outside"] == []
        page.clock.run_for(90_000)
    assert len(seen) >= 5


NEWER = {  # than Chromium 53, of 2016, which is in televisions that were sold until 2019
    ".js": r"=>|`|\?\.|\?\?|\basync\b|\bawait\b|\blet\b|\bconst\b|\.\.\.|toggleAttribute"
    r"|\.finally\(|replaceChildren|\.append\(|\.at\(|matchAll|Object\.entries",
    ".css": r"\bgap:|\bgrid|\binset:|clamp\(|\bmin\(|\bmax\(|[^-]aspect-ratio:|\ddvh|:has\(|:is\(",
}


ON_EACH_OTHER = """() => {
    const box = one => one.getBoundingClientRect();
    const rows = Array.from(document.querySelectorAll('#seats li')).map(
        li => Array.from(li.querySelectorAll('bdi, .doing > span, .places, .number')));
    const chairs = Array.from(document.querySelectorAll('#picture .chair')).map(
        chair => Array.from(chair.querySelectorAll('.sign, .name')));
    const stage = box(document.querySelector('#stage'));
    return rows.concat(chairs).filter(row => {
        const boxes = row.map(box).filter(one => one.width).sort((a, b) => a.left - b.left);
        return boxes.some((one, at) => at && one.left < boxes[at - 1].right)
            || chairs.includes(row) && (boxes[0].left < stage.left || boxes[1].right > stage.right);
    }).map(row => row[0].closest('[id], .chair').textContent.trim());
}"""


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    "room", ["zapp-zerapp", "trap-moving", "via-magica-placing", "blackmore-following"]
)
def test_a_long_name_stands_on_nothing_else(
    room: str, television: Callable[[Screen], Page], serve: Serve
) -> None:
    served = serve(ROOMS[room]())
    for seat, name in (("red", "Maximiliane"), ("green", "Wolfgang-Ulf"), ("blue", "MMMMMMMMMMMM")):
        served.server.people.sit(seat, name)
    for screen in (FULL_HD, HD):
        page = served.open(television(screen), "/tv?language=de")
        assert measured(page)["clipped"] == []
        assert page.evaluate(ON_EACH_OTHER) == []


def test_long_names_are_whole(television: Callable[[Screen], Page], serve: Serve) -> None:
    served = serve(moving())
    for seat, name in (("red", "Maximiliane"), ("green", "Wolfgang-Ulf"), ("blue", "MMMMMMMMMMMM")):
        served.server.people.sit(seat, name)
    for screen in (FULL_HD, UPRIGHT, BEAMER):
        found = measured(served.open(television(screen), "/tv?language=de"))
        assert found["clipped"] == []
        assert min(found["names"]) >= (48 if screen is FULL_HD else 24)


def test_an_old_television_can_read_it(television: Callable[[Screen], Page], serve: Serve) -> None:
    page = serve(moving()).open(television(FULL_HD), "/tv")
    loaded = page.evaluate("Array.from(document.scripts).map(one => one.src)")
    names = [src.rpartition("/")[2].partition("?")[0] for src in loaded]
    assert {"tv.js", "live.js"} <= {*names}
    for name in (*names, "tv.css", "drama.css"):
        file = STATIC / name
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text("utf-8"), flags=re.DOTALL)
        assert (name, re.findall(NEWER[file.suffix], text)) == (name, [])


BLOCK = re.compile(r"@(?:container|supports|layer)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


def aged(sheet: str) -> str:
    """Return what is left of a style sheet where nobody knows what is newer.

    >>> aged("a { gap: 1px; top: 0 } b:has(c), d { top: 0 } @container (width > 1px) { e { } }")
    'a { top: 0 }'
    """
    sheet = BLOCK.sub("", re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))

    def rule(found: re.Match[str]) -> str:
        selector, body = found.groups()
        if re.search(r":has\(|:is\(|:where\(|:focus-visible", selector):
            return ""  # with all that it lists
        kept = [one for one in body.split(";") if not re.search(NEWER[".css"], one)]
        return f"{selector}{{{';'.join(kept)}}}"

    return RULE.sub(rule, sheet).strip()


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    "name", ["shaking", "over", "nobody", "trap-moving", "blackmore-following"]
)
def test_an_old_television_shows_all_of_it(
    name: str, television: Callable[[Screen], Page], serve: Serve
) -> None:
    page = television(FULL_HD)

    def age(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=aged(answer.text()))

    page.route(re.compile(r"\.css"), age)
    served = serve(ROOMS[name]())
    found = measured(served.open(page, "/tv"))
    page.unroute_all()
    assert (found["outside"], found["clipped"], found["covered"]) == ([], [], [])
    assert found["picture"] is not None
    width_px, height_px = found["picture"]
    assert height_px > 0.5 * FULL_HD.height_px
    assert width_px > 0.4 * FULL_HD.width_px
