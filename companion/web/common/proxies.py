"""Reverse proxies such as nginx and Caddy: which are believed, and who calls through them.

Only a proxy that the configuration names is believed, and only what it says of the hop before
itself: whatever stands further left may have been written by anybody.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Final

from companion.web.common.addresses import parsed

PROXIED: Final = "rappelwacht.proxied"  # in a WSGI environment: somebody may call through a proxy
CONTRADICTION: Final = "rappelwacht.contradiction"  # … and who that is cannot be known
FORWARDED: Final = "HTTP_FORWARDED"
FORWARDED_FOR: Final = "HTTP_X_FORWARDED_FOR"
FORWARDED_PROTO: Final = "HTTP_X_FORWARDED_PROTO"
SCHEMES: Final = ("http", "https")
PART: Final = re.compile(  # of a list as RFC 7239 has it; none gives back what it took
    r'[ \t]*+(?:([^\s=,;"]++)[ \t]*+=[ \t]*+(?:"([^"\\]*+)"|([^\s,;"]*+)))?+[ \t]*+([,;]|\Z)'
)


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
        """Return who calls through this peer; None: the proxy's headers contradict each other.

        `scheme` is how the peer itself calls.

        Headers are called as in a WSGI environment.

        >>> proxies = TrustedProxies(["127.0.0.1"])
        >>> proxies.caller("127.0.0.1", {FORWARDED_FOR: "6.6.6.6, 192.0.2.7"})
        Caller(address='192.0.2.7', scheme='http')
        >>> proxies.caller("192.0.2.7", {FORWARDED_FOR: "127.0.0.1"})
        Caller(address='192.0.2.7', scheme='http')
        """
        if peer not in self:
            return Caller(peer, scheme)
        elements = _forwarded(headers.get(FORWARDED, ""))
        if elements is None:
            return None
        plain = _list(headers.get(FORWARDED_FOR, ""))
        callers = [
            self._walk(peer, *hops)
            for hops in (
                (plain, _list(headers.get(FORWARDED_PROTO, ""))),
                (
                    [element.get("for", "") for element in elements],
                    [element.get("proto", "") for element in elements],
                ),
            )
            if hops[0]
        ]
        if None in callers or len({caller.address for caller in callers if caller}) > 1:
            # proxies write one of them, and pass on what a stranger wrote as other
            return None
        return callers[0] if callers else Caller(peer, scheme)

    def _walk(self, peer: str, hops: Sequence[str], schemes: Sequence[str]) -> Caller | None:
        """Return who is the first that is not believed, from the right."""
        address, walked = peer, 0
        while address in self and walked < len(hops):
            walked += 1
            hop = _address(hops[-walked])
            if hop is None:
                return None
            address = hop
        scheme = schemes[-min(walked, len(schemes))].lower() if schemes else ""
        return Caller(address, scheme if scheme in SCHEMES else "http")


def _list(header: str) -> list[str]:
    return [word.strip() for word in header.split(",") if word.strip()]


def _forwarded(header: str) -> list[dict[str, str]] | None:
    """Return the pairs of a header by hop; None: it is not as RFC 7239 has it."""
    elements, at, end = [dict[str, str]()], 0, ","
    while end:
        part = PART.match(header, at)
        if part is None:
            return None
        name, quoted, bare, end = part.groups()
        if name is not None:
            if name.lower() in elements[-1]:
                return None
            elements[-1][name.lower()] = quoted or bare or ""
        if end == ",":
            elements.append({})
        at = part.end()
    return [element for element in elements if element]


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
