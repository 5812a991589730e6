"""Whatever is written behind a command: a sentence that names it, and never a traceback.

The options are found in the parsers themselves, so that a new one is tried without a word here.
"""

import os
import signal
from argparse import Action
from collections.abc import Iterator
from contextlib import chdir, suppress
from pathlib import Path
from typing import Final

import pytest

from companion.cli import flash_board, hall, install, lights
from companion.cli.main import main
from companion.cli.options import (
    COMMANDS,
    JOURNAL_COMMANDS,
    WITHOUT_COMMAND,
    TerminalCommand,
    extra_commands,
    read_options,
)
from companion.cli.parser import Parser
from companion.games.zapp_zerapp.terminal.look import Evening
from companion.present.lights.example import examples
from companion.system.errors import CompanionError
from rappelwacht_research import sim

KNOWN: Final[dict[tuple[str, ...], TerminalCommand]] = {
    (): WITHOUT_COMMAND,
    **{(name,): command for name, command in COMMANDS.items() if name != "journal"},
    **{(name,): command for name, command in extra_commands().items()},
    **{("journal", name): TerminalCommand(takes, "") for name, takes in JOURNAL_COMMANDS.items()},
}
PARSERS: Final[dict[tuple[str, ...], Parser]] = {
    words: command.parser("en", " ".join(words)) for words, command in KNOWN.items()
}
NEEDED: Final[dict[str, tuple[str, ...]]] = {  # by what must be said: something that may be
    "file": ("there.txt",),
    "game": ("blackmore", "--games", "1", "--seed", "1"),
    "kind": ("stopper",),
    "path": ("folder",),
    "port": ("--port", "/dev/null"),
}
NO_NUMBERS: Final = (
    *(
        "",
        " ",
        "x",
        "-",
        "-1",
        "+1",
        "1 ",
        "1_000",
        "1,5",
        "1.5.5",
        "0x10",
        "1e3",
        "nan",
        "inf",
        "١",
    ),
    *(
        "-inf",
        "1e308",
        "1e999",
        "9" * 30,
        "9" * 5_000,
        "-" + "9" * 30,
        "²",
        "true",
        "null",
        "\ud800",
    ),
)
PATHS: Final = ("FILE", "FOLDER", "PORT", "NAME")  # as they stand in the help
ODD_NAMES: Final = (
    *("", ".", "..", "/", "no/such/thing", "file/inside", "file/inside/it", "dangling", "loop"),
    *("loop/inside", "x" * 256, "x/" * 2100, "folder", "/dev/null", "/dev/full", "/dev/zero"),
    *("/proc/no", "/proc/self/mem", "/sys/kernel/no", "latin1.toml", "nul.toml", "deep.toml"),
    *("digits.toml", "deep.jsonl", "digits.jsonl", "huge.toml", "lines.jsonl", "\udcff.toml", "-"),
    *(
        "pipe",
        "pipe.toml",
        "closed/inside",
        "closed.toml",
        "it's {0} {file}.toml",
        "file\nof two lines",
    ),
)
PIPES: Final = ("pipe", "pipe.toml")
EVENING: Final = "companion.games.zapp_zerapp.terminal.look.Evening"
LONGEST_S: Final = 400  # mpremote runs for every name; who waited for a pipe would wait for ever
MAY_BE: Final = ("", ".", "..", "/", "folder", "-")  # then the fault may be another one
FIRST: Final = (
    *("There is no version to go back to.", "There is no match in the journal yet."),
    *("The ring is not a list of fields", "There is no journal in"),
    *("Name a game", "Give the code", "No table answers at port 1", "is not the boot partition"),
)
OTHERS: Final = ("The output cannot be written", "The computer refuses", "a bug in this program")


def options(parser: Parser) -> Iterator[Action]:
    """Yield what takes a value."""
    for action in parser._actions:
        if action.nargs != 0:
            yield action


def base(words: tuple[str, ...], but: Action) -> list[str]:
    """Return the words of a command that could work, all but the one."""
    said = list(words)
    for action in PARSERS[words]._actions:
        needed = action.required or (words == ("flash",) and action.dest == "port")
        if (needed or action.dest == "file") and action.dest != but.dest:
            said += NEEDED[action.dest]
    return said


def given(action: Action, word: str) -> list[str]:
    if not action.option_strings:
        return [word] if word[:1] != "-" else ["--", word]
    return [f"{action.option_strings[-1]}={word}"]


def named(words: tuple[str, ...], action: Action) -> str:
    return " ".join((*words, (action.option_strings or [action.dest])[-1]))


ALL: Final = [(words, one) for words, made in PARSERS.items() for one in options(made)]
NUMBERS: Final = [
    pytest.param(words, one, id=named(words, one))
    for words, one in ALL
    if hasattr(one.type, "least")
]
FILES: Final = [
    pytest.param(words, one, id=named(words, one)) for words, one in ALL if one.metavar in PATHS
]


def test_nothing_that_may_be_left_out_is_called_missing() -> None:
    """Any number of words may be none; Python 3.11 believes that only if it knows what none is."""
    lists = [(named(words, one), one.required) for words, one in ALL if one.nargs == "*"]
    assert sorted(lists) == [("tune changes", False), ("update stoppers", False)]


