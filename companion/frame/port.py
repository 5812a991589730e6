"""Where phones call: a socket whose lines the kernel gives up once nobody is at their other end."""

from __future__ import annotations

import errno
import secrets
import socket
from pathlib import Path
from typing import Final

from companion.errors import CompanionError

USUAL_PORT: Final = 8000
SILENT_MS: Final = 25_000  # the kernel waits this long; with a heartbeat before: less than 40 s
SEND_BUFFER_BYTES: Final = 64 * 1024  # what lies there is outdated when it is read
LENT: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")  # which ports the kernel lends
FIRST_PORT: Final = 20_000
TRIES: Final = 100


def listening(port: int | None, host: str = "") -> socket.socket:
    """Return a socket at which phones call; what is set here, each of their lines inherits.

    None is the usual port or, if that is taken, any that is free, as 0 is.
    """
    if port is None:
        try:
            return listening(USUAL_PORT, host)
        except CompanionError:
            return listening(0, host)
    everywhere = not host and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if everywhere or ":" in host else socket.AF_INET
    try:
        line = socket.create_server((host, port), family=family, dualstack_ipv6=everywhere)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CompanionError(
                "Port {port} is in use, perhaps by another table; stop that one, or use another "
                "port.",
                port=port,
            ) from None
        raise CompanionError(
            "The pages cannot be served at port {port} ({reason}); use another port.",
            port=port,
            reason=error.strerror,
        ) from None
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
    return line


def free_port(host: str) -> int:
    """Return a port that nobody listens at, and that stays so.

    The kernel lends high ports to whoever calls somewhere: one of these may be taken for a moment
    whenever its owner begins again.
    """
    try:
        end = int(LENT.read_text("ascii").split()[0])
    except (OSError, ValueError, IndexError):
        end = 0
    for _ in range(TRIES if end > FIRST_PORT else 0):
        port = FIRST_PORT + secrets.randbelow(end - FIRST_PORT)
        if is_free(host, port):
            return port
    with socket.create_server((host, 0)) as line:
        found: int = line.getsockname()[1]
    return found


def is_free(host: str, port: int) -> bool:
    """Tell whether nobody listens at a port."""
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True
