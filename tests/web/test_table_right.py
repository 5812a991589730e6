"""Rolls, numbers and pawns that were entered wrongly are put right, by whoever may."""

import json
import re
from html import unescape

import pytest

from companion.games.zapp_zerapp.rules import Colour
from companion.present.command_json import from_json
from tests.web.playing import do, to_move
from tests.web.room import FakeRoom, client


def test_rolls_and_numbers_of_before_can_be_put_right() -> None:
    room = FakeRoom("red", "blue")
    to_move(room, red=6, blue=5)
    html = client(room, "table").get("/right").text
    asked = [json.loads(unescape(found)) for found in re.findall(r'data-asks="([^"]+)"', html)]
    right = [wish for wish in asked if wish["kind"] == "put-right"]
    assert [wish["text"] for wish in right] == ["say blue ", "say red ", "roll "]
    told = re.findall(r'<label for="entry-\d+">([^<]+)<', html)
    assert len([line for line in told if line.startswith("Round 1")]) == 3
    roll = right[-1]
    do(room, from_json(roll | {"text": roll["text"] + "5"}))
    assert room.snapshot.view.magic == 5
    assert room.snapshot.view.order == (Colour.BLUE,)


def test_a_seat_puts_only_its_own_number_right() -> None:
    room = FakeRoom("red", "blue")
    to_move(room, red=6, blue=5)
    html = unescape(client(room, "red").get("/right").text)
    assert '"say red "' in html
    assert '"say blue "' not in html


def test_pawns_are_put_where_they_truly_stand() -> None:
    room = FakeRoom("red", "blue")
    html = client(room, "red").get("/right").text
    pieces = re.findall(r'<option value="([a-z]+:\w+)" selected', html)
    assert pieces == ["red:start"] * 3 + ["blue:start"] * 3
    pieces[0] = "red:7"
    do(room, "correct pawns " + ",".join(pieces))
    assert dict(room.snapshot.view.pawns)[Colour.RED] == (0, 0, 7)


@pytest.mark.parametrize("role", [None, "red"])
def test_without_a_match_or_a_pairing_there_is_nothing_to_put_right(role: str | None) -> None:
    room = FakeRoom() if role else FakeRoom("red", "blue")
    answer = client(room, role).get("/right")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
