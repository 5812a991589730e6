"""Which hall a table belongs to: what its configuration says, else what it joined by a code.

join(folder, join_code.read(text))        # from then on
found = joined(wiring.hall, folder)       # None: to none
"""

from __future__ import annotations

import json
import logging
import ssl
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from companion import config, private_files
from companion.errors import CompanionError
from companion.hall_link.client import PORT, TLS_PORT, Broker
from companion.hall_link.join_code import Joining
from companion.hall_link.signing import password, signing_key

LOG: Final = logging.getLogger(__name__)
FILE: Final = "hall.json"
MOST_BYTES: Final = 20_000
ANSWER_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Membership:
    """A table's place in a hall."""

    table: str
    broker: Broker
    key: bytes | None = None  # of commands; None: nobody in the hall proposes anything
    delay_s: int = 0
    home_assistant: bool = False


def membership(section: config.Hall | None, folder: Path) -> Membership | None:
    """Return the hall of a table; what is wrong there is logged, and no reason not to play."""
    try:
        return joined(section, folder)
    except CompanionError as fault:
        LOG.warning("The table belongs to no hall now: %s", fault)
        return None


def joined(section: config.Hall | None, folder: Path) -> Membership | None:
    """Return the hall of a table; None: it belongs to none. CompanionError: what is missing."""
    section = section or config.Hall()
    if section.broker is None:
        return _by_code(section, folder)
    if section.table is None:
        raise CompanionError("[hall] names a broker and not the table; add a line table = '…'.")
    authority = None if section.authority is None else _certificate(Path(section.authority))
    port = section.port or (PORT if authority is None else TLS_PORT)
    account = section.account or (section.table if section.password else "")
    broker = Broker(section.broker, port, account, section.password or "", authority)
    key = None if section.key is None else signing_key(section.key)
    return Membership(section.table, broker, key, section.delay_s, section.home_assistant)


def _certificate(file: Path) -> str:
    try:
        return private_files.read(file, MOST_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not PEM"
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=file, reason=reason
        ) from error


def _by_code(section: config.Hall, folder: Path) -> Membership | None:
    try:
        said: dict[str, Any] = json.loads(private_files.read(folder / FILE, MOST_BYTES))
        table, secret = str(said["table"]), str(said["secret"])
        authority = said["authority"]
        broker = Broker(said["host"], said["port"], table, password(secret), authority)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError):
        raise CompanionError(
            "{file} cannot be read; join the hall again with its code.", file=folder / FILE
        ) from None
    return Membership(table, broker, signing_key(secret), section.delay_s, section.home_assistant)


def join(folder: Path, joining: Joining) -> None:
    """Keep what a code says; the broker must be there and be the one that the code means."""
    said = {
        "host": joining.host,
        "port": joining.port,
        "table": joining.table,
        "secret": joining.secret,
        "authority": None if joining.mark is None else _pinned(joining, joining.mark),
    }
    private_files.write(folder / FILE, json.dumps(said).encode())


def leave(folder: Path) -> bool:
    """Belong to no hall any more; return whether it did."""
    with suppress(FileNotFoundError):
        (folder / FILE).unlink()
        return True
    return False


def _pinned(joining: Joining, mark: bytes) -> str:
    """Return the broker's certificate, if it is the one that the code means."""
    try:
        found = ssl.get_server_certificate((joining.host, joining.port), timeout=ANSWER_S)
    except OSError as error:
        raise CompanionError(
            "The hall's computer {host} does not answer at port {port} ({reason}); look whether it "
            "is switched on and in the same network.",
            host=joining.host,
            port=joining.port,
            reason=error.strerror or error,
        ) from error
    if sha256(ssl.PEM_cert_to_DER_cert(found)).digest() != mark:
        raise CompanionError(
            "The computer {host} is not the one that gave this code; take a new code from the "
            "director's page.",
            host=joining.host,
        )
    return found
