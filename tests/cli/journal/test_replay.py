"""A match that was played is told again."""

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.journal import NewEntry
from companion.journal.entry import body_text
from companion.journal.export import export_lines
from companion.referee.commands import Call, CorrectAction, GiveUp, Rule, Undo
from companion.referee.events import HouseRules
from companion.sensing.events import FoulCode, FoulFinding, Weight
from tests.cases import check
from tests.cli.journal.matches import Told, play
from tests.referee.tables import Round

SEEN = FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), "red", 0.95)


@pytest.fixture
def eventful(tmp_path: Path) -> Path:
    """Return an export of a match in which much went otherwise."""
    table = play(Round("red", "blue"), "roll 8")
    table.place("red", 4)
    play(table, "place blue 9", Call("peek", "blue"), Call("snatched", None), "flip")
    play(table, Undo(), "flip", Rule(1, upheld=True), Rule(2, upheld=False))
    play(table, CorrectAction(1, "roll 10"), "move blue start", "move red start")
    play(table, CorrectAction(1, "roll 3"), GiveUp())
    file = tmp_path / "eventful.jsonl"
    file.write_text("".join(export_lines(table.paper.matches["m0"])))
    return file


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_match_is_told_with_all_that_was_undone_or_put_right(
    language: str, eventful: Path, told: Told, rewrite_golden: bool
) -> None:
    code, out, err = told("replay", eventful, "--language", language, "--no-board")
    assert (code, err) == (0, "")
    file = Path(__file__).with_name(f"eventful.{language}.txt")
    check(file, lambda _: out.splitlines(), rewrite=rewrite_golden)
    assert "stopper" not in out.lower()
    assert max(map(len, out.splitlines())) <= 80


def test_a_reminder_is_told_again_as_one(tmp_path: Path, told: Told) -> None:
    table = play(Round("red", "blue"), "roll 8")
    table.tell(replace(SEEN, seat=None, listening=True))
    file = tmp_path / "reminded.jsonl"
    file.write_text("".join(export_lines(table.paper.matches["m0"])))
    _, out, _ = told("replay", file, "--no-board")
    assert out.count("! ") == 1
    assert "% sure" not in out


def test_what_an_earlier_version_was_sure_of_is_told_as_less(tmp_path: Path, told: Told) -> None:
    table = play(Round("red", "blue"), "roll 8")
    table.tell(SEEN)
    begun, foul = table.paper.matches["m0"][:-1], table.paper.matches["m0"][-1]
    surer = replace(foul, text=body_text({**foul.body, "percent": 100}))
    file = tmp_path / "earlier.jsonl"
    file.write_text("".join(export_lines([*begun, surer])))
    _, out, _ = told("replay", file, "--no-board")
    assert "! Red – peeked? 95 % sure." in out


def test_a_match_is_told_round_by_round(
    told: Told, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl"
    told("journal", "export", "all", file, "--folder", evening)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n\n"))
    code, out, _ = told("replay", file, "--step")
    assert (code, out.count("\nEnter ")) == (0, 2)  # a round of the first, third
    assert [name in out for name in ("Match aaa", "Match bbb", "Match ccc")] == [True] * 3


def test_no_number_is_told_that_was_not_flipped(tmp_path: Path, told: Told) -> None:
    found = set()
    for red, right in product((3, 11), (3, 11)):
        table = play(
            Round("red", "blue"),
            "roll 8",
            f"place red {red}",
            CorrectAction(2, f"place red {right}"),
        )
        file = tmp_path / f"{red} {right}.jsonl"
        file.write_text("".join(export_lines(table.paper.matches["m0"])))
        for reader in ("red", "blue", "spectator"):
            found.add((reader, told("replay", file, "--as", reader)))
    assert len(found) == 3


@pytest.mark.parametrize(
    "change", [lambda text: [*text[:-1], "{"], lambda text: [*text[:4], *text[5:]]]
)
def test_a_damaged_export_is_told_as_far_as_it_is_sound(
    change: Callable[[list[str]], list[str]], eventful: Path, told: Told
) -> None:
    eventful.write_text("\n".join(change(eventful.read_text().splitlines())))
    code, out, err = told("replay", eventful)
    assert (code, str(eventful) in err) == (1, True)
    assert " Round 1: " in out


def test_events_of_a_newer_version_are_named(tmp_path: Path, told: Told) -> None:
    entries = play(Round("red", "blue"), "roll 7").paper.matches["m0"]
    file = tmp_path / "newer.jsonl"
    file.write_text("".join(export_lines([*entries, NewEntry("sang", {}).entry("m0", 2, 0)])))
    code, out, err = told("replay", file)
    assert code == 1
    assert err.startswith("Match m0, entry 2: 'sang' ")
    assert " Round 1: " in out


@pytest.mark.parametrize("more", ["1}", "1}\n{}", "9}"])
def test_an_export_with_nothing_to_tell_is_said_to_be_one(
    more: str, tmp_path: Path, told: Told
) -> None:
    file = tmp_path / "nothing.jsonl"
    file.write_text('{"rappelwacht": "journal", "version": ' + more)
    code, out, err = told("replay", file)
    assert (code, out, str(file) in err) == (2, "", True)


def test_a_beginning_that_is_not_json_is_a_sentence(tmp_path: Path, told: Told) -> None:
    body = {"game": "zapp-zerapp", "schema": 1, "settings": "{", "house": pack(HouseRules())}
    file = tmp_path / "odd.jsonl"
    file.write_text("".join(export_lines([NewEntry("began", body).entry("m", 0, 10**15)])))
    code, out, err = told("replay", file)
    assert (code, out) == (2, "")
    assert err.startswith("Match m, entry 0: '{")
