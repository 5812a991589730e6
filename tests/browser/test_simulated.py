"""The whole simulated table on a phone: joining by a button, enrolling, playing, being caught."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

import pytest
from playwright.sync_api import Page, Request, Response, expect

from companion.present.simulated_hands import HandAct, HandActRequest, SittingPlayer
from companion.sensing.enrolment import Next
from tests.browser.chromium import Complaints, Opener, barriers, box_of, hindrances, until
from tests.browser.served import loaded
from tests.browser.simulated import BUSY, Begin, Evening

ROLL = re.compile("Würfle für uns|Roll for us")
PLACED = re.compile("hat gewählt|welches Fass|dreht um|zeigt")
BRISK, HASTE = 2.0, 6.0  # where eyes and fingers have to keep up, and where not


def sits(evening: Evening, page: Page) -> Page:
    """Take the seat by a tap, and roll when asked to, so that there is something to shake for."""
    evening.open(page)
    page.locator("#take-seat").tap()
    expect(page.locator("#world[data-plays]")).to_be_attached()
    expect(page.locator("main :focus")).to_have_count(1)  # keys go on where the next thing is
    evening.begin()
    until(page, lambda: evening.mixed)
    page.get_by_role("button", name=ROLL).tap()
    expect(page.locator("#table.phase-place")).to_be_visible()
    return page


def grasps(page: Page, letter: int) -> None:
    """Drag a barrel from the plateau to the right hand, and keep the finger on it."""
    barrel = page.locator(f"[data-barrel='{letter}'].free .reach")
    barrel.wait_for(state="attached")
    box = box_of(barrel)
    hand = box_of(page.locator("[data-palm=right]"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2, steps=6)


@contextmanager
def hears(page: Page) -> Iterator[list[int]]:
    """Listen: yield how often stones knocked, act by act."""
    knocks: list[int] = []

    def hear(answer: Response) -> None:
        if "simulated/act" in answer.url:
            knocks.extend(len(one["knocks"]) for one in answer.json()["heard"])

    page.on("response", hear)
    try:
        yield knocks
    finally:
        page.remove_listener("response", hear)


@contextmanager
def acts(page: Page) -> Iterator[set[Request]]:
    """Yield what hands were told and have not yet answered."""
    told: set[Request] = set()

    def tell(request: Request) -> None:
        if "simulated/act" in request.url:
            told.add(request)

    def end(request: Request) -> None:
        told.discard(request)

    page.on("request", tell)
    page.on("requestfinished", end)
    try:
        yield told
    finally:
        page.remove_listener("request", tell)
        page.remove_listener("requestfinished", end)


def test_a_person_takes_the_seat_rolls_shakes_hears_and_places(
    begin: Begin, phone: Opener, complaints: Complaints
) -> None:
    complaints.forgive("status of 422")  # a guest has just rolled
    evening = begin(speed=BRISK)
    page = sits(evening, phone("de-DE"))
    to_and_fro = cycle((220, 290))
    with hears(page) as knocks:
        grasps(page, 3)
        until(
            page, lambda: sum(knocks) > 0, lambda: page.mouse.move(next(to_and_fro), 500, steps=3)
        )
        expect(page.locator("#hand-right")).to_be_hidden()  # or the page would move below it
        page.mouse.up()
        until(page, lambda: evening.rests)
        knocks.clear()
        page.locator("#hand-right [data-do=shake]").tap()
        until(page, lambda: sum(knocks) > 0)
    assert hindrances(page) == []
    page.locator("#hand-right [data-do=place]").tap()
    expect(page.locator("#seat-red")).to_contain_text(PLACED)
    assert not [one for one in evening.table.snapshot.fouls if one.raised.code == "peek"]


def test_whoever_joins_at_the_seat_sits_there_at_once(begin: Begin, phone: Opener) -> None:
    evening = begin()
    page = evening.open(phone("en-GB"), f"/join#{evening.phones.pairing.pin}")
    loaded(page.get_by_text("I play")).tap()
    page.get_by_role("button", name="Red").tap()
    loaded(page.get_by_role("button", name="That's me")).tap()
    expect(page.locator("#world[data-plays]")).to_have_count(1)  # or the board is seen already
    until(page, lambda: evening.hands.table().sitting is SittingPlayer.YOU)
    expect(page.locator("#sit-down")).to_be_hidden()


def plays_a_round(evening: Evening, page: Page) -> None:
    """Take, place and flip a barrel, and move if one may: by keys alone."""
    round_ = evening.view.round
    expect(page.locator("#table.phase-place")).to_be_visible()
    with acts(page) as told:
        until(page, lambda: evening.holds, lambda: takes_one(page, told))
    page.locator(".hand:not([hidden]) [data-do=place]").press("Enter")
    expect(page.locator("#table.phase-flip")).to_be_visible()
    page.get_by_role("button", name="Umdrehen").press("Enter")
    until(page, lambda: evening.view.round > round_, lambda: moves(evening, page))
    until(page, lambda: evening.cleared)  # the guests collect all barrels


def takes_one(page: Page, told: set[Request]) -> None:
    """Take the first barrel that stands there, until one is in hand: a guest may be quicker."""
    if not told and not page.locator(".hand:not([hidden])").count():
        if not page.locator("#all[open]").count():
            page.locator("#all > summary").press("Enter")
        page.locator("#all [data-do=lift]:visible").first.press("Enter")


def moves(evening: Evening, page: Page) -> None:
    """Move in the first way there is, if it is the person's turn and the page is up to date."""
    shown = page.locator("#table").get_attribute("data-version")
    asked = page.evaluate("document.querySelector('form.moving:not(:has([aria-busy]))')?.id")
    if asked and shown == str(evening.table.snapshot.version):
        page.locator(f"#{asked} input[name=way]").first.press("Space")
        page.locator(f"#{asked} [data-confirms]").press("Enter")


