"""Templates of sentences, as those read them whom they are not about."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HOLE = r"\{[^{}]*\}"
OWN = re.compile(rf"\{{\w+:@((?:[^{{}}|]|{HOLE})*)\|(?:[^{{}}]|{HOLE})*\}}")


def plain(template: str) -> str:
    """Return a template without what is said to a seat itself, and with bare holes.

    >>> plain("{seat:@{seat} has|You have} won, not {others:and}.")
    '{seat} has won, not {others}.'
    """
    return re.sub(r"\{(\w+):[^{}]*\}", r"{\1}", OWN.sub(r"\1", template))


def sentences(file: Path, errors: frozenset[str]) -> Iterator[str]:
    """Yield the sentences with which a file raises these errors."""
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match call:
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(attr=name),
                args=[ast.Constant(value=str(sentence)), *_],
            ) if name in errors:
                yield sentence
