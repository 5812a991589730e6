"""The page that records a hand: what it asks, what ends it, and what is in the file at the end."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.devices.recording import Note, replay_all
from companion.devices.stopper_registry import simulated_stopper
from companion.sensing.settings import BARRELS, Settings
from companion.web import recording_page
from rappelwacht_research.phone_motions import USUAL
from rappelwacht_research.phone_recordings import samples
from rappelwacht_research.tune import items, judged
from tests.browser.chromium import Opener, hindrances, too_wide, until
from tests.browser.recorded_hand import RecordedHand
from tests.browser.served import Served
from tests.browser.test_voice import DEVICE, VOICES
from tests.web.playing import do, moving, table
from tests.web.room import FakeRoom, client

ANYBODYS = {one.node: one for one in map(simulated_stopper, range(1, BARRELS + 1))}
PAGE = "/workshop/recording"


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom()


@pytest.fixture
def served(room: FakeRoom, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(recording_page, "TIMES", 2)
    with Served(room) as pages:
        yield pages


@pytest.fixture
def hand(served: Served, phone: Opener) -> RecordedHand:
    return RecordedHand(served.open(phone("en-GB"), PAGE))


def headline(page: Page) -> str:
    return page.locator("#headline").inner_text()


def written(hand: RecordedHand, folder: Path) -> list[dict[str, Any]]:
    """Return what the file notes."""
    file = folder / "hand.link.txt"
    file.write_bytes(hand.saves())
    return [one.what for one in replay_all(file) if isinstance(one, Note)]


def tasks(notes: list[dict[str, Any]]) -> list[str]:
    """Return what was done, and what of it does not count."""
    return [one.get("task", one["kind"]) for one in notes if one["kind"] in {"done", "again"}]


@pytest.mark.slow
def test_a_page_records_all_seven_things_and_tune_reads_them_back(
    hand: RecordedHand, tmp_path: Path, served: Served
) -> None:
    page = hand.page
    hand.agrees()
    assert page.locator("#step").inner_text() == "1 of 7"
    hand.records()
    expect(page.locator("#sum")).to_contain_text("all 7 things")
    expect(page.locator("#simulated")).to_be_visible()  # and the file says so, too
    for line in ("#tilted", "#pushed"):
        drawn = page.locator(line).get_attribute("d") or ""
        assert drawn.count("M") == 7
    page.locator("#model").fill("Zwölf 12 Pro")
    notes = written(hand, tmp_path)
    (phone,) = (one for one in notes if one["kind"] == "phone")
    assert (phone["model"], phone["rate_hz"], phone["by_hand"]) == ("Zwölf 12 Pro", 60, False)
    file = tmp_path / "hand.link.txt"
    assert file.read_bytes().isascii()
    text = file.read_text()
    for secret in (served.pin, "127.0.0.1", "Chrom", "Linux"):
        assert secret not in text
    assert not re.search(r"\d\d:\d\d|20\d\d-\d\d-\d\d", text)
    found = judged(items(file, ANYBODYS), ANYBODYS, Settings())
    assert found is not None
    assert (found.looks.hits, found.looks.of) == (2, 2)
    assert (found.accused.hits, found.accused.of) == (0, 10)


def test_who_stops_keeps_what_there_is_and_may_go_on_after_the_page_was_closed(
    hand: RecordedHand, tmp_path: Path
) -> None:
    hand.agrees()
    hand.records(2)
    hand.page.reload()
    expect(hand.page.locator("#until")).to_contain_text("2 of 7")
    hand.page.locator("#resume").click()
    hand.page.evaluate("() => new Promise(done => setTimeout(done))")
    hand.lies(USUAL.up, 600)
    assert "weigh" in headline(hand.page)
    hand.page.locator("#stop").click()
    expect(hand.page.locator("#sum")).to_contain_text("2 of 7")
    notes = written(hand, tmp_path)
    assert tasks(notes) == ["rest", "shake", "shake"]
    hand.page.locator("#forget").click()
    expect(hand.page.locator("#forget")).to_have_text("Really delete it?")
    hand.page.locator("#forget").click()
    expect(hand.page.locator("#agree")).to_be_visible()


def test_what_was_disturbed_is_asked_for_again(hand: RecordedHand, tmp_path: Path) -> None:
    page, hint = hand.page, hand.page.locator("#hint")
    hand.agrees()
    hand.reads()
    hand.lies(USUAL.down, 3000)
    hand.lies(USUAL.up, 2000)  # the page is read before the signal
    expect(hint).to_contain_text("turned up")
    hand.records(1)
    hand.reads()
    hand.now_ms += 4000  # the sensor slept
    hand.lies(USUAL.down, 100)
    expect(hint).to_contain_text("felt nothing")
    hand.reads()
    hand.does("shake", 6000)
    hand.lies(USUAL.down, 1000)
    page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    expect(hint).to_contain_text("hidden")
    hand.reads()
    hand.does("shake", 6000)
    assert "weigh" in headline(page)
    page.locator("#again").click()
    assert "shake" in headline(page)
    page.locator("#skip").click()
    page.locator("#pause").click()
    hand.reads()
    expect(page.locator("#now")).to_be_hidden()  # however it lies
    page.locator("#pause").click()
    hand.reads()
    expect(page.locator("#now")).to_be_visible()
    hand.does("weigh", 6000)
    hand.lies(USUAL.up, 2000)
    page.locator("#stop").click()
    notes = written(hand, tmp_path)
    done = tasks(notes)
    assert done[:3] == ["rest", "again", "rest"]
    kept: list[str] = []
    for one in done:
        kept = kept[:-1] if one == "again" else [*kept, one]
    assert kept == ["rest", "weigh"]
    spans = [(one["from_us"], one["to_us"]) for one in notes if one["kind"] == "done"]
    assert all(end < begin for (_, end), (begin, _) in pairwise(spans))
    assert all(
        any(begin <= at_us < end for begin, end in spans)
        for one in notes
        for at_us, _ in samples(one)
    )


def test_nothing_leaves_the_phone_until_it_is_shared(hand: RecordedHand) -> None:
    page, sent = hand.page, list[str]()
    page.evaluate(
        "() => { navigator.canShare = what => what.files.length === 1;"
        " navigator.share = what => what.files[0].text().then(text => { window.shared ="
        " [what.files[0].name, what.files[0].type, text.split('\\n')[0]]; }); }"
    )
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    hand.agrees()
    hand.records(1)
    page.locator("#stop").click()
    page.locator("#share").click()
    page.wait_for_function("() => window.shared")
    name, kind, first = page.evaluate("window.shared")
    assert re.fullmatch(r"hand-20\d\d-\d\d\.link\.txt", name)
    assert (kind, first) == ("text/plain", "rappelwacht link 2")
    assert all(one.startswith("GET ") for one in sent)
    assert all(one.endswith(PAGE) for one in sent)  # whether a match goes on


ALOUD = f"""{DEVICE.replace("VOICES", VOICES)}
window.buzzed = [];
navigator.vibrate = shakes => window.buzzed.push(shakes);
localStorage.setItem("rappelwacht-speaks", "yes");
"""


@pytest.mark.slow
@pytest.mark.parametrize("vibrates", [True, False])
def test_each_signal_is_felt_and_what_comes_next_is_said_aloud(
    served: Served, phone: Opener, vibrates: bool
) -> None:
    page = phone("en-GB")
    page.add_init_script(ALOUD)
    if not vibrates:
        page.add_init_script("localStorage.setItem('rappelwacht-vibrates', 'no')")
    hand = RecordedHand(served.open(page, PAGE))
    hand.agrees()
    hand.records(1)
    assert page.evaluate("buzzed") == ([40, [200, 100, 200]] if vibrates else [])

    def says() -> bool:
        page.evaluate("end()")
        return any("shake it as you would" in one["text"] for one in page.evaluate("said"))

    until(page, says)


def test_whoever_plays_is_sent_back_to_the_table_even_if_the_match_began_meanwhile(
    served: Served, room: FakeRoom, phone: Opener
) -> None:
    page = served.open(phone("en-GB"), PAGE, "red")
    expect(page.locator("#agree")).to_be_visible()
    playing = table()
    room.__dict__.update(playing.__dict__)
    do(room, "roll 7")
    page.locator("#agree").click()
    expect(page.locator("#busy")).to_be_visible()
    assert page.locator("#agree").count() == 0
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#table")).to_be_visible()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "trusts"),
        ("delete window.DeviceMotionEvent", "does not feel"),
        ("DeviceMotionEvent.requestPermission = () => Promise.resolve('denied')", "may not feel"),
        ("setTimeout = (call, ms) => window.setInterval(call, ms / 50)", "does not tell"),
    ],
)
def test_where_no_motion_comes_it_says_why(hand: RecordedHand, before: str, says: str) -> None:
    page = hand.page
    page.context.grant_permissions(["accelerometer", "gyroscope"])
    page.evaluate(f"() => {{ {before}; }}")
    page.locator("#agree").click()
    expect(page.locator("#fails")).to_contain_text(says)
    assert page.locator("#untrusted").is_visible() == (says == "trusts")
    expect(page.locator("#agree")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 640), (640, 360)])
def test_it_fits_on_a_small_phone(hand: RecordedHand, size: tuple[int, int]) -> None:
    page = hand.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    hand.agrees()
    hand.lies(USUAL.up, 200)
    for button in ("#pause", "#stop"):
        if size[1] > size[0]:
            expect(page.locator(button)).to_be_in_viewport()
    assert hindrances(page) == []
    hand.reads()
    expect(page.locator("#now")).to_be_visible()
    assert too_wide(page) == []
    hand.does("rest", 20_000)
    page.locator("#stop").click()
    assert hindrances(page) == []
    assert json.loads(page.evaluate("localStorage.getItem('rappelwacht-recording')"))["at"] == 1


def test_a_seat_of_the_match_is_told_apart_from_those_who_watch() -> None:
    assert 'id="busy"' in client(moving(), "red").get(PAGE).text
    for who in (None, "table"):
        assert 'id="busy"' not in client(moving(), who).get(PAGE).text
