"""Brings the translators' files up to date, or tells what is wrong with them.

A language that has no file yet gets one, in which everything is still to be translated. The guides
have files of their own, and their pages in other languages are made of these.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from companion.i18n.po import PoEntry, compile_folder, read
from release.words import guides
from release.words.finding import Found, found_in
from release.words.upkeep import begun, faults, faults_of_english, updated, write

ROOT = Path(__file__).parents[2]
OURS = ("companion", "rappelwacht_research")
WHOLE = ("de",)  # lacks nothing; another language may be given as far as somebody has come
INSTALLED = {"site-packages", "dist-packages"}
CODE = re.compile(r"[a-z]{2,3}([_-][A-Z]{2})?")


def main(words: list[str], place: Path | None = None, root: Path = ROOT) -> int:
    """Do what the command line asks for, there or in the package; return the exit code."""
    parser = argparse.ArgumentParser("./run words", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it should")
    parser.add_argument(
        "--package",
        help="of a game that lives elsewhere: its folder or name; otherwise all of ours",
    )
    parser.add_argument("language", nargs="*", type=_code, help="such as fr; otherwise all")
    asked = parser.parse_args(words)
    names = OURS if asked.package is None else (asked.package,)
    return max([_keep(name, asked, place, root, parser) for name in names])


def _keep(
    name: str,
    asked: argparse.Namespace,
    place: Path | None,
    root: Path,
    parser: argparse.ArgumentParser,
) -> int:
    """Do what is asked for with one package; return the exit code."""
    package = import_module(_importable(name))
    folder = place or Path(next(iter(getattr(package, "__path__", ())), "")) / "locale"
    if not hasattr(package, "__path__"):
        parser.error(f"{name} is a single file; words need a package, a folder")
    if INSTALLED & {*folder.parts}:
        parser.error(
            f"{folder} is gone with the next installation; name the folder in which the package is "
            f"written instead, such as --package ../{package.__name__}/{package.__name__}"
        )
    found = found_in(package)
    if package.__name__ != "companion":  # what is ours, is translated here
        ours = {entry.place for entry in read((ROOT / "companion/locale/de.po").read_text("utf-8"))}
        found = [here for here in found if (here.context, here.key) not in ours]
    of_guides = root / guides.FOLDER if package.__name__ == "companion" else None
    if asked.check:
        wrong = [*faults_of_english(found)]
        for file in _files(folder, asked.language):
            wrong += faults(file, found, whole=file.stem in {*WHOLE, *asked.language})
        for file in _files(of_guides, asked.language):
            wrong += guides.faults(file, root, whole=file.stem in {*WHOLE, *asked.language})
        sys.stdout.writelines(f"{line}\n" for line in wrong)
        return 1 if wrong else 0
    for file in _files(folder, asked.language):
        _update(file, found, package.__name__)
    compile_folder(folder)
    for file in _files(of_guides, asked.language):
        entries = _update(file, guides.found_in(root), "Guides")
        for page, text in guides.pages(entries, root).items():
            page.write_text(text, "utf-8")
    return 0


def _code(word: str) -> str:
    if not CODE.fullmatch(word):
        raise argparse.ArgumentTypeError(f"'{word}' is no language; write a code, such as fr")
    return word


def _importable(package: str) -> str:
    """Return the name under which a package can be imported, also if its folder is named."""
    folder = Path(package).resolve()
    if not (folder / "__init__.py").is_file():
        return package
    sys.path.insert(0, str(folder.parent))
    return folder.name


def _files(folder: Path | None, languages: list[str]) -> list[Path]:
    """Return the files of these languages, or of all that there are."""
    if folder is None:
        return []
    return [folder / f"{one}.po" for one in languages] or sorted(folder.glob("*.po"))


def _update(file: Path, found: Iterable[Found], project: str) -> list[PoEntry]:
    """Bring a file up to what was found, and return what it has now."""
    if not file.exists():
        sys.stdout.write(f"{file} is new; delete it again if the language is not to be offered.\n")
    known = read(file.read_text("utf-8")) if file.exists() else [begun(project, file.stem)]
    entries = updated(known, found)
    file.parent.mkdir(exist_ok=True)
    file.write_text(write(entries), "utf-8")
    sys.stdout.write(f"{file}: {_counts(entries, file.stem)}\n")
    return entries


def _counts(entries: list[PoEntry], code: str) -> str:
    used = [entry for entry in entries if entry.key and not entry.unused]
    said = sum(bool(entry.translation) and not entry.fuzzy for entry in used)
    unused = sum(entry.unused for entry in entries)
    guessed = sum(entry.fuzzy for entry in used)
    counts = f"{said} of {len(used)} are translated, {guessed} are guessed, {unused} are unused"
    return counts if said == len(used) else f"{counts}; --check {code} says what is missing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
