"""The table's voice is a program of its own: nobody waits for it, and it may hang or be missing."""

import logging
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Final

import pytest

from companion.table.outputs import voice as module
from companion.table.outputs.voice import PROGRAM, WAITING, SpeechQueue, command
from tests.programs import need

# Writes down what it reads, and is as slow as the test wants: it waits until a file is there.
FAKE: Final = """
import sys, time
from pathlib import Path
said, gate = Path(sys.argv[1]), Path(sys.argv[2])
text = sys.stdin.read()
with said.open("a", encoding="utf-8") as file:
    file.write("begin " + text)
while not gate.exists():
    time.sleep(0.005)
with said.open("a", encoding="utf-8") as file:
    file.write("end " + text)
"""


class Listening:
    """A speaker and what can be heard of it."""

    def __init__(self, folder: Path) -> None:
        self._said, self._gate = folder / "said", folder / "gate"
        self.command = [sys.executable, "-c", FAKE, str(self._said), str(self._gate)]
        self.speaker = SpeechQueue(self.command)
        self.close = self.speaker.close

    def let_end(self) -> None:
        self._gate.touch()

    def hold(self) -> None:
        self._gate.unlink(missing_ok=True)

    @property
    def lines(self) -> list[str]:
        return self._said.read_text("utf-8").splitlines() if self._said.exists() else []

    def wait_for(self, *lines: str) -> None:
        wait_for(lambda: self.lines == list(lines))


def wait_for(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not there() and time.monotonic() < deadline:
        Event().wait(0.01)
    assert there()


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Listening]:
    with closing(Listening(tmp_path)) as listening:
        yield listening


def test_each_sentence_ends_before_the_next_begins(listening: Listening) -> None:
    listening.let_end()
    for sentence in ("Rot würfelt 5.", "-f /etc/passwd", "$(reboot); `reboot`"):
        listening.speaker.say(sentence)
    listening.wait_for(
        *("begin Rot würfelt 5.", "end Rot würfelt 5."),
        *("begin -f /etc/passwd", "end -f /etc/passwd"),
        *("begin $(reboot); `reboot`", "end $(reboot); `reboot`"),
    )


def test_nobody_waits_for_it(listening: Listening) -> None:
    listening.speaker.say("first")
    listening.wait_for("begin first")
    begun_s = time.thread_time()
    for number in range(200):
        listening.speaker.say(f"number {number}")
    assert time.thread_time() - begun_s < 0.2
    listening.let_end()
    last = [f"number {number}" for number in range(200 - WAITING, 200)]
    told = [f"{word} {one}" for one in last for word in ("begin", "end")]
    listening.wait_for("begin first", "end first", *told)


def test_what_became_late_is_not_said(
    listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead_s = 0.0
    real = time.monotonic
    monkeypatch.setattr(module, "monotonic", lambda: real() + ahead_s)
    listening.speaker.say("first")
    listening.wait_for("begin first")
    listening.speaker.say("second")
    ahead_s = 7.0
    listening.speaker.say("third")
    listening.let_end()
    listening.wait_for("begin first", "end first", "begin third", "end third")


def test_what_passes_is_replaced_by_whatever_is_newer(listening: Listening) -> None:
    say = listening.speaker.say
    say("first")
    listening.wait_for("begin first")
    assert [say("Red?", passing=True), say("Green?", passing=True)] == [False, True]
    assert [say("second"), say("Blue?", passing=True)] == [True, False]
    listening.let_end()
    said = ("first", "second", "Blue?")
    listening.wait_for(*(f"{word} {one}" for one in said for word in ("begin", "end")))


def test_a_program_that_hangs_is_killed_and_the_next_sentence_begins_a_new_one(
    listening: Listening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "HANGS_S", 1.0)
    monkeypatch.setattr(module, "LETTER_S", 0.0)
    listening.speaker.say("first")
    listening.wait_for("begin first")
    wait_for(lambda: "hung" in caplog.text)
    listening.let_end()
    listening.speaker.say("second")
    listening.wait_for("begin first", "begin second", "end second")
    assert "first" not in caplog.text


def test_where_the_program_is_missing_that_is_written_down_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with closing(SpeechQueue(["no-such-program"])) as speaker, caplog.at_level(logging.WARNING):
        speaker.say("one")
        speaker.say("two")
        wait_for(lambda: not speaker.waits)
        speaker.say("three")
        wait_for(lambda: not speaker.waits)
    assert caplog.text.count("no-such-program cannot be run") == 1


def test_closed_it_is_silent_at_once_and_for_good(listening: Listening) -> None:
    listening.speaker.say("first")
    listening.speaker.say("second")
    listening.wait_for("begin first")
    listening.speaker.close()
    listening.let_end()
    listening.speaker.say("third")
    assert not [one for one in listening.lines if one != "begin first"]
    assert "voice" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize(
    ("language", "sentence"), [("de", "Rot würfelt 5: Grün ist dran."), ("en", "Red rolls 5.")]
)
def test_espeak_says_it(language: str, sentence: str, tmp_path: Path) -> None:
    need(PROGRAM)
    file = tmp_path / "said.wav"
    with closing(SpeechQueue([*command(language), "-w", str(file)])) as speaker:
        speaker.say(sentence)
        wait_for(lambda: file.exists() and speaker._program is None and not speaker.waits)
    with wave.open(str(file)) as sound:
        assert 0.8 < sound.getnframes() / sound.getframerate() < 6
