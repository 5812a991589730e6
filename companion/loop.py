"""The thread that owns a table: it waits for the next message, or until something is due."""

from __future__ import annotations

from contextlib import AbstractContextManager
from threading import Thread
from typing import Protocol, Self

from companion.inbox import Inbox, Message


class Turned(Protocol):
    """What a thread of its own has to own, as nothing in it is safe from two at once."""

    def rest_s(self) -> float:
        """Return for how long there is nothing to do if nothing comes."""

    def turn(self, message: Message | None) -> None:
        """Take a message, if there is one, and all that wait; then do what is due."""


class Loop(AbstractContextManager["Loop"]):
    """Turns a table until it is left."""

    def __init__(self, table: Turned, inbox: Inbox) -> None:
        self._table, self._inbox, self._running = table, inbox, True
        self.thread = Thread(target=self._run, name="table", daemon=True)
        self.fault: BaseException | None = None  # what ended the thread before its time

    def __enter__(self) -> Self:
        """Start."""
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and wait until it has."""
        self._running = False
        self._inbox.wake()
        self.thread.join()

    def _run(self) -> None:
        try:
            while self._running:
                self._table.turn(self._inbox.wait(self._table.rest_s()))
        except BaseException as fault:  # noqa: BLE001 - raised again for whoever waits for the table
            self.fault = fault
