"""What a saved match is called: readable, in the reader's language, and safe on every system."""

import re
from urllib.parse import unquote

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.present.history import PastMatch, Result
from companion.present.viewer import Viewer
from companion.referee.commands import GiveUp, NewMatch
from companion.referee.events import HouseRules
from companion.system.text import SeatName
from companion.web.history_page import attached, match_file
from tests.games.zapp_zerapp.test_summary import GAME, play
from tests.web.room import FakeRoom, client

NOON_MS = 1_795_348_800_000  # 2026-11-22, by UTC
RED, GREEN, BLUE, _ = Colour


def past(result: Result, *winners: SeatName, at_ms: int = NOON_MS) -> PastMatch:
    return PastMatch("m0", at_ms, result, "zapp-zerapp", tuple(SeatName), winners)


@pytest.mark.parametrize(
    ("language", "of", "name"),
    [
        ("de", past(Result.WON, SeatName.RED), "zapp-zerapp 2026-11-22 Rot gewinnt.jsonl"),
        ("en", past(Result.WON, SeatName.RED), "zapp-zerapp 2026-11-22 Red wins.jsonl"),
        ("de", past(Result.WON, SeatName.GREEN), "zapp-zerapp 2026-11-22 Grün gewinnt.jsonl"),
        ("en", past(Result.GIVEN_UP), "zapp-zerapp 2026-11-22 Given up.jsonl"),
        ("en", past(Result.UNFINISHED), "zapp-zerapp 2026-11-22.jsonl"),
        ("en", past(Result.UNFINISHED, at_ms=10**18), "zapp-zerapp.jsonl"),
        ("en", PastMatch("m0", NOON_MS, Result.DAMAGED), "match 2026-11-22.jsonl"),
    ],
)
def test_a_match_is_called_by_game_day_and_end(language: str, of: PastMatch, name: str) -> None:
    assert match_file(of, Viewer(language)) == name


def test_a_saved_match_has_that_name_in_both_ways_of_writing_it() -> None:
    room = FakeRoom()
    room.wish(
        NewMatch(ZappZerapp.name, pack(Settings((RED, GREEN, BLUE), profi=True)), HouseRules())
    )
    play(room, GAME)
    room.wish(NewMatch(ZappZerapp.name, pack(Settings((RED, GREEN))), HouseRules()))
    room.wish(GiveUp())
    won = client(room, language="de").get("/api/matches/m0/export")
    said = won.headers["Content-Disposition"]
    assert re.search(r'filename="zapp-zerapp [\d-]+ Rot gewinnt\.jsonl"', said)
    given_up = client(room).get("/api/matches/m1/export").headers["Content-Disposition"]
    assert unquote(given_up.rpartition("''")[2]).endswith(" Given up.jsonl")


@pytest.mark.parametrize("name", ['Ö/../\\:*?"<>|\r\n\t.', "…" * 300, "Оля и Ιώ"])
def test_whatever_the_winners_are_called_the_name_is_safe(name: str) -> None:
    class Named(Viewer):
        def say(self, *_: object, **__: object) -> str:
            return name

    found = match_file(past(Result.WON, SeatName.RED), Named())
    assert not set(found.removesuffix(".jsonl")) & set('/\\:*?"<>|\r\n\t.')
    assert len(found) < 100
    header = attached(found)
    assert header.isascii()
    assert header.isprintable()
