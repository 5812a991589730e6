"""What the page of the simulated table offers at each moment, to fingers and to keys alike."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

import pytest
from playwright.sync_api import FloatRect, Locator, Page, Route, expect

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings, TrapTheWizard
from companion.games.zapp_zerapp.rules import Colour
from companion.maintenance.practice import PracticeStep
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.present.simulated_hands import (
    Peeked,
    RattleHeard,
    SightOfTable,
    SittingPlayer,
    Where,
)
from companion.referee.commands import NewMatch
from companion.referee.events import FoulCost, HouseRules
from tests.browser.chromium import (
    Complaints,
    OnScreen,
    Opener,
    Screen,
    barriers,
    box_of,
    halted,
    hindrances,
    pass_until,
    too_small,
    too_wide,
    until,
)
from tests.browser.served import Serve
from tests.web.playing import do, peek, table, to_move
from tests.web.room import FakeRoom
from tests.web.still import Still

KEYS_MS: Final = 1000  # after which new keys take taps
MINE, SECOND = 4, 7  # the handles of the barrel that red has chosen, and of another
WAITS: Final = {
    "de-DE": ("Stell dein Fass zurück, dann geht es weiter.", "Zurück"),
    "en-GB": ("Put your barrel back, then play goes on.", "Back"),
}
MEANT: Final = {
    PracticeStep.SHAKE: (Where.PLATEAU, ".barrel.free .ring", "stroke-width", "6px"),
    PracticeStep.PEEK: (Where.HAND, "#hand-right [data-do=peek]", "outline-width", "3px"),
    PracticeStep.PLACE: (Where.HAND, ".place.own .pad", "stroke-width", "6px"),
    PracticeStep.FLIP: (Where.PAD, "#own-pad [data-do=flip]", "outline-width", "3px"),
}
LOOKED: Final = Peeked(3_600_000, 7, 20, 40)  # it takes an hour to put it upright again
Open = Callable[..., Page]


class Chosen(Still):
    """Hands of a person whose barrel stands before them, flipped."""

    def __init__(self) -> None:
        self.where, self.sitting, self.flipped = Where.PAD, SittingPlayer.YOU, True

    def table(self) -> SightOfTable:
        sight = super().table()
        there = self.where is Where.PLATEAU
        barrels = list(sight.barrels)
        barrels[MINE] = replace(
            barrels[MINE],
            where=self.where,
            seat=None if there else "red",
            flipped=self.flipped and not there,
        )
        return replace(sight, sitting=self.sitting, barrels=tuple(barrels))

    def put_back(self, handle: int) -> RattleHeard:
        assert handle == MINE
        self.where = Where.PLATEAU
        return RattleHeard(100)

    def peek(self, handle: int, for_s: float) -> Peeked:  # noqa: ARG002 - no test waits that long
        return LOOKED

    def flip(self, handle: int) -> RattleHeard:
        assert handle == MINE
        self.flipped = True
        return RattleHeard(100)

    def sit(self) -> None:
        self.sitting = SittingPlayer.YOU


@pytest.fixture
def hands() -> Chosen:
    return Chosen()


@pytest.fixture
def holding(hands: Chosen) -> Chosen:
    """Have the barrel in hand instead, upright."""
    hands.where, hands.flipped = Where.HAND, False
    return hands


@pytest.fixture
def opens(hands: Chosen, serve: Serve, phone: Opener) -> Iterator[Open]:
    """Open the page of a table for the person at red's seat."""
    with ExitStack() as life:

        def opened(room: FakeRoom, locale: str = "de-DE", *, halts: bool = False) -> Page:
            page = phone(locale)
            if halts:
                life.enter_context(halted(page))
            return serve(room, hands).open(page, "/simulated", "red")

        yield opened


@pytest.fixture
def small(on: OnScreen) -> Opener:
    """Open pages on the smallest phone."""
    return on(Screen(320, 568, scale=2, mobile=True))


