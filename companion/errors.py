"""Every error of the project on one screen. It must not know who shows them, nor in which language.

- RulesError: the rules refuse it; the sentence says what would be right, `faults` each reason
    - Unreadable: it says nothing in the notation, or in a file's format
    - Illegal: it is clear, but not allowed now
    - Ambiguous: it fits several allowed actions
- CompanionError: the companion cannot do it: a file, an option, a person's hands
    - NoAnswer: what was asked may well be there, but nobody could look just now
"""

from __future__ import annotations

from companion.core.game import Ambiguous, Illegal, RulesError, Text, Unreadable, word

__all__ = [
    "Ambiguous",
    "CompanionError",
    "Illegal",
    "NoAnswer",
    "RulesError",
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
    """Whoever knows does not answer just now: that is not the same as that there is nothing."""
