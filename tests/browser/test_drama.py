"""What happened is seen one after another, each long enough, and then the page as it is now."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from companion.referee.commands import Call, DoAction, Undo
from tests.browser.chromium import Complaints, Opener, box_of, halted, looked, pass_until
from tests.browser.served import Serve
from tests.browser.test_live import SLEEPS
from tests.web.playing import moving, nearly_won
from tests.web.room import FakeRoom

pytestmark = pytest.mark.leisure
Motion = Literal["no-preference", "reduce"]
TAKES_DOWN = """() => {
    window.taken = [];
    ['moment', 'momentend'].forEach(name => document.addEventListener(name, event => {
        const told = event.detail;
        window.taken.push([name, told.kind, told.sentence, told.late,
                           document.getElementById('headline').textContent]);
    }));
}"""


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


@pytest.fixture
def follow(serve: Serve, phone: Opener) -> Iterator[Callable[..., Page]]:
    """Open a table on a phone that follows it already; time passes there only if it is told to."""
    with ExitStack() as life:

        def open_(room: FakeRoom, motion: Motion = "reduce") -> Page:
            table, page = serve(room), phone("en-US", lively=motion == "no-preference")
            life.enter_context(halted(page))
            table.open(page, role="table")
            looked(page)
            return page

        yield open_


@pytest.fixture
def page(room: FakeRoom, follow: Callable[..., Page]) -> Page:
    """Follow the table, and take down what is told."""
    page = follow(room)
    page.evaluate(TAKES_DOWN)
    return page


def shown(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.rappel.shown")
    return found


def rests(page: Page, moments: int) -> list[dict[str, Any]]:
    """Wait until so many moments were shown; return them."""
    pass_until(page, lambda: len(shown(page)) >= moments)
    return shown(page)


def happen(room: FakeRoom, *events: Callable[[], object]) -> None:
    """Have all this happen; phones are told of each event, and often see several at once."""
    for event in events:
        event()
        room.stir()


def place_and_flip(room: FakeRoom) -> None:
    happen(
        room, lambda: room.place("red", 5), lambda: room.place("blue", 9), lambda: room.flip(5, 9)
    )


def flipped(room: FakeRoom, page: Page) -> None:
    """Have barrels flipped while dice are shown, so late that none of it is too much at once."""
    happen(room, lambda: room.wish(DoAction("roll 7")))
    page.locator("#drama.kind-dice").wait_for()
    page.clock.run_for(600)
    place_and_flip(room)
    looked(page, room.now.version)


def test_each_moment_has_its_time_and_the_page_follows_them(room: FakeRoom, page: Page) -> None:
    flipped(room, page)
    found = rests(page, 4)
    assert [one["kind"] for one in found] == [*("dice", "plain", "plain", "reveal")]
    for one, then in pairwise(found):
        assert one["to"] - one["from"] >= one["ms"]
        assert then["from"] >= one["to"]
    assert not any(one["skipped"] for one in found)
    assert found[0]["ms"] == 900
    expect(page.locator("#table")).to_have_attribute("data-version", str(room.now.version))
    taken = page.evaluate("window.taken")
    assert [name for name, *_ in taken] == ["moment", "momentend"] * 4
    assert {late for _, _, _, late, _ in taken} == {False}
    assert len({headline for *_, headline in taken[:7]}) == 1  # the old one, all the while
    expect(page.locator("#drama")).to_be_hidden()


def test_a_moment_that_cannot_be_shown_holds_up_none_of_the_others(
    room: FakeRoom, page: Page, complaints: Complaints
) -> None:
    complaints.forgive("a mistake")
    page.evaluate("""() => {
        const breaks = when => () => { throw new Error(`a mistake: ${when}`); };
        window.rappel.pictures.dice = breaks('begins');
        window.rappel.pictures.reveal = () => breaks('ends');
        window.rappel.speaks = breaks('speaks');
    }""")
    flipped(room, page)
    found = rests(page, 4)
    assert [one["kind"] for one in found] == [*("dice", "plain", "plain", "reveal")]
    expect(page.locator("#table")).to_have_attribute("data-version", str(room.now.version))
    expect(page.locator("#drama")).to_be_hidden()
    for when in ("begins", "ends", "speaks"):
        assert any(when in one for one in complaints.heard), when


def test_a_moment_without_a_sentence_keeps_nobody_from_what_came_of_it(
    room: FakeRoom, page: Page, complaints: Complaints
) -> None:
    complaints.forgive("TypeError")
    page.evaluate("""() => document.addEventListener('arriving', event =>
        event.detail.now.querySelectorAll('#moments > *').forEach(one => one.textContent = ''),
        {capture: true})""")
    room.wish(DoAction("roll 7"))
    place_and_flip(room)
    pass_until(page, page.locator(f'#table[data-version="{room.now.version}"]').is_visible)
    expect(page.locator("#seats")).to_contain_text("9")


def test_skip_ends_one_moment_and_a_second_tap_not_the_next(room: FakeRoom, page: Page) -> None:
    flipped(room, page)
    pass_until(page, page.locator("#drama.kind-plain").is_visible)
    before = len(shown(page))
    page.clock.run_for(400)
    skip = page.locator("#drama .skips")
    expect(skip).to_have_text("Skip \u25b8")
    skip.tap()
    found = rests(page, before + 1)
    assert found[before]["skipped"]
    skip.tap()  # too soon to be meant for what came
    page.locator("#mountain").tap(position={"x": 5, "y": 5})
    pass_until(page, page.locator("#drama.kind-reveal").is_visible)
    assert not shown(page)[before + 1]["skipped"]
    seats = page.locator("#seats")  # follow moment by moment
    expect(seats.locator("#seat-red .number")).to_have_text("5")
    expect(seats.locator("#seat-blue.fails .number")).to_have_text("9")
    page.clock.run_for(400)
    page.locator("#mountain").tap(position={"x": 5, "y": 5})  # ends what is shown, too
    assert rests(page, 4)[3]["skipped"]


def test_a_phone_that_slept_catches_up_at_once(room: FakeRoom, page: Page) -> None:
    page.evaluate(SLEEPS, arg=True)
    room.wish(DoAction("roll 7"))
    place_and_flip(room)
    page.evaluate(SLEEPS, arg=False)
    page.wait_for_selector(f'#table[data-version="{room.now.version}"]')
    found = shown(page)
    assert all(one["skipped"] for one in found)
    assert all(late for _, _, _, late, _ in page.evaluate("window.taken"))
    expect(page.locator("#drama")).to_be_hidden()


def test_a_phone_too_far_behind_catches_up_and_shows_the_new(room: FakeRoom, page: Page) -> None:
    flipped(room, page)
    for deed in ("move red start", "roll 8"):
        happen(room, partial(room.wish, DoAction(deed)))
        looked(page, room.now.version)
    happen(room, lambda: room.place("red", 5))
    looked(page, room.now.version)
    before = room.now.version
    happen(room, lambda: room.place("blue", 6))
    pass_until(page, lambda: any(one["version"] > before for one in shown(page)))
    found = shown(page)
    assert [one["skipped"] for one in found if one["kind"] in ("reveal", "move")] == [True, True]
    (placed,) = [one for one in found if one["version"] > before]
    assert not placed["skipped"]
    assert placed["to"] - placed["from"] >= placed["ms"]


def test_what_is_taken_back_meanwhile_is_not_shown(room: FakeRoom, page: Page) -> None:
    room.wish(DoAction("roll 7"))
    room.stir()
    page.locator("#drama.kind-dice").wait_for()
    room.wish(Undo())
    room.stir()
    looked(page, room.now.version)
    assert [one["kind"] for one in rests(page, 1)] == ["dice"]
    page.wait_for_selector(f'#table[data-version="{room.now.version}"]')
    expect(page.locator("#headline")).to_contain_text("roll")


def test_a_foul_does_not_keep_the_page_waiting(room: FakeRoom, page: Page) -> None:
    room.wish(DoAction("roll 7"))
    room.stir()
    rests(page, 1)
    room.wish(Call("snatched", "red"))
    room.stir()
    page.locator("#drama.kind-foul").wait_for()
    expect(page.locator("#play > .foul")).to_have_count(1)
    expect(page.locator("#drama.kind-foul")).to_be_visible()


def test_while_a_moment_is_told_its_line_is_the_panel(room: FakeRoom, page: Page) -> None:
    key = page.get_by_role("button", name="Roll for us").first
    where = page.locator("#play").bounding_box()
    key.tap()
    page.locator("#drama.kind-dice.panel").wait_for()
    expect(key).to_be_hidden()  # it is of a moment that is over
    line = page.locator("#drama").bounding_box()
    assert where is not None
    assert line is not None
    assert abs(line["y"] - where["y"]) < 2 or line["height"] <= 64
    assert abs(line["y"] + line["height"] - where["y"] - where["height"]) < 2
    expect(page.locator("#drama .said")).to_be_in_viewport(ratio=1)
    expect(page.locator("#headline")).to_have_css("opacity", "0")
    version = room.now.version
    page.touchscreen.tap(where["x"] + 40, where["y"] + where["height"] / 2)  # where the key was
    rests(page, 1)
    assert not shown(page)[0]["skipped"]
    assert room.now.version == version


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_all_barrels_are_turned_at_once_and_then_stand_in_the_order_of_moves(
    motion: Motion, room: FakeRoom, follow: Callable[..., Page]
) -> None:
    room = FakeRoom("red", "green", "blue", "yellow")
    page = follow(room, motion)
    happen(room, lambda: room.wish(DoAction("roll 7")))
    rests(page, 1)
    numbers = {"red": 3, "green": 12, "blue": 6, "yellow": 1}
    happen(room, *(partial(room.place, seat, one) for seat, one in numbers.items()))
    rests(page, 5)
    happen(room, lambda: room.flip(*numbers.values()))
    cards = page.locator("#drama .shows li")
    pass_until(page, lambda: cards.count() == len(numbers))
    assert {float(one["ms"]) for one in shown(page)[5:]} <= {3500.0}
    for one in cards.all():
        expect(one).to_be_in_viewport(ratio=1)
    pass_until(page, lambda: page.locator("#drama .shows b").count() == 3)
    assert [one.strip() for one in page.locator("#drama .over text").all_text_contents()] == [
        *("6", "3", "1", "12")  # who is too high is last
    ]
    expect(page.locator("#drama .said")).to_contain_text("Order of moves: Blue, Red, Yellow.")
    (told,) = rests(page, 6)[5:]
    assert (told["kind"], told["ms"]) == ("reveal", 3500)
    assert told["to"] - told["from"] <= 3600
    expect(page.locator("#table.phase-move")).to_be_visible()


def test_two_events_in_one_repaint_are_seen_one_after_another(room: FakeRoom, page: Page) -> None:
    happen(room, lambda: room.wish(DoAction("roll 7")), lambda: room.place("red", 5))
    found = rests(page, 2)
    assert [one["kind"] for one in found] == ["dice", "plain"]
    assert found[1]["from"] >= found[0]["to"]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_pawn_walks_to_its_field_or_is_there_at_once_where_motion_is_not_wanted(
    motion: Motion, follow: Callable[..., Page]
) -> None:
    room = moving()
    page = follow(room, motion)
    happen(room, lambda: room.wish(DoAction("move red 4")))
    page.locator("#drama.kind-move").wait_for()
    there = page.locator('[data-pawn="red"][data-step="10"]')
    expect(there).to_have_count(0 if motion == "no-preference" else 1)
    pass_until(page, page.locator("#drama.kind-banish").is_visible)
    expect(there).to_have_count(1)
    (walked, *_) = shown(page)
    assert walked["to"] - walked["from"] >= walked["ms"] > 1000
    page.keyboard.press("Escape")
    expect(page.locator("#drama")).to_be_hidden()
    assert shown(page)[-1]["skipped"]


def test_the_crest_of_whoever_wins_is_as_high_as_it_is_drawn(follow: Callable[..., Page]) -> None:
    room = nearly_won()
    page = follow(room)
    happen(room, lambda: room.wish(DoAction("move red 24")))
    crest = page.locator("#drama.kind-win .crest")
    pass_until(page, crest.is_visible)
    shield, box = box_of(crest.locator(".shield")), box_of(crest)
    assert shield["height"] > shield["width"] > box["width"] * 0.8


def test_a_tap_on_where_a_key_was_does_not_cut_the_winners_short(
    follow: Callable[..., Page],
) -> None:
    room = nearly_won()
    page = follow(room)
    there = box_of(page.locator("#play .confirm"))
    happen(room, lambda: room.wish(DoAction("move red 24")))
    pass_until(page, page.locator("#drama.kind-win").is_visible)
    page.clock.run_for(1000)
    page.mouse.click(there["x"] + 20, there["y"] + there["height"] / 2)
    expect(page.locator("#drama.kind-win")).to_be_visible()
    page.locator("#drama .skips").click()
    expect(page.locator("#drama")).to_be_hidden()
    first = page.locator("#play button:visible, #play a:visible").first
    expect(first).to_have_text("Another match, the same way")  # the rematch comes first
