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
    "alike",
    [
        ["Oma\x00", "O\nma\x07", "\u202eamO", "\u2066Oma", "\ufeffOma", "\ue000", "\ud800"],
        ["\u200d", "\u0301"],
        ["abcdefghijklm", "<script>alert(1)</script>", "x" * 10_000, "Z" + "\u0308" * 100],
    ],
    ids=["invisible", "no letter", "too long"],
)
def test_what_is_not_a_name_is_refused_for_what_is_wrong(alike: list[str]) -> None:
    told = set()
    for typed in alike:
        with pytest.raises(CompanionError) as refused:
            proper_name(typed)
        told.add(refused.value.template)
    assert len(told) == 1


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
