"""Says aloud what happens and what to do: the sentences of the pages, through a loudspeaker.

It must not know any game, nor more of the table than everybody may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from companion import config
from companion.outputs.output import NEVER_US
from companion.outputs.voice.speaker import Speaker, command
from companion.people.seating import NOBODY, Seating
from companion.present.headline import headline
from companion.present.moments import Memory, moments, remembered
from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot
from companion.say import LANGUAGES
from companion.say.catalogue import ENGLISH

UNSEEN: Final = Memory()
STAYS_US: Final = 800_000  # a headline that is overtaken sooner is not said


class Says(Protocol):
    """Whatever says sentences one after another, so that nobody waits for it."""

    def say(self, text: str, *, passing: bool = False) -> bool:
        """Have a sentence said; return if it replaces one that was not begun."""

    def close(self) -> None:
        """Be silent."""


class Voice:
    """What the table says aloud."""

    def __init__(
        self,
        section: config.Voice,
        seated: Callable[[str | None], Seating] = lambda _: NOBODY,  # in a match
        speaker: Says | None = None,
    ) -> None:
        language = section.language if section.language in LANGUAGES else ENGLISH
        self._reader, self._seated = Reader(language), seated
        self._speaker = Speaker(command(language)) if speaker is None else speaker
        self._memory, self._said = UNSEEN, ""
        self.due_us = NEVER_US

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Say at once what is new, and what to do once that stays the same."""
        if snapshot is not self._memory.seen:
            self._reader = replace(self._reader, seating=self._seated(snapshot.match))
            self._tell(snapshot)
            self.due_us = now_us + STAYS_US
        elif now_us >= self.due_us:
            self.due_us = NEVER_US
            if (now := headline(snapshot, self._reader)) != self._said:
                self._said = now
                self._speaker.say(now, passing=True)

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Say nothing from now on."""
        self._speaker.close()

    def _tell(self, snapshot: Snapshot) -> None:
        before, self._memory = self._memory, remembered(self._memory, snapshot)
        if before is UNSEEN:
            return  # what happened before this companion was started is not news
        known = {(one.version, one.number) for one in before.kept}
        new = tuple(one for one in self._memory.kept if (one.version, one.number) not in known)
        for moment in moments(replace(self._memory, kept=new), snapshot, self._reader):
            if self._speaker.say(moment.sentence):
                self._said = ""  # a headline that was not begun yet; perhaps it stays
