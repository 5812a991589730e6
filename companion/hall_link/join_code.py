"""The text by which a table joins a hall: short enough for a QR code, and checked as a whole.

It contains the authority that the table trusts from then on, so nobody has to be asked for it.

>>> code = write(Joining("192.168.1.5", 8883, "attic", "a secret", bytes(range(200))))
>>> code[:24], len(code) < 400
('RW1-EIYTSMROGE3DQLRRFY2S', True)
>>> read(code.lower()[:40] + " " + code.lower()[40:]).table
'attic'
>>> read(code[:30] + "A" + code[31:])
Traceback (most recent call last):
companion.errors.CompanionError: This code was not read or typed correctly; try it again.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from companion.errors import CompanionError
from companion.hall_link.topics import is_name
from companion.safe_json import load_json

VERSION: Final = 1
HEAD: Final = "RW"
LONGEST: Final = 4_000  # letters; no QR code holds more
SEAL_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Joining:
    """What a table has to know of the hall that it joins."""

    host: str  # or several, by spaces, that are tried in turn
    port: int
    table: str  # as it is called there, which is its account, too
    secret: str  # from which its password and the key of commands are derived
    authority: bytes | None  # the only certificate that is believed; None: nothing is encrypted


def write(joining: Joining) -> str:
    """Return the code: capitals and digits, which take the least room in a QR code."""
    said = [joining.host, joining.port, joining.table, joining.secret]
    body = (
        json.dumps(said, separators=(",", ":"))[1:-1].encode() + b"\0" + (joining.authority or b"")
    )
    sealed = body + crc32(body).to_bytes(SEAL_BYTES, "big")
    return f"{HEAD}{VERSION}-{base64.b32encode(sealed).decode().rstrip('=')}"


def read(text: str) -> Joining:
    """Return what a code says; CompanionError if it is not one, or not complete."""
    code = "".join(text.upper().split()).replace("_", "")
    head, _, rest = code.partition("-")
    if len(code) > LONGEST or not head.startswith(HEAD) or not head[len(HEAD) :].isdigit():
        raise CompanionError(
            "This is not the code of a hall; those begin with {head}{version}- and are shown on "
            "the director's page.",
            head=HEAD,
            version=VERSION,
        )
    if int(head[len(HEAD) :]) != VERSION:
        raise CompanionError("A hall of another version wrote this code; update the older one.")
    body = _body(rest)
    said, _, authority = body.partition(b"\0")
    try:
        host, port, table, secret = load_json(b"[" + said + b"]")
    except ValueError:
        raise _spoilt() from None
    found = Joining(host, port, table, secret, authority or None)
    if not is_sound(found):
        raise _spoilt()
    return found


def _body(rest: str) -> bytes:
    try:
        sealed = base64.b32decode(rest + "=" * (-len(rest) % 8))
    except (binascii.Error, ValueError):
        raise _spoilt() from None
    body, seal = sealed[:-SEAL_BYTES], sealed[-SEAL_BYTES:]
    if crc32(body).to_bytes(SEAL_BYTES, "big") != seal:
        raise _spoilt()
    return body


def is_sound(joining: Joining) -> bool:
    """Tell whether there can be such a hall: whatever it was read from may say anything."""
    words: tuple[object, ...] = (joining.host, joining.table, joining.secret)
    if not all(isinstance(word, str) and word.isprintable() and word.strip() for word in words):
        return False
    port: object = joining.port
    return type(port) is int and 0 < port < 2**16 and is_name(joining.table)


def _spoilt() -> CompanionError:
    return CompanionError("This code was not read or typed correctly; try it again.")
