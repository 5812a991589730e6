"""Checks the network: whether the port is free, the computer's name (mDNS, avahi), its Wi-Fi.

Nothing is sent to other computers: avahi, which answers for names that end in .local, is asked at
its socket on this one.
"""

import errno
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.maintenance import health
from companion.maintenance.checks.result import CheckResult, check_result
from companion.system import format_names, status

AVAHI: Final = Path("/run/avahi-daemon/socket")
INSTALLED: Final = Path("/usr/sbin/avahi-daemon")
ANSWER_S: Final = 6.0  # avahi itself gives up after five
AT_ONCE_S: Final = 0.2
LONGEST: Final = 1024
LOOPBACK: Final = "127."
WEB_PORTS: Final = frozenset({80, 443})
LISTENS: Final = "0A"  # a state in /proc/net/tcp


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


@format_names.format_name("Wifi")
class WifiCheck(status.Status):
    """Whether this computer's own Wi-Fi leaves the hub in peace."""

    NONE = status.Fine("This computer has no Wi-Fi of its own that could disturb the hub.")
    IDLE = status.Fine("The Wi-Fi of this computer is on no channel, so it disturbs no hub.")
    UNKNOWN = status.Fine(
        "This computer has Wi-Fi, but neither iw nor nmcli says on which channel; to learn it, "
        "run: sudo apt-get install iw"
    )
    FAR = status.Fine("The Wi-Fi of this computer is at {mhz} MHz, where it disturbs no hub.")
    APART = status.Fine(
        "The Wi-Fi of this computer is on channel {wifi} and the hub on {channel}: that goes well."
    )
    CLOSE = (
        "The Wi-Fi of this computer is on channel {wifi} and the hub on {channel}, so they disturb "
        "each other; write channel = {wifi} into [hub], then they wait for each other."
    )
    UNSAID = status.Fine(
        "The Wi-Fi of this computer is on channel {wifi}: the hub belongs on the same one, or on "
        "one that is at least five away; channel in [hub] says which."
    )


@format_names.format_name("Proxy")
class ProxyCheck(status.Status):
    """Whether a proxy of this computer brings people whom the table takes for its own."""

    NONE = status.Fine("No web server of this computer stands in front of the pages.")
    NAMED = status.Fine("Who comes through a proxy counts by their own address.")
    UNNAMED = (
        "Another program answers at port {port}. If it is a proxy that brings people from outside "
        'to the table, write proxies = ["127.0.0.1"] into [web]; without that, all of them count '
        "as one, and as sitting at this computer."
    )


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


def check_proxy(proxies: Sequence[str], system: Path = Path("/")) -> CheckResult:
    """Judge whether a web server of this computer is named in the configuration, as a proxy."""
    if proxies:
        return check_result("proxy", ProxyCheck.NAMED)
    open_ports = {
        int(words[1].rpartition(":")[2], 16)
        for file in ("proc/net/tcp", "proc/net/tcp6")
        if (system / file).exists()
        for words in map(str.split, (system / file).read_text("ascii").splitlines()[1:])
        if words[3] == LISTENS
    }
    web = open_ports & WEB_PORTS
    if not web:
        return check_result("proxy", ProxyCheck.NONE)
    return check_result("proxy", ProxyCheck.UNNAMED, port=max(web))


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


APART: Final = 5  # channels, of 5 MHz each
BAND_MHZ: Final = (2412, 2472)  # in which a hub sends, too
IW: Final = ("iw", "dev")
NMCLI: Final = ("nmcli", "-t", "-f", "active,freq", "device", "wifi", "list", "--rescan", "no")
IW_FREQUENCY: Final = re.compile(r"channel \d+ \((\d+) MHz\)")
NMCLI_FREQUENCY: Final = re.compile(r"^yes:(\d+) MHz", re.MULTILINE)


def check_wifi(
    channel: int | None,
    system: Path = Path("/"),
    ask: Callable[[Sequence[str]], str | None] = health.says,
) -> CheckResult:
    """Judge on which channel the own Wi-Fi is, beside the hub's; None: that one is as it is."""
    if not any((system / "sys/class/net").glob("*/wireless")):
        return check_result("wifi", WifiCheck.NONE)
    asked = ((ask(IW), IW_FREQUENCY), (ask(("/usr/sbin/iw", "dev")), IW_FREQUENCY))
    answers = [(text, pattern) for text, pattern in (*asked, (ask(NMCLI), NMCLI_FREQUENCY)) if text]
    if not answers:
        return check_result("wifi", WifiCheck.UNKNOWN)
    frequencies = [int(mhz) for text, pattern in answers for mhz in pattern.findall(text)]
    low, high = BAND_MHZ
    near = [mhz for mhz in frequencies if low <= mhz <= high]
    if not frequencies:
        return check_result("wifi", WifiCheck.IDLE)
    if not near:
        return check_result("wifi", WifiCheck.FAR, mhz=frequencies[0])
    wifi = (near[0] - low) // 5 + 1
    if channel is None:
        return check_result("wifi", WifiCheck.UNSAID, wifi=wifi)
    is_close = 0 < abs(wifi - channel) < APART
    state = WifiCheck.CLOSE if is_close else WifiCheck.APART
    return check_result("wifi", state, wifi=wifi, channel=channel)
