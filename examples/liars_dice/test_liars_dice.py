"""A game in which a doubt lifts all cups: until then nobody sees more dice than the own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from examples.building import ROOT, built, passes

HERE = Path(__file__).parent
DOUBTED = """
from companion.referee.commands import DoAction, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.present.viewer import Viewer
from companion.web.table_page import live
from tests.web.room import FakeRoom, client, phones

room = FakeRoom()
assert room.wish(NewMatch("liars-dice", {"seats": ["red", "green"]}, HouseRules())).refused is None
assert room.wish(DoAction("bid red 4 6"), by="red").refused is None

def told(role):
    return client(room, role).get("/api/snapshot").json

for role in (None, "table", "red", "green"):
    offers = [offer for seat in told(role)["seats"] for offer in seat["offers"]]
    assert {"kind": "act", "text": "doubt green"} in [offer["wish"] for offer in offers]
    assert not any(offer["preview"] for offer in offers)
page = {role: live(phones(room), Viewer("en", role)) for role in (None, "table", "red", "green")}
assert all("Round 1<" in live for live in page.values())
hands = {role: told(role)["view"]["hand"] for role in (None, "table", "red", "green")}
assert hands[None] == hands["table"] == []
assert len(hands["red"]) == len(hands["green"]) == 2
for role, hand in hands.items():
    assert (f"Your hand: {' '.join(map(str, hand))}<" in page[role]) == bool(hand)
    assert page[role].count(">2 points<") == 2
assert room.wish(DoAction("doubt green"), by="green").refused is None
said = " ".join(told(None)["happened"])
for seat in ("Red", "Green"):
    assert f"{seat} has {' and '.join(map(str, hands[seat.lower()]))}." in said
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package as its author would, and install it into a folder of its own."""
    return built(tmp_path_factory.mktemp("liars_dice"), HERE / "package")


def ran(site: Path, home: Path, *words: str, typed: str = "") -> str:
    env = {"PYTHONPATH": f"{site}:{ROOT}", "HOME": str(home)}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=home,
        env=env,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_before_anybody_doubts_nobody_is_told_what_a_doubt_would_show(
    site: Path, tmp_path: Path
) -> None:
    ran(site, tmp_path, "-c", DOUBTED)


def test_it_is_played_to_its_end_in_a_terminal(site: Path, tmp_path: Path) -> None:
    words = ["--language", "en", "play", "--game", "liars-dice", "--bots", "4", "--seed", "3"]
    assert "There is 1 times 6: Blue loses a die." in ran(site, tmp_path, "-m", "companion", *words)


def test_the_plain_terminal_shows_round_points_and_the_own_hand(site: Path, tmp_path: Path) -> None:
    words = ["--language", "en", "play", "--game", "liars-dice", "--you", "red", "--seats"]
    told = ran(
        site, tmp_path, "-m", "companion", *words, "red,green", "--seed", "3", typed="1\n" * 40
    )
    assert re.search(r"Round 1\nRed: \d points\nGreen: \d points\n", told)
    assert re.search(r"Your hand: [1-6]( [1-6])+\n", told)


def test_it_passes_what_every_game_has_to_pass(site: Path, tmp_path: Path, full: bool) -> None:
    told = passes(site, tmp_path, "liars-dice", full=full)
    for test in ("test_nobody_learns_what_is_sealed", "test_no_page_tells_what_is_sealed"):
        assert any(test in line and "PASSED" in line for line in told.splitlines())
