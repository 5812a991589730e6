"""The bundle for a fault report: one plain text to be read before it is sent, names made unknown.

It says of which version the program is, what the doctor found, how well stoppers are heard, how the
table is wired, which files it keeps and what the log says. PINs, keys and what files hold are left
out; people, computers, addresses and boards have a mark instead of a name, the same one throughout.
"""

import getpass
import hashlib
import html
import json
import platform
import re
import socket
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import quote, quote_plus

from companion import __version__
from companion.referee.people.store import PEOPLE_FILE, Book
from companion.system import paths

SECRET: Final = re.compile(
    r"""(?i)((?<![\w-])["']?(?:account|password|key|broker|table|names)["']?[ \t]*=[ \t]*)"""
    r"""(\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)|\[[^\]]*\]|[^\r\n]*)"""
)  # of a hall or of people far away, in the configuration
QUOTED: Final = re.compile(r"""["']+([^"'\r\n]+)["']+""")
ADDRESSES: Final = (  # what their mark begins with, and how they look; the longest come first
    ("key", re.compile(r"(?<![0-9A-Za-z+/_-])[0-9A-Za-z+/_-]{20,}+={1,2}")),  # in base64
    (
        "board",
        re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5,}+(?![0-9A-Fa-f])"),
    ),
    (  # of 6 or 8 bytes without separators; a match is called by 6, too, where its file is named
        "board",
        re.compile(
            r"(?<![0-9A-Za-z])(?<!\d{6}-)(?<!\d\.)(?=[A-Fa-f]*+[0-9])"
            r"(?:[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16})(?![0-9A-Za-z])(?!\.(?:jsonl|count))"
        ),
    ),
    ("key", re.compile(r"(?<![0-9A-Za-z])(?=[A-Za-z]*+[0-9])[0-9A-Za-z]{24,}+")),
    (  # of random bytes, as in a cookie
        "key",
        re.compile(
            r"(?<![\w-])(?=[\w-]*?[0-9])(?=[\w-]*?[A-Z])(?=[\w-]*?[a-z])"
            r"[0-9A-Za-z_-]{22,}+(?![\w-])"
        ),
    ),
    ("address", re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f:.]{3,}+")),
    ("address", re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)")),  # with a port
    ("number", re.compile(r"(?<![\w.-])\d{6}(?![\w-])")),  # as a PIN has
)
HARMLESS: Final = frozenset({"127.0.0.1", "0.0.0.0", "::1"})  # noqa: S104 - no socket is bound to it
EVERYBODYS: Final = frozenset(  # names that computers, users and tables have which nobody named
    {"rappelwacht", "rappelwacht-hall", "raspberrypi", "localhost", "root"}
)
NAME_LETTERS: Final = 2  # shorter ones are words like any other
LOG_LINES: Final = 2_000
MARK_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Anonymiser:
    """Gives what could tell who and where somebody is a mark; a salt makes it another each time."""

    salt: bytes
    names: Iterable[str] = field(default_factory=tuple)  # of people and computers
    numbers: Iterable[str] = field(default_factory=tuple)  # such as the PIN: wherever they stand

    def apply(self, text: str) -> str:
        """Return a text with marks instead of names, addresses and long numbers."""
        text = normalize("NFC", text)
        for number in self.numbers:
            whole = re.compile(rf"(?:(?<!\d)|(?<=%[0-9A-Fa-f]{{2}}))(?:{_ways(number)})(?!\d)")
            text = whole.sub(self._mark("number", number), text)
        for name in sorted({normalize("NFC", name) for name in self.names}, key=len, reverse=True):
            if len(name) >= NAME_LETTERS and name.lower() not in HARMLESS | EVERYBODYS:
                before = r"(?:(?<![^\W_])|(?<=%[0-9A-Fa-f]{2}))"
                whole = re.compile(rf"{before}(?:{_ways(name)})(?=s?(?![^\W_]))", re.IGNORECASE)
                text = whole.sub(self._mark("name", name), text)
        for kind, pattern in ADDRESSES:
            text = pattern.sub(partial(self._hit, kind), text)
        return text

    def _hit(self, kind: str, hit: re.Match[str]) -> str:
        if kind != "address":
            return self._mark(kind, re.sub("[:-]", "", hit[0]) if kind == "board" else hit[0])
        ends = (hit[0], hit[0].rstrip(":."), hit[0].lstrip(":."), hit[0].strip(":."))
        address = next(filter(_is_address, ends), None)
        if address is None:
            return hit[0]
        before, _, after = hit[0].partition(address)
        return before + self._mark(kind, address) + after

    def _mark(self, kind: str, name: str) -> str:
        if name in HARMLESS:
            return name
        hashed = hashlib.blake2b(name.lower().encode(), key=self.salt).hexdigest()
        return f"[{kind} {hashed[:MARK_DIGITS]}]"


