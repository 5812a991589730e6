"""Ludo at the table, on phones, on the lights and in the journal."""

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ludo.rules import HOME, Colour, Ludo, Settings, State, field
from playwright.sync_api import expect

from companion.core.game import TABLE
from companion.core.log import Log, load
from companion.core.notation import read, write
from companion.i18n.translate import say
from companion.journal.export import export_lines, read_export
from companion.present.lights.scenes import meanings, scene
from companion.referee.commands import DoAction, NewMatch, RollForUs, Undo
from companion.referee.events import Bot, HouseRules
from companion.system.text import SeatName
from companion.web.ports import TablePort
from tests.browser.chromium import Opener, too_small, too_wide
from tests.browser.served import Served
from tests.web.room import FakeRoom, client

Serve = Callable[[TablePort], Served]
MOST, FEW = 2000, 10  # taps of a match, with and without --full
SHORT: dict[str, Any] = {"seats": ["red", "blue"], "pawns": 1}


def games() -> Iterator[tuple[Ludo, list[State], list[Any]]]:
    """Play at random."""
    for seed in range(30):
        chance = Random(seed)
        seats = tuple(sorted(chance.sample([*Colour], chance.randint(2, 4))))
        game = Ludo(Settings(seats, chance.randint(1, 4)))
        states, actions = [game.start()], list[Any]()
        while game.outcome(states[-1]) is None:
            (seat,) = game.turns(states[-1])
            actions.append(chance.choice(game.legal(states[-1], seat)))
            states.append(game.apply(states[-1], actions[-1]))
        yield game, states, actions


def test_no_two_pawns_ever_share_a_field() -> None:
    for game, states, _ in games():
        for state in states:
            on_ring = [field(seat, step) for seat in game.seats for step in state.camps[seat]]
            places = [place for place in on_ring if place is not None]
            assert len(places) == len({*places})
            homes = [[step for step in camp if step >= HOME] for camp in state.camps]
            assert all(len(home) == len({*home}) for home in homes)


def test_every_action_is_written_read_told_and_kept() -> None:
    for game, states, actions in games():
        log = Log.begin(game)
        for (before, after), action in zip(pairwise(states), actions, strict=True):
            assert read(game, before, write(action)) == action
            for event in game.explain(before, action):
                told = say(event, "en"), say(event, "de")
                assert told[0] != told[1]
                assert all(one.endswith(".") and "{" not in one for one in told)
            log = log.play(action)
            assert log.state == after
        assert load(log.dump(), {"ludo": Ludo}) == (log, None)


def begun() -> FakeRoom:
    """Sit down against the companion."""
    room = FakeRoom()
    house = HouseRules(bots=(Bot(SeatName.BLUE, "foremost"),))
    assert room.wish(NewMatch("ludo", SHORT, house)).refused is None
    return room


def test_a_match_is_lit_taken_back_and_goes_on_after_a_power_cut() -> None:
    room, lit, moved = begun(), set[str](), 0
    while not room.now.over:
        before = room.now
        acts(room)
        lit |= {meaning.title.template for meaning in meanings(room.now)}
        scenes = [scene(room.now, at_us) for at_us in range(0, 5_000_000, 500_000)]
        assert any(any(light) for one in scenes for light in one.lights)
        assert room.again().now.view == room.now.view
        moved += 1
        if moved < 5:
            assert room.wish(Undo()).refused is None
            assert room.now.view == before.view
    assert {"Whose turn it is", "Victory"} <= lit


def acts(room: FakeRoom) -> None:
    """Do what is to be done for red, who plays against the companion."""
    if TABLE in room.now.view.turns:
        assert room.wish(RollForUs()).refused is None
        return
    move = room.now.seen_by("red").choices[0]
    assert room.wish(DoAction(write(move)), by="red").refused is None


def test_a_match_is_exported_and_comes_back() -> None:
    room = begun()
    for _ in range(20):
        acts(room)
    entries = tuple(room.entries(str(room.now.match)))
    text = BytesIO("".join(export_lines(entries)).encode())
    assert read_export(text, Path("match.jsonl")).matches == (entries,)


@pytest.mark.parametrize(("language", "told"), [("de", "würfle"), ("en", "throw the die")])
def test_it_is_offered_and_told_in_both_languages(language: str, told: str) -> None:
    page = client(begun(), "red", language)
    for path in ("/", "/setup?game=ludo", "/history", "/manual", "/api/snapshot", "/api/games"):
        assert page.get(path).status_code == 200, path
    assert "Ludo" in page.get("/setup").text
    assert told in page.get("/").text


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_a_match_is_set_up_and_won_by_taps(
    phone: Opener, serve: Serve, locale: str, full: bool
) -> None:
    room = FakeRoom()
    page = serve(room).open(phone(locale), "/setup?game=ludo", "table")
    for seat in ("green", "yellow"):
        page.select_option(f"#seat-{seat}", "")
    page.select_option("#seat-blue", "foremost")
    page.locator("#rules > summary").tap()
    page.select_option("#option-pawns", "0")
    page.locator("#begin").tap()
    expect(page.locator("#mountain svg")).to_be_visible()
    assert room.now.settings == Settings((Colour.RED, Colour.BLUE), pawns=1)
    assert not too_wide(page)
    assert not too_small(page)
    for _ in range(MOST if full else FEW):
        if room.now.over:
            break
        version = str(room.now.version)
        expect(page.locator("#table")).to_have_attribute("data-version", version)
        page.locator("#roll-for-us, #play button[id^=move]").first.tap()
        expect(page.locator("#table")).not_to_have_attribute("data-version", version)
    while not room.now.over:
        acts(room)
    room.stir()
    expect(page.locator("#headline")).to_contain_text("!")