@pytest.mark.slow
def test_two_rounds_are_played_by_keys(begin: Begin, phone: Opener, complaints: Complaints) -> None:
    complaints.forgive("status of 422")  # a guest has just taken that barrel
    evening = begin(speed=HASTE, moods=(BUSY,))
    page = sits(evening, phone("de-DE"))
    plays_a_round(evening, page)
    plays_a_round(evening, page)  # a guest has rolled for it
    assert evening.view.round == 3


@pytest.mark.slow
def test_who_peeks_is_accused_with_evidence_and_acquitted(begin: Begin, phone: Opener) -> None:
    evening = begin(seed=5, speed=BRISK)
    page = sits(evening, phone("en-GB"))
    grasps(page, 0)
    page.mouse.up()
    with acts(page) as told:
        page.locator(".hand:not([hidden]) [data-do=peek]").hover()
        page.mouse.down()
        expect(page.locator("#caught")).to_be_visible()
        page.mouse.up()
        until(page, lambda: not told and evening.rests)  # so that nothing more comes of it
    card = page.locator("#table .foul")
    assert card.first.locator("svg").count() >= 1
    assert barriers(page) == []
    page.locator("#caught").get_by_role("link", name="What the sensors saw").tap()
    while card.count():  # who holds the button for long is caught more than once
        accused = card.first.get_attribute("id")
        card.first.get_by_role("button", name="No, that was nothing").tap()
        expect(page.locator(f"#{accused}")).to_have_count(0)
    expect(page.locator("#caught")).to_be_hidden()
    fouls = evening.table.snapshot.fouls
    assert {one.raised.code for one in fouls} == {"peek"}
    assert {one.upheld for one in fouls} == {False}
    assert max(point.tilt_deg for one in fouls for point in one.raised.evidence) > 60