def over() -> FakeRoom:
    """Play a round in which nobody may move; then the next one rolls."""
    room = table()
    to_move(room, 5, red=11, green=12, blue=13, yellow=10)
    return room


def shaking() -> FakeRoom:
    """Begin a round of two."""
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7")
    return room


def rolled() -> FakeRoom:
    """Begin a round of four."""
    room = table()
    do(room, "roll 9")
    return room


def placed() -> FakeRoom:
    """Begin a round of two, who have chosen."""
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 9", "place red", "place green")
    return room


def peeks(page: Page) -> None:
    """Turn up the barrel in the right hand, and hold it so."""
    page.locator("#hand-right [data-do=peek]").hover()
    page.mouse.down()


def key(page: Page, text: str) -> Locator:
    return page.get_by_role("button", name=text, exact=True)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("locale", WAITS)
def test_whoever_keeps_the_others_waiting_is_told_so_and_has_a_key_for_it(
    opens: Open, holding: Chosen, locale: str
) -> None:
    page, (sentence, back) = opens(over(), locale), WAITS[locale]
    expect(page.locator("#waits")).to_have_text(sentence)
    assert hindrances(page) == []
    key(page, back).press("Enter")
    expect(page.locator("#waits")).to_be_hidden()
    until(page, lambda: holding.where is Where.PLATEAU)  # the page shows it before it is heard


@pytest.mark.usefixtures("holding")
def test_whoever_looks_at_the_board_is_taken_to_the_barrel_and_then_to_the_dice(
    opens: Open,
) -> None:
    room = table(seats=(Colour.RED, Colour.BLUE))
    to_move(room, 5, red=11, blue=12)
    to_move(room, 5, red=4, blue=12)
    page = opens(room)
    expect(page.locator("#mountain")).to_be_in_viewport()
    do(room, "move red start")
    room.stir()
    expect(page.locator("#waits")).to_be_in_viewport()
    expect(page.locator("#mountain")).to_be_hidden()
    key(page, "Zurück").tap()
    expect(page.locator("#play")).to_be_in_viewport()  # it is red who may roll
    expect(page.locator("#scene")).to_be_hidden()


def test_whoever_wants_to_see_the_barrels_while_the_board_is_asked_about_taps_for_them(
    opens: Open, hands: Chosen
) -> None:
    hands.where = Where.PLATEAU
    room = table(seats=(Colour.RED, Colour.BLUE))
    page = opens(room)
    expect(page.locator("#scene")).to_be_hidden()
    key(page, "Fässer").tap()
    expect(page.locator("#scene")).to_be_in_viewport(ratio=1)
    expect(page.locator("#mountain")).to_be_hidden()
    do(room, "roll 9")
    room.stir()
    expect(page.locator("#table.phase-place")).to_be_visible()
    expect(page.locator("#scene")).to_be_in_viewport(ratio=1)
    key(page, "Spielplan").tap()
    expect(page.locator("#mountain")).to_be_in_viewport(ratio=1)