def test_every_number_of_the_command_line_has_bounds() -> None:
    known = {"choice", "colour", "colours", "reader", "speed", "pace", "span"}
    for words, one in ALL:
        if one.type is not None and not hasattr(one.type, "least"):
            assert getattr(one.type, "__name__", "?") in known, named(words, one)
    assert len(NUMBERS) > 12


@pytest.mark.parametrize(("words", "option"), NUMBERS)
def test_no_number_or_one_out_of_bounds_is_refused(words: tuple[str, ...], option: Action) -> None:
    least, most = option.type.least, option.type.most  # type: ignore[union-attr]
    rest = base(words, option)
    for word in (*NO_NUMBERS, str(least - 1), str(most + 1)):
        with pytest.raises(CompanionError) as refused:
            read_options("en", [*rest, *given(option, word)])
        assert (option.option_strings or [str(option.metavar)])[-1] in str(refused.value)
        assert len(str(refused.value)) < 300
    for number in (least, most):
        read = read_options("en", [*rest, *given(option, str(number))])
        assert getattr(read, option.dest) in (number, [number])


@pytest.mark.slow(but=12)
@pytest.mark.parametrize(
    ("words", "option"),
    [pytest.param(words, one, id=named(words, one)) for words, one in ALL if one.type is not None],
)
def test_no_value_of_an_option_breaks_its_reading(words: tuple[str, ...], option: Action) -> None:
    for word in (*NO_NUMBERS, *ODD_NAMES, "1-2", "2-1", "0-" + "9" * 400, "red,red", ","):
        with suppress(CompanionError):  # anything else breaks this test
            read_options("en", [*base(words, option), *given(option, word)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which all odd things are."""
    made = tmp_path_factory.mktemp("odd")
    (made / "there.txt").write_text("hello\n")
    (made / "file").write_text("a file\n")
    (made / "folder").mkdir()
    for name in PIPES:
        os.mkfifo(made / name)
    (made / "dangling").symlink_to("nowhere")
    (made / "loop").symlink_to("loop")
    (made / "latin1.toml").write_bytes("grün = 1".encode("latin-1"))
    (made / "nul.toml").write_bytes(b"\0" * 1000)
    (made / "deep.toml").write_text("a = " + "[" * 5_000 + "]" * 5_000)
    (made / "digits.toml").write_text("a = " + "9" * 5_000)
    (made / "deep.jsonl").write_text('{"rappelwacht": ' + "[" * 5_000 + "]" * 5_000 + "}\n")
    (made / "digits.jsonl").write_text('{"rappelwacht": ' + "9" * 5_000 + "}\n")
    (made / "lines.jsonl").write_text('{"rappelwacht": "journal", "version": 1}\n' + "[" * 9_000)
    with (made / "huge.toml").open("wb") as huge:
        huge.truncate(8 << 30)
    (made / "it's {0} {file}.toml").write_text("[[[")
    (made / "closed.toml").write_text("")
    (made / "closed.toml").chmod(0)
    (made / "closed").mkdir(mode=0)
    return made


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """Let what would go on for long end as soon as it has begun."""
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    for module in ("table", "simulated_table"):
        monkeypatch.setattr(f"companion.cli.{module}.show_table", lambda *_, **__: None)
    monkeypatch.setattr(sim, "_play", lambda *_: None)
    monkeypatch.setattr(hall, "go_on", lambda *_: None)
    monkeypatch.setattr(Evening, "spend", lambda _: None)
    monkeypatch.setattr(lights, "examples", lambda: examples()[:1])
    monkeypatch.setattr(install, "_install", lambda *_: 0)
    monkeypatch.setattr(install, "_uninstall", lambda *_: 0)
    before = signal.signal(signal.SIGALRM, _ring)
    signal.alarm(LONGEST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _ring(*_: object) -> None:
    raise AssertionError("somebody waits for what never comes")


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("words", "option"), FILES)
def test_a_file_that_cannot_be_used_is_named_in_a_sentence(
    words: tuple[str, ...],
    option: Action,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quick = {"doctor": ["--listen=0"], "study": ["--games=1", "--seed=1"], "": ["--port=0"]}
    quick["hall"], quick["update"] = ["--broker=127.0.0.1:1"], ["--port=1"]
    more = quick.get(" ".join(words), ["--port=0"] if words == ("table",) else [])
    more = [one for one in more if option.option_strings[-1:] != [one.partition("=")[0]]]
    if option.metavar == "FOLDER":  # then a board is there, as far as it is asked for
        facts = flash_board.BoardFacts(bytes(6), number="", boot=0, runs=False)
        monkeypatch.setattr(flash_board, "board_facts", lambda *_: facts)
    with chdir(folder):
        for name in ODD_NAMES:
            if option.dest == "record" and name in PIPES:
                continue  # into a pipe anybody may record, and waits for who reads it
            code = main(["--language", "en", *base(words, option), *more, *given(option, name)])
            told = capsys.readouterr()
            _judge(code, name, told.err, told.out, base(words, option))


def _judge(code: int, name: str, err: str, out: str, rest: list[str]) -> None:
    assert code in {0, 1, 2}, (name, err)
    assert "Traceback" not in err + out, (name, err)
    assert not any(other in err for other in OTHERS), (name, err)
    if code == 2:
        assert err.strip(), name
        shown = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in name)
        other = any(word in err for word in rest[1:])  # what was looked at first
        other |= any(first in err for first in FIRST)
        assert other or name in MAY_BE or Path(shown).name[:40] in err, (name, err)
