"""A round of each game by taps in Firefox and in WebKit, on which every iPhone is built.

Whoever plays taps what the page offers, first what is to be confirmed, and knows no game.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.plugin import GAMES, players
from companion.games.zapp_zerapp.simulated import party
from companion.referee.commands import NewMatch
from companion.referee.events import Bot, HouseRules
from companion.system.text import SeatName
from companion.table.table import Table
from release.browsers.engines import OtherBrowser, firefox, webkit
from tests.browser.served import Served
from tests.browser.simulated import BUSY, Evening
from tests.programs import need
from tests.web.playing import do
from tests.web.room import FakeRoom

pytestmark = pytest.mark.slow
ENGINES: Final = {
    "firefox": (firefox, ("firefox-esr",)),
    "webkit": (webkit, ("WebKitWebDriver", "xvfb-run")),
}
WIDTH_PX, HEIGHT_PX = 390, 844
LOOK_MS: Final = 100
HASTE: Final = 4.0  # more than hands and eyes of people can do
ENOUGH: Final = 50  # things that happened: a round of Trap the Wizard may take hundreds
MOST: Final = 600  # looks at a page; each lasts a little longer than the wait before it
LETS_IN: Final = """return fetch("/api/pair", {method: "POST",
    headers: {"Content-Type": "application/json"}, body: arguments[0]}).then(answer => answer.ok)"""
HEARS: Final = """window.faults = [];
addEventListener("error", fault => window.faults.push(String(fault.message)));
addEventListener("unhandledrejection", fault => window.faults.push(String(fault.reason)))"""
OFFERED: Final = """
const dead = one => one.disabled || one.getAttribute("aria-disabled") === "true"
    || one.closest("[hidden], [aria-busy=true]") || !one.getClientRects().length
    || getComputedStyle(one).visibility !== "visible";
const all = what => [...document.querySelectorAll(what)].filter(one => !dead(one));
function spot(one) {
    one.scrollIntoView({block: "nearest", inline: "nearest"});
    const box = (one.querySelector(".reach") || one).getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const top = document.elementFromPoint(x, y);
    return top && (one.contains(top) || top.contains(one) || !one.closest("main")) ? [x, y] : null;
}
const table = document.getElementById("table");
if (!table || table.dataset.version !== String(arguments[0])) return null;
const open = input => !input.checked && !input.disabled && !input.closest("[hidden]");
const chosen = one => document.getElementById(one.dataset.choose);
const keys = [
    ...all("#play [data-confirms]"), ...all(".hand:not([hidden]) [data-do=place]"),
    ...all("[data-do=flip]"), ...all("#own-pad [data-do=put_back]"),
    ...(table.matches(".phase-place") && !all(".hand").length ? all("[data-barrel].free") : []),
    ...all("#play [data-wish]").filter(one => /roll-for-us|"act"/.test(one.dataset.wish)),
    ...all("[data-choose]").filter(one => chosen(one) && open(chosen(one))),
    ...[...document.querySelectorAll("#play form input")].filter(open)
        .map(one => one.closest("label")).filter(one => one && !dead(one)),
];
const name = one => arguments[0] + " "
    + (one.id || one.dataset.choose || one.outerHTML.slice(0, 80));
window.tapped = window.tapped || new Set();
keys.sort((a, b) => window.tapped.has(name(a)) - window.tapped.has(name(b)));
for (const key of keys) {
    const at = spot(key);
    if (!at) continue;
    window.tapped.add(name(key));
    const hand = document.querySelector("[data-palm=right]"), goes = key.matches("[data-barrel]");
    return [name(key), at, ...(goes ? [spot(hand)] : [])];
}
return null;
"""


@pytest.fixture(params=ENGINES)
def browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OtherBrowser]:
    """Start a browser that is not Chromium."""
    started_as, programs = ENGINES[request.param]
    need(*programs)
    folder = tmp_path / "profile"
    folder.mkdir()
    with started_as(folder) as started:
        started.size(WIDTH_PX, HEIGHT_PX)
        yield started


def opens(browser: OtherBrowser, home: str, pin: str, path: str) -> None:
    """Open a page as a phone that was let in for red."""
    browser.open(f"{home}/join")
    assert browser.run(LETS_IN, f'{{"pin": "{pin}", "seat": "red"}}')
    browser.open(home + path)
    browser.run(HEARS)


def is_over(view: Any) -> bool:
    """Tell whether a round, a trick or an animus is over, and the next has begun."""
    return getattr(view, "round", 1) > 1 or any(getattr(view, "won", ()))


def plays(browser: OtherBrowser, table: FakeRoom | Table) -> None:
    """Tap what is offered until a round is over."""
    told = list[str]()
    for _ in range(MOST):
        now = table.snapshot
        if now.over or is_over(now.view) or now.version > ENOUGH:
            break
        if offered := browser.run(OFFERED, now.version):
            what, *way = offered
            told.append(what)
            browser.touch(*way)
        browser.rest(LOOK_MS)
    else:
        pytest.fail(f"the round does not end; last were tapped: {told[-5:]}")
    assert browser.run("return window.faults") == []


@pytest.mark.parametrize("game", ["trap-the-wizard", "via-magica", "blackmore"])
def test_a_round_is_played_by_taps(browser: OtherBrowser, tmp_path: Path, game: str) -> None:
    assert game in GAMES
    level = "good" if "good" in players(game) else next(iter(players(game)))
    room = FakeRoom()
    house = HouseRules(bots=(Bot(SeatName.GREEN, level),))
    do(room, NewMatch(game, {"seats": ["red", "green"]}, house))
    with Served(room, tmp_path) as served:
        opens(browser, served.home, served.pin, "/")
        plays(browser, room)


def test_a_round_is_played_with_barrels(
    browser: OtherBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(party, "DICE_US", 3_600_000_000)  # nobody rolls for a person who is slow
    with Evening(tmp_path, speed=HASTE, moods=(BUSY,)) as evening:
        opens(browser, evening.home, evening.phones.pairing.pin, "/simulated")
        evening.begin()
        plays(browser, evening.table)
