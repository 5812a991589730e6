"""The rules import nothing but themselves and what computes without looking at the world."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion

HOUSE = Path(companion.__file__).parent
PLUGIN = HOUSE / "core" / "plugin.py"  # finds and imports what is installed
RULES = [
    *({*HOUSE.glob("core/*.py")} - {PLUGIN}),
    HOUSE / "system" / "codec.py",
    *HOUSE.glob("games/*/rules/**/*.py"),
    *(HOUSE / f"coach/{name}.py" for name in ("evaluator", "history", "report")),
]
OURS = re.compile(
    r"companion\.(core|coach|games\.\w+\.rules|system\.(codec|errors|format_names|signals|text))\b"
)
ALLOWED = {
    *("__future__", "abc", "collections", "dataclasses", "enum", "functools", "itertools", "json"),
    *("math", "reprlib", "string", "typing", "types"),
}


def imported(source: str) -> Iterator[str]:
    """Return the full name of everything that a source imports."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{name.name}" for name in names)
            case ast.ImportFrom():
                yield "a relative import"


def strangers(source: str) -> list[str]:
    """Return the imports that the rules may not have."""
    return [
        name
        for name in imported(source)
        if name.split(".")[0] not in ALLOWED and not OURS.match(name)
    ]


@pytest.mark.parametrize("file", sorted(RULES), ids=lambda file: file.name)
def test_the_rules_import_only_themselves(file: Path) -> None:
    assert strangers(file.read_text("utf-8")) == []
