"""One file is a language: events, errors, screens and pages speak it, with every value in place."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import companion
from companion.__main__ import main
from companion.core.game import Event, SeatName
from companion.say import LANGUAGES, Text, Typed, name, say
from companion.say.catalogue import languages
from tests.outputs.web.room import FakeRoom, client
from tests.say.test_say import EVENTS
from tests.words.finding import found_in
from tests.words.pseudo import CODE, accented, write_language
from tests.words.upkeep import faults

FOUND = found_in(companion)
PLAIN = re.compile("[aeiou]", re.IGNORECASE)
PAGES = ("/", "/join", "/setup", "/workshop", "/history", "/manual")
NAMES = {"Rappelwacht", "English", "Deutsch", "local"}  # the last is part of an address
UNREAD = re.compile(r"<(script|style|template|code|svg).*?</\1>|<[^>]*>", re.DOTALL)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("locale") / f"{CODE}.po"
    write_language(made, FOUND)
    return made


@pytest.fixture(autouse=True)
def _spoken(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    monkeypatch.setitem(LANGUAGES, CODE, languages([file.parent])[CODE])


class Anything:
    """A value of which a sentence may name any part."""

    def __getattr__(self, part: str) -> object:
        if part.startswith("__"):
            raise AttributeError(part)
        return SeatName.RED


def test_the_file_is_one_that_translators_could_have_written(file: Path) -> None:
    assert list(faults(file, FOUND)) == []


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_told_in_it(event: Event) -> None:
    assert not PLAIN.search(say(event, CODE))


def test_every_other_sentence_is_said_in_it_with_all_its_values() -> None:
    for one in FOUND:
        if one.context is not None:
            continue
        named = re.findall(r"\{(\w+)([.\w]*):?([#=]?)", one.key)
        values: dict[str, object] = {part: 7 for part, _, _ in named}
        values |= {part: Anything() for part, inner, _ in named if inner}
        said = say(Text(one.key, **values), CODE)
        assert not PLAIN.search(said), one.key
        assert said.count("7") == say(Text(one.key, **values)).count("7"), one.key


@pytest.mark.parametrize(
    ("count", "word"),
    [(0, "stonés5"), (1, "stoné1"), (2, "x2"), (4, "x2"), (5, "x5"), (12, "x5"), (22, "x2")],
)
def test_polish_has_three_forms(count: int, word: str) -> None:
    heard = Text(
        "Barrel {place}: that sounds like about {count} {count:#stone|stones}. "
        "It may be {least} to {most}.",
        place="A",
        count=count,
        least=1,
        most=2,
    )
    assert f" {count} st" in say(heard, CODE)
    assert f"{word[-1]}. " in say(heard, CODE)


@pytest.mark.parametrize("path", PAGES)
def test_pages_speak_it(path: str) -> None:
    answer = client(FakeRoom("red", "blue"), language=CODE).get(path)
    assert answer.status_code == 200
    assert f'<html lang="{CODE}"' in answer.text
    assert re.search(f'value="{CODE}" lang="{CODE}" aria-current="true">Énglísh<', answer.text)
    text = UNREAD.sub(" ", answer.text)
    words = {word for word in re.findall(r"[A-Za-z]{4,}", unescape(text)) if PLAIN.search(word)}
    assert words - NAMES == set()


def test_the_terminal_speaks_and_understands_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", CODE)
    assert main(["play", "--bots", "2", "--seed", "1", "--no-board"]) == 0
    shown = capsys.readouterr().out
    assert accented("wins!") in shown
    assert name(SeatName.RED, CODE) == "Réd"
    assert {accented("undo"), "undo"} <= Typed("undo").words(CODE)
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert accented("Options") in capsys.readouterr().out
