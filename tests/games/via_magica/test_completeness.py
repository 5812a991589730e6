"""Nothing is forgotten: every fact has a test that names it, every sentence one that asserts it."""

import ast
import re
from pathlib import Path

import pytest

import companion
from companion.games.via_magica.rules import Hue, Reward
from companion.i18n.translate import LANGUAGES, name
from tests.games.templates import plain, sentences

HERE = Path(__file__).parent
RULES = Path(companion.__file__).parent / "games/via_magica/rules"


@pytest.mark.parametrize("fact", [f"VM-{number}" for number in range(1, 9)])
def test_every_fact_has_a_test_that_names_it(fact: str) -> None:
    begins = re.compile("test_" + fact.lower().replace("-", "_") + r"(_|$)")
    tests = [
        test
        for file in HERE.glob("test_*.py")
        for test in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
    ]
    assert any(begins.match(test.name) for test in tests)


@pytest.mark.parametrize(
    ("rules", "tests"), [("refusals.py", "test_illegal.py"), ("model.py", "test_facts.py")]
)
def test_every_sentence_has_a_test_that_asserts_it(rules: str, tests: str) -> None:
    asserted = [
        node.value
        for node in ast.walk(ast.parse((HERE / tests).read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    raised = [*sentences(RULES / rules, frozenset({"Illegal", "RulesError"}))]
    assert raised
    for sentence in raised:
        longest = max(re.split(r"\{\w+\}", plain(sentence)), key=len).strip(" .';:")[:30]
        assert any(longest in text for text in asserted), f"nobody asserts: {sentence}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hue_and_every_reward_has_words(language: str) -> None:
    words = [name(one, language) for one in (*Hue, *Reward)]
    assert len(set(words)) == len(words)
