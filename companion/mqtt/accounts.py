"""The configuration of Mosquitto: who may write what, how much it keeps, and where it listens.

Each table writes only below its own name. What everybody at a table sees, and that it is there, may
be read by a home automation; all else is closed, also among tables. Nobody comes in without an
account: a single guest who listens and reads nothing would fill the broker's memory in an evening.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.mqtt import payloads, topics
from companion.mqtt.topics import TopicKind

HALL: Final = "hall"  # its account; no table can be called that
HOME: Final = "home"  # that of a home automation
RESERVED: Final = (HALL, HOME)
OPEN: Final = (TopicKind.ONLINE, TopicKind.STATE)
WRITTEN_BY_TABLES: Final = (TopicKind.ONLINE, TopicKind.STATE, TopicKind.EVENTS, TopicKind.ANSWER)
WRITTEN_BY_HALL: Final = (TopicKind.HAVE, TopicKind.COMMAND)
DISCOVERY: Final = "homeassistant"
ITERATIONS, SALT_BYTES = 101, 12  # as mosquitto_passwd has it; people do not choose our passwords
QUEUED: Final = 20_000  # messages; with its default of 1,000, latecomers miss retained ones
QUEUED_BYTES: Final = 32 * 1024 * 1024  # the same, for whoever reads nothing
LIMIT_BYTES: Final = max(payloads.MOST_BYTES.values()) + 1_000


@dataclass(frozen=True, slots=True)
class Listener:
    """Where the broker listens."""

    port: int
    host: str | None = None  # None: on every address
    certificate: Path | None = None  # a file that holds its key, too; None: not encrypted
    connections: int = 3_000  # more than all tables of a hall and everybody who looks on


def access(tables: Iterable[str]) -> str:
    """Return the file that says who may read and write what."""
    lines = [f"user {HALL}", *_reads(TopicKind)]
    lines += [f"topic write {topics.of_all(kind)}" for kind in WRITTEN_BY_HALL]
    lines += ["", f"user {HOME}", *_reads(OPEN)]
    lines += [f"topic read {DISCOVERY}/#", f"topic write {DISCOVERY}/status"]
    for table in tables:
        lines += ["", f"user {_named(table)}", *_of_table(table)]
    return "\n".join(lines) + "\n"


def _reads(kinds: Iterable[TopicKind]) -> list[str]:
    return [f"topic read {topics.of_all(kind)}" for kind in kinds]


def _of_table(table: str) -> Iterator[str]:
    for kind in WRITTEN_BY_TABLES:
        yield f"topic write {topics.topic(table, kind)}"
    for kind in WRITTEN_BY_HALL:
        yield f"topic read {topics.topic(table, kind)}"
    yield f"topic write {DISCOVERY}/device/{device(table)}/config"
    yield f"topic read {DISCOVERY}/status"


def device(table: str) -> str:
    """Return the name by which a home automation system knows a table."""
    return f"rappelwacht-{table}"


def passwords(accounts: Iterable[tuple[str, str]]) -> str:
    """Return the file of accounts with the hashes of their passwords."""
    return "".join(f"{_named(name, *RESERVED)}:{hashed(word)}\n" for name, word in accounts)


def hashed(password: str) -> str:
    """Return what mosquitto_passwd would write for a password."""
    salt = secrets.token_bytes(SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def configuration(listeners: Iterable[Listener], folder: Path, *, user: str | None = None) -> str:
    """Return the configuration of a hall's broker; its other files lie in the folder.

    Begun by root it becomes another user, `mosquitto` if none is named, who has to read them.
    """
    lines = [
        *("per_listener_settings false", "allow_anonymous false"),
        *(f"password_file {folder / 'passwords'}", f"acl_file {folder / 'access'}"),
        *(f"max_queued_messages {QUEUED}", f"max_queued_bytes {QUEUED_BYTES}"),
        "max_inflight_messages 100",
        *(f"max_packet_size {LIMIT_BYTES}", "max_keepalive 120", "connection_messages false"),
        *("retain_available true", "persistent_client_expiration 1d"),
        "set_tcp_nodelay true",  # otherwise somebody now and then waits 40 ms for nothing
        *("persistence true", f"persistence_location {folder}/", "autosave_interval 60"),
    ]
    if user is not None:
        lines.append(f"user {user}")
    for listener in listeners:
        lines.append(f"listener {listener.port} {listener.host or ''}".rstrip())
        lines.append(f"max_connections {listener.connections}")
        if listener.certificate is not None:
            own = listener.certificate
            lines += [f"certfile {own}", f"keyfile {own}", "tls_version tlsv1.2"]
    return "\n".join(lines) + "\n"


def _named(account: str, *also: str) -> str:
    if account not in also and (not topics.is_name(account) or account in RESERVED):
        raise ValueError(f"{account!r} cannot be the name of a table")
    return account
