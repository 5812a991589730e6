"""What became of the newest commands: whoever sends one again is told the same; it is done once.

It must not know what a command wishes for.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from companion.referee.commands import Answer

KEPT: Final = 256  # a phone sends again within seconds


class Answers:
    """The newest answers, by request.

    >>> answers = Answers()
    >>> answers.remember(Answer("a", 3))
    >>> answers.known("a"), answers.known("b")
    (Answer(request='a', version=3, refused=None), None)
    """

    def __init__(self) -> None:
        self._of: OrderedDict[str, Answer] = OrderedDict()

    def known(self, request: str) -> Answer | None:
        """Return what was answered, if that was done."""
        return self._of.get(request)

    def remember(self, answer: Answer) -> None:
        """Keep what was done; what was refused may be asked for again."""
        self._of[answer.request] = answer
        while len(self._of) > KEPT:
            self._of.popitem(last=False)
