"""Signs commands over MQTT (HMAC) and verifies them: right key, this table, fresh, not replayed.

One secret is agreed on when a table joins. What the broker is told is derived from it, and so is
the key by which commands are signed: a broker that is not honest cannot command. A clock need not
be right: what is fresh is judged by the table's, and each answer tells the hall what that says.

>>> from companion.mqtt.payloads import HallProposal
>>> key = signing_key("a secret")
>>> one = signed(HallCommand("r1", "attic", "Ada", 1_000, HallProposal("chess", {})), key)
>>> verifier = CommandVerifier("attic", key, began_ms=0)
>>> verifier.refuses(one, now_ms=1_500), verifier.refuses(one, now_ms=1_600)
(None, <RefusalReason.REPEATED: 'The table has already had this command.'>)
"""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from typing import Any, Final

from companion.mqtt.payloads import EXPIRY_S, HallCommand, write
from companion.system.errors import CompanionError


class RefusalReason(Enum):
    """Why not; its value is the sentence in English, and the key of its translations."""

    UNREADABLE = "The table does not understand this command; update the hall, or the table."
    FOREIGN = "This command is for another table."
    FORGED = "This command is not signed with the table's key; have the table join the hall again."
    REPEATED = "The table has already had this command."
    LATE = "This command comes too late; send it again."
    RETAINED = "A retained command is not obeyed; send it without the retain flag."
    NO_ANSWER = (
        "This command does not say where to send the answer; name a topic below the table's."
    )
    TOO_MANY = "Too many commands are arriving at once; wait a few seconds."
    STALE = "The table has moved on; look again, then decide."
    PLAYING = (
        "Another match is still being played there; the table is asked again as soon as "
        "that is over."
    )
    NO_SUCH_MATCH = "{why} So this match cannot be started here."
    BY_PEOPLE = "The people at the table do not want to play that."
    OFFLINE = "The table is not connected; check whether it is switched on."


def refusal_error(code: str | None, values: Mapping[str, Any] | None) -> CompanionError | None:
    """Return a table's answer as an error that can be told in any language; None: it agreed.

    Of what else it says, only what its sentence asks for is used.
    """
    if code is None:
        return None
    reason = RefusalReason.__members__.get(code, RefusalReason.UNREADABLE)
    if reason is not RefusalReason.NO_SUCH_MATCH:
        return CompanionError(reason.value)
    if not values or "why" not in values:
        return CompanionError(RefusalReason.UNREADABLE.value)
    return CompanionError(reason.value, why=str(values["why"])[:400])


FRESH_MS: Final = 1000 * EXPIRY_S
REMEMBERED: Final = 1_000  # requests; those that are forgotten are no longer fresh
SECRET_BYTES: Final = 20


def new_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


def password(secret: str) -> str:
    """Return what proves to the broker who it is."""
    return _derived(secret, "the broker's password").hexdigest()[:40]


def signing_key(secret: str) -> bytes:
    """Return the key of commands, which the broker never hears."""
    return _derived(secret, "the key of commands").digest()


def _derived(secret: str, use: str) -> hmac.HMAC:
    return hmac.new(secret.encode(), use.encode(), sha256)


def signed(command: HallCommand, key: bytes) -> HallCommand:
    return replace(command, signature=_signature(command, key))


def _signature(command: HallCommand, key: bytes) -> str:
    return hmac.new(key, write(replace(command, signature="")), sha256).hexdigest()


class CommandVerifier:
    """Lets a command in only once, and only while it is fresh."""

    def __init__(self, table: str, key: bytes, began_ms: int) -> None:
        self._table, self._key = table, key
        self._began_ms = began_ms  # anything older may have been done before this start
        self._had: OrderedDict[str, int] = OrderedDict()  # when, by their own time stamps

    def refuses(self, command: HallCommand, now_ms: int) -> RefusalReason | None:
        """Return why a command must not be obeyed; None: obey it, but not a second time."""
        if command.table != self._table:
            return RefusalReason.FOREIGN
        if not hmac.compare_digest(_signature(command, self._key), command.signature):
            return RefusalReason.FORGED
        if command.request in self._had:
            return RefusalReason.REPEATED
        self._began_ms = min(self._began_ms, now_ms)  # the clock was set back
        if abs(now_ms - command.at_ms) > FRESH_MS or command.at_ms < self._began_ms:
            return RefusalReason.LATE
        self._forget(now_ms)
        if len(self._had) >= REMEMBERED:
            return RefusalReason.TOO_MANY
        self._had[command.request] = command.at_ms
        return None

    def _forget(self, now_ms: int) -> None:
        for request, at_ms in list(self._had.items()):
            if at_ms < now_ms - FRESH_MS:
                del self._had[request]
