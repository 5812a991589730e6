"""Commands of people, from phones, buttons or the keyboard, and the answers they get.

A command carries the id of its request, so that it is done once however often it is sent, and which
entry of which match its sender saw, so that nobody decides on what has changed meanwhile.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from companion.core.notation import Parsed
from companion.referee.events import HouseRules
from companion.system import errors, format_names

KEPT: Final = 256  # a phone sends again within seconds


@dataclass(frozen=True, slots=True)
class CommandBody:
    """What somebody wants."""


@format_names.record("new-match")
class NewMatch(CommandBody):
    """Play this game with these settings, which JSON carried."""

    game: str
    settings: dict[str, Any]
    house: HouseRules


@format_names.record("choose-anew")
class ClearTable(CommandBody):
    """Put the match away that is over: who plays the next one is chosen at the seats."""


@format_names.record("act")
class DoAction(CommandBody):
    """An action or a ruling in the game's notation, such as "move red start"."""

    text: str


@format_names.record("insist")
class ConfirmDisputed(CommandBody):
    """It is so, though the sensors say otherwise: an action that was asked back."""

    text: str


@format_names.record("withdraw")
class WithdrawDisputed(CommandBody):
    """It is not so: an action that was asked back."""

    text: str


@format_names.record("accept")
class Accept(CommandBody):
    """Play what the hall proposes."""

    request: str  # which was read


@format_names.record("decline")
class Decline(CommandBody):
    """Do not play what the hall proposes."""

    request: str


@format_names.record("roll-for-us")
class RollForUs(CommandBody):
    """The companion does what chance would do."""


@format_names.record("take-back")
class Undo(CommandBody):
    """As if the last decision had never been made."""


@format_names.record("put-right")
class CorrectAction(CommandBody):
    """The action of that event was entered or read wrongly; this is the right one."""

    deed: int
    text: str


@format_names.record("rule")
class Rule(CommandBody):
    """The table upholds a foul or dismisses it."""

    foul: int
    upheld: bool
    seat: str | None = None  # who it was, where the sensors do not know


@format_names.record("call")
class Call(CommandBody):
    """Somebody saw a foul."""

    code: str
    seat: str | None


@format_names.record("settle")
class AssignBarrel(CommandBody):
    """A stopper stands at that seat; None: nobody knows which, so its number will be typed."""

    seat: str
    stopper: int | None


@format_names.record("give-up")
class GiveUp(CommandBody):
    """Play this match no further."""


@dataclass(frozen=True, slots=True)
class Command:
    """A wish, by whom, and what it is based on."""

    request: str
    wish: CommandBody
    by: str  # a seat's colour, or the name of a device
    version: int | None = None  # the entry that was seen; None: whatever the match has become
    match: str | None = None  # its match; None: whichever is being played
    means: Parsed | None = field(default=None, compare=False, repr=False)  # its text, once read


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command; `version` is the match's newest."""

    request: str
    version: int
    refused: errors.CompanionError | errors.RulesError | None = None


class RecentAnswers:
    """Idempotency: a command that is sent again gets the same answer, and is done once.

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
        taken = errors.CompanionError(
            "Another request was sent under this name; send this one under a new name."
        )
        return Answer(command.request, answer.version, taken)

    def remember(self, answer: Answer, asked: Command | None = None) -> None:
        """Keep what was done, as far as it is known; what was refused may be asked for again."""
        self._of[answer.request] = answer, asked
        while len(self._of) > KEPT:
            self._of.popitem(last=False)
