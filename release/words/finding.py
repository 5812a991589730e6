"""Finds what a package says: every English template, and the files that it stands in.

Sentences are found where they are said in source code and in pages; those of events, of enums'
members and of what one may type are asked of the loaded classes themselves.
"""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, Final

from jinja2 import Environment, nodes

from companion.core.game import Event
from companion.system.errors import CompanionError, RulesError
from companion.system.format_names import format_name_of
from companion.system.status import Status

SPEAKING: Final = {"Text", "text", "tell", "_tell", "say", "Malformed"}  # what says its template
DATA: Final = {  # of every language, and what they are for
    ("the language's name for itself", "English"): "as it stands on the phones' pages",
    ("the end of a list", "{several} and {last}"): "",
    ("between things of a list", ", "): "",
    ("before the decimals of a number", "."): "",
}


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that is said."""

    file: str
    line: int
    key: str
    context: str | None = None
    note: str = ""  # for translators


@cache
def found_in(package: ModuleType) -> list[Found]:
    """Return all that a package says, in the order of its files, after what a language is made of.

    These are its own name, its word for "and", and its decimal point.
    """
    root = Path(next(iter(package.__path__)))
    names = [one.name for one in walk_packages(package.__path__, f"{package.__name__}.")]
    for name in names:
        try:
            import_module(name)
        except ModuleNotFoundError as lacking:  # what only an extra brings; its source is read
            if (lacking.name or "").split(".")[0] == package.__name__:
                raise
    _speaking.cache_clear()  # a package may have errors of its own
    found = [*_in_classes(package.__name__, root)]
    for file in sorted(root.rglob("*.py")):
        found += _in_source(file.read_text("utf-8"), _place(file, root))
    for file in sorted(root.rglob("*.html")):
        place = _place(file, root)
        found += [Found(place, line, key) for line, key in said_in(file.read_text("utf-8"))]
    found.sort(key=lambda one: (one.file, one.line))
    if package.__name__ == "companion":
        data = _place(root / "i18n" / "catalogue.py", root)
        found[:0] = [Found(data, 0, key, context, note) for (context, key), note in DATA.items()]
    return found


def _place(file: Path, root: Path) -> str:
    return file.relative_to(root.parent).as_posix()


# --- in source code and in pages ---------------------------------------------------------------


def _in_source(source: str, file: str) -> Iterator[Found]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name("Keyword"), [ast.Constant(value=str(key)), *_]):
                note = "what may be typed for it; several with | between"
                yield Found(file, node.lineno, key, "typed", note)
            case ast.Call(function, [template]) if _speaks(function):
                yield from (Found(file, node.lineno, key) for key in _either(template))


def _either(template: ast.expr) -> Iterator[str]:
    """Yield a template, or both of which one is said."""
    match template:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=one, orelse=other):
            yield from (*_either(one), *_either(other))


def _speaks(function: ast.expr) -> bool:
    """Tell whether a call makes something that can be said."""
    match function:
        case ast.Attribute(ast.Name("wire")):  # what is said to the hub
            return False
        case ast.Name(name) | ast.Attribute(attr=name):
            return name in _speaking() or ast.unparse(function) == "super().__init__"
        case ast.Call(ast.Name("type")):  # a fault wrapped in another of its kind
            return True
    return False


@cache
def _speaking() -> frozenset[str]:
    errors = {one.__name__ for kind in (RulesError, CompanionError) for one in (kind, *kinds(kind))}
    return frozenset(SPEAKING | errors)


def said_in(page: str) -> Iterator[tuple[int, str]]:
    """Yield every English template that a page's template says, and its line."""
    tree = Environment(autoescape=True).parse(page)
    for call in tree.find_all(nodes.Call):
        name = getattr(call.node, "attr", None) or getattr(call.node, "name", None)
        if name == "say" and call.args and isinstance(call.args[0], nodes.Const):
            yield call.lineno, str(call.args[0].value)


# --- of classes ----------------------------------------------------------------------------------


def kinds(kind: type[Any]) -> Iterator[type[Any]]:
    """Yield every class that derives from one."""
    for sub in kind.__subclasses__():
        yield sub
        yield from kinds(sub)


def sentences(kind: type[Event]) -> list[str]:
    """Return the sentences that a kind of event states."""
    return [text for name, text in vars(kind).items() if isinstance(text, str) and name[:2] != "__"]


def _in_classes(package: str, root: Path) -> Iterator[Found]:
    ours = (f"{package}.", package)
    for kind in dict.fromkeys((*kinds(Event), *kinds(Enum))):
        if not kind.__module__.startswith(ours[0]) and kind.__module__ != ours[1]:
            continue
        for number, (context, key) in enumerate(_of_class(kind)):
            file = _place(Path(inspect.getfile(kind)), root)
            yield Found(file, _line(kind) + number, key, context)


def _line(kind: type[Any]) -> int:
    try:
        return inspect.getsourcelines(kind)[1]
    except OSError:  # it is made of others
        return 0


def _of_class(kind: type[Any]) -> Iterator[tuple[str | None, str]]:
    if issubclass(kind, Event):
        yield from ((None, text) for text in sentences(kind))
        return
    for member in kind:
        if (said := getattr(member, "said", None)) is not None:
            yield f"{format_name_of(kind)}.{member.name}", said
        elif isinstance(member, Status) or str(member.value).endswith("."):
            yield None, str(member.value)
