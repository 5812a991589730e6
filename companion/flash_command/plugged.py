"""Which boards are plugged in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from serial.tools.list_ports import comports

from companion.errors import CompanionError

ESPRESSIF: Final = 0x303A  # who makes the chips of all our boards
RUNNING_HUB: Final = 0x4001  # the product, as MicroPython names itself on an ESP32-S3


@dataclass(frozen=True, slots=True, order=True)
class Plugged:
    """Something that may be a board: where it is, and what its USB calls it."""

    port: str
    serial: str = ""


def plugged(kind: str) -> tuple[Plugged, ...]:
    """Return what may be such a board; one that speaks as a hub is not a stopper."""
    return tuple(
        sorted(
            Plugged(one.device, one.serial_number or "")
            for one in comports()
            if (one.vid == ESPRESSIF and not (kind == "stopper" and one.pid == RUNNING_HUB))
            or (one.vid is None and "ACM" in one.device)  # nobody says whose it is
        )
    )


def the_only(kind: str) -> str:
    """Return the port of the only board that is plugged in; CompanionError: there is not one."""
    match plugged(kind):
        case (found,):
            return found.port
        case ():
            raise CompanionError(
                "No board is plugged in; plug in the {board}, or use --port to say where it is.",
                board=kind,
            )
        case several:
            raise CompanionError(
                "{count} boards are plugged in, at {ports:and}; unplug all but the {board}, or "
                "use --port to say which it is.",
                count=len(several),
                ports=tuple(one.port for one in several),
                board=kind,
            )
