"""Every error that people read, on one screen; errors internal to a package stay there.

- RulesError: the rules refuse it; the sentence says what would be right, `faults` each reason
    - Unreadable: it says nothing in the notation, or in a file's format
    - Illegal: it is clear, but not allowed now
    - Ambiguous: it fits several allowed actions
- CompanionError: the companion cannot do it: because of a file, an option, a person's hands
    - NoAnswer: what was asked for may well exist, but nobody could look just now
    - ConfigError: the configuration cannot be used; `faults` holds a sentence each
    - WrongPassphrase: it opens nothing, or nobody could type it again
    - Stale: somebody decided on something that has changed since
    - BadScript, OutOfReach, Busy: what hands at the simulated table cannot do
"""

from __future__ import annotations

from typing import Any

from companion.system.text import filled_in_english


class _Sentence(Exception):
    """What people read of an error: the English template is also the key of its translations."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values  # which fill the placeholders

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copy and pickle, whatever arguments its class takes."""
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        """Return the sentence in English; `companion.i18n.translate` knows every language."""
        return filled_in_english(self.template, self.values)


class RulesError(_Sentence, ValueError):
    """Something that the rules refuse; its text says what is wrong and what would be right."""

    faults: tuple[RulesError, ...] = ()  # where several things are wrong: each of them

    def __str__(self) -> str:
        """Return the sentence in English, which may begin with a value."""
        sentence = super().__str__()
        return sentence[:1].upper() + sentence[1:]


class Unreadable(RulesError):
    """The input does not say anything in this game's notation."""


class Illegal(RulesError):
    """The input is clear, but the rules do not allow it now."""


class Ambiguous(RulesError):
    """The input fits several allowed actions."""


class CompanionError(_Sentence):
    """Something that does not work outside the rules; its text says what, where and what next.

    >>> str(CompanionError("There is no file '{file}'.", file="evening.jsonl"))
    "There is no file 'evening.jsonl'."
    """


class NoAnswer(CompanionError):
    """Whoever knows does not answer just now; that does not mean that there is nothing."""


class WrongPassphrase(CompanionError):
    """A passphrase opens nothing, or nobody could type it again."""


class ConfigError(CompanionError):
    """The file cannot be used; `faults` holds one sentence each, all of them."""

    def __init__(self, faults: tuple[CompanionError, ...]) -> None:
        super().__init__("{faults}", faults="\n".join(map(str, faults)))
        self.faults = faults


class Stale(CompanionError):
    """Somebody decided on something that has changed since."""


class BadScript(CompanionError, ValueError):
    """A line of a script that makes no sense; it names the line and what would be right."""


class OutOfReach(CompanionError, ValueError):
    """A hand cannot do that just then, because somebody else has the barrel."""


class Busy(CompanionError, ValueError):
    """Something should be done to a barrel while something else still is."""
