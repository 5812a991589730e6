"""Finds prose in pages that nobody could translate."""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import companion.web

PHONE: Final = Path(companion.web.__file__).parent
SPOKEN_ATTRIBUTES: Final = {"alt", "title", "placeholder", "label", "aria-label", "aria-valuetext"}
NAMES: Final = {  # are the same in every language; Apple's phones hope for the last
    *("Rappelwacht", "Android", "iPhone", "iPad", "Mac", "Windows"),
    "Success",
}
WORD: Final = re.compile(r"(?<![/\w])[^\W\d_]{2,}")  # what follows a slash is an address
JINJA: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
LITERAL: Final = re.compile(r"""(?<![\w)\]])(["'`])((?:\\.|(?!\1).)*)\1""")
CLASSES: Final = re.compile(r"\{% block (clear|frame|shape) %\}.*?\{% endblock %\}")  # unread
STYLES: Final = re.compile(r"<style>.*?</style>", re.DOTALL)  # nobody reads these either
PATH: Final = re.compile(r"[A-Za-z\d ,.-]*\d[A-Za-z\d ,.-]*Z")  # of a drawing
COMMENT: Final = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
SENTENCE: Final = re.compile(r"[A-ZÄÖÜ]\w*( \w+)+|\w+( \w+)+[.!?]$")


class _Reader(HTMLParser):
    """Reads what a person would see or hear of some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the contract has it
        self.read += [value or "" for name, value in attrs if name in SPOKEN_ATTRIBUTES]

    def handle_data(self, data: str) -> None:
        self.read.append(data)


def prose_in(html: str) -> set[str]:
    """Return the words that stand in HTML itself instead of in a sentence of both languages.

    >>> prose_in('<p title="Hm?">{{ say("Well") }} 3 s</p> Rappelwacht')
    {'Hm'}
    """
    reader = _Reader()
    reader.feed(JINJA.sub(" ", CLASSES.sub(" ", html)))
    reader.close()
    return {word for text in reader.read for word in WORD.findall(text)} - NAMES


def prose_in_python(source: str) -> set[str]:
    """Return the words of prose in the pieces of HTML that Python puts together.

    >>> prose_in_python("Markup('<style>a</style><b>Look {}</b>'); get('/api/<match>/export')")
    {'Look'}
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) if "</" in text:
                seen = re.findall(r">([^<>]*)(?=<)", re.sub(r"\{.*?\}", " ", STYLES.sub("", text)))
                found |= {word for one in seen for word in WORD.findall(one)} - NAMES
    return found


def prose_in_script(source: str) -> list[str]:
    """Return what looks like a sentence in a script, which has to take its words from the page.

    >>> prose_in_script("x('use strict'); y('Try again'); /* 'No such' */ z('lost for words.')")
    ['Try again', 'lost for words.']
    """
    literals = (found[2] for found in LITERAL.finditer(COMMENT.sub(" ", source)))
    return [text for text in literals if SENTENCE.search(text) and not PATH.fullmatch(text)]
