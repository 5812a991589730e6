"""Whole games by taps on a phone, in both languages, and what one does when something was wrong."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.games.zapp_zerapp.rules import CITY, Colour, Phase, Settings
from companion.web.ports import TablePort
from tests.browser.chromium import Complaints, Opener, box_of
from tests.browser.served import Serve, loaded, shows
from tests.web.playing import do, peek, table, to_move
from tests.web.room import FakeRoom

TWO = (Colour.RED, Colour.GREEN)
LATE = "inzwischen"
NEARLY_HOME = "correct pawns red:19,red:city,red:city,green:4,green:start,green:start"


@dataclass(frozen=True, slots=True)
class Words:
    """What the buttons are called."""

    locale: str
    set_up: str
    begin: str
    placed: str
    flipped: str
    number_of: str
    legend: str
    confirm: str
    wins: str
    another: str


WORDS = {
    "de": Words(
        "de-DE",
        "Neue Partie vorbereiten",
        "Partie beginnen",
        "{seat} hat ein Fass gewählt",
        "Alle Fässer sind umgedreht",
        "Welche Zahl zeigt das Fass von {seat}?",
        "Tippe auf dem Spielplan einen Zauberlehrling an",
        "Diesen Zug bestätigen",
        "{seat} gewinnt!",
        "Noch eine Partie, genauso",
    ),
    "en": Words(
        "en-GB",
        "Set up a match",
        "Begin the match",
        "{seat} has placed a barrel",
        "All barrels are flipped",
        "Which number does {seat}'s barrel show?",
        "Tap a pawn on the board",
        "Confirm this move",
        "{seat} wins!",
        "Another match, the same way",
    ),
}
SEATS = {"de": {"red": "Rot", "green": "Grün"}, "en": {"red": "Red", "green": "Green"}}


class Player:
    """Somebody who plays by tapping what the page shows; finds keys by what is written on them."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.words, self.seats = page, WORDS[language], SEATS[language]

    def key(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name).first

    def number(self, asked: str | re.Pattern[str], number: int) -> None:
        """Tap a number in the group of keys that asks for it."""
        keys = self.page.get_by_role("group", name=asked)
        keys.get_by_role("button", name=str(number), exact=True).tap()

    def begins(self) -> None:
        """Set up a match of red and green."""
        self.page.get_by_role("link", name=self.words.set_up).tap()
        loaded(self.page.locator("#begin"))
        for other in ("blue", "yellow"):
            self.page.locator(f"input[name=seat][value={other}]").uncheck()
        start = self.key(self.words.begin)
        expect(start).to_have_attribute("data-wish", re.compile(r'"seats": ?\[[^,\]]*,[^,\]]*\]'))
        start.tap()
        expect(self.page).to_have_url(re.compile(r"/$"))

    def shakes(self, magic: int, **numbers: int) -> None:
        """Roll, place and flip, and read the numbers aloud."""
        self.number(re.compile("Würfel|dice"), magic)
        for seat in numbers:
            self.key(self.words.placed.format(seat=self.seats[seat])).tap()
        self.key(self.words.flipped).tap()
        for seat, number in numbers.items():
            self.number(self.words.number_of.format(seat=self.seats[seat]), number)
        expect(self.page.locator(".moving")).to_be_visible()

    def moves(self, pawn: str) -> None:
        """Move a pawn: it is tapped on the board, previewed, and confirmed."""
        way = self.page.locator(f".moving input[value='move {pawn}']")
        expect(way).to_have_count(1)
        if not way.is_checked():  # the only one is chosen already
            chosen = way.get_attribute("id")
            self.page.locator(f"#mountain [data-choose='{chosen}']").first.tap()
        expect(self.page.locator("#mountain .walk:not([hidden]) .end").first).to_be_visible()
        self.key(self.words.confirm).tap()


def unfold(page: Page) -> None:
    """Open what a phone keeps folded, so that play fits on its screen."""
    page.locator("#more > summary").tap()
    expect(page.locator("#more")).to_have_attribute("open", "")


