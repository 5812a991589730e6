"""Nothing is forgotten: every fact has a test that names it, every sentence stands in a record."""

import ast
import re
from pathlib import Path

import pytest

import companion
from companion.games.via_magica.rules import Hue, Reward
from companion.i18n.translate import LANGUAGES, name
from tests.games.templates import plain, sentences

HERE = Path(__file__).parent
HOUSE = Path(companion.__file__).parent
RECORDS = [HERE.parent / "core/test_contract.py", *sorted(HERE.glob("*/*.txt"))]
COUNTS = {
    "blackmore": {"WB": 9},
    "trap_the_wizard": {"TW": 11},
    "via_magica": {"VM": 8},
    "zapp_zerapp": {"ZZ": 26, "EX": 5},
}
FACTS = [
    (game, f"{letters}-{number}")
    for game, counts in COUNTS.items()
    for letters, count in counts.items()
    for number in range(1, count + 1)
]


@pytest.mark.parametrize(("game", "fact"), FACTS)
def test_every_fact_has_a_test_that_names_it(game: str, fact: str) -> None:
    begins = re.compile("test_" + fact.lower().replace("-", "_") + r"(_|$)")
    assert any(
        begins.match(test.name) or re.search(rf"\b{fact}\b", ast.get_docstring(test) or "")
        for file in (HERE / game).glob("test_*.py")
        for test in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
    )


@pytest.mark.parametrize(
    "rules", [*(f"games/{game}/rules" for game in COUNTS), "core/notation", "core/log", "codec"]
)
def test_every_sentence_of_a_refusal_is_recorded(rules: str) -> None:
    """What a game says has to stand in its own record."""
    found = [HOUSE / "system/codec.py" if rules == "codec" else HOUSE / f"{rules}.py"]
    records = RECORDS
    if rules.startswith("games/"):
        found = sorted((HOUSE / rules).glob("*.py"))
        records = [file for file in RECORDS if file.parent.name in rules]
    errors = frozenset({"Illegal", "Ambiguous", "Unreadable", "RulesError"})
    recorded = "\n".join(file.read_text("utf-8") for file in records)
    raised = [text for file in found for text in sentences(file, errors)]
    assert raised
    for sentence in raised:
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(plain(sentence)))
        assert re.search(pattern, recorded, re.IGNORECASE), f"nobody records: {sentence}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hue_and_every_reward_has_words(language: str) -> None:
    words = [name(one, language) for one in (*Hue, *Reward)]
    assert len(set(words)) == len(words)
