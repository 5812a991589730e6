"""The manual's page about the lights, and its pictures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Final

from companion.errors import CompanionError
from companion.present.lights.drawing import svg
from companion.present.lights.gallery import EXAMPLES
from companion.present.lights.meaning import OTHERS, PATTERNS, QUARTERS
from companion.say import LANGUAGES, say
from companion.text import Text

FILE: Final = Text("lights.md")  # a language that calls it by a name of its own gets a page
LINK: Final = Text("In English: [{file}]({file}).")
HEAD: Final = (
    Text("What the lights say"),
    Text(
        "The board from above: 24 fields clockwise from the arrow, a square for each start, a "
        "house for each city, and a round button for each seat. Each meaning always moves in the "
        "same way, so nobody has to tell colours apart, and nothing flashes more than three "
        "times a second."
    ),
)
BUTTON: Final = Text(
    "A short press of a seat's button brings up the next choice; holding it confirms. The buzzer "
    "sounds when all have placed a barrel and when somebody has won, and never for a warning."
)
MADE: Final = Text(
    "`rappelwacht lights --svg hardware/lights` makes this page and its pictures; every picture "
    "shows what the lights really do at an invented table."
)


def write(folder: Path, language: str) -> tuple[Path, ...]:
    """Write a picture of each scene, and beside their folder the pages; return all files.

    The last one is the page in a language.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - ".." becomes a name, too, and links stay
    called = names()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = {folder / f"{example.name}.svg": svg(example) for example in EXAMPLES}
        for code in sorted(called, key=language.__eq__):
            files[folder.parent / called[code]] = text(folder.name, code)
        for file, content in files.items():
            file.write_text(content, "utf-8", "replace", newline="\n")
    except OSError as error:
        raise CompanionError(
            "{file} cannot be written ({reason}); name a folder of yours.",
            file=error.filename or folder,
            reason=error.strerror,
        ) from None
    return tuple(files)


def names() -> dict[str, str]:
    """Return how the page is called in each language that has one."""
    called = {code: say(FILE, code) for code in LANGUAGES}
    return {code: name for code, name in called.items() if code == "en" or name != called["en"]}


def text(folder: str, language: str) -> str:
    """Return the page in Markdown."""

    def row(*cells: Text) -> list[str]:
        return [say(cell, language) for cell in cells]

    means = Text("what it means")
    meanings = [
        row(Text("pattern"), means),
        *(row(one.title, one.look) for one in PATTERNS.values()),
    ]
    scenes = [row(Text("scene"), means, Text("how to tell it without colour"))]
    for example in EXAMPLES:
        shown = f'<img src="{folder}/{example.name}.svg" width="200" alt=""><br>'
        title, *rest = row(example.meaning.title, example.told, example.meaning.look)
        scenes.append([f"{shown}**{title}**", *rest])
    title, about, *more, made = row(*HEAD, QUARTERS, OTHERS, BUTTON, MADE)
    links = [
        say(Text(LINK.template, file=name), code)
        for code, name in names().items()
        if code != language
    ]
    first = _wrapped(" ".join([*links, about]))
    blocks = [f"# {title}", first, _table(meanings), *map(_wrapped, more)]
    return "\n\n".join([*blocks, _table(scenes), _wrapped(made)]) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    heads, *lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([heads, "|---" * len(rows[0]) + "|", *lines])


def _wrapped(paragraph: str) -> str:
    return fill(paragraph, 100, break_on_hyphens=False, break_long_words=False)
