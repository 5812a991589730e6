"""However and whenever the program is stopped, it ends, and what it started ends with it."""

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name

import pytest

from companion.cli import journal
from companion.cli import main as main_command
from companion.cli.main import main
from companion.present.terminal import TerminalScreen, Unwritten
from companion.system import signals
from companion.system.signals import Stopped, with_us
from companion.table.table import Table
from companion.web.server import PhoneServer

ROOT = Path(__file__).parent.parent
LONG_S = 60
STARTS_ONE = """
import subprocess
from companion.system.signals import with_us
subprocess.run([*with_us(), "sh", "-c", "echo $$; exec sleep 600"])
"""
UNLUCKY = """
import _imp, os, signal, sys, weakref
from companion.cli.main import main

class Thing:
    pass

def gone(_):  # as importlib does in such a callback: what is raised in it, Python swallows
    _imp.acquire_lock()
    os.kill(os.getpid(), number)
    _imp.release_lock()

def unluckily(*_):
    thing = Thing()
    watched = weakref.ref(thing, gone)
    del thing

number = int(sys.argv.pop(1))
signal.signal(signal.SIGUSR1, unluckily)
raise SystemExit(main())
"""
HANGS = """
from companion.system import signals
with signals.handled():
    print("begun", flush=True)
    try:
        signals.sleep(600)
    except signals.Stopped:
        print("putting away", flush=True)
        while True:
            signals.sleep(600)
"""
HELD = """
import runpy, threading, time
from companion.cli import options

class Late:
    def __del__(self, lock=threading.Lock()):
        with lock:
            pass

def hold(lock):
    with lock:
        held.set()
        time.sleep(600)

def read_options(*_):
    raise KeyboardInterrupt

held, threading.late = threading.Event(), Late()
threading.Thread(target=hold, args=Late.__del__.__defaults__, daemon=True).start()
held.wait()
options.read_options = read_options
print("begun", flush=True)
runpy.run_module("companion", run_name="__main__")
"""
UNREAD = """
import sys
from companion.system import signals
from companion.present.terminal import TerminalScreen
with signals.handled():
    print("begun", file=sys.stderr, flush=True)
    try:
        TerminalScreen(sys.stdout).put("nobody reads this")
    except signals.Stopped as stopped:
        raise SystemExit(stopped.code)
"""
LOADS_LONG = """
import time
print("loading", flush=True)
time.sleep(600)
"""


@pytest.fixture
def handled() -> Iterator[None]:
    """Handle signals as the program does."""
    with signals.handled():
        yield


def stop(number: int = signal.SIGTERM) -> None:
    os.kill(os.getpid(), number)


def soon(call: Callable[[], object]) -> None:
    """Have another thread do something; the main thread waits by then, or will at once."""
    threading.Timer(0, call).start()


