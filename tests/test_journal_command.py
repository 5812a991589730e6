"""Matches are listed, leave the journal as a file, come into another one, and are told again."""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.__main__ import main
from companion.core.game import SeatName
from companion.core.notation import write
from companion.core.packing import pack
from companion.folders import JOURNAL
from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.people.kept_people import KeptPeople
from companion.present.screen import Screen
from companion.referee.commands import (
    Act,
    Call,
    GiveUp,
    NewMatch,
    PutRight,
    Rule,
    Settle,
    TakeBack,
    Wish,
)
from companion.referee.deeds import Bot, House
from companion.referee.entry import Entry, Happened, written
from companion.referee.exchange import lines
from companion.referee.journal import Journal
from companion.referee.journal_memory import Clocks
from companion.referee.match_steps import retold
from companion.referee.own_moves import Luck, does
from companion.referee.referee import Referee
from companion.referee.summary import summary
from companion.sensing.told import Finding, Foul, Weight
from companion.table_command import Teller
from tests.referee.journals import folder_in_memory
from tests.referee.tables import Round

BEGUN_MS = 1_763_755_200_000  # 2025-11-21 20:00 UTC
MOVED = ("roll 8", "place red 4", "place blue 9", "flip", "move red start")
LAST = (
    "roll 4",
    "place red 1",
    "place blue 3",
    "flip",
    "correct pawns red:24,red:city,red:city",
    "move blue start",
    "move red 24",
)
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak English, without colours, by the clock of Greenwich."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Return what says words to the command line: its exit code, output and errors."""

    def say(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return say


def play(at: Round, *wishes: Wish | str) -> Round:
    """Have all this done at a table."""
    for wish in wishes:
        one = Act(wish) if isinstance(wish, str) else wish
        assert at.wish(one).refused is None, wish
    return at


def kept(folder: Path, *tables: Round) -> Path:
    """Write what was played at tables into the journal of a folder, and return that."""
    folder.mkdir(exist_ok=True)
    names = (f"{number:x}" * 3 for number in range(10, 16))
    journal = Journal(folder / JOURNAL, clocks=Clocks(lambda: BEGUN_MS, lambda: 0, names.__next__))
    for entries in (entries for table in tables for entries in table.paper.matches.values()):
        happened = (Happened(one.kind, one.body, one.request, one.ends) for one in entries)
        journal.begin(*happened)
    journal.close()
    return folder


def inside(folder: Path) -> list[tuple[Entry, ...]]:
    """Return all matches in the journal of a folder, the newest first."""
    journal = Journal(folder / JOURNAL)
    try:
        return [journal.events(match.id) for match in journal.matches()]
    finally:
        journal.close()


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Return the folder of an evening: a match that was won, one given up, one cut off."""
    won = play(Round("red", "blue"), *MOVED, *LAST)
    given_up = play(Round("red", "green", "blue", "yellow"), "roll 7", GiveUp())
    return kept(tmp_path / "evening", won, given_up, play(Round("red", "blue"), *MOVED, "roll 5"))


# --- list -------------------------------------------------------------------------------------


def test_the_list_says_what_came_of_each_match(evening: Path, told: Told) -> None:
    code, out, err = told("journal", "list", "--folder", evening)
    assert (code, err) == (0, "")
    assert out == (
        "match  begun             game         players                   rounds  winner\n"
        "ccc    2025-11-21 20:00  zapp-zerapp  Red, Blue                 2       unfinished\n"
        "bbb    2025-11-21 20:00  zapp-zerapp  Red, Green, Blue, Yellow  1       given up\n"
        "aaa    2025-11-21 20:00  zapp-zerapp  Red, Blue                 2       Red\n"
    )
    _, out, _ = told("journal", "list", "--folder", evening, "--language", "de")
    assert out.splitlines()[1].split() == [
        "ccc", "2025-11-21", "20:00", "zapp-zerapp", "Rot,", "Blau", "2", "nicht", "zu", "Ende",
    ]  # fmt: skip


def test_people_are_called_by_name_on_a_screen_and_by_colour_where_it_may_be_kept(
    evening: Path, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "state" / "rappelwacht"
    home.mkdir(parents=True)
    evening.rename(home / "simulated")
    monkeypatch.setenv("XDG_STATE_HOME", str(home.parent))
    people = KeptPeople(home / "simulated")
    people.sit("red", "Oma", kept=True)
    people.playing("aaa", ("red", "blue"), over=False)
    people.keep()
    saved = tmp_path / "saved.jsonl"
    commands = ("journal", "list", "--simulated"), ("replay", saved, "--no-board")
    told("journal", "export", "aaa", saved, "--simulated")
    assert not any("Oma" in told(*words)[1] for words in commands)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    listed, replayed = (told(*words)[1] for words in commands)
    assert listed.splitlines()[3].split()[4:] == ["Oma,", "Blue", "2", "Oma"]
    assert "Oma has all three apprentices in the city and wins!" in replayed


def test_a_match_of_a_newer_version_is_listed_as_such(tmp_path: Path, told: Told) -> None:
    journal = Journal(tmp_path / JOURNAL)
    journal.begin(Happened("began", {"game": "chess"}))
    journal.close()
    code, out, _ = told("journal", "list", "--folder", tmp_path)
    assert code == 0
    assert out.splitlines()[1].endswith("of a newer version")


@pytest.mark.parametrize("what", [("list",), ("export", "new.jsonl")])
def test_where_there_is_no_journal_none_is_made(
    what: tuple[str, ...], tmp_path: Path, told: Told
) -> None:
    code, out, err = told("journal", *what, "--folder", tmp_path)
    assert (code, out) == (2, "")
    assert f"There is no journal in '{tmp_path}'; --folder names another" in err
    assert list(tmp_path.iterdir()) == []


def test_each_table_has_its_own_journal(
    evening: Path, told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "rappelwacht").mkdir()
    evening.rename(tmp_path / "rappelwacht" / "simulated")
    assert told("journal", "list", "--simulated")[0] == 0
    code, _, err = told("journal", "list")
    assert (code, "rappelwacht/table'" in err) == (2, True)


@pytest.mark.parametrize("what", [("list",), ("export", "new.jsonl"), ("import", "some.jsonl")])
def test_a_journal_that_a_table_uses_is_left_alone(
    what: tuple[str, ...], evening: Path, told: Told
) -> None:
    running = Journal(evening / JOURNAL)
    code, out, err = told("journal", *what, "--folder", evening)
    assert (code, out) == (2, "")
    assert err.startswith("A running table, or another program, uses the journal '")
    running.close()
    assert told("journal", "list", "--folder", evening)[0] == 0


def test_a_file_of_another_program_is_left_alone(tmp_path: Path, told: Told) -> None:
    (tmp_path / JOURNAL).mkdir()
    code, out, err = told("journal", "list", "--folder", tmp_path)
    assert (code, out) == (2, "")
    assert "is a folder and no journal" in err


# --- export and import ------------------------------------------------------------------------


def test_the_newest_match_is_exported_or_the_one_that_is_named(
    evening: Path, told: Told, tmp_path: Path
) -> None:
    for words, names in (((), ["ccc"]), (("a",), ["aaa"]), (("all",), ["aaa", "bbb", "ccc"])):
        file = tmp_path / f"{len(words)}{names}.jsonl"
        code, out, err = told("journal", "export", *words, file, "--folder", evening)
        assert (code, err) == (0, "")
        assert "stopper" not in out  # none stood there
        exported = [json.loads(line) for line in file.read_text("ascii").splitlines()[1:]]
        assert list(dict.fromkeys(line["match"] for line in exported)) == names


def test_where_stoppers_stood_the_export_is_to_be_kept_safe(tmp_path: Path, told: Told) -> None:
    table = play(Round("red", "blue"), "roll 9")
    table.place("red", 8)
    table.place("blue", 4)
    table.flip(8, 4)
    code, out, _ = told(
        "journal", "export", tmp_path / "a.jsonl", "--folder", kept(tmp_path / "kept", table)
    )
    assert code == 0
    assert "show it nobody while its barrels are played with" in out.replace("\n", " ")


def test_nothing_is_overwritten_and_no_match_is_guessed(
    tmp_path: Path, told: Told, evening: Path
) -> None:
    file = tmp_path / "there.jsonl"
    file.write_text("precious")
    faults = {
        ("aaa", str(file)): "exists already; choose another name",
        ("x", "new.jsonl"): "There is no match 'x'",
        ("", "new.jsonl"): "'' fits ccc, bbb and aaa; write more of it.",
        ("a", str(tmp_path / "no" / "new.jsonl")): "its folder does not exist. Make it first.",
        ("a", str(tmp_path)): "exists already",
    }
    for words, sentence in faults.items():
        code, out, err = told("journal", "export", *words, "--folder", evening)
        assert (code, out) == (2, "")
        assert sentence in err
    assert file.read_text() == "precious"


def test_a_full_disk_leaves_no_half_of_an_export(
    tmp_path: Path, told: Told, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.outputs.terminal.saved.os.fsync", fail)
    file = tmp_path / "new.jsonl"
    code, _, err = told("journal", "export", file, "--folder", evening)
    assert (code, file.exists()) == (2, False)
    assert "cannot be written: No space left on device." in err


def test_what_was_exported_comes_in_once(tmp_path: Path, told: Told, evening: Path) -> None:
    file, other = tmp_path / "all.jsonl", tmp_path / "other" / "folder"
    told("journal", "export", "all", file, "--folder", evening)
    code, out, err = told("journal", "import", file, "--folder", other)
    assert (code, err) == (0, "")
    assert out.startswith("3 matches taken from")
    assert "Not finished: ccc. A table that starts goes on with the match" in out
    assert inside(other) == inside(evening)
    code, out, _ = told("journal", "import", file, "--folder", other)
    assert (code, "0 entries are new" in out.replace("\n", " ")) == (0, True)
    assert "Not finished" not in out


def test_damaged_lines_are_refused_by_number_and_the_rest_comes_in(
    tmp_path: Path, told: Told, evening: Path
) -> None:
    file, other = tmp_path / "all.jsonl", tmp_path / "other"
    told("journal", "export", "all", file, "--folder", evening)
    text = file.read_text().splitlines()
    text[-1] = text[-1].replace('"red"', '"blue"').replace("roll", "rool")
    file.write_text("\n".join(text))
    for language, sentence in (("en", "this is damaged."), ("de", "Das ist beschädigt.")):
        code, _, err = told("journal", "import", file, "--folder", other, "--language", language)
        assert code == 1
        assert err == f"{file}, {'Zeile' if language == 'de' else 'line'} {len(text)}: {sentence}\n"
    assert [len(match) for match in inside(other)] == [
        len(inside(evening)[0]) - 1,
        *map(len, inside(evening)[1:]),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "these are no matches of ours"),
        (b"\x00\xff\n", "these are no matches of ours"),
        (b'{"rappelwacht": 1, "game": "zapp-zerapp"}', "these are no matches of ours"),
        (b'{"rappelwacht": "journal", "version": 0}', "these are no matches of ours"),
        (b'{"rappelwacht": "journal"}', "these are no matches of ours"),
        (b'{"rappelwacht": "journal", "version": 2}', "a newer version of this program wrote it"),
    ],
)
def test_a_file_of_another_kind_or_version_is_refused_as_a_whole(
    content: bytes, sentence: str, tmp_path: Path, told: Told, evening: Path
) -> None:
    file, before = tmp_path / "file", inside(evening)
    file.write_bytes(content)
    for language in ("de", "en"):
        code, out, err = told(
            "journal", "import", file, "--folder", evening, "--language", language
        )
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
    assert inside(evening) == before


def test_a_match_that_makes_no_sense_would_stop_a_table_so_it_stays_outside(
    tmp_path: Path, told: Told
) -> None:
    entries = play(Round("red", "blue"), "roll 7").paper.matches["m0"]
    nonsense = Happened("did", {"action": '{"do": "flip"}', "by": "red", "follows": False})
    file = tmp_path / "odd.jsonl"
    file.write_text("".join(lines([*entries, nonsense.at("m0", 2, 0)])))
    code, _, err = told("journal", "import", file, "--folder", tmp_path)
    assert code == 1
    assert err.startswith("Match m0, entry 2: 'flip' is not possible now: ")
    assert err.endswith("This match was left.\n")
    assert inside(tmp_path) == []


@given(st.data())
@settings(max_examples=25)
def test_any_match_survives_its_way_through_a_file(data: st.DataObject) -> None:
    table = Round("red", "green", "blue")
    for _ in range(data.draw(st.integers(0, 25))):
        do_something(table, data)
    if data.draw(st.booleans()) and not table.now.over:
        play(table, GiveUp())
    with folder_in_memory() as folder:
        first, second = kept(folder / "first", table), folder / "second"
        file = folder / "match.jsonl"
        if main(["journal", "export", str(file), "--folder", str(first)]):
            return
        assert main(["journal", "import", str(file), "--folder", str(second)]) == 0
        [before], [after] = inside(first), inside(second)
    assert after == before[: len(after)]
    if before[-1].ends:
        assert after == before
    whole, came = retold(before)[0], retold(after)[0]
    sums = [summary(step.after) for step in came]
    assert sums == [summary(step.after) for step in whole[: len(came)]]


def do_something(table: Round, data: st.DataObject) -> None:
    """Do what the rules allow, or take back, or rule, or settle."""
    match = table.referee.match
    assert match is not None
    turns = match.game.turns(match.state)
    kind = data.draw(st.integers(0, 9))
    if kind == 0:
        table.wish(TakeBack())
    elif kind == 1:
        table.wish(Call("peek", "red"))
        table.wish(Rule(1, upheld=data.draw(st.booleans())))
    elif kind == 2:
        table.wish(Settle("red", data.draw(st.integers(1, 13))))
    elif turns:
        legal = match.game.legal(match.state, data.draw(st.sampled_from(turns)))
        table.wish(Act(write(data.draw(st.sampled_from(legal)))))


# --- secrets ----------------------------------------------------------------------------------


def before_the_flip(table: Round, red: int, blue: int, way: str) -> None:
    """Play a round in which all is open, and a second up to its flip."""
    play(table, *MOVED[:4])
    play(table, "move red start")
    match way:
        case "sensed":
            play(table, "roll 7")
            table.place("red", red)
            table.place("blue", blue)
        case "typed":
            play(table, "roll 7", f"place red {red}", f"place blue {blue}")
        case "settled early":
            play(table, Settle("red", red), "roll 7", "place red")
        case "roll taken back":
            play(table, "roll 7")
            table.place("red", red)
            play(table, TakeBack(), TakeBack())
        case "put right":
            play(table, "roll 7", "place red 13", "place blue 12")
            number = table.now.version
            play(table, PutRight(number - 1, f"place red {red}"))


@pytest.mark.parametrize(
    "way", ["sensed", "typed", "settled early", "roll taken back", "put right"]
)
def test_before_the_flip_an_export_does_not_depend_on_which_barrel_stands_where(
    way: str, tmp_path: Path, told: Told
) -> None:
    found = set()
    for red, blue in ((5, 9), (9, 5), (2, 11)):
        table = Round("red", "blue")
        before_the_flip(table, red, blue, way)
        folder = kept(tmp_path / f"{red}", table)
        file = tmp_path / f"{red}.jsonl"
        code, _, err = told("journal", "export", file, "--folder", folder)
        assert (code, err.endswith("Export it again after the flip.\n")) == (0, True)
        found.add((file.read_bytes(), err))
    assert len(found) == 1


def test_after_the_flip_an_export_goes_on_where_it_was_cut(tmp_path: Path, told: Told) -> None:
    table = Round("red", "blue")
    before_the_flip(table, 5, 9, "sensed")
    other, files = tmp_path / "other", (tmp_path / "cut.jsonl", tmp_path / "whole.jsonl")
    for number, file in enumerate(files):
        folder = kept(tmp_path / f"folder{number}", table)
        told("journal", "export", file, "--folder", folder)
        assert told("journal", "import", file, "--folder", other)[0] == 0
        table.flip(5, 9)
    assert files[1].read_bytes().startswith(files[0].read_bytes())
    assert inside(other) == inside(tmp_path / "folder1")
    assert len(files[1].read_bytes()) > len(files[0].read_bytes())


def test_a_first_round_that_is_sealed_leaves_the_roll(tmp_path: Path, told: Told) -> None:
    folder = kept(tmp_path / "new", play(Round("red", "blue"), "roll 7", "place red 3"))
    code, _, err = told("journal", "export", tmp_path / "a.jsonl", "--folder", folder)
    assert (code, "up to entry 1:" in err) == (0, True)


# --- replay -----------------------------------------------------------------------------------


@pytest.fixture
def eventful(tmp_path: Path) -> Path:
    """Return an export of a match in which much went otherwise."""
    table = play(Round("red", "blue"), "roll 8")
    table.place("red", 4)
    play(table, "place blue 9", Call("peek", "blue"), Call("snatched", None), "flip")
    play(table, TakeBack(), "flip", Rule(1, upheld=True), Rule(2, upheld=False))
    play(table, PutRight(1, "roll 10"), "move blue start", "move red start")
    play(table, PutRight(1, "roll 3"), GiveUp())
    file = tmp_path / "eventful.jsonl"
    file.write_text("".join(lines(table.paper.matches["m0"])))
    return file


def test_a_match_is_told_with_all_that_was_undone_called_ruled_and_put_right(
    eventful: Path, told: Told
) -> None:
    code, out, err = told("replay", eventful, "--no-board")
    assert (code, err) == (0, "")
    story = [
        "Match m0, begun 1970-01-01 00:00",
        "Red and Blue play.",
        "Round 1: the magic number is 8",
        "! Blue – peeked?",
        "! Seat unknown – snatched a barrel?",
        "Blue shows 9: too much.",
        "Taken back (Red): 2 actions.",
        "Blue shows 9: too much.",
        "! Blue – peeked: yes, says the table.",
        "! Seat unknown – snatched a barrel: no, says the table.",
        "Put right (Red): 'roll 10' instead of 'roll 8'.",
        "Blue leaves the start and comes to field 9.",
        "Put right (Red): 'roll 3' instead of 'roll 10'.",
        "actions after it do not fit any more and are left out.",
        "The match is given up (Red).",
        "1 round, 0 banishments, 0 taken along.",
        "Blue – peeked: raised 1 time, upheld 1, dismissed 0.",
    ]
    place = 0
    for sentence in story:
        assert sentence in out[place:], sentence
        place = out.index(sentence, place) + 1
    assert "stopper" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_in_german_it_is_german(eventful: Path, told: Told) -> None:
    _, out, _ = told("replay", eventful, "--language", "de", "--no-board")
    for sentence in ("Zurückgenommen (Rot): 2 Aktionen.", "! Blau – ", "Ja, sagt der Tisch"):
        assert sentence in out
    assert not any(word in out for word in (" the ", "peek", "Taken", "Match"))


def test_a_match_is_told_round_by_round(
    told: Told, evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl"
    told("journal", "export", "all", file, "--folder", evening)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n\n"))
    code, out, _ = told("replay", file, "--step")
    assert (code, out.count("Enter shows the next round")) == (0, 2)  # a round of the first, third
    assert [name in out for name in ("Match aaa", "Match bbb", "Match ccc")] == [True] * 3
    assert "Red has all three apprentices in the city and wins!" in out
    assert "The match stops here, in round 2." in out


def test_no_number_is_told_that_was_not_flipped(tmp_path: Path, told: Told) -> None:
    found = set()
    for red, right in product((3, 11), (3, 11)):
        table = play(
            Round("red", "blue"), "roll 8", f"place red {red}", PutRight(2, f"place red {right}")
        )
        file = tmp_path / f"{red} {right}.jsonl"
        file.write_text("".join(lines(table.paper.matches["m0"])))
        for reader in ("red", "blue", "spectator"):
            found.add((reader, told("replay", file, "--as", reader)))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: [*text[:-1], "{"], "this is damaged."),
        (lambda text: [*text[:4], *text[5:]], "an event before this one is missing."),
    ],
)
def test_a_damaged_export_is_told_as_far_as_it_is_sound(
    change: Callable[[list[str]], list[str]], sentence: str, eventful: Path, told: Told
) -> None:
    eventful.write_text("\n".join(change(eventful.read_text().splitlines())))
    code, out, err = told("replay", eventful)
    assert (code, sentence in err) == (1, True)
    assert "Round 1: the magic number is 8" in out


def test_deeds_of_a_newer_version_are_named(tmp_path: Path, told: Told) -> None:
    entries = play(Round("red", "blue"), "roll 7").paper.matches["m0"]
    file = tmp_path / "newer.jsonl"
    file.write_text("".join(lines([*entries, Happened("sang", {}).at("m0", 2, 0)])))
    code, out, err = told("replay", file)
    assert code == 1
    assert err == (
        "Match m0, entry 2: 'sang' is not known in a journal; use the version that wrote it, or a "
        "newer one.\n"
    )
    assert "the magic number is 7" in out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"rappelwacht": "journal", "version": 1}', "holds no match that can be shown."),
        ('{"rappelwacht": "journal", "version": 1}\n{}', "holds no match that can be shown."),
        ('{"rappelwacht": "journal", "version": 9}', "a newer version of this program wrote it"),
    ],
)
def test_an_export_with_nothing_to_tell_is_said_to_be_one(
    content: str, sentence: str, tmp_path: Path, told: Told
) -> None:
    file = tmp_path / "nothing.jsonl"
    file.write_text(content)
    code, out, err = told("replay", file)
    assert (code, out, sentence in err) == (2, "", True)


def test_a_beginning_that_is_no_json_is_a_sentence(tmp_path: Path, told: Told) -> None:
    body = {"game": "zapp-zerapp", "schema": 1, "settings": "{", "house": pack(House())}
    file = tmp_path / "odd.jsonl"
    file.write_text("".join(lines([Happened("began", body).at("m", 0, 10**15)])))
    code, out, err = told("replay", file)
    assert (code, out) == (2, "")
    assert err.startswith("Match m, entry 0: '{")


# --- at the table -----------------------------------------------------------------------------


def test_the_table_shows_the_summary_once_when_the_game_ends() -> None:
    out = io.StringIO()
    teller = Teller(Screen(out))
    table = Round()
    play(table, NewMatch("zapp-zerapp", pack(Settings((Colour.RED, Colour.BLUE))), House()))
    play(table, *MOVED, *LAST[:-1])
    for shown in table.shown:
        teller.tell(shown)
    assert "shaken best" not in out.getvalue()
    play(table, LAST[-1])
    for shown in (table.now, table.now):
        teller.tell(shown)
    assert out.getvalue().count("Red has shaken best: 3.5 stones lost in each spell") == 1
    assert out.getvalue().count("2 rounds, 0 banishments, 0 taken along.") == 1


def test_the_table_says_fouls_as_people_call_them() -> None:
    out = io.StringIO()
    teller = Teller(Screen(out, "de"))
    table = Round("red", "blue")
    play(table, "roll 8", Call("early-flip", "blue"))
    table.tell(Finding(9, Foul.PEEK, Weight.FOUL, 0, 700_000, (4,), "red", 0.97))
    teller.tell(table.now)
    assert "Jemand meldet einen Regelverstoß: zu früh umgedreht." in out.getvalue()
    assert "Vielleicht ein Regelverstoß: gespickt, zu 95 % sicher." in out.getvalue()


def test_nothing_that_sensors_tell_is_wholly_certain() -> None:
    table = Round("red", "blue")
    play(table, "roll 8")
    table.tell(Finding(9, Foul.PEEK, Weight.FOUL, 0, 700_000, (4,), "red", 0.999))
    assert [foul.raised.percent for foul in table.now.fouls] == [95]


def test_a_table_goes_on_with_a_match_that_was_imported(tmp_path: Path, told: Told) -> None:
    table = Round("red", "blue")
    before_the_flip(table, 5, 9, "sensed")
    file, other = tmp_path / "cut.jsonl", tmp_path / "other"
    told("journal", "export", file, "--folder", kept(tmp_path / "here", table))
    told("journal", "import", file, "--folder", other)
    journal = Journal(other / JOURNAL)
    referee = Referee(journal, lambda _: None, Random(1))
    [match] = journal.unfinished()
    referee.resume(match.id, journal.events(match.id), 0)
    assert referee.match is not None
    assert referee.match.game.turns(referee.match.state) == (Colour.RED, Colour.BLUE)
    journal.close()


@pytest.mark.parametrize(
    ("match", "bots", "why"),
    [
        ("../a?b", [], "this is damaged"),
        ("x" * 41, [], "this is damaged"),
        ("m1", [{"seat": "red", "player": "<nobody>"}], "as '<nobody>'; it can as"),
    ],
)
def test_a_match_that_no_page_could_show_or_no_player_go_on_with_is_left(
    tmp_path: Path, told: Told, match: str, bots: list[dict[str, str]], why: str
) -> None:
    table = Round("red", "blue")
    first = table.paper.events(table.now.match or "")[0]
    body = first.body
    body["house"]["bots"] = bots
    file = tmp_path / "match.jsonl"
    file.write_text("".join(lines([replace(first, match=match, text=written(body))])))
    code, out, err = told("journal", "import", file, "--folder", tmp_path)
    assert code == 1
    assert why in err
    assert out.startswith("0 matches")


def test_a_seat_whose_player_nobody_knows_is_played_by_people() -> None:
    table = Round("red", "blue")
    assert table.referee.match is not None
    house = replace(table.referee.match.house, bots=(Bot(SeatName.RED, "nobody"),))
    assert does(replace(table.referee.match, house=house), Luck(Random(1))) == ()
