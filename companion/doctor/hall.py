"""Whether a hall can be reached: its computer, its certificate by our clock, and our account there.

It must not know what is said to a hall.
"""

from __future__ import annotations

import socket
import ssl
from threading import Event
from typing import Final

from companion.condition import State
from companion.doctor.finding import Finding, found
from companion.hall_link.client import Broker, Client, pinned

TRY_S: Final = 5.0
NOT_YET, NO_LONGER = 9, 10  # as OpenSSL counts what is wrong with a certificate


class Hall(State):
    """How the way to the hall is."""

    JOINED = "The hall's broker at {host}, port {port}, is there and lets this table in."
    UNREACHABLE = (
        "The hall's broker at {host}, port {port}, does not answer ({reason}); look whether its "
        "computer is switched on and in the same network. The table plays on without it."
    )
    CLOCK = (
        "By the clock of this computer the certificate of {host} is not valid now; look at the "
        "clock with: date – and if that is right, have the table join the hall anew."
    )
    OTHER = (
        "The computer {host} does not have the certificate that this table knows; have the table "
        "join the hall anew, with a new code."
    )
    REFUSED = (
        "The hall's broker at {host} does not let this table in ({reason}); have it join anew, or "
        "look at account and password under [hall]."
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is Hall.JOINED


def judge(broker: Broker) -> Finding:
    """Try the way to a broker, as the table goes it."""
    where: dict[str, object] = {"host": broker.host, "port": broker.port}
    try:
        with socket.create_connection((broker.host, broker.port), TRY_S) as line:
            if broker.authority is not None:
                pinned(broker.authority).wrap_socket(line).close()
    except ssl.SSLCertVerificationError as error:
        by_clock = error.verify_code in {NOT_YET, NO_LONGER}
        return found("hall", Hall.CLOCK if by_clock else Hall.OTHER, **where)
    except ssl.SSLError:
        return found("hall", Hall.OTHER, **where)
    except OSError as error:
        return found("hall", Hall.UNREACHABLE, **where, reason=error.strerror or error)
    return _let_in(broker, where)


def _let_in(broker: Broker, where: dict[str, object]) -> Finding:
    changed = Event()
    client = Client(broker, "", lambda _: None, changed.set)
    client.start()
    changed.wait(TRY_S)
    connected, why = client.connected, client.why
    client.close()
    if connected:
        return found("hall", Hall.JOINED, **where)
    return found("hall", Hall.REFUSED, **where, reason=why)
