"""The bundle for a fault report: one plain text to be read before it is sent, names made unknown.

It says of which version the program is, what the doctor found, how the table is wired, which files
it keeps and what the log says. PINs, keys and what files hold are not in it; people, computers,
addresses and boards have a mark instead of a name, the same one throughout a bundle.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from companion.system import paths

SECRET: Final = re.compile(
    r"(?m)^(\s*(?:#\s*)?(?:account|password|key|broker|table)\s*=\s*).*$"
)  # of a hall, in the configuration
ADDRESSES: Final = {  # by what their mark begins with; the longest kind is looked for first
    "board": re.compile(r"\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\b"),
    "key": re.compile(r"\b[0-9A-Fa-f]{24,}\b"),
    "address": re.compile(
        r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f])(?!\w|\.\d)"
    ),
    "number": re.compile(r"(?<![\w.-])\d{6}(?![\w-])"),  # as a PIN has
}
HARMLESS: Final = frozenset({"127.0.0.1", "0.0.0.0", "::1"})  # noqa: S104 - no socket is bound to it
NAME_LETTERS: Final = 2  # shorter ones are words like any other
LOG_LINES: Final = 2_000
MARK_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Anonymiser:
    """Gives what could tell who and where somebody is a mark; a salt makes it another each time."""

    salt: bytes
    names: Iterable[str] = field(default_factory=tuple)  # of people and computers

    def apply(self, text: str) -> str:
        """Return a text with marks instead of names, addresses and long numbers."""
        for name in sorted({*self.names}, key=len, reverse=True):
            if len(name) >= NAME_LETTERS:
                whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
                text = whole.sub(self._mark("name", name), text)
        for kind, pattern in ADDRESSES.items():
            text = pattern.sub(partial(self._hit, kind), text)
        return text

    def _hit(self, kind: str, hit: re.Match[str]) -> str:
        return self._mark(kind, hit[0])

    def _mark(self, kind: str, name: str) -> str:
        if name in HARMLESS or (kind == "address" and not _is_address(name)):
            return name
        hashed = hashlib.blake2b(name.lower().encode(), key=self.salt).hexdigest()
        return f"[{kind} {hashed[:MARK_DIGITS]}]"


def _is_address(text: str) -> bool:
    """Tell whether it is an address, and not a time of day or a version."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def without_secrets(toml: str) -> str:
    r"""Return a configuration without what only this table and its hall may know.

    >>> without_secrets('[hall]\npassword = "abc"\nport = 1883')
    '[hall]\npassword = …\nport = 1883'
    """
    return SECRET.sub(r"\1…", toml)


def kept_files(folder: Path) -> str:
    """Return which files a table keeps, and how large they are; never what is in them."""
    paths_kept = sorted((*folder.glob("*"), *(folder / paths.JOURNAL).glob("*.jsonl*")))
    return "\n".join(
        f"{path.stat().st_size:>12,}  {path.relative_to(folder)}"
        for path in paths_kept
        if path.is_file()
    )


def bundle(sections: Mapping[str, str], anonymiser: Anonymiser) -> str:
    """Return the whole text; of a long section the end is kept, where the newest stands."""
    parts = []
    for title, text in sections.items():
        lines = text.rstrip().splitlines()
        cut = [f"… ({len(lines) - LOG_LINES} lines before)"] if len(lines) > LOG_LINES else []
        body = "\n".join([*cut, *lines[-LOG_LINES:]]) or "–"
        parts.append(f"## {title}\n\n{anonymiser.apply(body)}\n")
    return "\n".join(parts)
