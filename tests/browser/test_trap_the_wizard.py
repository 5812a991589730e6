"""Whole games of Trap the Wizard by taps: on a wizard, and on where it goes."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from companion.core.codec import pack
from companion.core.notation import write
from companion.games.trap_the_wizard.players import experienced
from companion.games.trap_the_wizard.rules import Leave, Phase, Robe, Settings, TrapTheWizard
from companion.referee.commands import NewMatch
from companion.referee.events import Bot, HouseRules, Roller
from companion.system.text import SeatName
from tests.browser.chromium import Opener, box_of, hindrances, too_small, too_wide
from tests.browser.served import Serve, shows
from tests.web.playing import do
from tests.web.room import FakeRoom

RED, GREEN, BLUE, YELLOW, _ = Robe
TWO = (RED, GREEN)
WORDS = {
    "de": ("de-DE", "Würfle für uns", "Diesen Zug bestätigen", "Noch eine Partie, genauso"),
    "en": ("en-GB", "Roll for us", "Confirm this move", "Another match, the same way"),
}
MOST = 80  # of one person's decisions in a round; who plays sensibly needs some twenty


def table(*bots: SeatName, seats: tuple[Robe, ...] = TWO, rounds: int = 1) -> FakeRoom:
    """Sit down to a short game, perhaps with the companion."""
    room = FakeRoom()
    house = HouseRules(roller=Roller.PEOPLE, bots=tuple(Bot(seat, "casual") for seat in bots))
    do(room, NewMatch(TrapTheWizard.name, pack(Settings(seats, rounds=rounds)), house))
    return room


class Finger:
    """Somebody who taps what the page shows, and chooses like the sensible player."""

    def __init__(self, page: Page, room: FakeRoom, language: str, chance: Random) -> None:
        self.page, self.room, self.chance = page, room, chance
        _, self.rolls, self.confirms, self.again = WORDS[language]
        self.ways: set[str] = set()  # in which it has rolled

    def acts(self) -> None:
        """Do what is to be done now, and wait until the page shows what came of it."""
        shows(self.page, self.room)
        before = str(self.room.snapshot.version)
        if self.room.snapshot.view.phase is Phase.ROLL:
            self.roll()
        else:
            self.move()
        expect(self.page.locator("#table")).not_to_have_attribute("data-version", before)

    def roll(self) -> None:
        """Have the companion roll, by its key or on the board, or tell what a real die shows."""
        how = ("key", "board", "told")[self.chance.randrange(3)]
        self.ways.add(how)
        match how:
            case "key":
                self.page.get_by_role("button", name=self.rolls).tap()
            case "board":
                self.page.locator("svg.trap .die .reach").tap()
            case _:
                number = str(self.chance.randint(1, 6))
                self.page.get_by_role("button", name=number, exact=True).tap()

    def move(self) -> None:
        """Tap a wizard on the board, then where it goes; confirm only where more is asked."""
        now = self.room.snapshot
        view = now.seen_by(SeatName(now.view.player).name.lower())
        wanted = experienced(now.settings, view, view.player, view.choices, self.chance)
        if isinstance(wanted, Leave):
            self.page.locator(f"#leave-{now.acted}").tap()
            return
        way = self.page.locator(f"input[name=way][value='{write(wanted)}']")
        expect(way).to_have_count(1)
        goal = str(way.get_attribute("id"))
        wizard = self.page.locator(f"input[name=wizard]#{goal.rpartition('-')[0]}")
        known = not wizard.is_checked()  # the only one is chosen already
        if known:
            self.tap(str(wizard.get_attribute("id")))
            expect(wizard).to_be_checked()
        asks = not known and self.page.locator(f".rather[data-for='{goal}']").count()
        self.tap(goal)  # that is the move
        if asks:
            expect(
                self.page.locator(f"svg.trap .would[data-for='{goal}']:not([hidden])")
            ).to_have_count(1)
            self.page.get_by_role("button", name=self.confirms).tap()

    def tap(self, chosen: str) -> None:
        """Tap on the board what chooses this."""
        self.page.locator(f"svg.trap [data-choose='{chosen}'] .reach").first.tap()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "seed"), [("de", 12), ("en", 6)])
def test_a_whole_game_against_the_companion_is_played_by_taps(
    phone: Opener, serve: Serve, language: str, seed: int
) -> None:
    room = table(SeatName.GREEN)
    page = serve(room).open(phone(WORDS[language][0]), role="red")
    finger = Finger(page, room, language, Random(seed))
    decisions = 0
    while not room.snapshot.over:
        assert room.snapshot.view.player is RED  # the companion has played its turns by itself
        finger.acts()
        decisions += 1
        assert decisions < MOST
    assert finger.ways == {"key", "board", "told"}
    outcome = room.snapshot.outcome
    assert outcome is not None
    shows(page, room)
    winner = page.locator("tr.winner")
    expect(winner).to_have_count(len(outcome.winners))
    expect(winner.first).to_contain_text(str(max(points for _, points in outcome.scores)))
    expect(page.locator("svg.trap")).to_be_visible()
    page.get_by_role("button", name=finger.again).tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    assert room.snapshot.settings == Settings(TWO, rounds=1)


@pytest.mark.slow
def test_two_play_a_whole_game_each_on_an_own_phone(phone: Opener, serve: Serve) -> None:
    room = table()
    served = serve(room)
    pages = {seat: served.open(phone("en-GB"), role=seat) for seat in ("red", "green")}
    chance = Random(30)
    fingers = {seat: Finger(page, room, "en", chance) for seat, page in pages.items()}
    decisions = 0
    while not room.snapshot.over:
        mine = SeatName(room.snapshot.view.player).name.lower()
        (other,) = {*pages} - {mine}
        if decisions % 8 == 0:  # now and then: the other phone has nothing to tap
            shows(pages[other], room)
            assert pages[other].locator("#play [data-wish], #play form, .free").count() == 0
        fingers[mine].acts()
        decisions += 1
        assert decisions < 2 * MOST
    for page in pages.values():
        shows(page, room)
        expect(page.locator("tr.winner")).to_be_visible()


def test_a_tap_on_another_wizard_lets_go_of_the_first(phone: Opener, serve: Serve) -> None:
    room = table()
    do(room, "roll 3", "move red start 3", "roll 4", "move green start 15", "roll 4")
    page = serve(room).open(phone("en-GB"), role="red")
    finger = Finger(page, room, "en", Random(1))
    confirm = page.get_by_role("button", name=finger.confirms)
    expect(confirm).to_be_disabled()
    starting, standing = (page.locator(".wizards input").nth(number) for number in (0, 1))
    finger.tap(str(starting.get_attribute("id")))
    page.locator(".ends:visible input[name=way]").first.press("Space")
    expect(confirm).to_be_enabled()
    finger.tap(str(standing.get_attribute("id")))
    expect(confirm).to_be_disabled()
    expect(page.locator("svg.trap .would:not([hidden])")).to_have_count(0)
    expect(page.locator("svg.trap .ends:visible")).to_have_count(1)
    for one in page.locator(".wizards input").all():
        one.evaluate("wizard => { wizard.checked = false; }")
    starting.dispatch_event("change")
    expect(page.locator("svg.trap .ends:visible")).to_have_count(2)  # nobody is chosen any more
    expect(page.locator("svg.trap .numbers")).to_be_visible()
    page.locator("svg.trap .goal:visible .reach").first.tap()  # … and a goal is enough
    expect(page.locator("#headline")).to_have_text("Green: roll the die.")


def test_the_second_tap_moves(phone: Opener, serve: Serve) -> None:
    room = table()
    do(room, "roll 3")
    page = serve(room).open(phone("en-GB"), role="red")
    page.evaluate(
        "addEventListener('pointerdown', () => { window.taps = (window.taps || 0) + 1; }, true)"
    )
    wizard, way = (page.locator(f"input[name={name}]").first for name in ("wizard", "way"))
    finger = Finger(page, room, "en", Random(1))
    finger.tap(str(wizard.get_attribute("id")))
    finger.tap(str(way.get_attribute("id")))
    expect(page.locator("#headline")).to_have_text("Green: roll the die.")
    assert page.evaluate("window.taps") == 2
    do(room, "roll 4", "move green start 15", "roll 3")
    room.stir()
    page.locator(".wizards label").first.tap()
    page.locator(".goals label:visible").first.tap()  # or in the list of goals
    expect(page.locator("#headline")).to_have_text("Green: roll the die.")


def test_where_two_could_go_the_tapped_one_goes_unasked(phone: Opener, serve: Serve) -> None:
    room = table()
    do(room, "roll 2", "move red start 4", "roll 4", "move green start 15", "roll 3")
    page = serve(room).open(phone("en-GB"), role="red")
    expect(page.locator("input[name=way][value$=' 7']")).to_have_count(2)
    wizard = str(page.locator(".wizards input").first.get_attribute("id"))
    finger = Finger(page, room, "en", Random(1))
    finger.tap(wizard)
    finger.tap(f"{wizard}-7")
    expect(page.locator("#headline")).to_have_text("Green: roll the die.")


def test_the_board_fits_on_a_phone_and_keeps_nobody_out(phone: Opener, serve: Serve) -> None:
    room = table(seats=(RED, GREEN, BLUE, YELLOW), rounds=3)
    page = serve(room).open(phone("de-DE"), role="table")
    expect(page.locator("svg.trap")).to_be_visible()
    for wish in ("roll 3", "move red start 7", "roll 6"):
        shows(page, room)
        assert hindrances(page) == []
        do(room, wish)
        room.stir()
    shows(page, room)
    hats = page.locator("svg.trap .hat[data-pawn]")
    expect(hats).to_have_count(13)
    box = box_of(page.locator("svg.trap .place").first)
    assert box["width"] > 18


def test_whether_to_roll_again_after_a_six_is_tapped(phone: Opener, serve: Serve) -> None:
    room = FakeRoom()
    do(room, NewMatch(TrapTheWizard.name, pack(Settings(TWO, six_passes=True)), HouseRules()))
    do(room, "roll 6", "move red start 10")
    page = serve(room).open(phone("en-GB"), role="red")
    assert too_small(page) + too_wide(page) == []
    page.get_by_role("button", name="Roll again", exact=True).tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    do(room, "roll 6", "move red start 10")
    page.get_by_role("button", name="Do not roll again").tap()
    expect(page.locator("#headline")).to_have_text("Green: roll the die.")