@contextmanager
def begun(words: Sequence[str], folder: Path, sign: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """Start something, and have it when it has said a word; it ends with the test."""
    with subprocess.Popen(
        words,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        said = b""
        while sign not in said:
            said += (data := os.read(program.stdout.fileno(), 4096))
            assert data, said
        try:
            yield program
        finally:
            program.kill()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize(
    ("words", "sign"),
    [
        (["--port", "0", "--seat", "none", "--folder", "kept"], b"phone, open"),
        (["play", "--you", "red", "--bots", "1", "--seed", "5"], b"Which barrel?"),
        (["sim", "--bots", "4", "--speed", "1"], b"The hub 7c:"),
        (["table", "--port", "0", "--folder", "kept"], b"phone, open"),
        (["hall", "--port", "0", "--folder", "kept"], b"The hall is at"),
    ],
    ids=("simulated", "play", "sim", "table", "hall"),
)
def test_a_signal_inside_a_callback_of_a_weak_reference_is_heeded(
    number: signal.Signals, words: list[str], sign: bytes, tmp_path: Path
) -> None:
    if words[0] == "hall" and shutil.which("mosquitto", path="/usr/sbin:/usr/bin") is None:
        pytest.skip("Mosquitto is missing")
    unlucky = [sys.executable, "-c", UNLUCKY, str(int(number)), *words]
    with begun(unlucky, tmp_path, sign) as program:
        program.send_signal(signal.SIGUSR1)
        _, complaint = program.communicate(timeout=LONG_S)
    assert (program.returncode, complaint) == (128 + number, b"")


def test_ctrl_c_before_anything_is_loaded_leaves_no_traceback(tmp_path: Path) -> None:
    for name, text in (("__init__", ""), ("cli/__init__", ""), ("cli/main", LOADS_LONG)):
        file = tmp_path / "companion" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    shutil.copy(ROOT / "companion/__main__.py", tmp_path / "companion")
    with begun([sys.executable, "-m", "companion"], tmp_path, b"loading") as program:
        program.send_signal(signal.SIGINT)
        _, complaint = program.communicate(timeout=LONG_S)
    assert (program.returncode, complaint) == (-signal.SIGINT, b"")


@pytest.mark.usefixtures("handled")
def test_a_signal_is_told_once_and_only_to_the_main_thread() -> None:
    signals.check()
    stop(signal.SIGHUP)
    other = threading.Thread(target=signals.check)  # whatever it raised, pytest would report
    other.start()
    other.join()
    with pytest.raises(Stopped) as stopped:
        signals.check()
    assert stopped.value.code == signals.code() == 129
    signals.check()
    signals.sleep(0)


@pytest.mark.usefixtures("handled")
def test_whoever_waits_is_woken() -> None:
    soon(stop)
    with pytest.raises(Stopped):
        signals.sleep(LONG_S)


@pytest.mark.usefixtures("handled")
def test_a_signal_that_comes_with_something_to_read_comes_first() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "wb", buffering=0) as out:
        assert not signals.readable(reading, 0)
        out.write(b"typed")
        assert signals.readable(reading)
        stop()
        with pytest.raises(Stopped):
            signals.readable(reading)
        assert signals.readable(reading)


@pytest.mark.usefixtures("handled")
def test_whoever_waits_for_a_queue_is_woken() -> None:
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    assert signals.get(waiting, 0, None) is None
    waiting.put("news")
    assert signals.get(waiting, LONG_S, None) == "news"
    soon(stop)
    with pytest.raises(Stopped):
        signals.get(waiting, LONG_S, None)


@pytest.mark.usefixtures("handled")
def test_what_is_postponed_is_finished_first() -> None:
    done = []

    def finish() -> None:
        with signals.postponed():
            with signals.postponed():
                stop()
                signals.check()
                done.append("inside")
            signals.sleep(0)
            done.append("outside")

    with pytest.raises(Stopped):
        finish()
    assert done == ["inside", "outside"]


@pytest.mark.usefixtures("handled")
def test_a_program_that_is_waited_for_is_killed_with_all_that_it_began() -> None:
    reading, writing = os.pipe()
    soon(stop)
    with pytest.raises(Stopped):
        signals.run(["sh", "-c", "sleep 600 & wait"], pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading, "rb") as held:
        assert held.read() == b""  # nobody is left who could write
    assert signals.run(["sh", "-c", "exit 3"]).returncode == 3
    with pytest.raises(subprocess.TimeoutExpired):
        signals.run(["sleep", "600"], 0)


def test_what_was_ignored_stays_ignored_and_all_is_as_before() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    usual = signal.getsignal(signal.SIGINT)
    try:
        with signals.handled():
            stop(signal.SIGHUP)
            signals.check()
            assert signal.getsignal(signal.SIGINT) is not usual
        assert signals.code() is None
        assert signal.getsignal(signal.SIGINT) is usual
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_ctrl_c_ends_it_at_once_wherever_it_is(tmp_path: Path) -> None:
    with begun([sys.executable, "-c", HANGS], tmp_path, b"begun\n") as program:
        program.send_signal(signal.SIGTERM)
        assert program.stdout is not None
        assert program.stdout.readline() == b"putting away\n"
        program.send_signal(signal.SIGTERM)  # twice is usual: `timeout` does that
        program.send_signal(signal.SIGHUP)
        program.send_signal(signal.SIGINT)
        assert program.wait(LONG_S) == -signal.SIGINT


def test_it_ends_though_a_thread_that_ended_with_it_held_a_lock(tmp_path: Path) -> None:
    with begun([sys.executable, "-c", HELD], tmp_path, b"begun") as program:
        assert program.wait(LONG_S) == 130


def test_while_it_is_loaded_a_command_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(place: str) -> object:
        stop()
        return resolve_name(place)

    monkeypatch.setattr(main_command, "resolve_name", load)
    monkeypatch.setattr(journal, "journal", lambda *_: pytest.fail("it began"))
    assert main(["journal", "list"]) == 143


def test_a_table_that_is_stopped_while_it_starts_opens_no_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    resume = Table.resume

    def stopped(table: Table) -> None:
        resume(table)
        stop(signal.SIGHUP)

    monkeypatch.setattr(Table, "resume", stopped)
    monkeypatch.setattr(PhoneServer, "start", lambda *_: pytest.fail("it is served"))
    assert main(["table", "--port", "0", "--folder", str(tmp_path)]) == 129
    assert capsys.readouterr().err == ""


def test_whoever_is_killed_leaves_nothing_running() -> None:
    if not with_us():
        pytest.skip("nothing can end with its program here: setpriv is missing, or refused")
    words = [sys.executable, "-c", STARTS_ONE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout is not None
        started = int(one.stdout.readline())
        one.kill()
        try:
            one.communicate(timeout=LONG_S)  # until nobody is left who could write
        except subprocess.TimeoutExpired:
            os.kill(started, signal.SIGKILL)
            raise


@contextmanager
def full_pipe() -> Iterator[int]:
    """Provide a pipe that takes nothing more, because nobody reads."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading), os.fdopen(writing, "wb", buffering=0) as out:
        while out.write(bytes(4096)) is not None:
            pass
        os.set_blocking(writing, True)
        yield writing


def test_it_can_be_stopped_while_nobody_reads_what_it_shows(tmp_path: Path) -> None:
    words = [sys.executable, "-c", UNREAD]
    with (
        full_pipe() as out,
        subprocess.Popen(words, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE) as program,
    ):
        assert program.stderr is not None
        assert program.stderr.readline() == b"begun\n"
        program.send_signal(signal.SIGTERM)
        try:
            assert program.wait(LONG_S) == 143
        finally:
            program.kill()
        assert program.stderr.read() == b""


@pytest.mark.usefixtures("handled")
def test_once_it_is_stopped_it_waits_for_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "PATIENCE_S", 0)
    with full_pipe() as out, os.fdopen(out, "w", closefd=False) as shown:
        stop()
        with pytest.raises(Stopped):
            signals.writable(out)
        with pytest.raises(Unwritten):
            TerminalScreen(shown).put("put away")
