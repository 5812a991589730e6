"""Breaks modules on purpose: every small lie about what a module says, one at a time.

A comparison takes in one value more or less, a condition is turned round, a number grows by one, a
refusal is left out. Nobody writes these lies down, so no change of the rules makes one stale.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
REVERSED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}
UNSPOKEN: Final = ("annotation", "returns", "decorator_list", "bases")
OTHER: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one lie in it."""

    module: Path  # from the root
    line: int
    says: str
    lie: str
    text: str  # of the whole module

    def taken_back(self) -> Mutant:
        """Return the module as it is."""
        text = (ROOT / self.module).read_text("utf-8")
        return Mutant(self.module, self.line, self.says, self.says, text)

    def __str__(self) -> str:
        """Return what somebody needs to see it."""
        return f"{self.module}:{self.line}: {self.says!r} becomes {self.lie!r}"


def mutants(module: Path, text: str) -> Iterator[Mutant]:
    r"""Go through all lies about a module, in the order of its lines.

    >>> one, another = mutants(Path("module.py"), "def f(x):\n    return x < 3\n")
    >>> print(one)
    module.py:2: 'x < 3' becomes 'x <= 3'
    >>> print(another)
    module.py:2: '3' becomes '4'
    """
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    whole = text.encode()  # columns are counted in bytes
    for node, lie in _lies(ast.parse(text)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        told = whole[:begin] + lie.encode() + whole[end:]
        yield Mutant(module, node.lineno, whole[begin:end].decode(), lie, told.decode())


def drawn(folder: Path, count: int, seed: int) -> list[Mutant]:
    """Return as many mutants of a folder's modules, the same for the same text."""
    found = [
        one
        for file in sorted((ROOT / folder).rglob("*.py"))
        for one in mutants(file.relative_to(ROOT), file.read_text("utf-8"))
    ]
    return Random(seed).sample(found, min(count, len(found)))


Lie = tuple[ast.expr | ast.stmt, str]


def _lies(tree: ast.AST) -> Iterator[Lie]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            yield from _of_expression(node)
        elif isinstance(node, ast.Raise):
            yield node, "pass"
        if isinstance(node, ast.JoinedStr | ast.Assert):
            continue  # words, and what nobody may reach
        for child in _spoken(node):
            yield from _lies(ast.Expression(child) if isinstance(child, ast.expr) else child)


def _spoken(node: ast.AST) -> Iterator[ast.AST]:
    """Go through what a node runs; types and decorators say nothing about the rules."""
    for name, value in ast.iter_fields(node):
        if name in UNSPOKEN or (name == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if isinstance(part, ast.stmt):
                yield ast.Module([part], [])
            elif isinstance(part, ast.AST):
                yield part


def _of_expression(node: ast.expr) -> Iterator[Lie]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in OPPOSITE:
            yield node, ast.unparse(ast.Compare(left, [OPPOSITE[type(op)]()], [right]))
        case ast.BoolOp(op, values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.BinOp(left, op, right) if type(op) in REVERSED:
            yield node, f"({ast.unparse(ast.BinOp(left, REVERSED[type(op)](), right))})"
        case ast.IfExp(test, body, orelse):
            yield node, f"({ast.unparse(ast.IfExp(test, orelse, body))})"
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() as value):
            yield node, str(value + 1)
        case ast.Name(name) if name in OTHER:
            yield node, OTHER[name]
