"""A match leaves the journal as a file, and comes into another one."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.main import main
from companion.core.notation import write
from companion.journal import NewEntry
from companion.journal.export import export_lines
from companion.referee.barrel_game import summary
from companion.referee.commands import AssignBarrel, Call, DoAction, GiveUp, Rule, Undo
from companion.referee.replay import replay_steps
from tests.cli.journal.matches import Told, inside, kept, play
from tests.journal.journals import folder_in_memory
from tests.referee.tables import Round


def test_the_newest_or_named_match_is_exported(evening: Path, told: Told, tmp_path: Path) -> None:
    for words, names in (((), ["ccc"]), (("a",), ["aaa"]), (("all",), ["aaa", "bbb", "ccc"])):
        file = tmp_path / f"{len(words)}{names}.jsonl"
        code, out, err = told("journal", "export", *words, file, "--folder", evening)
        assert (code, err) == (0, "")
        assert "stopper" not in out  # none stood there
        exported = [json.loads(line) for line in file.read_text("ascii").splitlines()[1:]]
        assert list(dict.fromkeys(line["match"] for line in exported)) == names


def test_where_stoppers_stood_the_export_has_to_be_kept_safe(tmp_path: Path, told: Told) -> None:
    table = play(Round("red", "blue"), "roll 9")
    table.place("red", 8)
    table.place("blue", 4)
    table.flip(8, 4)
    code, out, _ = told(
        "journal", "export", tmp_path / "a.jsonl", "--folder", kept(tmp_path / "kept", table)
    )
    assert code == 0
    assert "stopper" in out


def test_nothing_is_overwritten_no_match_guessed(tmp_path: Path, told: Told, evening: Path) -> None:
    file = tmp_path / "there.jsonl"
    file.write_text("precious")
    faults = {
        ("aaa", str(file)): str(file),
        ("x", "new.jsonl"): "'x'",
        ("", "new.jsonl"): "ccc, bbb and aaa",
        ("a", str(tmp_path / "no" / "new.jsonl")): str(tmp_path / "no"),
        ("a", str(tmp_path)): str(tmp_path),
    }
    for words, named in faults.items():
        code, out, err = told("journal", "export", *words, "--folder", evening)
        assert (code, out) == (2, "")
        assert named in err
    assert file.read_text() == "precious"


def test_a_full_disk_leaves_no_half_of_an_export(
    tmp_path: Path, told: Told, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    file = tmp_path / "new.jsonl"
    code, _, err = told("journal", "export", file, "--folder", evening)
    assert (code, file.exists()) == (2, False)
    assert "cannot be written: No space left on device." in err


def test_what_was_exported_comes_in_once(tmp_path: Path, told: Told, evening: Path) -> None:
    file, other = tmp_path / "all.jsonl", tmp_path / "other" / "folder"
    told("journal", "export", "all", file, "--folder", evening)
    code, out, err = told("journal", "import", file, "--folder", other)
    assert (code, err) == (0, "")
    assert out.startswith("3 matches imported from")
    assert "ccc" in out  # which is not finished
    assert inside(other) == inside(evening)
    code, out, _ = told("journal", "import", file, "--folder", other)
    assert (code, "0 entries are new" in out.replace("\n", " ")) == (0, True)
    assert "ccc" not in out


def test_damaged_lines_are_refused_by_number(tmp_path: Path, told: Told, evening: Path) -> None:
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


@pytest.mark.parametrize("content", [b"\x00\xff\n", b'{"rappelwacht": "journal", "version": 2}'])
def test_a_file_of_another_kind_or_version_is_refused_as_a_whole(
    content: bytes, tmp_path: Path, told: Told, evening: Path
) -> None:
    file, before = tmp_path / "file", inside(evening)
    file.write_bytes(content)
    code, out, err = told("journal", "import", file, "--folder", evening)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert inside(evening) == before


def test_a_match_that_makes_no_sense_stays_outside(tmp_path: Path, told: Told) -> None:
    entries = play(Round("red", "blue"), "roll 7").paper.matches["m0"]
    nonsense = NewEntry("did", {"action": '{"do": "flip"}', "by": "red", "follows": False})
    file = tmp_path / "odd.jsonl"
    file.write_text("".join(export_lines([*entries, nonsense.entry("m0", 2, 0)])))
    code, _, err = told("journal", "import", file, "--folder", tmp_path)
    assert code == 1
    assert err.startswith("Match m0, entry 2: ")
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
    whole, came = replay_steps(before)[0], replay_steps(after)[0]
    sums = [summary(step.after) for step in came]
    assert sums == [summary(step.after) for step in whole[: len(came)]]


def do_something(table: Round, data: st.DataObject) -> None:
    """Do what the rules allow, or take back, or rule, or settle."""
    match = table.referee.match
    assert match is not None
    turns = match.game.turns(match.state)
    kind = data.draw(st.integers(0, 9))
    if kind == 0:
        table.wish(Undo())
    elif kind == 1:
        table.wish(Call("peek", "red"))
        table.wish(Rule(1, upheld=data.draw(st.booleans())))
    elif kind == 2:
        table.wish(AssignBarrel("red", data.draw(st.integers(1, 13))))
    elif turns:
        legal = match.game.legal(match.state, data.draw(st.sampled_from(turns)))
        table.wish(DoAction(write(data.draw(st.sampled_from(legal)))))
