"""What does not work is said as what it was, and a mistake of ours leaves where it was made."""

import errno
import gc
import io
import logging
import os
import stat
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from http.client import HTTPConnection
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import lights, table
from companion.cli.main import MISTAKEN, MISUSED, main
from companion.core.plugin import PLUGINS
from companion.present.output import Outputs
from companion.present.terminal import TerminalScreen
from companion.system import logs
from companion.system.errors import CompanionError
from companion.table import loop
from companion.table.table import Table
from companion.web import api
from companion.web.server import PhoneServer
from companion.web.views import PARTS
from tests.web.room import FakeRoom

SECRET = "a pin: 271828"  # noqa: S105 - not a real one
FULL = Path("/dev/full")


class Terminal(io.StringIO):
    """Where a person reads."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    yield
    root, ours = logging.getLogger(), logging.getLogger(logs.OURS)
    root.handlers = [one for one in root.handlers if not isinstance(one, logs.StderrLog)]
    ours.setLevel(logging.NOTSET)


def raising(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    """Let a command raise this."""

    def command(_: Namespace, __: TerminalScreen) -> int:
        raise fault

    monkeypatch.setattr(lights, "show_lights", command)


def mistaken(_: Namespace, __: TerminalScreen) -> int:
    return {1: 1}[{"secret": SECRET}["secret"]]  # type: ignore[index]


# --- what the computer refuses --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "/some/file"), "/some/file "),
        (OSError(errno.ENOSPC, "No space left on device", "a", None, "table.toml"), "table.toml "),
        (FileNotFoundError(errno.ENOENT, "?", b"/tty\xff"), "/tty\N{REPLACEMENT CHARACTER} "),
        (OSError(errno.EIO, "Input/output error"), "Input/output error. "),
        (TimeoutError(), "TimeoutError. "),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "Broken pipe. "),  # of whatever else
    ],
)
def test_only_the_output_is_called_the_output(
    fault: OSError, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, fault)
    assert main(["lights"]) == MISUSED
    told = capsys.readouterr()
    assert (told.out, named in told.err, told.err.count("\n")) == ("", True, 1)


def test_where_the_computer_refused_it_the_log_says_if_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, OSError(errno.EIO, "Input/output error"))
    assert main(["lights", "--verbose"]) == MISUSED
    told = capsys.readouterr().err
    assert "raise fault\nOSError: Input/output error\n" in told


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ["table", "simulated table", "hub", "waitress", "pages", "keeper"])
def test_a_limit_of_threads_is_one_sentence_at_whichever_it_ends(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = threading.Thread.start

    def limited(self: threading.Thread) -> None:
        if self.name.startswith(name):
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", limited)
    words = ["--seat", "none", "--port", "0", "--folder", str(tmp_path), "--language", "en"]
    assert main(words) == MISUSED
    assert "Traceback" not in capsys.readouterr().err
    gc.collect()  # what waitress had half open would end with the program


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["play", "--help"], ["lights", "--list"], ["-h"]])
def test_a_full_disk_behind_whatever_is_shown_is_one_sentence(words: list[str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"LC_ALL": "C"},
            check=False,
        )
    told = b"The output cannot be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (MISUSED, told)


def test_where_nobody_is_at_home_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    assert main(["journal", "list"]) == MISUSED
    assert "HOME" in capsys.readouterr().err


# --- mistakes of ours -----------------------------------------------------------------------------


def test_a_mistake_leaves_its_traceback_in_the_log_and_no_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lights, "show_lights", mistaken)
    assert main(["lights"]) == MISTAKEN
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback (most recent call last):\n" in err
    assert "in mistaken\n" in err
    assert err.splitlines()[-2] == "KeyError"  # then comes the sentence
    assert SECRET not in err


def test_on_a_terminal_the_traceback_is_kept_in_a_file_instead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lights, "show_lights", mistaken)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    for _ in range(2):
        assert main(["lights"]) == MISTAKEN
    file = tmp_path / "rappelwacht" / logs.FILE
    assert str(file) in terminal.getvalue()
    assert "Traceback" not in terminal.getvalue()
    kept = file.read_text("utf-8")
    assert kept.count("in mistaken\n") == 2
    assert SECRET not in kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_that_file_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lights, "show_lights", mistaken)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(logs, "MOST_BYTES", 2_000)
    for _ in range(30):
        main(["lights"])
    files = sorted((tmp_path / "rappelwacht").iterdir())
    assert [one.name for one in files] == [logs.FILE, f"{logs.FILE}.old"]
    assert all(0 < one.stat().st_size < 5_000 for one in files)


def test_an_unwritable_log_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rappelwacht").write_text("no folder")
    monkeypatch.setattr(lights, "show_lights", mistaken)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["lights"]) == MISTAKEN
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["lights"]) == MISTAKEN


def test_with_verbose_a_person_sees_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lights, "show_lights", mistaken)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert main(["lights", "-v"]) == MISTAKEN
    assert "in mistaken\n" in terminal.getvalue()


def test_what_ends_the_tables_thread_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Table, "turn", broken)
    monkeypatch.setattr(loop, "HOPELESS_US", 0)
    wiring = tmp_path / "table.toml"
    wiring.touch()  # nothing is wired
    words = ["table", "--folder", str(tmp_path / "t"), "--port", "0", "--config", str(wiring)]
    assert main(words) == MISTAKEN
    err = capsys.readouterr().err
    assert "in broken\n" in err
    assert "OSError: Input/output error\nand then:\n" in err
    assert "The output cannot be written" not in err


def test_what_somebody_can_put_right_is_still_a_sentence() -> None:
    real = SimpleNamespace(
        site=None,
        recorded=False,
        outputs=Outputs(nullcontext()),
        loop=SimpleNamespace(fault=CompanionError("Plug it in.")),
    )
    real.snapshot = FakeRoom().now
    with pytest.raises(CompanionError, match="Plug it in"):
        table.show_table(real, TerminalScreen(io.StringIO()))  # type: ignore[arg-type]


def test_what_ends_any_thread_goes_into_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    logs.begin()
    thread = threading.Thread(target=mistaken, args=(None, None), name="of no use")
    thread.start()
    thread.join()
    err = capsys.readouterr().err
    assert err.startswith("ERROR companion: The thread 'of no use' ended.\nTraceback ")
    assert SECRET not in err


def test_a_page_that_breaks_leaves_its_traceback_in_the_log_and_phones_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(api, "known_games", lambda _: mistaken(None, None))  # type: ignore[arg-type]
    logs.begin()
    server = PhoneServer(FakeRoom("red", "blue"))
    try:
        line = HTTPConnection("127.0.0.1", server.start(0, "127.0.0.1").here.port, timeout=60)
        line.request("GET", f"/api/games?pin={SECRET[-6:]}")
        assert line.getresponse().status == 500
        line.close()
    finally:
        server.stop()
    err = capsys.readouterr().err
    assert "A page failed: GET api.games.\nTraceback " in err
    assert "in mistaken\n" in err
    assert SECRET[-6:] not in err


@pytest.mark.parametrize(
    ("mistake", "last"),
    [
        (lambda: PLUGINS.odds, "AttributeError: odds"),  # type: ignore[attr-defined]
        (
            lambda: PARTS.get_template("blackmore/lost.html"),
            "TemplateNotFound: blackmore/lost.html",
        ),
        (
            lambda: compile("class X\n", "rules.py", "exec"),
            "SyntaxError: expected ':' (rules.py, line 1)",
        ),
        (
            lambda: import_module("nowhere_at_all"),
            "ModuleNotFoundError: No module named 'nowhere_at_all'",
        ),
        (lambda: dict[str, int]()["13"], "KeyError"),
        (lambda: int("13 stones"), "ValueError"),
    ],
)
def test_a_traceback_says_names_that_stand_in_the_code_and_no_values(
    mistake: Callable[[], object], last: str
) -> None:
    with pytest.raises(Exception) as failed:  # noqa: PT011 - of any kind
        mistake()
    assert logs.traced(failed.value).splitlines()[-1] == last
