"""Fouls, taking back and the end, as the table page shows them."""

import json
import re
from html import unescape

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Phase
from companion.present.command_json import from_json
from companion.referee.commands import Call, CorrectAction, GiveUp, Rule, Undo
from companion.referee.events import FoulCost, HouseRules
from companion.sensing.events import Weight
from tests.web.playing import do, offered, page, peek, table, won
from tests.web.room import FakeRoom


def test_a_foul_is_shown_with_its_chart_and_ruled_by_any_paired_phone() -> None:
    room = table(HouseRules(cost=FoulCost.SIT_OUT))
    do(room, "roll 8")
    room.tell(peek())
    html = page(room, "blue")
    assert "Red – peeked? 93 % sure." in html
    assert '<svg class="evidence"' in html
    assert "If you say yes, Red sits this round out." in html
    assert [w["upheld"] for w in offered(html) if w["kind"] == "rule"] == [True, False]
    assert "data-wish" not in page(room, None)
    do(room, Rule(1, upheld=False))
    assert 'class="card foul"' not in page(room, "blue")
    assert "Noted quietly: 1" in page(room, "blue")


def test_a_foul_that_people_call_does_not_claim_to_be_sure() -> None:
    room = table()
    do(room, "roll 8", Call("snatched", "red"))
    html = unescape(page(room, "blue"))
    assert "Red – snatched a barrel?" in html
    assert "Somebody at the table called it" in html
    assert "% sure" not in html


def test_a_warning_is_noted_quietly_and_accuses_nobody() -> None:
    room = table()
    do(room, "roll 8")
    room.tell(peek(weight=Weight.WARNING))
    html = page(room, "blue")
    assert 'class="card foul"' not in html
    assert "A barrel was tilted far for a moment." in html
    assert "Red –" not in html


def test_the_newest_foul_stands_open_and_all_before_it_are_folded_into_one_line() -> None:
    room = table()
    do(room, "roll 8")
    for number in range(1, 5):
        room.tell(peek(number))
    html = page(room)
    before, folded = html.split('<details class="card" id="more-fouls">')
    assert re.findall(r'id="foul-(\d)"', before) == ["4"]
    folded = folded.split("</details>", 1)[0]
    assert "3 more to decide" in folded
    assert re.findall(r'id="foul-(\d)"', folded) == ["3", "2", "1"]
    assert 'id="doing-place"' in before
    do(room, Rule(4, upheld=False), Rule(2, upheld=False))
    html = page(room)
    assert re.findall(r'id="foul-(\d)"', html) == ["3", "1"]
    assert "1 more to decide" in html
    assert re.findall(r'id="noted-(\d)"', html) == ["2", "4"]
    do(room, Rule(1, upheld=False))
    assert "more to decide" not in page(room)


def test_a_foul_can_be_called_by_hand() -> None:
    html = page(table(), "red")
    form = re.search(r'id="calling" data-asks="([^"]+)"', html)
    assert form
    assert json.loads(unescape(form[1])) == {"kind": "call", "code": "", "seat": None}
    codes = re.findall(r'<option value="([a-z-]+)">', html.split('id="call-code"')[1])
    for code in codes:
        room = table()
        do(room, Call(code, "blue"))
    assert "snatched" in codes


def test_a_foul_of_a_former_round_stays_undecided_and_can_still_be_ruled() -> None:
    room = table(HouseRules(cost=FoulCost.SIT_OUT), seats=(Colour.RED, Colour.BLUE))
    do(room, "roll 8")
    room.tell(peek())
    do(room, "place red", "place blue", "flip", "say red 9", "say blue 10")  # all too much
    assert room.snapshot.view.round == 2
    html = page(room, "blue")
    assert 'class="card foul"' not in html
    (noted,) = re.findall(r'<div class="noted" id="noted-1">.*?</div>\n</div>', html, re.DOTALL)
    assert "Round 1: Red – peeked? 93 % sure. Not decided yet." in noted
    assert [w["upheld"] for w in offered(noted)] == [True, False]
    assert noted.index("<details") < noted.index("<svg") < noted.index("</details>")
    do(room, "roll 8", Rule(1, upheld=True))
    assert room.snapshot.view.out == ()  # the round that it would have cost is over
    assert [w["upheld"] for w in offered(page(room, "blue")) if w["kind"] == "rule"] == [False]


def test_both_rulings_look_alike_and_say_what_was_ruled() -> None:
    room = table()
    do(room, "roll 8", Call("snatched", "red"))
    card = page(room).split('class="card foul"')[1]
    keys = re.findall(r'<button class="(.*?)" data-wish="[^"]*" data-done="(.*?)">', card)
    assert keys[:2] == [("quiet", "Upheld."), ("quiet", "Dismissed.")]


def taking_back(room: FakeRoom) -> tuple[str, str]:
    """Return what stands on the key that takes back, and what is said once it is done."""
    key = re.search(r'id="take-back"[^>]* data-done="(.*?)">(.*?)</button>', page(room))
    assert key
    return unescape(key[2]), unescape(key[1])


def test_taking_back_says_what_is_taken_back() -> None:
    room = table()
    do(room, "roll 8")
    rolled = "Round 1: the magic number is 8"
    assert taking_back(room) == (f"Take back: {rolled}", f"Taken back: {rolled}")
    do(room, Call("snatched", "blue"))  # nobody decided that
    assert taking_back(room)[0] == f"Take back: {rolled}"
    do(room, Rule(1, upheld=False))
    ruled = "Take back: Blue – snatched a barrel: no, says the table."
    assert taking_back(room)[0] == ruled
    do(room, Undo())
    assert taking_back(room)[0] == f"Take back: {rolled}"  # also where nothing just happened
    do(room, CorrectAction(1, "roll 9"))
    assert taking_back(room)[0] == "Take back: The last correction."
    do(room, GiveUp())
    assert taking_back(room)[0] == "Take back: The match was given up."
    do(room, Undo(), Undo(), Undo())
    assert '"take-back"' not in unescape(page(room))


def test_what_would_be_taken_back_names_no_number_before_the_flip() -> None:
    told = []
    for red, blue in ((3, 5), (7, 2)):
        room = table(seats=(Colour.RED, Colour.BLUE))
        do(room, "roll 8")
        room.place("red", red)
        told.append(taking_back(room))
        room.place("blue", blue)
        told.append(taking_back(room))
    assert told[:2] == told[2:]


def test_when_it_is_over_the_page_sums_up_and_offers_another_match() -> None:
    room = won()
    html = page(room, "red")
    assert "You win!" in html
    assert "Red wins!" in page(room, "blue")
    assert "<strong>Best shaker</strong>" in html
    (again,) = [wish for wish in offered(html) if wish["kind"] == "new-match"]
    assert again["settings"] == pack(room.snapshot.settings)
    assert offered(page(room, None)) == []
    do(room, from_json(again))
    assert room.snapshot.view.phase is Phase.ROLL


def test_a_match_that_is_given_up_is_over_too() -> None:
    room = table()
    do(room, GiveUp())
    assert "given up" in page(room)
