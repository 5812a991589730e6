"""A language that nobody speaks: English with Polish plurals, and every vowel twice and accented.

So it is about a third longer than English, as German and Polish are.
"""

from collections.abc import Iterable
from pathlib import Path
from string import Formatter
from typing import Final

from companion.i18n.po import PoEntry
from companion.i18n.translate import Catalogue, by_hearer, languages
from release.words.finding import Found
from release.words.upkeep import write

CODE: Final = "xq"
POLISH: Final = (
    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
)
HEADER: Final = (
    f"Language: {CODE}\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: {POLISH}\n"
)
VOWELS: Final = zip("aeiouAEIOU", "áéíóúÁÉÍÓÚ", strict=True)
ACCENTS: Final = {ord(plain): long + long.lower() for plain, long in VOWELS}


def accented(template: str) -> str:
    """Return a template in that language, with all its placeholders.

    >>> accented("{count} {count:#field|fields}: {seats:and} win")
    '{count} {count:#fííééld1|fííéélds2|fííéélds5}: {seats:and} wíín'
    """
    said = []
    for text, name, form, _ in Formatter().parse(template):
        said.append(text.translate(ACCENTS).replace("{", "{{").replace("}", "}}"))
        if name is not None:
            said.append(f"{{{name}:{_accented_form(form)}}}" if form else f"{{{name}}}")
    return "".join(said)


def _accented_form(form: str) -> str:
    if form.startswith("@"):
        return "@" + "|".join(map(accented, by_hearer(form)))
    if form.startswith("#"):
        one, many = form[1:].translate(ACCENTS).split("|")
        return f"#{one}1|{many}2|{many}5"
    return form.translate(ACCENTS) if form.startswith("=") else form


def write_language(file: Path, found: Iterable[Found]) -> None:
    """Write the file of that language."""
    places = dict.fromkeys((one.context, one.key) for one in found)
    entries = [PoEntry(key, accented(key), context) for context, key in places]
    file.write_text(write([PoEntry("", HEADER), *entries]), "utf-8")


def language(folder: Path, found: Iterable[Found]) -> Catalogue:
    """Write the file of that language to a folder, and return what is read from it."""
    write_language(folder / f"{CODE}.po", found)
    return languages([folder])[CODE]
