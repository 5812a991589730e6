"""The pages of a hall: all tables live, one of them, and a screen that the director chooses for."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from companion.hall.server_app import HallServer
from companion.mqtt.payloads import Events, JournalLine, Online
from companion.present.mqtt_state import state_of
from tests.browser.chromium import Complaints, Drawer, Opener, Screen, barriers, too_small, too_wide
from tests.hall.matches import Moment, moments

HERE = "127.0.0.1"
GAMES = ("zapp-zerapp", "trap-the-wizard", "via-magica", "blackmore")


class Connected:
    """A line to a broker that is there."""

    connected, others = True, frozenset[str]()


class Followed:
    """A hall whose tables say what a test wants, without a broker between."""

    def __init__(self, hall: HallServer) -> None:
        self.hall = hall
        hall.link = Connected()  # type: ignore[assignment]
        self.home = f"http://{HERE}:{hall.serve(0, HERE).port}"

    def say(self, name: str, moment: Moment) -> None:
        """Have a table be as it was at a moment."""
        self.hall.tables.get_or_add(name)
        state = state_of(moment.snapshot, at_ms=1)
        self.hall.tables.update(name, online=Online(online=True), state=state)
        found = self.hall.tables.named(name)
        self.hall._table_changed(found)

    def play(self, name: str, game: str, events: int, seed: int = 1) -> list[Moment]:
        """Have a match be played at a table."""
        found = [*moments("m", game, Random(seed), events)]
        entries = [one.entry for one in found]
        said = [JournalLine(e.number, e.at_ms, e.kind, e.body, e.request, e.ends) for e in entries]
        self.hall.replica.handle_events(name, Events("m", 0, tuple(said), self.hall.replica.hall))
        self.hall.store.write(lambda _: None)
        self.say(name, found[-1])
        return found


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    with HallServer(tmp_path) as hall:
        found = Followed(hall)
        for number, game in enumerate(GAMES, 1):
            found.play(f"table-{number}", game, 30)
        yield found


def direct(page: Page, followed: Followed) -> None:
    """Sign in as the director."""
    page.goto(f"{followed.home}/sign-in?back=/screens")
    page.fill("#pin", followed.hall.accounts.pin)
    page.click("main button")


def fits(page: Page) -> None:
    """Demand that nothing is wider than the page, and nobody is kept out."""
    assert too_wide(page) == []
    assert barriers(page) == []
    assert too_small(page) == []


def test_all_tables_are_live_and_one_with_what_happened(followed: Followed, phone: Opener) -> None:
    page = phone()
    page.goto(followed.home)
    expect(page.locator(".tile")).to_have_count(4)
    expect(page.locator("#tile-1 .tile-board svg")).to_have_count(1)  # it came by the stream
    fits(page)
    before = page.locator("#tile-2 .tile-said").inner_text()
    for moment in moments("m", "trap-the-wizard", Random(1), 60):
        last = moment
    followed.say("table-2", last)
    followed.play("table-5", "blackmore", 3)
    expect(page.locator(".tile")).to_have_count(5)
    page.locator("#tile-1 a").click()
    expect(page.locator("#watched h1")).to_contain_text("1")
    assert page.locator(".watched-told li").count() > 2
    assert before
    fits(page)


WALL: Final = """() => {
    const box = one => one.getBoundingClientRect(), all = Array.from(document.querySelectorAll(
        '.tile > a, .tile-name, .tile-said, .tile-seats, .tile-board, .wall-foot > *, #clock'));
    const name = one => (one.closest('li') || one).id + ' ' + one.className;
    const tiles = Array.from(document.querySelectorAll('.tile')).map(box);
    return {
        outside: all.filter(one => box(one).right > innerWidth
            || box(one).bottom > innerHeight
            || one.closest('li') && box(one).bottom > box(one.closest('li')).bottom + 1).map(name),
        small: all.filter(one => parseFloat(getComputedStyle(one).fontSize) < .0165 * innerHeight)
            .map(name),
        filled: tiles.reduce((sum, one) => sum + one.width * one.height, 0)
            / (innerWidth * innerHeight),
    };
}"""


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
@pytest.mark.parametrize("count", [40, 1, 5, 2, 8, 13, 24, 25, 33])
def test_all_tables_fill_the_wall_and_are_read_from_afar(
    count: int, size: tuple[int, int], tmp_path: Path, drawer: Drawer, complaints: Complaints
) -> None:
    with HallServer(tmp_path) as hall:
        followed = Followed(hall)
        for number in range(count):
            game = GAMES[number % 4]
            followed.say(f"table-{number + 1}", [*moments("m", game, Random(1), 20)][-1])
        hall.tournament.check_in("Ida")
        wall = Opener(drawer, Screen(*size))("de-DE")
        wall.goto(f"{followed.home}/screen")
        wall.click("main button")
        wall.locator(".code-word").wait_for()
        hall.screens.show(next(iter(hall.screens)).id, "hall")
        expect(wall.locator(".tile")).to_have_count(count)
        expect(wall.locator("#wall-foot")).to_contain_text("1 Person da")
        expect(wall.locator("#clock")).to_have_text(re.compile(r"^\d\d:\d\d$"))
        seen = wall.evaluate(WALL)
        assert (seen["outside"], seen["small"]) == ([], [])
        assert seen["filled"] > 0.69
        hall.tournament.check_in("Ali")
        expect(wall.locator("#wall-foot")).to_contain_text("2 Leute da")
        drawer.put_back()
    assert complaints.left == []


def test_screens_show_what_is_chosen(followed: Followed, phone: Opener, desk: Opener) -> None:
    wall, mine = desk(), phone()
    wall.goto(f"{followed.home}/screen")
    wall.click("main button")
    code = wall.locator(".code-word").inner_text()
    direct(mine, followed)
    mine.fill("input[name=code]", code.lower())
    mine.locator("main form select").last.select_option("table 2")
    mine.locator("main form button").last.click()
    expect(wall.locator("#wall-table-2 .wall-board svg")).to_have_count(1)
    fits(mine)
    mine.locator("main form select").first.select_option("table 1 2 3 4")
    mine.locator("main form button").first.click()
    expect(wall.locator(".wall-table")).to_have_count(4)
    assert too_wide(wall) == []
    for moment in moments("m", "trap-the-wizard", Random(1), 50):
        last = moment
    followed.say("table-2", last)
    expect(wall.locator("#wall-table-2")).to_have_attribute("data-version", str(last.entry.number))
    wall.reload()
    expect(wall.locator(".wall-table")).to_have_count(4)


def test_what_is_said_can_be_read_on_a_phone(followed: Followed, phone: Opener) -> None:
    page = phone("de-DE")
    page.goto(f"{followed.home}/asyncapi")
    page.locator("summary", has_text="State").first.click()
    expect(page.locator("code", has_text="batteries").first).to_be_visible()
    fits(page)


def test_a_first_look_is_small(followed: Followed, phone: Opener) -> None:
    page, sizes = phone(), list[int]()
    page.on("response", lambda answer: sizes.append(_size(answer.headers)))
    answer = page.goto(followed.home, wait_until="load")
    assert answer is not None
    assert 1_000 < sum(sizes) <= 120_000
    assert 1_000 < _size(answer.headers) <= 30_000


def _size(headers: dict[str, str]) -> int:
    return int(headers.get("content-length", 0))
