"""What is to be done now, what can be wished for, and what the API tells of a snapshot."""

import json
from dataclasses import replace

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Moved, Settings
from companion.journal import JournalState
from companion.present.api_snapshot import snapshot_json
from companion.present.command_json import WISHES, from_json, to_json
from companion.present.headline import headline, label
from companion.present.lights.example import Example, examples
from companion.present.lights.scenes import WARNED_US, meanings
from companion.present.viewer import Viewer
from companion.referee.commands import (
    AssignBarrel,
    Call,
    ClearTable,
    CommandBody,
    CorrectAction,
    DoAction,
    GiveUp,
    NewMatch,
    RollForUs,
    Rule,
    Undo,
)
from companion.referee.events import HouseRules
from companion.referee.snapshot import Snapshot
from companion.sensing.events import ChartSample, FoulCode, FoulFinding, Weight
from companion.system.errors import CompanionError, RulesError
from companion.system.status import Condition
from tests.referee.tables import Round

ENGLISH, GERMAN = Viewer("en"), Viewer("de")
ZAPP = "zapp-zerapp"
ROLLED = ("roll 8",)
FLIPPED = (*ROLLED, "place red", "place blue", "flip")
READ = (*FLIPPED, "say red 5", "say blue 3")


def table(*acts: str) -> Round:
    """Return a table of red and blue at which this was done."""
    found = Round("red", "blue")
    for act in acts:
        assert found.wish(DoAction(act)).refused is None, act
    return found


def told(now: Snapshot, reader: Viewer = ENGLISH) -> dict[str, object]:
    found: dict[str, object] = json.loads(snapshot_json(now, reader))
    return found


# --- the headline ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("acts", "english", "german"),
    [
        ((), "Red: roll the dice.", "Rot: Würfle!"),
        (
            ROLLED,
            "Shake! Keep a barrel with at most 8 stones.",
            "Schüttelt! Behaltet höchstens 8 Steine.",
        ),
        ((*ROLLED, "place red"), "Blue is still shaking.", "Blau schüttelt noch."),
        (FLIPPED[:3], "Flip all barrels!", "Alle Fässer umdrehen!"),
        (FLIPPED, "Which number do Red and Blue show?", "Welche Zahl zeigen Rot und Blau?"),
        (READ[:5], "Which number does Blue show?", "Welche Zahl zeigt Blau?"),
        (READ, "Red moves by 5 fields.", "Rot zieht 5 Felder."),
    ],
)
def test_every_phase_says_what_to_do(acts: tuple[str, ...], english: str, german: str) -> None:
    now = table(*acts).now
    assert headline(now, ENGLISH) == english
    assert headline(now, GERMAN) == german


def test_before_a_match_it_asks_who_plays() -> None:
    found = Round()
    found.referee.handle_conditions((), 0)
    assert headline(found.now, ENGLISH).startswith("Who plays?")
    found.press("red")
    assert headline(found.now, ENGLISH).startswith("Who plays?")
    found.press("blue")
    assert headline(found.now, ENGLISH) == "Red and Blue play? Hold a button to begin."


def test_at_the_end_it_names_the_winner_or_says_that_there_is_none() -> None:
    given_up = table()
    given_up.wish(GiveUp())
    assert headline(given_up.now, ENGLISH) == "This match was given up. Play another one?"
    won = next(example for example in examples() if example.name == "victory").shown()
    assert headline(won, GERMAN) == "Rot gewinnt!"


# --- what can be wished for -----------------------------------------------------------------------

