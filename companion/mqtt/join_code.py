"""The code by which a table joins a hall: short enough for a QR code, and checked as a whole.

It contains the authority that the table trusts from then on, so nobody has to be asked for it.

>>> code = write(Joining("192.168.1.5", 8883, "attic", "a secret", bytes(range(200))))
>>> code[:24], len(code) < 400
('RW1-EIYTSMROGE3DQLRRFY2S', True)
>>> read(code.lower()[:40] + " " + code.lower()[40:]).table
'attic'
>>> read(code[:30] + "A" + code[31:])
Traceback (most recent call last):
companion.system.errors.CompanionError: This code was not read or typed correctly; try it again.
"""

import base64
import binascii
import json
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from companion.mqtt.topics import is_name
from companion.system import certificates, private_files
from companion.system.errors import CompanionError
from companion.system.safe_json import load_json
from companion.system.small_files import SmallFile, object_in, to_json

VERSION: Final = 1
HEAD: Final = "RW"
LONGEST: Final = 4_000  # letters; no QR code holds more
SEAL_BYTES: Final = 4
MOST_BYTES: Final = 20_000  # of a certificate in PEM


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
    parts = [joining.host, joining.port, joining.table, joining.secret]
    body = (
        json.dumps(parts, separators=(",", ":"))[1:-1].encode() + b"\0" + (joining.authority or b"")
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
    values, _, authority = body.partition(b"\0")
    try:
        host, port, table, secret = load_json(b"[" + values + b"]")
    except ValueError:
        raise _spoilt() from None
    joining = Joining(host, port, table, secret, authority or None)
    if not is_sound(joining):
        raise _spoilt()
    return joining


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


FILE: Final = "hall.json"


def _packed(joining: Joining | None) -> bytes:
    assert joining is not None
    parts = {
        "host": joining.host,
        "port": joining.port,
        "table": joining.table,
        "secret": joining.secret,
        "authority": joining.authority and ssl.DER_cert_to_PEM_cert(joining.authority),
    }
    return to_json(parts)


def _unpacked(data: bytes) -> Joining | None:
    parts: dict[str, Any] = object_in(data)
    authority = parts["authority"] and ssl.PEM_cert_to_DER_cert(parts["authority"])
    joining = Joining(parts["host"], parts["port"], parts["table"], parts["secret"], authority)
    if not is_sound(joining):
        raise ValueError("no table joined such a hall")
    return joining


HALL_FILE: Final[SmallFile[Joining | None]] = SmallFile(FILE, _packed, _unpacked, 20_000)


def leave(folder: Path) -> bool:
    """Leave the hall; return whether it belonged to one."""
    with suppress(FileNotFoundError):
        (folder / FILE).unlink()
        return True
    return False


MARK_LETTERS: Final = 4  # twice


class Trust(ssl.SSLContext):
    """Trusts one authority; `fault` is why whoever answered last was not trusted."""

    name: str = certificates.HALL_BROKER
    fault: OSError | None = None

    def wrap_socket(self, sock: socket.socket, *_: object, **__: object) -> ssl.SSLSocket:
        """Return the connection, encrypted, once whoever answers has proved to be the right one."""
        self.fault = None
        line = super().wrap_socket(sock, do_handshake_on_connect=False, server_hostname=self.name)
        try:
            line.do_handshake()
        except OSError as fault:
            self.fault = fault
            raise
        return line


def pinned(authority: str, host: str) -> Trust:
    """Return what trusts an authority, given in PEM, and nobody else."""
    trust = Trust(ssl.PROTOCOL_TLS_CLIENT)
    trust.minimum_version = ssl.TLSVersion.TLSv1_2
    trust.load_verify_locations(cadata=authority)
    trust.name = certificates.HALL_BROKER if certificates.HALL in _names(trust) else host
    return trust


def _names(trust: Trust) -> set[str]:
    subjects: Any = [certificate.get("subject", ()) for certificate in trust.get_ca_certs()]
    return {value for subject in subjects for part in subject for _, value in part}


def first_certificate(text: str) -> bytes | None:
    """Return the first certificate of a text in PEM, as bytes; None: there is none."""
    certificate = certificates.CERTIFICATE.search(text)
    return None if certificate is None else ssl.PEM_cert_to_DER_cert(certificate.group())


def read_certificate(file: Path) -> str:
    """Return what a file in PEM holds; raise CompanionError if no certificate is among it."""
    try:
        text = private_files.read(file, MOST_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not PEM"
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=file, reason=reason
        ) from error
    if first_certificate(text) is None:
        raise CompanionError(
            "{file} does not contain a certificate; name a PEM file, which begins with BEGIN "
            "CERTIFICATE.",
            file=file,
        )
    return text


def fingerprint(authority: str | None) -> str | None:
    """Return a few letters by which people can tell authorities apart; None: there is none."""
    der = None if authority is None else first_certificate(authority)
    if der is None:
        return None
    letters = sha256(der).hexdigest().upper()
    return f"{letters[:MARK_LETTERS]}-{letters[MARK_LETTERS : 2 * MARK_LETTERS]}"