def _ways(name: str) -> str:
    """Return a pattern for how a name is written: as it is, as pages, addresses, Python or JSON do.

    What was quoted more than once has more backslashes.
    """
    ways = set[str]()
    for form in (normalize("NFC", name), normalize("NFD", name)):
        data = form.encode("utf-8", "replace")
        ways |= {form, ascii(form)[1:-1], json.dumps(form)[1:-1], repr(data)[2:-1]}
        ways |= {quote(form), quote(form, ""), quote_plus(form), html.escape(form)}
        ways |= {html.escape(form).replace("&#x27;", "&#39;"), b64encode(data).decode().rstrip("=")}
    longest = map(re.escape, sorted(ways, key=len, reverse=True))
    pattern = "|".join(longest).replace(2 * "\\", r"\\+")
    return pattern.replace("'", r"\\*'").replace('"', r"\\*" + '"')


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


def names_in(toml: str) -> list[str]:
    r"""Return what was left out of a configuration, for the doctor and the log may say it as well.

    >>> names_in('[hall]\nbroker = "attic"\nport = 1883')
    ['attic']
    """
    return [name for hit in SECRET.finditer(toml) for name in QUOTED.findall(hit[2])]


def kept_files(folder: Path) -> str:
    """Return which files a table keeps, and how large they are; never what is in them."""
    paths_kept = sorted((*folder.glob("*"), *(folder / paths.JOURNAL).glob("*.jsonl*")))
    return "\n".join(
        f"{path.stat().st_size:>12,}  {path.relative_to(folder)}"
        for path in paths_kept
        if path.is_file()
    )


def link(stoppers: Iterable[Mapping[str, Any]]) -> str:
    r"""Return how well each stopper is heard, from what the workshop shows of them.

    >>> link([{"number": 7, "heard_ago_s": 5, "rssi_dbm": -55, "lost_percent": 2}, {"number": 8}])
    'stopper 7: heard 5 s ago, -55 dBm, 2 % lost\nstopper 8: never heard'
    """
    shown = {
        "heard_ago_s": "heard {} s ago",
        "rssi_dbm": "{} dBm",
        "lost_percent": "{} % lost",
        "battery_percent": "battery {} %",
        "firmware": "firmware {}",
    }
    lines = []
    for stopper in stoppers:
        known = [
            words.format(stopper[name])
            for name, words in shown.items()
            if stopper.get(name) is not None
        ]
        lines.append(f"stopper {stopper['number']}: {', '.join(known) or 'never heard'}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a report tells of a table: its files, and what is known only while it runs."""

    folder: Path
    wiring: Path | None  # its configuration
    doctor: str
    link: str
    log: str
    pin: str | None = None
    names: tuple[str, ...] = ()  # of people and tables that stand in no file of people


def report(facts: TableFacts, salt: bytes) -> str:
    """Return all that somebody who helps wants to see."""
    book = PEOPLE_FILE.load(facts.folder, (Book(), 0.0))[0]
    file = facts.wiring
    toml = "" if file is None or not file.exists() else file.read_text("utf-8", "replace")
    program = f"Rappelwacht {__version__}, Python {platform.python_version()}"
    sections = {
        "Program": f"{program}, {platform.platform()}",
        "Doctor": facts.doctor,
        "Link": facts.link,
        "Configuration": without_secrets(toml),
        "Files": kept_files(facts.folder),
        "Log": facts.log,
    }
    names = [person.name for person in book.people if person.name]
    names += [socket.gethostname(), _user(), *names_in(toml), *facts.names]
    pins = () if facts.pin is None else (facts.pin,)
    return bundle(sections, Anonymiser(salt, names, pins))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # somebody without a name
        return ""


def bundle(sections: Mapping[str, str], anonymiser: Anonymiser) -> str:
    """Return the whole text; of a long section the end is kept, where the newest stands."""
    parts = []
    for title, text in sections.items():
        lines = text.rstrip().splitlines()
        cut = [f"… ({len(lines) - LOG_LINES} lines before)"] if len(lines) > LOG_LINES else []
        body = "\n".join([*cut, *lines[-LOG_LINES:]]) or "–"
        parts.append(f"## {title}\n\n{anonymiser.apply(body)}\n")
    return "\n".join(parts)
