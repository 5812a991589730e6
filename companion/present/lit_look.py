"""One thing that the lights show, in words. It must not know when."""

from __future__ import annotations

from dataclasses import dataclass

from companion.say import Text


@dataclass(frozen=True, slots=True)
class Lit:
    """One thing that is shown, and what it looks like."""

    title: Text
    look: Text
