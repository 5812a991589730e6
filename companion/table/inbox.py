"""The inbox of the table's thread, from any thread; and the pairing of phones by a button."""

import logging
import queue
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Final

from companion.core.plugin import PLUGINS
from companion.devices import hub_discovery, seats
from companion.referee.commands import Answer, Command, NewMatch
from companion.sensing.observations import ButtonHeld, ButtonPressed, Seen
from companion.system import format_names, status
from companion.system.errors import CompanionError
from companion.web.pairing import Pairing

LOG: Final = logging.getLogger(__name__)
ANSWER_S: Final = 5.0  # for this long whoever asks waits for the table's thread


@dataclass(slots=True)
class PendingCommand:
    """A command of another thread, and its answer as soon as there is one."""

    command: Command
    answered: Event = field(default_factory=Event)
    answer: Answer | None = None

    def carry_out(self, do: Callable[[Command], Answer], version: int) -> None:
        """Carry it out, and wake whoever asked, also where it fails by a bug of ours."""
        try:
            self.answer = do(self.command)
        except Exception as mistake:
            mistake.add_note(f"while doing {format_names.format_name_of(type(self.command.wish))}")
            refused = CompanionError("A bug in this program made that fail; the game goes on.")
            self.answer = Answer(self.command.request, version, refused)
            raise
        finally:
            done = self.answer is not None and self.answer.refused is None
            kind = format_names.format_name_of(type(self.command.wish))  # all else may be a number
            LOG.debug("%s by %s: %s", kind, self.command.by, "done" if done else "refused")
            self.answered.set()


Message = hub_discovery.HubMessage | status.Condition | seats.SeatEvent | Seen | PendingCommand


class Inbox:
    """One queue of messages and commands for the table's thread."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Message | None] = queue.SimpleQueue()

    def put(self, message: Message) -> None:
        self._waiting.put(message)

    def post(self, command: Command) -> None:
        """Leave a command without waiting for its answer."""
        self._leave(PendingCommand(command))

    def ask(self, command: Command) -> Answer | None:
        """Leave a command and wait for its answer; None if the table does not answer in time."""
        asked = PendingCommand(command)
        self._leave(asked)
        asked.answered.wait(ANSWER_S)
        return asked.answer

    def _leave(self, asked: PendingCommand) -> None:
        """Leave a command; a game that is to begin is imported here, not while a table waits."""
        wish = asked.command.wish
        if isinstance(wish, NewMatch) and wish.game in PLUGINS:
            with suppress(Exception):  # the table will meet the same mistake, and answer for it
                PLUGINS[wish.game].load()
        self.put(asked)

    def wake(self) -> None:
        """Wake the waiting thread to do what is due, although there is no message."""
        self._waiting.put(None)

    def wait(self, for_s: float) -> Message | None:
        """Return a message, or None if none comes or something is due."""
        try:
            return self._waiting.get(timeout=for_s)
        except queue.Empty:
            return None

    @property
    def empty(self) -> bool:
        return self._waiting.empty()

    def next(self) -> Message | None:
        """Return the next message, if there is one."""
        try:
            while (message := self._waiting.get_nowait()) is None:
                pass  # that only woke
        except queue.Empty:
            return None
        return message


class ButtonPairing:
    """Lets phones in by a button that is held; nobody comes in where there are no newcomers."""

    def __init__(self, newcomers: Pairing | None) -> None:
        self._newcomers = newcomers
        self._undecided: dict[str, ButtonPressed] = {}

    def game_press(self, seen: ButtonPressed | ButtonHeld) -> ButtonPressed | None:
        """Return the press that the game may take now, if any."""
        match seen:
            case ButtonPressed(colour, long=True) if (
                self._newcomers is not None and self._newcomers.waits_for_press(colour)
            ):
                self._undecided[colour] = seen
                return None
            case ButtonPressed():
                return seen
            case ButtonHeld(colour):
                press = self._undecided.pop(colour, None)
                if press is None or self._newcomers is None:
                    return press
                return None if seen.on and self._newcomers.held(colour) else press