def folded(page: Page) -> None:
    """Wait until the fold has gone by itself, so that what was done in it is seen."""
    expect(page.locator("#more")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("language", [pytest.param("de", marks=pytest.mark.slow), "en"])
def test_a_whole_game_is_played_by_taps(phone: Opener, serve: Serve, language: str) -> None:
    served = serve(FakeRoom())
    page = served.open(phone(WORDS[language].locale, lively=language == "en"), role="table")
    plays(page, served.room, language)


def plays(page: Page, room: TablePort, language: str) -> None:
    """Play from set-up to the last pawn, and have another match begin."""
    assert isinstance(room, FakeRoom)
    words, player = WORDS[language], Player(page, language)
    player.begins()
    expect(page.locator("#headline")).to_contain_text(player.seats["red"])
    if language == "en":  # the German one is played from the first roll on
        do(room, NEARLY_HOME)
        room.stir()
        shows(page, room)
    rounds = 0
    while not room.snapshot.over:
        rounds += 1
        assert rounds < 13
        player.shakes(12, red=12, green=1)
        while (view := room.snapshot.view).phase is Phase.MOVE:
            shows(page, room)
            mover = Colour(view.turns[0])
            step = max(step for step in dict(view.pawns)[mover] if step != CITY)
            before = room.snapshot.acted
            player.moves(f"{mover.name.lower()} {step or 'start'}")
            expect(page.locator(f"#moving-{before}")).to_have_count(0)
    expect(page.locator("#headline")).to_have_text(words.wins.format(seat=player.seats["red"]))
    expect(player.key(words.another)).to_be_visible()
    player.key(words.another).tap()
    expect(page.locator("#doing-roll")).to_be_visible()
    assert room.snapshot.settings == Settings(TWO)


def test_a_wrong_roll_is_put_right_and_a_decision_taken_back(phone: Opener, serve: Serve) -> None:
    room = table(seats=TWO)
    do(room, "roll 4")
    page = serve(room).open(phone("en-GB"), role="table")
    unfold(page)
    page.get_by_text("Something wrong?").tap()
    page.get_by_role("link", name="Correct something").tap()
    loaded(page.get_by_label("The magic number is 4")).select_option("9")
    page.get_by_role("button", name="This is right").first.tap()
    expect(page.locator("#magic strong")).to_have_text("9")
    assert room.snapshot.view.magic == 9
    unfold(page)
    page.get_by_text("Something wrong?").tap()
    page.get_by_role("button", name="Take back: ").tap()
    folded(page)
    expect(page.locator("#done")).to_have_text("Taken back: The last correction.")
    expect(page.locator("#magic strong")).to_have_text("4")
    assert page.locator("#wrong").get_attribute("open") is not None  # it was not shut by that


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("answer", "upheld"), [("No, that was nothing", False), ("Yes, that was a foul", True)]
)
def test_a_foul_shows_what_was_seen_and_the_table_rules(
    phone: Opener, serve: Serve, answer: str, upheld: bool
) -> None:
    room = table(seats=TWO)
    do(room, "roll 9")
    page = serve(room).open(phone("en-GB"), role="red")
    room.tell(peek(1))
    card = page.locator(".foul")
    expect(card).to_have_count(1)
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile("80°"))
    assert card.locator("svg path, svg polyline").count() > 2
    page.get_by_role("button", name=answer).tap()
    expect(page.locator(".foul")).to_have_count(0)
    expect(page.locator("#done")).to_have_text("Upheld." if upheld else "Dismissed.")
    (foul,) = room.snapshot.fouls
    assert foul.upheld is upheld
    unfold(page)
    page.get_by_text("Noted quietly: 1").tap()
    again = "Dismiss it after all" if upheld else "Uphold it after all"
    page.get_by_role("button", name=again).tap()
    folded(page)
    unfold(page)
    other = "Uphold it after all" if upheld else "Dismiss it after all"
    expect(page.get_by_role("button", name=other)).to_be_visible()
    assert room.snapshot.fouls[0].upheld is not upheld


def test_who_moves_sees_before_whom_it_banishes(phone: Opener, serve: Serve) -> None:
    room = table(seats=TWO)
    do(room, "correct pawns red:4,red:start,red:start,green:start,green:start,green:start")
    to_move(room, red=6, green=5)
    served = serve(room)
    page = served.open(phone("de-DE"), role="red")
    confirm = page.get_by_role("button", name="Diesen Zug bestätigen")
    expect(confirm).to_be_in_viewport(ratio=1)
    expect(confirm).to_be_disabled()
    page.locator("#mountain [data-step='4'][data-pawn=red]").tap()
    expect(page.locator(".follows:visible")).to_be_visible()
    expect(confirm).to_be_in_viewport(ratio=1)
    expect(confirm).to_be_enabled()
    expect(page.locator("#mountain .walk:not([hidden]) .end").first).to_be_visible()
    watcher = served.open(phone("de-DE"))
    expect(watcher.locator("#can-move")).to_be_visible()
    confirm.tap()
    expect(page.locator(".moving")).to_have_count(0)
    expect(watcher.locator("#happened")).to_contain_text("Rot")
    assert room.snapshot.view.pawns[0][1] != (4, 0, 0)


def test_of_two_phones_one_wins(phone: Opener, serve: Serve, complaints: Complaints) -> None:
    room = table(seats=TWO)
    served = serve(room)
    first = served.open(phone("en-GB"), role="red")
    late = phone("de-DE")
    deaf = True  # news do not reach the late phone, so that both tap at the same table

    def pass_on(route: Route) -> None:
        route.abort() if deaf else route.continue_()

    for news in ("**/api/stream*", "**/api/view/*"):
        late.route(news, pass_on)
    complaints.forgive("ERR_FAILED")
    complaints.forgive("status of 409")
    served.open(late, role="green")
    first.locator("#roll-5").tap()
    expect(first.locator("#magic strong")).to_have_text("5")
    late.locator("#roll-7").tap()
    expect(late.locator("#told")).to_contain_text(LATE)
    deaf = False
    expect(late.locator("#magic strong")).to_have_text("5")
    assert room.snapshot.view.magic == 5


def test_a_phone_that_only_watches_finds_nothing_to_tap(phone: Opener, serve: Serve) -> None:
    room = table(seats=TWO)
    page = serve(room).open(phone("en-GB"))
    for wish in ("roll 9", "place red", "place green", "flip", "say red 3", "say green 4"):
        assert page.locator("main button, main form").count() == 0
        do(room, wish)
        room.stir()
        shows(page, room)
    assert page.locator("main button, main form, main [data-wish]").count() == 0
    expect(page.get_by_role("link", name="Join to act")).to_be_visible()


def test_a_pawn_that_may_go_is_tapped_though_another_is_before(phone: Opener, serve: Serve) -> None:
    room = table(seats=TWO)
    ring = Settings().board
    meets = next(
        step for step in range(1, 25) if ring.field(Colour.GREEN, step) == ring.field(Colour.RED, 9)
    )
    pawns = f"red:9,red:start,red:start,green:{meets},green:start,green:start"
    do(room, f"correct pawns {pawns}")
    to_move(room, 9, red=5, green=3)
    page = serve(room).open(phone("en-GB"), role="red")
    box = box_of(page.locator('.pawn.free[data-step="9"] .reach').first)
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator('.pawn.chosen[data-step="9"]')).to_have_count(1)