SAID: dict[str, tuple[CommandBody, str]] = {
    "roll": (DoAction("roll 8"), "The dice show 8"),
    "place": (DoAction("place red"), "Red has placed a barrel"),
    "put back": (DoAction("putback red"), "Red takes the barrel back"),
    "flip": (DoAction("flip"), "All barrels are flipped"),
    "say": (DoAction("say blue 3"), "Blue shows 3"),
    "sit out": (DoAction("sitout blue"), "Blue sits this round out"),
    "correct": (DoAction("correct pawns red:2,red:9,red:start"), "The pawns stand like this"),
    "start": (DoAction("move red start"), "Move an apprentice from the start"),
    "move": (DoAction("move red 4"), "Move the apprentice on field 4"),
    "take": (
        DoAction("move red 4 take blue:10,red:4"),
        "Move the apprentice on field 4, taking Blue and Red along",
    ),
    "banish": (
        DoAction("move red 4 banish blue:10"),
        "Move the apprentice on field 4, banishing Blue",
    ),
    "spare": (
        DoAction("move red 4 banish none"),
        "Move the apprentice on field 4, banishing nobody",
    ),
    "unread": (DoAction("jump"), "jump"),
    "roll for us": (RollForUs(), "Roll for us"),
    "take back": (Undo(), "Take back the last decision"),
    "put right": (CorrectAction(3, "roll 9"), "Correct: The dice show 9"),
    "uphold": (Rule(1, upheld=True), "Stand by it: foul"),
    "dismiss": (Rule(1, upheld=False), "Dismiss it: no foul"),
    "call": (Call("snatched", None), "Call a foul: snatched a barrel"),
    "call at": (Call("early-flip", "blue"), "Blue: call a foul, flipped too early"),
    "settle": (AssignBarrel("red", None), "Red: nobody knows which barrel"),
    "settle as": (AssignBarrel("red", 4), "Red: it is stopper 4"),
    "anew": (NewMatch("zapp-zerapp", pack(Settings()), HouseRules()), "Begin another match"),
    "choose": (ClearTable(), "Choose again who plays"),
    "give up": (GiveUp(), "Give up this match"),
}


@pytest.mark.parametrize(("wish", "said"), SAID.values(), ids=SAID)
def test_a_wish_is_written_on_its_button_in_both_languages(wish: CommandBody, said: str) -> None:
    assert label(wish, ENGLISH, game=ZAPP) == said
    assert label(wish, GERMAN, game=ZAPP) != said or wish == DoAction("jump")


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        (Moved(Colour.RED, 0, 5, ()), "Move an apprentice from the start to field 5"),
        (Moved(Colour.RED, 4, 9, ()), "Move the apprentice from field 4 to field 9"),
        (Moved(Colour.RED, 20, 25, ()), "Move the apprentice on field 20 into the city"),
    ],
)
def test_a_move_says_where_it_ends(moved: Moved, said: str) -> None:
    step = moved.start or "start"
    assert label(DoAction(f"move red {step}"), ENGLISH, (moved,), ZAPP) == said


@pytest.mark.parametrize("example", examples(), ids=lambda example: str(example.name))
def test_whatever_is_offered_has_a_sentence_and_comes_back_through_json(example: Example) -> None:
    now = example.shown()
    for seat in now.seats:
        for offer in seat.offers:
            assert label(offer.wish, GERMAN, offer.preview, now.game)
            assert from_json(json.loads(json.dumps(to_json(offer.wish)))) == offer.wish


def test_every_kind_of_wish_has_a_name_of_its_own() -> None:
    assert {"act", "new-match", "roll-for-us", "take-back", "put-right", "rule"} <= {*WISHES}
    assert {"call", "settle", "give-up", "choose-anew", "begin-enrolling"} <= {*WISHES}
    assert not {"wish", "workshop-wish"} & {*WISHES}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (None, "wish"),
        ({"kind": "conjure"}, "kind"),
        ({"kind": "act"}, "text"),
        ({"kind": "act", "text": 7}, "text"),
        ({"kind": "act", "text": "x" * 1001}, "text"),
        ({"kind": "roll-for-us", "seat": "red"}, "seat"),
        ({"kind": "rule", "foul": True, "upheld": True}, "foul"),
        ({"kind": "new-match", "game": "zapp-zerapp"}, "settings"),
        ({"kind": "new-match", "game": 7, "settings": {}}, "text"),
        ({"kind": "new-match", "game": "g", "settings": {}, "house": {"cost": "gold"}}, "cost"),
        ({"kind": "new-match", "game": "g", "settings": {}, "by": "me"}, "by"),
    ],
)
def test_a_wish_that_is_none_is_refused_by_the_name_of_its_part(wrong: object, named: str) -> None:
    with pytest.raises((RulesError, CompanionError), match=named):
        from_json(wrong)


# --- what the API tells ---------------------------------------------------------------------------


