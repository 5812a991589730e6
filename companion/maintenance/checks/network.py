"""Checks the network: whether the port is free, and the computer's name (mDNS, avahi).

Nothing is sent to other computers: avahi, which answers for names that end in .local, is asked at
its socket on this one.
"""

import errno
import socket
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.maintenance.checks.result import CheckResult, check_result
from companion.system import format_names, status

AVAHI: Final = Path("/run/avahi-daemon/socket")
INSTALLED: Final = Path("/usr/sbin/avahi-daemon")
ANSWER_S: Final = 6.0  # avahi itself gives up after five
AT_ONCE_S: Final = 0.2
LONGEST: Final = 1024
LOOPBACK: Final = "127."


@format_names.format_name("Door")
class PortCheck(status.Status):
    """Whether the pages can be served at their port."""

    FREE = status.Fine("Port {port} is free for the pages.")
    TAKEN = (
        "Another program uses port {port}, where phones look for the pages; stop it, or choose "
        "another with --port."
    )
    DENIED = "This user may not use port {port}; choose one from 1024 on, with --port."


@format_names.format_name("Name")
class Name(status.Status):
    FOUND = status.Fine("Phones find this computer as {name}.")
    NOBODY = (
        "Phones find this computer only by its address, not as {name}; to change that, run: sudo "
        "apt-get install avahi-daemon"
    )
    STOPPED = (
        "Phones find this computer only by its address, not as {name}: avahi-daemon is installed "
        "but not running; run: sudo systemctl enable --now avahi-daemon"
    )
    UNANSWERED = (
        "Nobody answers for the name {name}; run: sudo systemctl restart avahi-daemon – and "
        "check again."
    )
    TAKEN = (
        "Another device is called {name}, at {address}; give this computer another name, with: "
        "sudo hostnamectl set-hostname"
    )
    UNKNOWN = status.Fine("This computer is not on a network, so nobody can look up its name.")


def check_port(port: int) -> CheckResult:
    """Try whether somebody could serve at a port, as the pages do: with IPv6, where there is."""
    both = socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    try:
        socket.create_server(("", port), family=family, dualstack_ipv6=both).close()
    except OSError as error:
        denied = error.errno in {errno.EACCES, errno.EPERM}
        return check_result("port", PortCheck.DENIED if denied else PortCheck.TAKEN, port=port)
    return check_result("port", PortCheck.FREE, port=port)


def check_name(
    own: Sequence[str], host: str, avahi: Path = AVAHI, installed: Path = INSTALLED
) -> CheckResult:
    """Judge the name of this computer, which has these addresses."""
    local = f"{host.partition('.')[0].lower()}.local"
    if not own:
        return check_result("name", Name.UNKNOWN)
    if not avahi.exists():
        return check_result("name", Name.STOPPED if installed.exists() else Name.NOBODY, name=local)
    address = resolve(local, avahi)
    if address is None:
        return check_result("name", Name.UNANSWERED, name=local)
    if address in own or address.startswith(LOOPBACK):
        return check_result("name", Name.FOUND, name=local)
    return check_result("name", Name.TAKEN, name=local, address=address)


def is_avahi_running(avahi: Path = AVAHI) -> bool:
    """Tell at once whether avahi is there; what it would answer is not asked."""
    with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(AT_ONCE_S)
        line.connect(str(avahi))
        return True
    return False


def resolve(local: str, avahi: Path = AVAHI) -> str | None:
    """Return the address that avahi knows for a name; None, if it knows none or does not answer."""
    with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(ANSWER_S)
        line.connect(str(avahi))
        line.sendall(f"RESOLVE-HOSTNAME-IPV4 {local}\n".encode())
        words = line.recv(LONGEST).decode("ascii", "replace").split()
        if words[:1] == ["+"] and len(words) == 5:  # interface, protocol, name, address
            return words[4]
    return None
