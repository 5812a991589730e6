"""A table without a Pi: `python -m hardware.arm card.img` boots a card that is a file.

Where there is no such file, it is made. The table's pages are then at this computer; Ctrl-C shuts
the Pi down, and the same line goes on with its card.
"""

import argparse
import os
import re
import select
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from companion.system.errors import CompanionError
from companion.web.common.tls import ABOVE
from hardware.arm.emulated import ARM64, NotApart
from hardware.arm.imager import TRIXIE
from hardware.arm.machine import HERE, LOGIN, PAGE, RESTARTS, Card, Machine, write_card
from tests.programs import lacking

PORT, HTTPS = 8000, 8000 + ABOVE  # of the table, and where it is looked for first
PORTS: Final = range(PORT, PORT + 100)
BOOTS: Final = ("qemu-system-aarch64", "mcopy")
WRITES: Final = ("debootstrap", "qemu-arm-static", "mkfs.vfat", "mke2fs")
WITHIN_S: Final = 3600.0  # with that much patience; alone on a computer it takes two minutes
LOOK_S: Final = 0.5
WRONG: Final = re.compile("^This Pi is not a table yet", re.MULTILINE)
SIGNS: Final = re.compile(
    "|".join(sign.pattern for sign in (PAGE, WRONG, RESTARTS)), re.MULTILINE
)  # what the wait for the page ends with


def main(words: Sequence[str] | None = None) -> int:
    """Boot a card, and make it first if it is not there; return how it ended."""
    parser = argparse.ArgumentParser("python -m hardware.arm", description=__doc__)
    parser.add_argument("card", type=Path, metavar="CARD", help="the file, such as card.img")
    image: Path = parser.parse_args(words).card
    if why := lacking(*BOOTS, *(() if image.exists() else WRITES)):
        return _fail(f"That {why}")
    try:
        if not image.exists():
            _make(image)
        card = Card(ARM64, image)
        if not card.read("kernel"):
            return _fail(f"{image} is no card that was made here; name a file that is not there.")
        _run(card, free_port())
    except (AssertionError, CompanionError, NotApart, PermissionError) as fault:
        return _fail(str(fault))
    except KeyboardInterrupt:
        return _fail("Stopped.")
    return 0


def _make(image: Path) -> None:
    """Write a card, as the Imager and `./run card` do."""
    if os.geteuid() != 0:
        raise PermissionError("Only root may lay out a Debian: begin the line with sudo.")
    _say(f"Making {image}: Debian for a Pi of 64 bits, and on its boot partition the table.")
    _say("The first time this fetches Debian and sets it up, emulated: some ten minutes.")
    write_card(ARM64, "trixie", None, TRIXIE, image)
    owner = (int(os.environ.get(name, "-1")) for name in ("SUDO_UID", "SUDO_GID"))
    os.chown(image, *owner)


def free_port() -> int:
    """Return where the pages can be, so that those by https are as far above as at a table."""
    return next(port for port in PORTS if all(map(_is_free, (port, port + ABOVE))))


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HERE, port))
        except OSError:
            return False
    return True


def _run(card: Card, port: int) -> None:
    """Have it on until it is shut down, by a page or by Ctrl-C."""
    ports = {port: PORT, port + ABOVE: HTTPS}
    pin = re.search(r"^pin=(\d{6})$", card.read("rappelwacht/settings"), re.MULTILINE)
    restarts = True
    while restarts:
        with Machine(card, ports) as machine:
            _say(f"Switched on. What its console says is in {machine.console}.")
            try:
                _tell(machine, f"http://{HERE}:{port}", pin[1] if pin else "unknown")
                _pass_on(machine)
            except KeyboardInterrupt:
                _say("Shutting it down; another Ctrl-C pulls the plug.")
                machine.shut_down(WITHIN_S)
            restarts = RESTARTS.search(machine.said) is not None
    _say(f"It is off. All is kept in {card.image}; the same line switches it on again.")


def _tell(machine: Machine, address: str, pin: str) -> None:
    """Say how far it has come, and where its page is."""
    login_s = machine.sees(LOGIN, WITHIN_S)
    _say(f"It has started after {login_s:.0f} s; a new card becomes a table now.")
    after_s = machine.sees(SIGNS, WITHIN_S)
    if PAGE.search(machine.said):
        _say(f"After {after_s:.0f} s: open {address}; the PIN is {pin}. Ctrl-C shuts it down.")
        _say("What you type here is typed at its console, where root needs no password.")
    elif WRONG.search(machine.said):
        _say("It did not become a table; its console says why.")


def _pass_on(machine: Machine) -> None:
    """Until it ends, type at its console what is typed here, and show what that says."""
    shown, heard = len(machine.said), [sys.stdin]
    while not machine.ends(0):
        if select.select(heard, (), (), LOOK_S)[0]:
            line = sys.stdin.readline()
            heard = heard if line else []
            machine.type(line.rstrip("\n"))
        said = machine.said
        sys.stdout.write(said[shown:])
        sys.stdout.flush()
        shown = len(said)


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - whoever starts it reads it


def _fail(why: str) -> int:
    print(why, file=sys.stderr)  # noqa: T201 - so that it can be told from what the Pi says
    return 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    sys.exit(main())
