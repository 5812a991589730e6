"""Nothing is forgotten: every fact has its test, every sentence its own too."""

import ast
import re
from pathlib import Path

import pytest

import companion
from tests.games.templates import plain, sentences

HERE = Path(__file__).parent
HOUSE = Path(companion.__file__).parent
FACTS = [*(f"ZZ-{number}" for number in range(1, 27)), *(f"EX-{number}" for number in range(1, 6))]
ERRORS = frozenset({"Illegal", "Ambiguous", "Unreadable", "RulesError"})


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_has_a_test_that_names_it(fact: str) -> None:
    name = re.compile("test_" + fact.lower().replace("-", "_") + r"(_|$)")
    assert any(
        name.match(test.name) or re.search(rf"\b{fact}\b", ast.get_docstring(test) or "")
        for file in HERE.glob("test_*.py")
        for test in ast.walk(_tree(file))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
    )


@pytest.mark.parametrize(
    ("rules", "tests"),
    [
        ("games/zapp_zerapp/rules/refusals.py", "test_illegal.py"),
        ("games/zapp_zerapp/rules/rulings.py", "test_rulings.py"),
        ("games/zapp_zerapp/rules/board.py", "test_bad_boards.py"),
        ("core/notation.py", "test_notation.py ../../core/test_contract.py"),
        ("system/codec.py", "test_keeping.py"),
        ("core/log.py", "test_keeping.py ../../core/test_contract.py"),
    ],
)
def test_every_sentence_has_a_test_that_asserts_it(rules: str, tests: str) -> None:
    asserted = [text for name in tests.split() for text in _texts(_tree(HERE / name))]
    raised = [*sentences(HOUSE / rules, ERRORS)]
    assert raised
    for sentence in raised:
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(plain(sentence)))
        pattern = re.sub(r"^\w", lambda first: first[0].upper(), pattern)
        assert any(re.search(pattern, text) for text in asserted), f"nobody asserts: {sentence}"


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _texts(tree: ast.Module) -> list[str]:
    """Return every text of a file; what a formatted one fills in becomes an ellipsis."""
    texts = []
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                texts.append(text)
            case ast.JoinedStr(values=parts):
                filled = (part.value if isinstance(part, ast.Constant) else "…" for part in parts)
                texts.append("".join(map(str, filled)))
    return texts
