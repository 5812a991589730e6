"""Text to speech: says what happens and what to do, in the sentences of the pages.

It must not know any game, nor more of the table than everybody may.
"""

import logging
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Thread
from time import monotonic
from typing import Final, Protocol

from companion.i18n.translate import ENGLISH, LANGUAGES
from companion.present import output, viewer
from companion.present.animations import moments
from companion.present.headline import headline
from companion.referee.people.person import NOBODY, Seating
from companion.referee.snapshot import Snapshot, TableEvent
from companion.system import config

LOG: Final = logging.getLogger(__name__)
PROGRAM: Final = "espeak-ng"
WORDS_PER_MINUTE: Final = 155  # as somebody reads aloud; its own 175 are hard to follow in German
LATE_S: Final = 6.0  # what is older is not news at a table
WAITING: Final = 8  # sentences; more could only become late
HANGS_S, LETTER_S = 5.0, 0.2  # this long a sentence may take, and for each letter of it more
ENDS_S: Final = 1.0


def command(language: str) -> list[str]:
    """Return the program with what it needs to know, to read its text from its standard input.

    >>> command("pt_BR")
    ['espeak-ng', '-b', '1', '-s', '155', '-v', 'pt-br', '--stdin']
    """
    voice = language.replace("_", "-").lower()
    return [PROGRAM, "-b", "1", "-s", str(WORDS_PER_MINUTE), "-v", voice, "--stdin"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something to be said, and since when."""

    text: str
    at_s: float
    passing: bool  # whatever is newer replaces it, as long as it was not begun


class SpeechQueue:
    """Says what it is given; each sentence is finished, or not begun."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self.waits: deque[Sentence] = deque(maxlen=WAITING)
        self._changed, self._open = Condition(), True
        self._thread: Thread | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._works = True

    def say(self, text: str, *, passing: bool = False) -> bool:
        """Queue a sentence behind the others; return whether it replaces one of them."""
        with self._changed:
            if not self._open:
                return False
            kept = [sentence for sentence in self.waits if not sentence.passing]
            replaces = len(kept) < len(self.waits)
            self.waits.clear()
            self.waits.extend([*kept, Sentence(text, monotonic(), passing)])
            if self._thread is None:
                self._thread = Thread(target=self._run, name="voice", daemon=True)
                self._thread.start()
            self._changed.notify()
            return replaces

    def close(self) -> None:
        """Stop speaking at once, and for good."""
        with self._changed:
            self._open = False
            self.waits.clear()
            if self._program is not None:
                self._program.kill()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(ENDS_S)

    def _run(self) -> None:
        while (sentence := self._next()) is not None:
            if monotonic() - sentence.at_s > LATE_S:
                continue
            try:
                self._speak(sentence.text)
            except OSError as error:
                self._complain("%s cannot be run: %s", self._command[0], error)

    def _next(self) -> Sentence | None:
        """Return what to say next, once there is something; None: nothing any more."""
        with self._changed:
            self._changed.wait_for(lambda: self.waits or not self._open)
            return self.waits.popleft() if self._open else None

    def _speak(self, text: str) -> None:
        """Say one sentence, and come back once it is said, or its program is killed."""
        program = subprocess.Popen(  # noqa: S603 - words, and no shell
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with self._changed:  # not while it begins: nobody waits for that
            self._program = program
            if not self._open:
                program.kill()
        try:
            program.communicate(f"{text}\n".encode(), timeout=HANGS_S + LETTER_S * len(text))
            self._works = self._works or program.returncode == 0
            if program.returncode > 0:  # below 0 it was killed, by `close`
                self._complain("%s failed: exit code %s", self._command[0], program.returncode)
        except subprocess.TimeoutExpired:
            self._complain("%s hung, so it was killed", self._command[0])
        finally:
            with self._changed:
                self._program = None
            program.kill()
            program.communicate()

    def _complain(self, *what: object) -> None:
        """Write down that it does not work, once until it works again."""
        if self._works:
            LOG.warning(*what)
        self._works = False


STAYS_US: Final = 800_000  # a headline that is overtaken sooner is not said


class Speech(Protocol):
    """Whatever says sentences one after another, so that nobody waits for it."""

    def say(self, text: str, *, passing: bool = False) -> bool:
        """Speak a sentence; return whether it replaces one that was not begun."""

    def close(self) -> None:
        """Stop speaking."""


class VoiceOutput:
    """What the table says aloud."""

    def __init__(
        self,
        section: config.VoiceConfig,
        seated: Callable[[str | None], Seating] = lambda _: NOBODY,  # in a match
        speaker: Speech | None = None,
    ) -> None:
        language = section.language if section.language in LANGUAGES else ENGLISH
        self._reader, self._seated = viewer.Viewer(language), seated
        self._speaker = SpeechQueue(command(language)) if speaker is None else speaker
        self._snapshot, self._said = Snapshot(-1), ""  # the headline that was said last
        self.due_us = output.NEVER_US

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        """Say at once what happened."""
        self._snapshot, self.due_us = snapshot, snapshot.at_us + STAYS_US
        self._reader = replace(self._reader, seating=self._seated(snapshot.match))
        for moment in moments(events, self._reader):
            if self._speaker.say(moment.sentence):
                self._said = ""  # a headline that was not begun yet; perhaps it stays

    def tick(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Say what to do, as that has stayed the same."""
        self.due_us = output.NEVER_US
        if (now := headline(self._snapshot, self._reader)) != self._said:
            self._said = now
            self._speaker.say(now, passing=True)

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Say nothing from now on."""
        self._speaker.close()
