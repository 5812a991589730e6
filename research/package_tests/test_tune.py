"""The command `tune`: what other settings find in a recording, and what is wrong in a sentence."""

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.sensing.settings import Settings
from rappelwacht_research.tune import names

SCRIPT = "4 green lifts 7\n+1 green peeks 7 to 120° for 1.2\ngreen puts back 7\n"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tune")
    (folder / "script").write_text(SCRIPT, "utf-8")
    words = ["--script", str(folder / "script"), "--record", str(folder / "link"), "--seed", "1"]
    assert main(["sim", *words]) == 0
    return str(folder / "link")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


def rows(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line[:9].strip()[:1].isdigit()]


def test_the_same_settings_find_the_same(
    recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", recording]) == 0
    printed = capsys.readouterr().out
    (row,) = [line for line in rows(printed) if "peek" in line]
    assert row.count("foul 0.") == 2
    assert "1 finding, 0 of them judged otherwise" in printed


def test_stricter_settings_find_less(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", recording, "peeking.foul_ms=4000", "peeking.warn_ms=300"]) == 0
    printed = capsys.readouterr().out
    (row,) = [line for line in rows(printed) if "peek" in line]
    assert "foul 0." in row
    assert "warning 0." in row
    assert row.endswith(" *")
    assert main(["tune", recording, "peeking.foul_ms=4000", "peeking.warn_ms=4000"]) == 0
    assert "–" in capsys.readouterr().out


def test_only_while_all_choose(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "de", "tune", recording, "--choosing", "0-3.5"]) == 0
    assert "0 Befunde" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["peeking.hold=3"], "There is no setting 'peeking.hold'; there are peeking."),
        (["hold=3"], "There is no setting 'hold'; there are certain"),
        (
            ["peeking.foul_ms=long"],
            "'long' is not a value for peeking.foul_ms; write, for example,",
        ),
        (["peeking.foul_ms"], "'' is not a value for peeking.foul_ms"),
        (["peeking.foul_ms=3.5"], "'3.5' is not a value"),
        (["--choosing", "9-3"], "'9-3' is not a span of seconds"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    words: list[str], complaint: str, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("en", "de"):
        assert main(["--language", language, "tune", recording, *words]) == 2
        told = capsys.readouterr()
        assert told.err.count("\n") == 1
        assert (complaint in told.err) == (language == "en")


def test_what_is_not_a_recording(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", __file__]) == 2
    assert "this is not a recording of a link" in capsys.readouterr().err


def test_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--language", "de", "tune", "--help"])
    told = capsys.readouterr().out
    assert "ÄNDERUNG" in told
    assert max(map(len, told.splitlines())) <= 80


def test_the_recording_is_read_only(recording: str) -> None:
    before = Path(recording).read_bytes()
    assert main(["tune", recording, "peeking.foul_ms=1"]) == 0
    assert Path(recording).read_bytes() == before


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a recording in which barrels stand, too."""
    file = str(tmp_path_factory.mktemp("evening") / "link")
    words = ["--bots", "2", "--rounds", "1", "--seed", "1", "--record", file]
    assert main(["sim", *words]) == 0
    return file


@pytest.mark.slow
@pytest.mark.parametrize("value", ["0", "-999999999", "999999999"])
def test_no_value_of_a_setting_ends_in_a_traceback(
    evening: str, capsys: pytest.CaptureFixture[str], value: str, full: bool
) -> None:
    some = ("weighing.counts_per_g", "certain", "peeking.foul_ms")
    for name in names(Settings()) if full else some:
        code = main(["tune", evening, f"{name}={value}"])
        assert code in {0, 2}, name
        if name == "weighing.counts_per_g" and value == "0":
            told = "Nothing can be worked out with weighing.counts_per_g=0; choose other values.\n"
            assert (code, capsys.readouterr().err) == (2, told)
