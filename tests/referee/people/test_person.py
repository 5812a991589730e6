"""Names as people type them: any script, at most twelve letters, nothing unseen."""

import pytest

from companion.i18n.translate import LANGUAGES, name
from companion.present.icons import SHAPES
from companion.referee.people.person import LETTERS, Animal, letters, proper_name
from companion.system.errors import CompanionError

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Oma", "Oma"),
        ("  Oma   Ilse ", "Oma Ilse"),
        ("", ""),
        ("   ", ""),
        ("Zoe\u0308", "Zoë"),
        ("עמית", "עמית"),
        ("小明", "小明"),
        ("ไอ้หนู", "ไอ้หนู"),
        (FAMILY * 3, FAMILY * 3),
        ("🇩🇪" * LETTERS, "🇩🇪" * LETTERS),
        ("<b>x</b>", "<b>x</b>"),  # a name as any other: pages write it as it is read
    ],
)
def test_a_name_is_kept_as_it_is_read(typed: str, kept: str) -> None:
    assert proper_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Oma\x00", "an invisible character"),
        ("O\nma\x07", "an invisible character"),
        ("\u202eamO", "an invisible character"),
        ("\u2066Oma", "an invisible character"),
        ("\ufeffOma", "an invisible character"),
        ("\ue000", "an invisible character"),
        ("\ud800", "an invisible character"),
        ("\u200d", "at least one visible letter"),
        ("\u0301", "at least one visible letter"),
        ("abcdefghijklm", "at most 12 letters"),
        ("<script>alert(1)</script>", "at most 12 letters"),
        ("x" * 10_000, "at most 12 letters"),
        ("Z" + "\u0308" * 100, "at most 12 letters"),
    ],
)
def test_what_is_not_a_name_is_refused_in_a_sentence(typed: str, why: str) -> None:
    with pytest.raises(CompanionError, match=why):
        proper_name(typed)


@pytest.mark.parametrize("text", ["Oma", "é" * 4, FAMILY, "🇩🇪🇫🇷", "👍🏽👍", "क्षि"])
def test_letters_put_together_are_the_text(text: str) -> None:
    assert "".join(letters(text)) == text


def test_letters_are_counted_as_people_do() -> None:
    counts = {
        text: sum(1 for _ in letters(text)) for text in (FAMILY, "🇩🇪🇫🇷", "👍🏽👍", "Zoe\u0308")
    }
    assert list(counts.values()) == [1, 2, 2, 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_animal_has_a_picture_and_a_word_of_its_own(language: str) -> None:
    assert len({SHAPES[animal] for animal in Animal}) == len(Animal) == 12
    words = [name(animal, language) for animal in Animal]
    assert len({*words}) == 12
    assert all(len([*letters(word)]) <= LETTERS for word in words)