def test_a_snapshot_tells_all_that_lies_open() -> None:
    found = table(*READ)
    now = told(found.now)
    assert now["phase"] == "move"
    assert (now["round"], now["magic"], now["roller"], now["turns"]) == (1, 8, "red", ["red"])
    assert now["numbers"] == [{"seat": "red", "number": 5}, {"seat": "blue", "number": 3}]
    assert now["order"] == ["red", "blue"]
    assert now["happened"][-1] == "Order of moves: Red, Blue."  # type: ignore[index]
    found.wish(DoAction("move red start"))
    pawns = told(found.now)["pawns"]
    assert isinstance(pawns, list)
    assert {"colour": "red", "step": 5, "field": 4} in pawns
    assert {"colour": "blue", "step": 0, "field": None} in pawns


def test_a_placed_barrel_that_was_named_all_the_same_stays_sealed() -> None:
    named, unnamed = (table(*ROLLED, text).now for text in ("place red 6", "place red"))
    assert snapshot_json(named, ENGLISH) == snapshot_json(unnamed, ENGLISH)


def test_a_foul_comes_with_its_evidence_and_the_ruling() -> None:
    found = table(*ROLLED)
    seen = (ChartSample(0, 71.6, 0.05, stands=False), ChartSample(40_000, 72.4, 0.1, stands=None))
    found.tell(FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), "blue", 0.97, seen))
    now = told(found.now)
    assert now["warned"] is True
    assert now["fouls"] == [
        {
            "id": 1,
            "code": "peek",
            "sentence": "Blue – peeked? 95 % sure.",
            "seat": "blue",
            "percent": 95,
            "called": False,
            "weight": "foul",
            "times": 1,
            "length_ms": 700,
            "upheld": None,
            "evidence": [
                {"at_ms": 0, "tilt_deg": 72, "deviation_permille": 50, "stands": False},
                {"at_ms": 40, "tilt_deg": 72, "deviation_permille": 100, "stands": None},
            ],
        }
    ]
    found.wish(Rule(1, upheld=False))
    assert "no, says the table" in str(told(found.now)["fouls"])


def test_a_warning_accuses_nobody() -> None:
    found = table(*ROLLED)
    found.tell(FoulFinding(9, FoulCode.PEEK, Weight.WARNING, 0, 300_000, (4,), "blue", 0.6))
    assert "A barrel was tilted far for a moment." in snapshot_json(found.now, ENGLISH)
    later = replace(found.now, at_us=WARNED_US)
    assert told(later)["warned"] is False


def test_a_warning_says_what_it_is_of() -> None:
    found = table(*ROLLED)
    found.tell(FoulFinding(9, FoulCode.SNATCHED, Weight.WARNING, 0, 300_000, (4,), "blue", 0.5))
    assert "Snatched a barrel? That is too unsure to rule on." in snapshot_json(found.now, ENGLISH)


def test_troubles_are_sentences_in_the_language_of_the_reader() -> None:
    full = Condition(JournalState.FULL, 7, {"file": "journal.sqlite3"})
    now = replace(table().now, troubles=(full,))
    assert "journal.sqlite3 is full" in snapshot_json(now, ENGLISH)
    assert told(now, GERMAN)["troubles"] != told(now, ENGLISH)["troubles"]


def test_time_alone_changes_nothing_that_is_told() -> None:
    now = table(*READ).now
    assert snapshot_json(replace(now, at_us=10**12, acted_us=5), ENGLISH) == snapshot_json(
        now, ENGLISH
    )


# --- the lights -----------------------------------------------------------------------------------

FADES = {"moved"}  # what is shown for some seconds after a move: it is in what happened


@pytest.mark.parametrize("example", examples(), ids=lambda example: str(example.name))
def test_what_the_lights_show_is_called_as_on_the_page_about_them(example: Example) -> None:
    now = example.shown()
    if example.warned_us is not None:
        now = replace(now, warned_us=now.at_us)
    titles = [one.title.template for one in meanings(now)]
    assert (example.meaning.title.template in titles) != (example.name in FADES)


def test_nobody_is_pointed_at_where_banishments_may_be_overlooked() -> None:
    example = next(one for one in examples() if one.name == "banish")
    now = example.shown()
    assert "Who would be banished" in snapshot_json(now, ENGLISH)
    careless = replace(now, settings=replace(now.settings, overlook=True))
    assert "Who would be banished" not in snapshot_json(careless, ENGLISH)
