"""Reverse proxies such as nginx and Caddy: which are believed, and who calls through them.

Only a proxy that the configuration names is believed, and only what it says of the hop before
itself in X-Forwarded-For and X-Forwarded-Proto: whatever stands further left, or in other headers,
may have been written by anybody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Final

from companion.web.common.addresses import parsed

PROXIED: Final = "rappelwacht.proxied"  # in a WSGI environment: somebody may call through a proxy
UNKNOWN: Final = "rappelwacht.unknown"  # … and who that is cannot be known
FORWARDED_FOR: Final = "HTTP_X_FORWARDED_FOR"
FORWARDED_PROTO: Final = "HTTP_X_FORWARDED_PROTO"
SCHEMES: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class Caller:
    """From which address somebody calls, and whether by http or https."""

    address: str
    scheme: str = "http"


class TrustedProxies:
    """The addresses and networks of proxies that are believed."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._networks = tuple(ip_network(address, strict=False) for address in addresses)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        read = parsed(address)
        return read is not None and any(
            network.version == read.version and read in network for network in self._networks
        )

    def caller(self, peer: str, headers: Mapping[str, str], scheme: str = "http") -> Caller | None:
        """Return who calls through this peer; None: the proxy does not say it.

        `scheme` is how the peer itself calls.

        Headers are called as in a WSGI environment.

        >>> proxies = TrustedProxies(["127.0.0.1"])
        >>> proxies.caller("127.0.0.1", {FORWARDED_FOR: "6.6.6.6, 192.0.2.7"})
        Caller(address='192.0.2.7', scheme='http')
        >>> proxies.caller("192.0.2.7", {FORWARDED_FOR: "127.0.0.1"})
        Caller(address='192.0.2.7', scheme='http')
        """
        hops = _list(headers.get(FORWARDED_FOR, ""))
        schemes = _list(headers.get(FORWARDED_PROTO, ""))
        if peer not in self or not hops:
            return Caller(peer, scheme)
        address, walked = peer, 0
        while address in self and walked < len(hops):  # from the right, to the first not believed
            walked += 1
            if (hop := _address(hops[-walked])) is None:
                return None
            address = hop
        named = schemes[-min(walked, len(schemes))].lower() if schemes else ""
        return Caller(address, named if named in SCHEMES else "http")


def _list(header: str) -> list[str]:
    return [word.strip() for word in header.split(",") if word.strip()]


def _address(hop: str) -> str | None:
    """Return the address of a hop without its port; None: it names none.

    >>> [_address(hop) for hop in ("192.0.2.7:4711", "[2001:db8::7]:80", "2001:db8::7", "unknown")]
    ['192.0.2.7', '2001:db8::7', '2001:db8::7', None]
    """
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    read = parsed(hop)
    return None if read is None else str(read)