def test_a_phone_is_let_in_by_the_button_of_its_seat(begin: Begin, phone: Opener) -> None:
    evening = begin(speed=HASTE, knows=False)
    page = evening.open(phone("de-DE"), "/join")
    page.locator("#by-button > summary").tap()
    page.get_by_text("Rot", exact=True).first.tap()
    page.get_by_role("button", name="Mit dem Knopf verbinden").tap()
    expect(page.locator("#press")).to_be_visible()
    evening.hands.do(HandActRequest(HandAct.PRESS, for_s=0.2))
    until(page, lambda: evening.table.snapshot.joining == ("red",))  # a press of the game
    evening.hands.do(HandActRequest(HandAct.PRESS, for_s=0.2))
    until(page, lambda: evening.table.snapshot.joining == ())
    evening.hands.do(HandActRequest(HandAct.PRESS, for_s=3))
    expect(page.get_by_role("heading", name="Wer bist du?")).to_be_visible()
    assert evening.table.snapshot.joining == ()  # that was for the phone alone
    evening.open(page, "/setup")
    expect(page.get_by_role("button", name="Partie beginnen")).to_be_enabled()


@pytest.mark.slow
def test_thirteen_barrels_are_enrolled_in_the_workshop(begin: Begin, phone: Opener) -> None:
    evening = begin(speed=HASTE, knows=False)
    truth = {stopper: barrel for barrel, stopper in evening.live.table.world.stoppers.items()}
    page = evening.open(phone("en-GB"), "/workshop", "table")
    page.get_by_role("button", name="Enrol all barrels").tap()
    expect(page.locator("ol.barrels li")).to_have_count(13)
    steps = 0
    while (now := evening.enrolment).next is not Next.DONE:
        steps += 1
        assert steps <= 4 + 13  # lifted, perhaps some of them once more, and read
        if now.left:
            for one in now.left:
                evening.lift(one)
            until(page, lambda: evening.rests)
        else:
            page.locator(f"#read-{now.whom[0]}-{truth[now.whom[0]]}").tap()
            until(page, lambda now=now: evening.enrolment != now)  # type: ignore[misc]
    page.get_by_role("button", name="Finish and save").tap()
    expect(page.locator("#enrol .big")).to_have_text("13 of 13 barrels are known.")
    saved = page.get_by_text("What was saved before")
    until(page, page.locator("#version-2 strong").is_visible, saved.tap)  # it may be drawn again
    page.get_by_role("button", name="Use this one again").last.tap()
    expect(page.locator("#version-3 strong")).to_be_visible()  # so it went on from the first
    expect(page.locator("#enrol .big")).to_have_text("0 of 13 barrels are known.")


STANDS = """() => {
  const one = document.activeElement;
  return [(one.closest("[id]") || one).id, one.dataset.do || one.nodeName];
}"""


@pytest.mark.slow
def test_by_keys_a_barrel_is_taken_shaken_placed_and_flipped(begin: Begin, desk: Opener) -> None:
    evening = begin(speed=BRISK, moods=(BUSY,))
    page = desk("de-DE")
    evening.open(page)
    page.focus("#take-seat")
    page.keyboard.press("Enter")
    expect(page.locator("#world[data-plays]")).to_be_attached()
    evening.begin()
    until(page, lambda: evening.mixed)
    page.get_by_role("button", name=ROLL).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#table.phase-place")).to_be_visible()

    def stands(*where: str) -> bool:
        return page.evaluate(STANDS)[1] in where

    until(page, lambda: page.evaluate(STANDS) == ["all", "SUMMARY"])  # there are the barrels
    page.keyboard.press("Enter")
    page.locator("#all [data-do=lift]:visible").last.focus()  # the guest takes the first just then
    page.keyboard.press("Enter")
    until(page, lambda: stands("shake"))
    with hears(page) as knocks:
        page.keyboard.press("Enter")
        until(page, lambda: bool(knocks))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(page, lambda: not stands("place", "BODY"))
    expect(page.locator("#table.phase-flip")).to_be_visible()
    flip = page.locator("[data-do=flip]")
    expect(flip).to_be_visible()
    flip.focus()
    page.keyboard.press("Enter")
    expect(flip).to_be_hidden()
    until(page, lambda: not stands("flip", "BODY"))
