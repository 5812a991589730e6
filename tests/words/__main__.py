"""Brings the translators' files up to date, or tells what is wrong with them.

    python -m tests.words [--check] [--package NAME] [LANGUAGE...]

A language that has no file yet gets one, in which everything is still to be translated.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from companion.say.po import Entry, compile_folder, read, write
from tests.words.finding import found_in
from tests.words.upkeep import begun, faults, faults_of_english, updated


def main(words: list[str], place: Path | None = None) -> int:
    """Do what the command line asks for, there or in the package; return the exit code."""
    parser = argparse.ArgumentParser("./run words", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it should")
    parser.add_argument("--package", default="companion", help="of a game that lives elsewhere")
    parser.add_argument("language", nargs="*", help="such as fr; otherwise all that there are")
    asked = parser.parse_args(words)
    package = import_module(asked.package)
    found = found_in(package)
    folder = place or Path(next(iter(package.__path__))) / "locale"
    files = [folder / f"{one}.po" for one in asked.language] or sorted(folder.glob("*.po"))
    if asked.check:
        wrong = [*faults_of_english(found)]
        for file in files:
            wrong += faults(file, found)
        sys.stdout.writelines(f"{line}\n" for line in wrong)
        return 1 if wrong else 0
    folder.mkdir(exist_ok=True)
    for file in files:
        known = [begun(asked.package, file.stem)]
        if file.exists():
            known = read(file.read_text("utf-8"))
        entries = updated(known, found)
        file.write_text(write(entries), "utf-8")
        sys.stdout.write(f"{file}: {_counts(entries)}\n")
    compile_folder(folder)
    return 0


def _counts(entries: list[Entry]) -> str:
    used = [entry for entry in entries if entry.key and not entry.unused]
    said = sum(bool(entry.said) for entry in used)
    unused = sum(entry.unused for entry in entries)
    return f"{said} of {len(used)} are translated, {unused} are unused"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
