"""Bare hubs on pseudo-terminals: they answer who they are, and say what they are told.

A link in a folder stands for the device's name, so that one can come back under another.
"""

import os
import select
from collections.abc import Callable
from pathlib import Path

from companion import wire
from companion.devices.hub_discovery import HubMessage
from companion.devices.hub_port import HubPort
from companion.devices.recording import Recorder
from companion.system import config
from companion.system.status import Condition

A, B = bytes.fromhex("240ac4000001"), bytes.fromhex("240ac4000002")
MS = 1_000


def relayed(number: int) -> bytes:
    """Return a frame that can be told from others."""
    return wire.say("RELAYED", number, rssi=-50, packet=b"packet \0 %d" % number)


class Hub:
    """One device on a pseudo-terminal."""

    def __init__(self, folder: Path, name: str = "hub0", address: bytes | None = A) -> None:
        self.master, slave = os.openpty()
        self.link = folder / name
        self.link.symlink_to(os.ttyname(slave))
        os.close(slave)
        os.set_blocking(self.master, False)
        self.address = address  # None: a stranger, which never answers
        self.asked = 0
        self._line = wire.Line(wire.TO_HUB)

    def write(self, data: bytes) -> int:
        """Say something; a full pseudo-terminal takes only a part."""
        try:
            return os.write(self.master, data)
        except BlockingIOError:
            return 0

    def answer(self) -> list[wire.Said]:
        """Take what the host says, and answer if it asks who this is."""
        try:
            data = os.read(self.master, 4096)
        except OSError:  # nothing, or nobody has opened it
            return []
        said = [one for one in self._line.hear(data) if isinstance(one, wire.Said)]
        for one in said:
            if one.name == "HUB_HELLO_REQUEST":
                self.asked += 1
                if self.address:
                    self.hello()
        return said

    def hello(self) -> None:
        """Say who this is."""
        assert self.address is not None
        dictionary = wire.DICTIONARY_HASH
        self.write(
            wire.say("HUB_HELLO", 7, hub=self.address, boot=1, firmware=256, dictionary=dictionary)
        )

    def unplug(self) -> None:
        """Pull the plug."""
        self.link.unlink()
        os.close(self.master)


class Host:
    """A hub port in a folder of links, with a clock that goes only when told."""

    def __init__(
        self, folder: Path, wanted: str | None = None, recorder: Recorder | None = None
    ) -> None:
        self.now_us = 1_000_000
        self.heard: list[HubMessage] = []
        self.conditions: list[Condition] = []
        settings = config.Hub(wanted, (str(folder / "hub*"),))
        self.port = HubPort(settings, self.heard.append, self.conditions.append, recorder=recorder)

    def states(self) -> list[object]:
        return [condition.state for condition in self.conditions]

    def names(self) -> list[str]:
        return [heard.said.name for heard in self.heard]

    def packets(self) -> list[bytes]:
        return [h.said.fields.packet for h in self.heard if h.said.name == "RELAYED"]

    def pump(self, step_us: int = 0) -> None:
        self.now_us += step_us
        self.port.tick(self.now_us)

    def until(
        self, true: Callable[[], object], *hubs: Hub, step_us: int = 0, turns: int = 2_000
    ) -> None:
        """Pump until it is true; the kernel moves a pseudo-terminal's bytes in its own time."""
        for _ in range(turns):
            for hub in hubs:
                hub.answer()
            self.pump(step_us)
            if true():
                return
            descriptor = self.port.fileno()
            if descriptor is not None and not step_us:
                select.select([descriptor], [], [], 0.002)
        raise AssertionError(f"never true; the port says: {self.port.condition}")

    def run(self, for_us: int, *hubs: Hub, step_us: int = 100 * MS) -> None:
        """Let time pass."""
        for _ in range(for_us // step_us):
            for hub in hubs:
                hub.answer()
            self.pump(step_us)
