"""ESP-NOW and Wi-Fi of an ESP32 as far as `air.py` uses them: runs on MicroPython and CPython.

Like the real ones they raise OSError for what cannot be done: a 21st peer, an unknown one, a
channel while Wi-Fi is off.
"""

TYPE_CHECKING = False  # the boards have no typing; type checkers take this name for true
if TYPE_CHECKING:
    Heard = tuple[bytes, bytes, int]

PEERS = 20


class Air:
    """What the fakes below did and are to hear; a test begins with `clear`."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start over."""
        self.log: list[str] = []
        self.sent: list[tuple[bytes, bytes]] = []
        self.inbox: list[Heard] = []
        self.peers: list[bytes] = []
        self.room = 526
        self.full = self.wifi = self.espnow = False


AIR = Air()


class ESPNow:
    """ESP-NOW with its twenty peers."""

    def __init__(self) -> None:
        self.peers_table: dict[bytes, list[int]] = {}

    def active(self, on: bool) -> None:
        """Switch it."""
        AIR.espnow = on
        AIR.log.append("espnow " + ("on" if on else "off"))
        if not on:
            AIR.peers = []

    def config(self, rxbuf: int) -> None:
        """Set how many bytes may wait; it counts from the next time on that it is switched on."""
        assert not AIR.espnow
        AIR.room = rxbuf

    def add_peer(self, peer: bytes) -> None:
        """Add one, as long as there is room."""
        if not AIR.espnow or peer in AIR.peers or len(AIR.peers) >= PEERS:
            raise OSError(-12395)
        AIR.peers.append(peer)

    def del_peer(self, peer: bytes) -> None:
        """Take one out."""
        if peer not in AIR.peers:
            raise OSError(-12393)
        AIR.peers.remove(peer)

    def send(self, to: bytes, data: bytes, sync: bool) -> bool:
        """Send to a peer."""
        if to not in AIR.peers or AIR.full or sync:
            raise OSError(-12391)
        AIR.sent.append((to, data))
        return True

    def any(self) -> bool:
        """Return whether something was heard."""
        return bool(AIR.inbox)

    def recv(self, timeout_ms: int) -> "tuple[bytes | None, bytes | None]":
        """Return sender and data."""
        assert timeout_ms == 0
        sender, data, rssi = AIR.inbox.pop(0)
        if sender in AIR.peers:
            self.peers_table[sender] = [rssi, 0]
        return sender or None, data or None


class WLAN:
    """Wi-Fi."""

    IF_STA, PM_NONE = 0, 0

    def __init__(self, interface: int) -> None:
        assert interface == self.IF_STA

    def active(self, on: bool) -> None:
        """Switch it."""
        AIR.wifi = on
        AIR.log.append("wifi " + ("on" if on else "off"))

    def config(self, channel: int = 0, pm: int = PM_NONE, txpower: int = 0) -> None:
        """Set the channel, or how strong it sends."""
        if not AIR.wifi or pm != self.PM_NONE:  # it would sleep, and miss packets
            raise OSError("Wifi Not Started")
        AIR.log.append(f"{txpower} dBm" if txpower else f"channel {channel}")
