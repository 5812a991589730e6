"""Which hall a table belongs to: what its configuration says, else what it joined by a code.

keep(folder, join_code.read(text))        # from then on
found = joined(wiring.hall, folder)       # None: to none
"""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion import config, private_files
from companion.condition import Report
from companion.errors import CompanionError
from companion.hall_link.client import PORT, TLS_PORT, Broker
from companion.hall_link.kept_joining import HALL_FILE
from companion.hall_link.signing import password, signing_key
from companion.hall_link.trust import first

MOST_BYTES: Final = 20_000
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Membership:
    """A table's place in a hall."""

    table: str
    broker: Broker
    key: bytes | None = None  # of commands; None: nobody in the hall proposes anything
    delay_s: int = 0
    home_assistant: bool | str = False


def membership(
    section: config.Hall | None, folder: Path, report: Report = lambda _: None
) -> Membership | None:
    """Return the hall of a table; what is wrong there is logged, and no reason not to play."""
    try:
        HALL_FILE.load(folder, None, report)  # what cannot be used is out of the way from now on
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
        text = private_files.read(file, MOST_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not PEM"
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=file, reason=reason
        ) from error
    if first(text) is None:
        raise CompanionError(
            "{file} does not contain a certificate; name a PEM file, which begins with BEGIN "
            "CERTIFICATE.",
            file=file,
        )
    return text


def _by_code(section: config.Hall, folder: Path) -> Membership | None:
    try:
        found = HALL_FILE.read(folder)
    except CompanionError as fault:
        raise CompanionError(
            "{file} cannot be read; join the hall again with its code.",
            file=folder / HALL_FILE.name,
        ) from fault
    if found is None:
        return None
    authority = found.authority and ssl.DER_cert_to_PEM_cert(found.authority)
    word = password(found.secret)
    broker = Broker(found.host, found.port, found.table, word, authority or None)
    key = signing_key(found.secret)
    return Membership(found.table, broker, key, section.delay_s, section.home_assistant)
