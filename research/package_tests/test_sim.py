"""The commands `sim` and `replay-link`: what they print, and what is wrong in one sentence."""

import re
from pathlib import Path

import pytest

import rappelwacht_research
from companion.cli.main import main

SCRIPT = "3 blue lifts 7\nblue shakes 7 for 0.6\nblue places 7  # at the pad\n+0.2 blue presses\n"
SCRIPTS = Path(rappelwacht_research.__file__).parent / "scripts"
HOST = 9 + 2 + 38 + 2  # where the host's column begins


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Provide a short script."""
    file = tmp_path / "short.txt"
    file.write_text(SCRIPT)
    return file


def host_column(text: str) -> list[str]:
    """Return what the host heard from stoppers, with its times."""
    lines = [line for line in text.splitlines() if line[HOST - 2 : HOST + 8] == "  stopper "]
    return [line[:9] + line[HOST:] for line in lines]


def test_a_script_is_told_in_two_columns_and_its_recording_gives_the_same_again(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "evening.link")
    assert main(["sim", "--script", str(script), "--seed", "4", "--record", file]) == 0
    played = capsys.readouterr().out
    assert main(["replay-link", file]) == 0
    replayed = capsys.readouterr().out
    assert host_column(played) == host_column(replayed)
    assert len(host_column(played)) >= 16  # thirteen stand still; lifted, shaken, set down
    hands = [line[11:HOST].strip() for line in played.splitlines() if line[9:11] == "  "]
    for done in ("Blue shakes 7", "Blue places 7", "Blue presses the button"):
        assert done in hands
    assert "Blue's pad is closed" in played
    assert "Blue's button was pressed" in played
    assert max(map(len, played.splitlines())) <= 100


@pytest.mark.slow  # the same seed repeats the round of bots below
def test_the_same_seed_prints_the_same(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for _ in range(2):
        assert main(["sim", "--script", str(script), "--seed", "4"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_the_round_that_ships_is_played_without_any_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--language", "de", "sim"]) == 0
    told = capsys.readouterr().out
    assert "jemand tritt gegen den Tisch" in told
    assert told.count("steht kopf") == 4


@pytest.mark.slow
def test_the_evening_of_bad_luck_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    script = SCRIPTS / "bad-luck.txt"
    assert main(["sim", "--script", str(script), "--seed", "3"]) == 0
    told = capsys.readouterr().out
    for said in ("boot 2", "simulated-hub-1", "bus-stuck", "load-stuck", "has gone silent"):
        assert said in told
    assert max(map(len, told.splitlines())) <= 100


@pytest.mark.slow
def test_bots_play_rounds_and_the_same_seed_repeats_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], full: bool
) -> None:
    rounds = 2 if full else 1
    words = ["sim", "--bots", "2", "--rounds", f"{rounds}", "--seed", "3"]
    printed = []
    for name in ("first", "again"):
        file = str(tmp_path / name)
        assert main([*words, "--record", file]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert (tmp_path / "first").read_bytes() == (tmp_path / "again").read_bytes()
    lines = printed[0].splitlines()
    times = [float(line[:9]) for line in lines if line[9:11] == "  " and line[8:9].isdigit()]
    assert times == sorted(times)
    assert sum(" rolls " in line for line in lines) == rounds
    assert printed[0].count("has flipped") == printed[0].count("stands upside down") == 2 * rounds
    assert max(map(len, lines)) <= 100
    assert main(["replay-link", str(tmp_path / "first")]) == 0
    assert host_column(capsys.readouterr().out) == host_column(printed[0])


@pytest.mark.slow  # an evening that is watched is below
def test_bots_can_be_watched(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--language", "de", "sim", "--bots", "2", "--rounds", "1", "--seed", "3"]
    assert main([*words, "--speed", "40"]) == 0
    told = capsys.readouterr().out
    assert " würfelt " in told
    assert told.count("hat") >= 2


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--bots", "1"], "--bots 1 is not possible; there are seats for 2 to 4."),
        (["--bots", "5"], "--bots 5 is not possible"),
        (["--bots", "all"], "'all' is not a whole number"),
        (["--bots", "2", "--rounds", "0"], "With 0 rounds there is nothing to see"),
        (["--bots", "2", "--script", "x"], "Either a script or bots"),
        (["--rounds", "3"], "--rounds needs --bots"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_bad_words_about_bots_are_one_sentence(
    words: list[str], complaint: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", language, "sim", *words]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    assert (complaint in told.err) == (language == "en")


def test_an_evening_can_be_watched(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--script", str(script), "--seed", "4", "--speed", "20"]) == 0
    assert "is lifted" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("blue lifts 14", "Line 1: there is no barrel 14; barrels are 1 to 13."),
        ("purple lifts 1", "'purple' is not a seat"),
        ("blue eats 1", "'eats' is not something to do"),
        ("fault coffee", "there is no fault 'coffee'"),
        ("fault loss much", "'much' does not belong here; write, for example: fault loss 30%"),
        ("3 kick\n2 kick", "Line 2: 2.0 s is before 3.0 s"),
        ("1 blue lifts 7\nred shakes 7", "Red cannot reach barrel 7"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_bad_script_is_one_sentence(
    line: str, complaint: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(line)
    assert main(["--language", language, "sim", "--script", str(file), "--seed", "1"]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert (complaint in told.err) == (language == "en")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["sim", "--script", "/nowhere/at-all"], "the file cannot be read (No such file"),
        (["sim", "--speed", "fast"], "'fast' is not a speed; write max"),
        (["sim", "--speed", "0"], "'0' is not a speed"),
        (["sim", "--seed", "-1"], "'-1' is not a whole number"),
        (["sim", "--seed", "9" * 30], "'999999999999999999…' is not a whole number"),
        (["sim", "--record", "/nowhere/at-all"], "the recording cannot be written (No such file"),
        (["sim", "again"], "'again' is not known here"),
        (["replay-link"], "Missing: FILE"),
        (["replay-link", "/nowhere/at-all"], "the file cannot be read (No such file"),
        (["replay-link", __file__], "this is not a recording of a link"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.err.count("\n") == 1


def test_a_script_that_is_not_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    assert main(["sim", "--script", str(tmp_path / "binary")]) == 2
    assert "this is not a script" in capsys.readouterr().err


def test_both_commands_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("sim", "replay-link"):
        with pytest.raises(SystemExit):
            main(["--language", "de", command, "--help"])
        told = capsys.readouterr().out
        assert "Aufruf" in told
        assert max(map(len, told.splitlines())) <= 80


@pytest.mark.slow
def test_a_long_script_is_shown_part_after_part_each_thing_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.txt"
    turn = "+61 blue lifts 7\nblue hands 7 to red\n+5 red puts back 7\n+1 fault loss 2%\n"
    file.write_text(3 * turn)
    assert main(["sim", "--script", str(file), "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    hands = [line[11:HOST].strip() for line in lines if line[9:11] == "  "]
    for done in ("Blue hands 7 to Red", "Red puts 7 back", "fault loss 2 %"):
        assert hands.count(done) == 3
    times = [float(line[:9]) for line in lines if line[9:11] == "  " and line[8:9].isdigit()]
    assert times == sorted(times)


def test_the_sum_counts_receivers(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--script", str(script), "--seed", "4"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    sums = re.search(r"the air: (\d+) packets for (\d+) receivers .* these (\d+) missed", told)
    assert sums
    sent, ears, missed = map(int, sums.groups())
    assert sent < ears < 13 * sent
    assert 0 < missed < ears / 20
