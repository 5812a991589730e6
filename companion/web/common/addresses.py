"""IP addresses and host names: this computer's own, and those from which somebody calls."""

import re
import socket
import time
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from typing import Final

from companion.maintenance.checks import network
from companion.system.config import WebConfig
from companion.system.text import Text

FIB: Final = Path("/proc/net/fib_trie")  # every address of this computer, and the routes to it
SIX: Final = Path("/proc/net/if_inet6")  # its addresses of version 6, one a line
ELSEWHERE: Final = "192.0.2.1"  # an address for documents; nothing is sent there
STALE_S: Final = 2.0
NOWHERE: Final = "localhost"  # what a browser of this computer finds without any network
AGAIN: Final = re.compile(  # what avahi makes of the name of a second table in one house
    r"-(?:[2-9]|[1-9][0-9])\.local$"
)
NEIGHBOURS: Final = 64  # bits: whoever has one address of version 6 has all that share these
NO_NETWORK: Final = Text(
    "This computer is in no network, so no phone finds it yet; connect it to the one that the "
    "phones use."
)
PASSING: Final = 0x01  # the flag of an address that Linux made up for a few days


class OwnAddresses:
    """The name and addresses of this computer, asked again: a Pi may join its Wi-Fi late."""

    def __init__(  # noqa: PLR0913, PLR0917 - all by which a computer is called
        self,
        port: int,
        own: Callable[[], tuple[str, ...]] | None = None,
        name: str | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        named: Callable[[], bool] = network.is_avahi_running,
        web: WebConfig | None = None,
    ) -> None:
        self.port, self.web = port, web or WebConfig()
        self._own = own or own_addresses
        self._given = name
        self._clock_s, self._named = clock_s, named
        self._asked_s = -STALE_S
        self._addresses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the name by which this computer is found in a home; its owner may change it."""
        return (self._given or socket.gethostname()).split(".")[0].lower() + ".local"

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return our addresses, the one first that phones will most likely reach."""
        now_s = self._clock_s()
        if now_s - self._asked_s >= STALE_S:
            self._addresses, self._asked_s = self._own(), now_s
        return self._addresses

    def known(self, host: str) -> bool:
        """Tell whether a host without its port is one of our names."""
        host = host.lower().removesuffix(".")
        mine = {NOWHERE, self.name} & {host, AGAIN.sub(".local", host)}
        return bool(mine) or self.far(host) or self.ours(host)

    def far(self, host: str) -> bool:
        """Tell whether people far away call this host without its port, and no one else."""
        names = (name.partition(":")[0].lower() for name in self.web.names)
        return host.lower().removesuffix(".") in names

    def ours(self, address: str) -> bool:
        """Tell whether an address, however it is written, is one of this computer."""
        read = parsed(address)
        return read is not None and (read.is_loopback or read in map(parsed, self.addresses))

    @property
    def alone(self) -> bool:
        """Whether this computer is in no network, so that nobody else finds it."""
        return not self.addresses

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return where others find us, the best first; a name only if it is answered for."""
        typed = [own for own in self.addresses if ":" not in own]
        typed = typed or [own for own in self.addresses if not ip_address(own).is_link_local]
        return tuple([*typed, *[self.name] * self._named()] or [NOWHERE])

    @property
    def links(self) -> tuple[str, ...]:
        """Return what to type into a phone, the best first."""
        bracketed = (f"[{host}]" if ":" in host else host for host in self.hosts)
        return tuple(f"http://{host}:{self.port}" for host in bracketed)

    @property
    def far_links(self) -> tuple[str, ...]:
        """Return what people far away open: by https where a proxy stands in front of us."""
        if self.web.proxies:
            return tuple(f"https://{name}" for name in self.web.names)
        return tuple(
            f"http://{name}" if ":" in name else f"http://{name}:{self.port}"
            for name in self.web.names
        )


# --- any address ----------------------------------------------------------------------------------


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    """Return an address by itself: without its zone, and of version 4 if it is only wrapped.

    >>> parsed("::ffff:192.168.7.5"), parsed("FE80::1%eth0")
    (IPv4Address('192.168.7.5'), IPv6Address('fe80::1'))
    """
    try:
        if ":" not in address:
            return IPv4Address(address)
        six = IPv6Address(address.partition("%")[0])
    except ValueError:
        return None
    return six.ipv4_mapped or six


def caller(address: str) -> str:
    """Return who calls from an address, in one way of writing it."""
    return str(parsed(address) or address)


def neighbourhood(address: str) -> str:
    """Return all that whoever calls from an address can call from, too.

    >>> neighbourhood("192.168.7.5"), neighbourhood("2001:db8::7:5")
    ('192.168.7.5', '2001:db8::/64')
    """
    read = parsed(address)
    if not isinstance(read, IPv6Address):
        return caller(address)
    return str(ip_network((read, NEIGHBOURS), strict=False))


# --- our own --------------------------------------------------------------------------------------


def own_addresses() -> tuple[str, ...]:
    """Return the addresses of this computer in its networks, without sending anything."""
    candidates = [address_towards(ELSEWHERE), *_listed(FIB), *_listed_six(SIX)]
    kept = [
        candidate
        for candidate in dict.fromkeys(candidates)
        if candidate and not ip_address(candidate).is_loopback
    ]
    return tuple(sorted(kept, key=lambda candidate: (candidate != candidates[0], _rank(candidate))))


def _rank(address: str) -> int:
    """Return how likely phones are elsewhere: containers live in 172.16/12, homes in 192.168/16."""
    if ":" in address:
        return 3
    return next((n for n, start in enumerate(("192.168.", "10.")) if address.startswith(start)), 2)


def address_towards(address: str) -> str:
    """Return the address from which we would call another; connecting a datagram sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect((address, 9))
        except OSError:
            return ""
        return str(line.getsockname()[0])


def _listed(file: Path) -> list[str]:
    """Return the addresses that Linux calls local: a line names one, the next says what it is."""
    addresses, last = [], ""
    for words in _lines(file):
        if words[:1] in (["|--"], ["+--"]):
            last = words[1]
        elif words[:3] == ["/32", "host", "LOCAL"]:
            addresses.append(str(IPv4Address(last)))
    return addresses


def _listed_six(file: Path) -> list[str]:
    """Return the addresses of version 6, those that stay first: digits, …, flags, and whose."""
    addresses = [
        (int(words[4], 16) & PASSING, str(IPv6Address(bytes.fromhex(words[0]))))
        for words in _lines(file)
        if len(words) == 6
    ]
    return [address for _, address in sorted(addresses, key=lambda flagged: flagged[0])]


def _lines(file: Path) -> list[list[str]]:
    try:
        return [line.split() for line in file.read_text("ascii").splitlines()]
    except OSError:
        return []
