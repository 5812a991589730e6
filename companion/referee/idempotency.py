"""Idempotency of commands: sent again, each gets the same answer and is done once."""

from collections import OrderedDict
from typing import Final

from companion.referee.commands import Answer, Command
from companion.system.errors import CompanionError

KEPT: Final = 256  # a phone sends again within seconds


class RecentAnswers:
    """The newest answers, by request.

    >>> from companion.referee.commands import GiveUp, RollForUs
    >>> answers, roll = RecentAnswers(), Command("a", RollForUs(), "red")
    >>> answers.remember(Answer("a", 3), roll)
    >>> answers.answer_to(roll), answers.answer_to(Command("b", RollForUs(), "red"))
    (Answer(request='a', version=3, refused=None), None)
    >>> answers.answer_to(Command("a", GiveUp(), "red")).refused is None
    False
    """

    def __init__(self) -> None:
        self._of: OrderedDict[str, tuple[Answer, Command | None]] = OrderedDict()

    def answer_to(self, command: Command) -> Answer | None:
        """Return what was answered, if it was done; nobody gets another sender's answer."""
        answer, asked = self._of.get(command.request, (None, None))
        if answer is None or asked is None or (asked.wish, asked.by) == (command.wish, command.by):
            return answer
        taken = CompanionError(
            "Another request was sent under this name; send this one under a new name."
        )
        return Answer(command.request, answer.version, taken)

    def remember(self, answer: Answer, asked: Command | None = None) -> None:
        """Keep what was done, as far as it is known; what was refused may be asked for again."""
        self._of[answer.request] = answer, asked
        while len(self._of) > KEPT:
            self._of.popitem(last=False)
