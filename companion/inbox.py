"""What waits for the table's thread, in the order in which it came; from any thread.

It must not know what a message means.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final, TypeVar

from companion.condition import Condition
from companion.devices.hub_talk import Heard
from companion.devices.seats import SeatEvent
from companion.errors import CompanionError
from companion.referee.commands import Answer, Command
from companion.sensing.seen import Seen

T = TypeVar("T")
ANSWER_S: Final = 5.0  # for so long whoever asks waits for the table's thread


@dataclass(slots=True)
class Asked:
    """A command of another thread, and its answer as soon as there is one."""

    command: Command
    answered: Event = field(default_factory=Event)
    answer: Answer | None = None

    def carry_out(self, do: Callable[[Command], Answer], version: int) -> None:
        """Have it done, and let whoever asked go on; a mistake of ours must not end the evening."""
        try:
            self.answer = do(self.command)
        except Exception:
            logging.getLogger(__name__).exception("%s failed", type(self.command.wish).__name__)
            refused = CompanionError("That failed by a mistake of this program; the game goes on.")
            self.answer = Answer(self.command.request, version, refused)
        self.answered.set()


@dataclass(slots=True)
class Errand:
    """Something that only the table's thread may look up, and what it found."""

    call: Callable[[], Any]
    done: Event = field(default_factory=Event)
    found: Any = None

    def run(self) -> None:
        """Look it up, and let whoever asked go on."""
        self.found = self.call()
        self.done.set()


Message = Heard | Condition | SeatEvent | Seen | Asked | Errand


class Inbox:
    """One queue for all."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Message | None] = queue.SimpleQueue()

    def put(self, message: Message) -> None:
        """Leave a message."""
        self._waiting.put(message)

    def ask(self, command: Command) -> Answer | None:
        """Leave a command and wait for its answer; None if the table does not answer in time."""
        asked = Asked(command)
        self.put(asked)
        asked.answered.wait(ANSWER_S)
        return asked.answer

    def look_up(self, call: Callable[[], T], nothing: T) -> T:
        """Return what the table's thread finds; nothing, if it does not answer in time."""
        errand = Errand(call)
        self.put(errand)
        found: T = errand.found if errand.done.wait(ANSWER_S) else nothing
        return found

    def wake(self) -> None:
        """Have whoever waits look what is due, although there is no message."""
        self._waiting.put(None)

    def wait(self, for_s: float) -> Message | None:
        """Return a message, or None if none comes or something is due."""
        try:
            return self._waiting.get(timeout=for_s)
        except queue.Empty:
            return None

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return self._waiting.empty()

    def next(self) -> Message | None:
        """Return the next message, if there is one."""
        try:
            while (message := self._waiting.get_nowait()) is None:
                pass  # that only woke
        except queue.Empty:
            return None
        return message
