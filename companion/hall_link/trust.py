"""Whom the two sides trust: one authority, and a broker with the name that goes with it.

A hall's own authority signs nothing but the certificate of its broker, which bears one name for
ever; so an address can change. Under any other authority, the broker's name must be the one under
which it is found.
"""

from __future__ import annotations

import re
import socket
import ssl
from hashlib import sha256
from typing import Any, Final

AUTHORITY: Final = "Rappelwacht"  # the name of a hall's own authority
BROKER: Final = "hall.rappelwacht"  # and its broker, wherever that is
MARK_LETTERS: Final = 4  # twice
CERTIFICATE: Final = re.compile(
    "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL
)


class Trust(ssl.SSLContext):
    """Trusts one authority; `fault` is why whoever answered last was not trusted."""

    name: str = BROKER
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
    trust.name = BROKER if AUTHORITY in _names(trust) else host
    return trust


def _names(trust: Trust) -> set[str]:
    """Return the names of the authorities."""
    subjects: Any = [one.get("subject", ()) for one in trust.get_ca_certs()]
    return {value for one in subjects for part in one for _, value in part}


def first(text: str) -> bytes | None:
    """Return the first certificate of a text in PEM, as bytes; None: there is none."""
    found = CERTIFICATE.search(text)
    return None if found is None else ssl.PEM_cert_to_DER_cert(found.group())


def mark(authority: str | None) -> str | None:
    """Return a few letters by which people can tell authorities apart; None: there is none."""
    der = None if authority is None else first(authority)
    if der is None:
        return None
    letters = sha256(der).hexdigest().upper()
    return f"{letters[:MARK_LETTERS]}-{letters[MARK_LETTERS : 2 * MARK_LETTERS]}"
