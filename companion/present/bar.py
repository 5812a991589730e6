"""A bar of signs that shows how far something is."""

from __future__ import annotations

from typing import Final

WIDTH: Final = 24


def bar(percent: int, width: int = WIDTH) -> str:
    """Return it, with its number.

    >>> bar(40, 10)
    '████░░░░░░  40 %'
    """
    full = width * percent // 100
    return "█" * full + "░" * (width - full) + f" {percent:>3} %"
