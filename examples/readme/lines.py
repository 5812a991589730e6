"""Finds all that the READMEs tell people to type, and says which test types it.

It must not run anything. A test that types commands takes them from `of`, so that what runs is
what stands in the file, and never a copy.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
NOT_OURS: Final = {".git", ".venv", ".pytest_cache", ".mypy_cache", "node_modules"}
TELLS: Final = {"CHANGELOG.md"}  # names commands, and asks nobody to type them


def _ours() -> Iterator[Path]:
    """Yield all pages of text, and walk through no folder that others fill."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        yield from (
            Path(folder, name) for name in files if name.endswith(".md") and name not in TELLS
        )


READMES: Final = sorted(_ours(), key=lambda file: (".github" in file.parts, file))
PROGRAMS: Final = (
    r"(?:sudo|rappelwacht|python3?|pip|esptool|mpremote|nmcli|openscad|qrencode|wg|systemctl|systemd-\w+"
    r"|journalctl|apt-get|git|cp|\S*\.venv/\S+|~/\S+) \S"
)
BEGINS: Final = re.compile(rf"\./run\b|{PROGRAMS}")
BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED: Final = re.compile(r"^    (.*)", re.MULTILINE)
INLINE: Final = re.compile(r"(?<!`)`([^`]+)`(?!`)")
FAR: Final = (
    r"(?:apt-get install (?:wireguard|caddy|nginx)|certbot|nmcli connection import"
    r"|systemctl reload caddy)"
)
STICK: Final = r"(?:mkfs|mount|umount|cp -a|sed|systemctl reboot|raspi-config nonint)"
KINDS: Final = {  # which commands are typed together, by a test that says of("…")
    "a game of one's own": r"(?:\.venv/bin/pip|\./run (?:play|test)) .*\bnim\b.*",
    "libraries": r"\.venv/bin/pip install (?!\.\./).*",
    "its words": r"\./run words --package .*",
    "at home": r"\./run|\./run (?:coach|hall|journal|lights|replay|replay-link|sim|table) .*"
    r"|\./run play (?!.* nim ).*"
    r"|\./run study (?!.*--scheduler).*"
    r"|\./run (?:--version|doctor(?: --bundle .*)?|hall|table)",
    "a card": r"\./run card .*",
    "a cluster": r"\./run study .*--scheduler .*",
    "a row": r"\./run flash stopper --all",
    "an update": r"(?:\./run|rappelwacht) update.*",
    "one stopper": r"\./run doctor --stopper .*",
    "door": r"\./run test(?: --full| --changed| --changed -n auto| --jobs)?",
    "solve": r"\./run solve .*",
    "some tests": r"\./run test (?:tests|examples|hardware|release|research)\b/?(?!.* nim$).*",
    "bench": r"\./run bench .*",
    "the lights": r"\.venv/bin/python -m rappelwacht_research\.lights_page",
    "render": r"\.venv/bin/python -m hardware\.tests\.render",
    "looks": r"\.venv/bin/python -m (?:tests\.browser|release\.browsers)\.\w+.*",
    "openscad": r"openscad .*",
    "boards": r"python3 -m hardware\.boards.*",
    "on a hall's computer": r"sudo .*(?:--hall|rappelwacht-hall)",
    "far away": rf"wg .*|qrencode .*|\./run --config .*|sudo {FAR}.*",
    "on a stick": rf"sudo {STICK}.*",
    "an emulated Pi": r"sudo \.venv/bin/python -m hardware\.arm .*",
    "on a Pi": rf"sudo (?!\.venv|{FAR}|{STICK}|.*(?:--hall|rappelwacht-hall)).*"
    r"|rappelwacht (?:doctor|flash .*)"
    r"|\./run flash (?!.*--all).*|nmcli .*"
    r"|systemd-analyze .*|journalctl .*|python3 -m venv .*|~/.*",
    "words": r"\./run words(?! --package).*",
    "format": r"\.venv/bin/ruff format \.",
    "release": r"version=.*|git (?:commit|tag|push) .*|\./run release .*|ssh-keygen .*|echo .*",
}


@dataclass(frozen=True, slots=True)
class Command:
    """A line that somebody is told to type."""

    file: Path
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}: {self.text}"


@cache
def commands() -> list[Command]:
    """Return all of them in the order of reading, each once."""
    found: dict[str, Command] = {}
    for file in READMES:
        for line in told_in(file.read_text("utf-8")):
            found.setdefault(line, Command(file, line))
    return list(found.values())


def of(kind: str) -> list[Command]:
    """Return those of one kind."""
    return [one for one in commands() if re.fullmatch(KINDS[kind], one.text)]


def block(file: str, language: str) -> str:
    """Return the only block of a README in a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text(file), re.MULTILINE | re.DOTALL)
    return str(found)


def text(file: str) -> str:
    """Return what a README says."""
    return (ROOT / file).read_text("utf-8")


def told_in(told: str) -> Iterator[str]:
    """Yield what a text tells people to type: in blocks, indented, or amidst a sentence."""
    places: list[tuple[int, str]] = []
    for found in BLOCK.finditer(told):
        language, inside = found.groups()
        for line in inside.splitlines():
            if language == "sh" and line.strip():
                places.append((found.start(), line.split(" #")[0].strip()))
            elif language != "sh":
                places += [(found.start(), one) for one in re.findall(r"\./run .*", line)]
    prose = BLOCK.sub(lambda found: " " * len(found[0]), told)
    for pattern in (INDENTED, INLINE):
        for found in pattern.finditer(prose):
            line = " ".join(found[1].split())
            if BEGINS.match(line):
                places.append((found.start(), line))
    return (line for _, line in sorted(places, key=lambda place: place[0]))
