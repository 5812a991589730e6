"""The hub's USB cable: a pseudo-terminal whose name comes and goes in a folder of links."""

import errno
import os
import select
import termios
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from companion.system.errors import CompanionError

NAME, SECOND_NAME = "simulated-hub-{}", "second-simulated-hub-{}"  # of a hub, and of a second one
IN_FLIGHT: Final = 3000  # bytes at most that the host has not read; a terminal holds 4095
READ: Final = 4096


class Cable:
    """One plug, in or out. `close` it, or use it in a with statement."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self._folder, self._names = folder, name
        self._master: int | None = None
        self._slave_path = ""
        self._listened = False
        self.name = ""
        self.plugged = 0  # how often
        self.mute = False  # the hub is alive, but its bytes do not get through
        self.wrote = 0
        self.full = False  # not all of the last bytes found room

    def __enter__(self) -> Self:
        """Return itself, plugged in."""
        self.plug()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def plug(self) -> None:
        """Plug in, under a different name from last time."""
        if self._master is not None:
            return
        self._master, slave = _terminal()
        os.set_blocking(self._master, False)
        attributes = termios.tcgetattr(slave)
        attributes[0] = attributes[1] = attributes[3] = 0  # raw before anybody opens it: no echo
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        self._slave_path = os.ttyname(slave)
        os.close(slave)
        self.name = self._names.format(self.plugged)
        self.plugged += 1
        (self._folder / self.name).symlink_to(self._slave_path)

    def unplug(self) -> None:
        """Pull the plug; what was on its way is lost."""
        if self._master is None:
            return
        with suppress(FileNotFoundError):
            (self._folder / self.name).unlink()
        os.close(self._master)
        self._master = None

    @property
    def is_plugged(self) -> bool:
        return self._master is not None

    @property
    def room(self) -> int:
        """Return how many bytes may be on their way to the host now."""
        return IN_FLIGHT

    def write(self, data: bytes) -> int:
        """Take bytes from the hub: none while nobody listens, and never more than fit."""
        if self.mute:
            return len(data)
        return self.push(data)

    def push(self, data: bytes) -> int:
        """Put bytes on the line, wherever they come from."""
        self.full = False
        if self._master is None or not self._heard(self._master):
            return 0
        try:
            count = os.write(self._master, data[: self.room])
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            self.full = error.errno == errno.EAGAIN
            return 0
        self.full = count < len(data)
        self.wrote += count
        return count

    def read(self) -> bytes:
        """Return what the host has said."""
        if self._master is None:
            return b""
        try:
            return os.read(self._master, READ)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EIO):
                raise
            return b""

    def _heard(self, master: int) -> bool:
        poll = select.poll()
        poll.register(master, 0)
        listened = not poll.poll(0)  # POLLHUP: nobody has it open
        if self._listened and not listened:
            termios.tcflush(master, termios.TCIOFLUSH)
            self._listened = listened
        return listened


def _terminal() -> tuple[int, int]:
    """Return both ends of a new pseudo-terminal."""
    try:
        return os.openpty()
    except OSError as error:
        raise CompanionError(
            "A simulated table needs pseudo-terminals, and this computer cannot provide one "
            "({reason}). In a container, mount a devpts at /dev/pts; 'play' does not need them.",
            reason=error.strerror,
        ) from None
