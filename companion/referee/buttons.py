"""What the seats' buttons have brought up: a short press shows the next one, a long one confirms.

What was not brought up is never confirmed, so a press that lasts from one match into the next does
nothing there.
"""

from __future__ import annotations

from companion.referee import wishes
from companion.referee.commands import Wish
from companion.referee.match import Match
from companion.referee.options import options, proposed
from companion.referee.proposals import Proposal
from companion.sensing.observations import ButtonPressed


class Buttons:
    """All seats' buttons; `lit` is by colour which option is brought up."""

    def __init__(self) -> None:
        self.lit: dict[str, int] = {}
        self.joining: list[str] = []
        self.last: Match | None = None  # what was played before seats are chosen again

    def forget(self) -> None:
        """Forget what was brought up: the match went on, or another one is played."""
        self.lit.clear()

    def pressed(
        self, match: Match | None, press: ButtonPressed, proposal: Proposal | None = None
    ) -> Wish | None:
        """Take a press; return what it confirms. What a hall proposes is decided before others."""
        offered = proposed(proposal) if match is None else options(match, press.colour, proposal)
        lit = self.lit.get(press.colour)
        if not offered:
            return self._join(press) if match is None else None
        if press.long and lit is not None:
            return offered[lit].wish
        self.lit[press.colour] = 0 if lit is None or press.long else (lit + 1) % len(offered)
        return None

    def begins(self) -> Wish | None:
        """Return what those who are joining would play; None: they are too few."""
        return wishes.usual(self.joining, self.last) if len(self.joining) > 1 else None

    def _join(self, press: ButtonPressed) -> Wish | None:
        """Without a match: a short press joins or leaves, a long one begins."""
        joined = press.colour in self.joining
        if press.long and joined and (begins := self.begins()) is not None:
            return begins
        if not press.long:
            (self.joining.remove if joined else self.joining.append)(press.colour)
        return None
