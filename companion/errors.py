"""Every error that people read, on one screen; errors internal to a package stay there.

- RulesError: the rules refuse it; the sentence says what would be right, `faults` each reason
    - Unreadable: it says nothing in the notation, or in a file's format
    - Illegal: it is clear, but not allowed now
    - Ambiguous: it fits several allowed actions
- CompanionError: the companion cannot do it: because of a file, an option, a person's hands
    - NoAnswer: what was asked for may well exist, but nobody could look just now
    - ConfigError: the configuration cannot be used; `faults` holds a sentence each
    - Stale: somebody decided on something that has changed since
    - BadScript, OutOfReach, Busy: what hands at the simulated table cannot do
"""

from __future__ import annotations

from companion.core.game import Ambiguous, Illegal, RulesError, Text, Unreadable, word

__all__ = [
    "Ambiguous",
    "BadScript",
    "Busy",
    "CompanionError",
    "ConfigError",
    "Illegal",
    "NoAnswer",
    "OutOfReach",
    "RulesError",
    "Stale",
    "Text",
    "Unreadable",
]


class CompanionError(Exception):
    """Something that does not work outside the rules; its text says what, where and what next.

    The English template is also the key of its translations, as it is for the rules.

    >>> str(CompanionError("There is no file '{file}'.", file="evening.jsonl"))
    "There is no file 'evening.jsonl'."
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __str__(self) -> str:
        """Return the sentence in English; `companion.say` knows every language."""
        return self.template.format(**{k: word(v) for k, v in self.values.items()})


class NoAnswer(CompanionError):
    """Whoever knows does not answer just now; that does not mean that there is nothing."""


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
