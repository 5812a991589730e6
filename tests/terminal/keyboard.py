"""Somebody who types at the keyboard, and a game for it."""

from __future__ import annotations

import io

import pytest

HUMAN = ("play", "--you", "red", "--bots", "1", "--no-board", "--seed")


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let somebody type lines, and then nothing more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
