"""The languages that lie in the locale folders, each read when somebody first speaks it.

A folder has one file a language, `de.po`, and what is compiled of it, `de.mo`: a file that only
saves time, and counts for nothing once the other is gone. Beside ours there
may be one in every package that brings a game or a command along.
"""

import gettext
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final

from companion.i18n import po
from companion.system.paths import extra_packages

LOG: Final = logging.getLogger(__name__)
OURS: Final = Path(__file__).parent.parent / "locale"
ENGLISH: Final = "en"
Pieces = tuple[tuple[str, str | None, str], ...]  # a text, the name of a value, how it is said


class Catalogue:
    def __init__(self, code: str, files: Iterable[Path] = ()) -> None:
        self.code = code  # as its file is called, such as de or pt_BR
        self.files = tuple(files)
        self.words: dict[tuple[type, str], str] = {}  # of enums' members, once they were said
        self._known: dict[str, tuple[Pieces, Callable[[int], int]]] = {}

    @cached_property
    def _texts(self) -> gettext.NullTranslations:
        first = gettext.NullTranslations()
        for file in reversed(self.files):
            texts = _read(file)
            texts.add_fallback(first)
            first = texts
        return first

    @property
    def tag(self) -> str:
        """Return the code as browsers write it."""
        return self.code.replace("_", "-")

    def word(self, context: str, english: str) -> str:
        """Return words that mean something else in another context."""
        return self._texts.pgettext(context, english)

    def pieces(self, template: str) -> tuple[Pieces, Callable[[int], int]]:
        """Return the translation of a template, in pieces, and the rule for its plural forms."""
        if (known := self._known.get(template)) is None:
            translated = (
                self._texts.gettext(template) if template else ""
            )  # the header's key is empty
            rule = _english_plural if translated is template else self.plural
            known = self._known[template] = parsed(translated), rule
        return known

    @cached_property
    def plural(self) -> Callable[[int], int]:
        """Return the rule that says which form follows a number."""
        for part in self._texts.info().get("plural-forms", "").split(";"):
            name, _, expression = part.partition("=")
            if name.strip() == "plural":
                return gettext.c2py(expression)
        return _english_plural

    @cached_property
    def own_name(self) -> str:
        """Return how the language calls itself."""
        own = self.word("the language's name for itself", "English")
        return self.code if own == "English" and self.code != ENGLISH else own

    @cached_property
    def both(self) -> str:
        return self.word("the end of a list", "{several} and {last}")

    @cached_property
    def comma(self) -> str:
        """Return what stands between things of a list."""
        return self.word("between things of a list", ", ")

    @cached_property
    def point(self) -> str:
        """Return what stands before the decimals of a number."""
        return self.word("before the decimals of a number", ".")


@lru_cache(1000)
def parsed(template: str) -> Pieces:
    return tuple((text, name, form or "") for text, name, form, _ in Formatter().parse(template))


@lru_cache(1000)
def by_hearer(form: str) -> tuple[str, str]:
    """Return what others read, and what the one reads who sits there; each may name values.

    >>> by_hearer("@{seat} has {count:#card|cards}|you have {count:#card|cards}")
    ('{seat} has {count:#card|cards}', 'you have {count:#card|cards}')
    """
    deep = 0
    for at, letter in enumerate(form):
        deep += (letter == "{") - (letter == "}")
        if letter == "|" and not deep:
            return form[1:at], form[at + 1 :]
    return form[1:], form[1:]


def _english_plural(count: int) -> int:
    return int(count != 1)


def _read(file: Path) -> gettext.NullTranslations:
    try:
        return gettext.GNUTranslations(BytesIO(po.readable(file)))
    except (OSError, ValueError) as why:
        message = "%s cannot be read, so its sentences stay English: %s"
        LOG.error(message, file, why)  # noqa: TRY400 - this program made no mistake
        return gettext.NullTranslations()


def folders() -> Iterator[Path]:
    """Yield ours, and those of the packages with games and commands; none is imported for it."""
    yield OURS
    for package in extra_packages():
        spec = find_spec(package)
        for place in (spec and spec.submodule_search_locations) or ():
            if (folder := Path(place) / "locale") != OURS:
                yield folder


def languages(places: Iterable[Path]) -> Mapping[str, Catalogue]:
    """Return every language of these folders by its code; English first, which needs none."""
    files: dict[str, list[Path]] = {ENGLISH: []}
    for place in places:
        for file in sorted(place.glob("*.po")):
            files.setdefault(file.stem, []).append(file)
    return {code: Catalogue(code, files[code]) for code in sorted(files, key=_english_first)}


def _english_first(code: str) -> tuple[bool, str]:
    return code != ENGLISH, code