def test_while_a_barrel_is_dragged_nothing_moves_away_below_it(opens: Open, hands: Chosen) -> None:
    hands.where = Where.PLATEAU
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7")
    page = opens(room)
    box = box_of(page.locator(f"[data-barrel='{MINE}'].free .reach"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 30, steps=3)
    expect(page.locator(".barrel.dragged")).to_have_count(1)
    do(room, "place red", "place green", "flip")
    room.stir()
    expect(page.locator("#table.phase-say")).to_be_attached()
    expect(page.locator("#scene")).to_be_in_viewport(ratio=1)
    expect(page.locator("#two button:visible")).to_have_count(0)
    expect(page.locator("#play")).to_be_hidden()
    page.mouse.up()
    expect(page.locator("#play")).to_be_in_viewport()  # where the numbers are seen, too
    expect(page.locator("#scene")).to_be_in_viewport()


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(("mark", "meant"), MEANT.items())
def test_in_a_practice_round_what_is_meant_has_a_ring(
    opens: Open, hands: Chosen, mark: PracticeStep, meant: tuple[Where, str, str, str]
) -> None:
    hands.where, ringed, style, value = meant
    hands.flipped = False
    room = FakeRoom()
    calibration = CalibrationShown(13, 13, None, (), ())
    room.workshop = MaintenanceSnapshot(
        opened=MaintenanceDetails((), (), calibration, practice=mark)
    )
    page = opens(room)
    expect(page.locator(ringed).first).to_have_css(style, value)


def test_it_goes_back_from_the_list_and_focus_stays_in_its_row_or_by_a_tap_on_the_barrel(
    opens: Open, hands: Chosen
) -> None:
    hands.where = Where.HAND
    page = opens(shaking())
    page.locator("#all summary").press("Enter")
    key(page, "E zurückstellen").press("Enter")
    expect(key(page, "E nehmen")).to_be_focused()
    expect(key(page, "E zurückstellen")).to_be_hidden()
    until(page, lambda: hands.where is Where.PLATEAU)  # the page shows it before it is heard
    hands.where = Where.PAD
    page = opens(shaking())  # the other one may not know yet that it stands there
    page.locator(f"[data-barrel='{MINE}'].free .label").tap()
    until(page, lambda: hands.where is Where.PLATEAU)  # the page shows it before it is heard


def test_before_the_dice_the_page_says_what_it_waits_for_and_nobody_can_take_a_barrel(
    opens: Open, hands: Chosen
) -> None:
    room = over()
    page = opens(room)
    expect(page.locator("#doing-roll .shuffling")).to_be_visible()
    expect(page.locator("#doing-roll button:visible")).to_have_count(0)
    expect(page.locator("#waits")).to_be_hidden()  # the guests put the own one back, too
    expect(page.locator("#own-pad")).to_be_hidden()
    expect(page.locator(".barrel.free")).to_have_count(0)
    hands.where = Where.PLATEAU
    expect(page.locator("#doing-roll button:visible")).not_to_have_count(0)
    expect(page.locator("#doing-roll .shuffling")).to_be_hidden()
    expect(page.locator(".barrel.free")).to_have_count(0)
    do(room, "roll 7")
    room.stir()
    expect(page.locator(".barrel.free")).to_have_count(13)


class Both(Chosen):
    """Hands of a person who has chosen a barrel, and holds a second one."""

    def __init__(self) -> None:
        super().__init__()
        self.out = {MINE: Where.PAD, SECOND: Where.HAND}
        self.open_too_early = False

    def table(self) -> SightOfTable:
        barrels = list(Still().table().barrels)
        for handle, where in self.out.items():
            early = self.open_too_early and where is Where.PAD
            barrels[handle] = replace(barrels[handle], where=where, seat="red", flipped=early)
        return replace(Still().table(), barrels=tuple(barrels))

    def put_back(self, handle: int) -> RattleHeard:
        del self.out[handle]
        return RattleHeard(100)


def test_nothing_covers_the_own_hands_nor_the_line_that_closes_the_list(
    serve: Serve, small: Opener
) -> None:
    hands = Both()
    hands.out[MINE] = Where.HAND
    page = serve(shaking(), hands).open(small("de-DE"), "/simulated", "red")
    expect(page.locator("#compare")).to_be_visible()
    for width, height in ((320, 568), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        sheet, pad = box_of(page.locator(".world .hands")), box_of(page.locator(".place.own .pad"))
        for barrel in page.locator(".barrel.near .side .shell").all():
            assert bottom(box_of(barrel)) <= sheet["y"]
        assert bottom(pad) <= box_of(page.locator("#press"))["y"]
        assert too_small(page) + too_wide(page) == []
    hands.out.clear()
    line = page.locator("#all > summary")
    line.tap()
    expect(page.locator("#row-0")).to_be_visible()
    line.tap()
    expect(page.locator("#row-0")).to_be_hidden()


def bottom(box: FloatRect) -> float:
    return box["y"] + box["height"]


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("side", ["barrels", "board"])
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_whoever_has_several_barrels_puts_all_of_them_back_by_one_key_on_every_tab(
    serve: Serve, small: Opener, locale: str, side: str
) -> None:
    hands = Both()
    hands.out[MINE] = Where.HAND
    page = serve(over(), hands).open(small(locale), "/simulated", "red")
    expect(page.locator("#waits")).to_be_visible()
    page.locator(f".tabs [data-side={side}]").tap()
    expect(page.locator("#waits")).to_be_in_viewport(ratio=1)
    back = page.locator("#put-all-back")
    expect(back).to_be_in_viewport(ratio=1)
    expect(page.locator(".hand button:visible")).to_have_count(0)
    assert too_small(page) + too_wide(page) == []
    back.tap()
    until(page, lambda: not hands.out)
    expect(page.locator("#waits")).to_be_hidden()
    expect(back).to_be_hidden()


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("side", ["barrels", "board"])
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_a_foul_that_stops_the_game_is_decided_on_whatever_tab_is_shown(
    serve: Serve, small: Opener, locale: str, side: str
) -> None:
    room = table(HouseRules(cost=FoulCost.PUT_BACK), seats=(Colour.RED, Colour.BLUE))
    do(room, "roll 9", "place red", "place blue")
    room.tell(peek())
    assert room.now.held
    hands = Chosen()
    hands.flipped = False
    page = serve(room, hands).open(small(locale), "/simulated", "red")
    page.locator(f".tabs [data-side={side}]").tap()
    for key in page.locator(".foul .ruling button").all():
        expect(key).to_be_in_viewport(ratio=1)
    assert too_small(page) + too_wide(page) == []
    page.locator(".foul .ruling button").last.tap()
    expect(page.locator(".foul")).to_have_count(0)
    page.locator(".tabs [data-side=barrels]").tap()
    expect(page.locator("#own-pad [data-do=flip]")).to_be_in_viewport(ratio=1)


def test_a_foul_is_decided_where_one_waits_for_the_others(opens: Open, hands: Chosen) -> None:
    hands.flipped = False
    room = table(seats=(Colour.RED, Colour.BLUE))
    do(room, "roll 9", "place red")
    room.tell(peek())
    page = opens(room)
    page.locator(".tabs [data-side=barrels]").tap()
    for ruling in page.locator(".foul .ruling button").all():
        expect(ruling).to_be_in_viewport(ratio=1)
    page.locator(".foul .ruling button").last.tap()
    expect(page.locator(".foul")).to_have_count(0)
    expect(page.locator("#scene")).to_be_in_viewport()


@pytest.mark.parametrize("flipped", [False, True], ids=["placed", "flipped"])
def test_what_the_sensors_have_missed_is_asked_where_the_barrel_is(
    opens: Open, hands: Chosen, *, flipped: bool
) -> None:
    hands.flipped = flipped
    room = table(seats=(Colour.RED, Colour.BLUE))
    do(room, "roll 9", *(("place red", "place blue") if flipped else ()))
    page = opens(room, halts=True)
    key = page.locator("#doing-flip [data-wish]" if flipped else "#doing-place-red [data-wish]")
    pass_until(page, page.locator(".barrel[data-barrel='4']").is_visible)
    expect(key).to_be_hidden()
    pass_until(page, key.is_visible)
    expect(key).to_be_in_viewport(ratio=1)


def test_with_a_second_barrel_in_hand_the_key_names_the_one_that_it_puts_back(
    serve: Serve, small: Opener
) -> None:
    hands = Both()
    hands.open_too_early = True
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 7")
    page = serve(room, hands).open(small("en-GB"), "/simulated", "red")
    back = page.locator("#own-pad [data-do=put_back]")
    expect(back).to_have_text("Put E back")
    back.tap()
    until(page, lambda: MINE not in hands.out)
    assert SECOND in hands.out


def test_a_barrel_that_was_just_placed_is_flipped_though_no_look_has_seen_it_there(
    opens: Open, holding: Chosen
) -> None:
    page = opens(rolled())
    page.locator(
        ".hand:not([hidden]) [data-do=place]"
    ).tap()  # these hands say that they do, and it is seen in the hand still
    key(page, "Umdrehen").tap()
    until(page, lambda: holding.flipped)


def test_while_a_barrel_is_turned_over_no_key_comes_below_the_finger(
    opens: Open, hands: Chosen, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands.flipped = False
    page = opens(placed())
    monkeypatch.setattr(hands, "flip", lambda _: RattleHeard(60_000))
    offered = page.locator(".hand button:visible")
    key(page, "Umdrehen").tap()
    hands.where = Where.HAND  # as long as it is turned
    expect(page.locator(".barrel.near")).to_have_count(1)
    expect(offered).to_have_count(0)
    hands.where = Where.PAD  # it stands there already, but lies not yet open
    expect(page.locator(".barrel.near")).to_have_count(0)
    expect(offered).to_have_count(0)


def test_a_barrel_is_turned_over_once_however_late_the_answer(opens: Open, hands: Chosen) -> None:
    hands.flipped = False
    page, asked = opens(placed()), list[Route]()
    page.route("**/api/simulated/act", lambda route: asked.append(route))  # noqa: PLW0108 - Playwright sets an attribute on it, which `append` cannot take
    key(page, "Umdrehen").tap()
    until(page, lambda: bool(asked))
    page.clock.install()
    page.clock.fast_forward(5_000)
    for _ in range(2):  # the first look may have begun before
        with page.expect_response("**/api/simulated/table"):
            page.clock.run_for(1_000)
    expect(page.locator(".hand button:visible")).to_have_count(0)
    asked[0].continue_()
    until(page, lambda: hands.flipped)


def test_where_numbers_are_asked_for_one_flips_first_if_not_yet(opens: Open, hands: Chosen) -> None:
    hands.flipped = False
    room = table(seats=(Colour.RED, Colour.GREEN))
    do(room, "roll 9", "place red", "place green", "flip", "say green 5")  # somebody was too quick
    page = opens(room)
    flip = key(page, "Umdrehen")
    expect(flip).to_be_in_viewport(ratio=1)
    expect(page.locator("#say-red-3")).to_be_hidden()
    flip.tap()
    expect(page.locator("#say-red-3")).to_be_in_viewport(ratio=1)


def test_a_second_tap_where_a_key_was_turns_no_barrel_over(opens: Open, holding: Chosen) -> None:
    page = opens(rolled(), halts=True)
    place = page.locator("#hand-right [data-do=place]")
    expect(place).to_be_visible()
    page.clock.run_for(KEYS_MS)
    box = box_of(place)
    place.tap()
    pass_until(page, key(page, "Umdrehen").is_visible)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)  # it would be heard by then
    assert not holding.flipped
    assert key(page, "Umdrehen").is_visible()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
@pytest.mark.usefixtures("holding")
def test_keys_stay_when_something_is_told_above_them(opens: Open, width: int, height: int) -> None:
    room = rolled()
    page = opens(room)
    page.set_viewport_size({"width": width, "height": height})
    shake = page.locator("#hand-right [data-do=shake]")
    expect(shake).to_be_visible()
    before = shake.bounding_box()
    peeks(page)
    expect(page.locator(".barrel.peeking")).to_have_count(1)
    room.tell(peek())
    expect(page.locator("#caught")).to_be_visible()
    assert shake.bounding_box() == before


def test_until_all_have_moved_nobody_is_asked_to_put_a_barrel_back(
    opens: Open, hands: Chosen
) -> None:
    room = table()
    do(room, "roll 9", *(f"place {seat}" for seat in ("red", "green", "blue", "yellow")))
    hands.flipped = False
    page = opens(room)
    for keys in (2, 0):
        expect(page.locator("#own-pad button:visible")).to_have_count(keys)
        expect(key(page, "Zurückstellen")).to_be_hidden()
        expect(page.locator("#waits")).to_be_hidden()
        hands.flipped = True


def test_where_a_guest_plays_a_seat_its_phone_says_so_at_any_time_and_takes_it_by_a_key(
    opens: Open, hands: Chosen
) -> None:
    hands.sitting = SittingPlayer.GUEST
    page = opens(shaking())
    expect(page.locator("#sitting")).to_contain_text("Hier sitzt ein Gast für dich.")
    expect(page.locator("#own-pad")).to_be_hidden()
    key(page, "Als Rot mitspielen").tap()
    expect(page.locator("#sit-down")).to_be_hidden()
    expect(page.locator("#sitting")).to_be_hidden()
    expect(page.locator("#own-pad")).to_be_visible()


def test_in_a_game_without_barrels_none_is_offered(opens: Open) -> None:
    room = FakeRoom()
    do(room, NewMatch(TrapTheWizard.name, pack(Settings()), HouseRules()))
    page = opens(room)
    expect(page.locator("#mountain")).to_be_in_viewport(ratio=1)
    expect(page.locator(".tabs")).to_be_hidden()  # there is nothing on the other
    for barrels in ("#scene > svg", "#all", "#leave", ".sound", "#own-pad"):
        expect(page.locator(barrels)).to_be_hidden()
    assert barriers(page) == []


@pytest.mark.usefixtures("holding")
def test_what_was_read_underneath_stays_until_the_barrel_is_upright_again(opens: Open) -> None:
    page = opens(rolled())
    number = page.locator(".barrel.near .number")
    peeks(page)
    expect(number).to_have_text("7")
    page.locator("#hand-right").evaluate("hand => { hand.style.marginTop = '-300px'; }")
    page.mouse.move(5, 5)  # its key has moved away, and the pointer is elsewhere at last
    page.evaluate("ms => new Promise(done => setTimeout(done, ms))", LOOKED.until_ms)
    expect(page.locator(".barrel.peeking")).to_have_count(1)
    expect(number).to_have_text("7")  # though the label is out of sight again


@pytest.mark.usefixtures("holding")
def test_who_may_have_been_seen_peeking_is_asked_in_one_sentence(opens: Open) -> None:
    room = rolled()
    page = opens(room)
    peeks(page)
    expect(page.locator(".barrel.peeking")).to_have_count(1)
    room.tell(replace(peek(), seat=None))
    expect(page.locator("#caught strong")).to_have_text(
        "Gesehen! Gespickt? Zu 93 % sicher. Warst du das?"
    )
    expect(page.locator("#caught")).to_have_attribute("aria-live", "off")  # it was called out
    room.tell(replace(peek(), seat=None, confidence=0.95))  # one looks on, and it grows
    expect(page.locator("#caught strong")).to_have_text(
        "Gesehen! Gespickt? Zu 95 % sicher. Warst du das?"
    )


def test_a_refusal_is_no_longer_told_once_something_is_done(opens: Open, holding: Chosen) -> None:
    page = opens(over(), halts=True)
    expect(key(page, "Zurück")).to_be_visible()
    page.clock.run_for(KEYS_MS)
    page.evaluate("rappel.tell('Somebody is busy with this barrel.')")
    expect(page.locator("#told")).not_to_be_empty()
    key(page, "Zurück").tap()
    until(page, lambda: holding.where is Where.PLATEAU)
    expect(page.locator("#told")).to_be_empty()  # else it stays for a quarter minute


def test_what_cannot_be_drawn_once_keeps_nobody_from_seeing_and_doing_more(
    opens: Open, holding: Chosen, complaints: Complaints
) -> None:
    complaints.forgive("a mistake")
    page = opens(over())
    expect(page.locator("#waits")).to_be_visible()
    page.evaluate("""() => {
        const show = window.scene.show;
        window.scene.show = (...look) => {
            if (window.mistakes++ < 2) throw new Error('a mistake');
            return show(...look);
        };
        window.mistakes = 0;
    }""")
    until(page, lambda: page.evaluate("window.mistakes") > 2)
    key(page, "Zurück").tap()
    expect(page.locator("#waits")).to_be_hidden()
    until(page, lambda: holding.where is Where.PLATEAU)
