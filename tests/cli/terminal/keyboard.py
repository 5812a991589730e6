"""Somebody who types at the keyboard, and a game for it."""

import io
import re
import sys
from collections.abc import Callable, Sequence

import pytest

from companion.cli.main import main

HUMAN = ("play", "--you", "red", "--bots", "1", "--no-board", "--seed")


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let somebody type lines, and then nothing more."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))


class Typist(io.StringIO):
    """Somebody who reads what is asked at the end of all that is shown, and answers."""

    def __init__(self, out: io.StringIO, answer: Callable[[str], str | None]) -> None:
        super().__init__()
        self._out, self._answer = out, answer

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override] # IOBase: bytes
        """Answer; None ends the input."""
        line = self._answer(self._out.getvalue())
        return "" if line is None else f"{line}\n"


def sit(
    monkeypatch: pytest.MonkeyPatch, words: Sequence[str], answer: Callable[[str], str | None]
) -> tuple[int, str]:
    """Play a game with somebody at the keyboard; return the exit code and all that was shown."""
    with monkeypatch.context() as patch:
        out = io.StringIO()
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stdin", Typist(out, answer))
        return main(["play", *words]), out.getvalue()


def choices(shown: str) -> int:
    """Return how many choices the last question gives; 0 if it asks for the Enter key."""
    question = shown.rsplit("\n", 1)[-1]
    found = re.search(r", 1 (?:to|bis) (\d+): $", question)
    return int(found[1]) if found else 0
