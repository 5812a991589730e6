"""On one's own phone one is told "you": in every sentence of every game, and in real German."""

import re
from collections.abc import Iterator
from string import Formatter

import pytest

from companion.core.game import Event
from companion.core.plugin import PLUGINS
from companion.i18n.translate import LANGUAGES, Audience, by_hearer, say
from companion.system.text import SeatName, Text
from release.words.finding import kinds, sentences

WHOSE = ("seat", "seats", "winners", "victim")  # fields of events that say whose it is
ADDRESSES = re.compile(r"\b(du|dich|dir|dein\w*|ich|mir)\b", re.IGNORECASE)
YOU = re.compile(r"\b(you|your|yours|I|me)\b", re.IGNORECASE)


def events() -> list[type[Event]]:
    for plugin in PLUGINS.values():
        plugin.load()
    return [kind for kind in kinds(Event) if kind.__module__.startswith("companion.games.")]


def told() -> Iterator[tuple[str, str]]:
    """Yield each sentence of an event that says of one seat what happened, and its event."""
    for kind in events():
        for sentence in sentences(kind):
            yield kind.__name__, sentence


def bare(template: str) -> set[str]:
    """Return which seats a sentence names without a word for whoever sits there."""
    parts = Formatter().parse(template)
    return {name for _, name, form, _ in parts if name in WHOSE and str(form)[:1] not in "@#"} | {
        name for _, name, form, _ in parts if name in WHOSE and form == "and"
    }


def test_what_happens_to_one_is_told_to_that_one() -> None:
    lacking = [(kind, one) for kind, one in told() if bare(one) and "order" not in one.lower()]
    assert not lacking


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_form_for_ones_own_phone_addresses(language: str) -> None:
    catalogue, known = LANGUAGES[language], 0
    for _, sentence in told():
        for _, name, form in catalogue.pieces(sentence)[0]:
            if name is not None and form.startswith("@"):
                known += 1
                words = ADDRESSES if language == "de" else YOU
                assert words.search(by_hearer(form)[1]), sentence
    assert known > 40


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        (
            "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}: tap a pawn.",
            {"seat": SeatName.RED, "steps": 5},
            "Du ziehst 5 Felder: Tippe einen Zauberlehrling an.",
        ),
        (
            "{seat:@{seat}: roll|Your turn: roll} the dice.",
            {"seat": SeatName.RED},
            "Du bist dran: Würfle!",
        ),
        (
            "{seats:@{seats:and} {seats:#wins|win}|You win}!",
            {"seats": (SeatName.RED,)},
            "Du gewinnst!",
        ),
    ],
)
def test_real_german(template: str, values: dict[str, object], said: str) -> None:
    assert say(Text(template, **values), "de", Audience({"red": "Oma"}, "red")) == said
