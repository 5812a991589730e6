"""Inside the guest: light board and seats as the table uses them, told of line by line.

It shows a picture, lights a seat whose button was pressed, says what becomes of the parts, and ends
when its input does.
"""

import select
import sys
from pathlib import Path
from typing import Final

from companion.devices import gpio
from companion.devices.hub_port import monotonic_us
from companion.devices.light_board import LightBoard, Rgb
from companion.devices.seats import SeatEvent, Seats
from companion.sensing.observations import ButtonPressed, PadChanged
from companion.system import config
from companion.system.status import Condition

FRAME_S: Final = 1 / 30
PICTURE: Final[tuple[Rgb, ...]] = tuple((8 * i, 255 - 8 * i, 4 * i) for i in range(32))


def say(sentence: str) -> None:
    """Say a line at once."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def told(condition: Condition) -> None:
    """Say how a part is."""
    say(str(condition))


def main() -> None:
    """Use the parts until the input ends."""
    wiring = config.load(Path("/etc/rappelwacht/table.toml"))
    assert wiring.light_board is not None

    def seen(event: SeatEvent) -> None:
        match event:
            case ButtonPressed(colour, long):
                say(f"{colour}: {'long' if long else 'short'} press")
                seats.set_light(colour, 1.0)
            case PadChanged(colour, occupied):
                say(f"{colour}: {'a barrel' if occupied else 'no barrel'}")

    board = LightBoard(wiring.light_board, told)
    seats = Seats(wiring, gpio.real_pins, seen, told, monotonic_us)
    board.set(PICTURE)
    while not select.select([sys.stdin], [], [], FRAME_S)[0]:
        now_us = monotonic_us()
        seats.tick(now_us)
        seats.update_lights(now_us)
        board.tick(now_us)
    seats.close(monotonic_us())
    board.close(monotonic_us())


if __name__ == "__main__":
    main()
