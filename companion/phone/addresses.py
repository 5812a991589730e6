"""Where phones find this companion: its own addresses and names. It must not know pages."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Final

from companion.doctor import network

FIB: Final = Path("/proc/net/fib_trie")  # every address of this computer, and the routes to it
SIX: Final = Path("/proc/net/if_inet6")
ELSEWHERE: Final = "192.0.2.1"  # an address for documents; nothing is sent there
STALE_S: Final = 2.0
NOWHERE: Final = "localhost"  # what a browser of this computer finds without any network
LOOPBACK: Final = ("127.0.0.1", "::1", NOWHERE)


class Whereabouts:
    """What this computer is called; asked anew, for a Pi may join its Wi-Fi after its start."""

    def __init__(
        self,
        port: int,
        own: Callable[[], tuple[str, ...]] | None = None,
        name: str | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        named: Callable[[], bool] = network.answers,
    ) -> None:
        self.port = port
        self._own = own or own_addresses
        self._name = (name or socket.gethostname()).split(".")[0].lower() + ".local"
        self._clock_s, self._named = clock_s, named
        self._asked_s = -STALE_S
        self._addresses: tuple[str, ...] = ()

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
        return host in LOOPBACK or host == self._name or host in self.addresses

    @property
    def links(self) -> tuple[str, ...]:
        """Return what to type into a phone, the best first; a name only if it is answered for."""
        hosts = [*self.addresses, *[self._name] * self._named()] or [NOWHERE]
        return tuple(f"http://{f'[{host}]' if ':' in host else host}:{self.port}" for host in hosts)


def own_addresses() -> tuple[str, ...]:
    """Return the addresses of this computer in its networks, without sending anything."""
    found = [_towards(ELSEWHERE), *_listed(FIB)]
    kept = [one for one in dict.fromkeys(found) if one and not ip_address(one).is_loopback]
    return tuple(sorted(kept, key=lambda one: (one != found[0], _rank(one))))


def _rank(address: str) -> int:
    """Return how likely phones are elsewhere: containers live in 172.16/12, homes in 192.168/16."""
    return next((n for n, start in enumerate(("192.168.", "10.")) if address.startswith(start)), 2)


def _towards(address: str) -> str:
    """Return the address from which we would call another; connecting a datagram sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect((address, 9))
        except OSError:
            return ""
        return str(line.getsockname()[0])


def _listed(file: Path) -> list[str]:
    """Return the addresses that Linux calls local: a line names one, the next says what it is."""
    try:
        lines = file.read_text("ascii").splitlines()
    except OSError:
        return []
    found, last = [], ""
    for line in lines:
        words = line.split()
        if words[:1] in (["|--"], ["+--"]):
            last = words[1]
        elif words[:3] == ["/32", "host", "LOCAL"]:
            found.append(str(IPv4Address(last)))
    return found
