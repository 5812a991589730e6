"""One file is a language: events, errors, screens and pages speak it, with every value in place."""

import re
from html import unescape
from pathlib import Path
from socket import gethostname

import pytest

import companion
from companion.cli.main import main
from companion.i18n.po import PoEntry
from companion.i18n.translate import LANGUAGES, Catalogue, Keyword, languages, name, say
from companion.system.text import SeatName, Text
from companion.web.context import WebContext
from release.words.finding import found_in
from release.words.pseudo import CODE, HEADER, accented, language
from release.words.upkeep import faults, write
from tests.i18n.test_translate import events
from tests.web.room import FakeRoom, client, phones
from tests.web.running import RUNNING, remembering
from tests.web.still import Still

OWN = PoEntry("English", "Français", "the language's name for itself")
PLAIN = re.compile("[aeiou]", re.IGNORECASE)
GAMES = ("zapp-zerapp", "trap-the-wizard", "via-magica", "blackmore")
PAGES = (
    *("/", "/right", "/join", "/workshop", "/history", "/manual", "/simulated", "/nowhere"),
    *(f"/setup?game={game}" for game in GAMES),
)
NAMES = {"Rappelwacht", "local"}  # the last is part of an address
FOREIGN = re.compile(rf'<(\w+)[^>]* lang="(?!{CODE}")[^>]*>.*?</\1>', re.DOTALL)
UNREAD = re.compile(r"<(script|style|template|code).*?</\1>|<[^>]*>", re.DOTALL)
READ_ALOUD = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"')


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    return language(tmp_path_factory.mktemp("locale"), found_in(companion))


@pytest.fixture(autouse=True)
def _spoken(monkeypatch: pytest.MonkeyPatch, spoken: Catalogue) -> None:
    monkeypatch.setitem(LANGUAGES, CODE, spoken)


class Anything:
    """A value of which a sentence may name any part."""

    def __getattr__(self, part: str) -> object:
        if part.startswith("__"):
            raise AttributeError(part)
        return SeatName.RED


def test_the_file_is_one_that_translators_could_have_written(spoken: Catalogue) -> None:
    (file,) = spoken.files
    assert list(faults(file, found_in(companion))) == []


def test_every_event_is_told_in_it() -> None:
    for event in events().values():
        assert not PLAIN.search(say(event, CODE)), event


def test_every_other_sentence_is_said_in_it_with_all_its_values() -> None:
    for one in found_in(companion):
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
    [(0, "x5"), (1, "x1"), (2, "x2"), (4, "x2"), (5, "x5"), (12, "x5"), (22, "x2")],
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
    hands = Still() if path == "/simulated" else None
    html = page(phones(FakeRoom("red", "blue"), hands=hands), path)
    assert f'<html lang="{CODE}"' in html
    own = accented("English")
    assert re.search(f'value="{CODE}" lang="{CODE}" aria-current="true">{own}<', html)
    assert plain_words(html) == set()


def test_whatever_another_language_is_called_in_itself_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entries = [PoEntry("", HEADER.replace(CODE, "fr")), OWN]
    (tmp_path / "fr.po").write_text(write(entries), "utf-8")
    monkeypatch.setitem(LANGUAGES, "fr", languages([tmp_path])["fr"])
    html = page(phones(FakeRoom("red", "blue")))
    assert 'lang="fr">Français<' in html
    assert plain_words(html) == set()
    assert plain_words(html.replace('lang="fr"', f'lang="{CODE}"')) == {"Fran"}


@pytest.mark.parametrize("running", RUNNING)
def test_matches_of_every_game_speak_it(running: str) -> None:
    role, room = RUNNING[running]
    assert plain_words(page(phones(room()), role=role)) == set()


@pytest.mark.parametrize("path", ["/history", "/history/m0?step=30", "/history/m4"])
def test_what_was_played_is_told_in_it(path: str) -> None:
    html = page(phones(remembering()), path)
    assert plain_words(html) == set()


def page(of: WebContext, path: str = "/", role: str | None = "table") -> str:
    """Return a page in that language."""
    answer = client(of, role, CODE).get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    return answer.text


def plain_words(html: str) -> set[str]:
    """Return what stands on a page, or is read aloud there, in another language."""
    html = FOREIGN.sub(" ", html)  # such as what other languages are called in themselves
    text = unescape(" ".join((UNREAD.sub(" ", html), *READ_ALOUD.findall(html))))
    text = re.sub(r"\{\w+\}", " ", text)  # what a script fills in
    text = text.replace(gethostname(), " ")
    return {word for word in re.findall(r"[A-Za-z]{4,}", text) if PLAIN.search(word)} - NAMES


def test_the_terminal_speaks_and_understands_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", CODE)
    assert main(["play", "--bots", "2", "--seed", "1", "--no-board"]) == 0
    shown = capsys.readouterr().out
    assert accented("wins!") in shown
    assert name(SeatName.RED, CODE) == accented("Red")
    assert {accented("undo"), "undo"} <= Keyword("undo").words(CODE)
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert accented("Options") in capsys.readouterr().out
