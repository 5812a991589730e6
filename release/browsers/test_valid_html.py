"""Every page in every state is valid HTML: what browsers would have to guess differs among them.

html5lib says what it had to put right; the rest is asked of the tree that it made.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

import html5lib
import pytest

from companion.present.simulated_hands import Hands
from tests.browser.phases import phases
from tests.browser.sights import SIGHTS, Sight
from tests.web.room import client, phones

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS: Final = {
    *("div", "p", "ul", "ol", "dl", "table", "section", "article", "form", "fieldset", "details"),
    *("nav", "header", "footer", "main", "hr", "pre", *HEADINGS),
}
ONLY_WORDS: Final = {"label", "button", "span", "legend", "strong", "small", "bdi", *HEADINGS}
TAPPED: Final = {"a", "button", "input", "select", "textarea", "summary", "label"}
NAMES_OTHERS: Final = ("for", "aria-labelledby", "aria-describedby", "headers", "list", "form")
LISTED: Final = {"li", "script", "template"}


def faults(html: str) -> list[str]:
    """Return what is not valid in a page.

    >>> page = "<!doctype html><title>x</title><h1>x</h1>"
    >>> faults(page), faults(page + "<button><p>a</p></button><h3 id=b>b</h3><p id=b></div>")
    ([], ['end-tag-too-early', 'button holds p', 'twice: b', 'h1 is followed by h3'])
    >>> faults(page + "<ul><div></div></ul><a href=x><button></button></a><label for=y>y</label>")
    ['ul holds div', 'a holds button', 'label: for names y']
    """
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    page: Element = parser.parse(html)
    told = [code for _, code, _ in parser.errors]
    told += [f"{one.tag} holds {other.tag}" for one, other in nested(page)]
    ids = Counter(one.get("id") for one in page.iter() if one.get("id"))
    told += [f"twice: {name}" for name, count in ids.items() if count > 1]
    told += [
        f"{one.tag}: {attribute} names {name}"
        for one in page.iter()
        for attribute in NAMES_OTHERS
        for name in (one.get(attribute) or "").split()
        if name not in ids
    ]
    headings = [str(one.tag) for one in page.iter() if one.tag in HEADINGS]
    told += [f"{a} is followed by {b}" for a, b in pairwise(headings) if int(b[1]) > int(a[1]) + 1]
    return told


def nested(page: Element) -> Iterator[tuple[Element, Element]]:
    """Yield what lies in something that may not hold it."""
    for outer in page.iter():
        if outer.tag in ("ul", "ol"):
            yield from ((outer, one) for one in outer if one.tag not in LISTED)
        kinds = BLOCKS if outer.tag in ONLY_WORDS else set[str]()
        kinds = kinds | (TAPPED if outer.tag in ("a", "button") else set[str]())
        yield from ((outer, one) for one in outer.iter() if one is not outer and one.tag in kinds)


def look(sight: Sight, language: str, hands: Callable[[], Hands] | None = None) -> list[str]:
    """Return what is not valid on a page, and on the television at the same table."""
    room = sight.room()
    table = phones(room, hands=hands()) if hands else phones(room)
    page = client(table, sight.role, language).get(sight.path)
    television = client(table, None, language).get("/tv")
    return faults(page.text) + faults(television.text)


@pytest.mark.parametrize("sight", SIGHTS, ids=lambda sight: sight.name)
def test_every_page_is_valid(sight: Sight, *, full: bool) -> None:
    for language in ("de", "en") if full else ("en",):
        assert look(sight, language) == []


def test_every_phase_of_every_game_is_valid() -> None:
    for phase in phases():
        assert (phase.name, look(phase.sight, "en", phase.hands)) == (phase.name, [])
