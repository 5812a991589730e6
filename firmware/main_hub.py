"""What the hub runs from power-on: on the board this file is called main.py."""

import time

import machine
from flash import Flash

WATCHDOG_MS = 8000


def main():
    """Step forever; an exception is recorded in flash and ends in a boot."""
    try:
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        from board_hub import Board  # noqa: PLC0415 - so that an error in it is recorded, too
        from hub.hub import Hub  # noqa: PLC0415 - likewise

        hub = Hub(Board())
        while True:
            wait_ms = hub.step()
            watchdog.feed()
            time.sleep_ms(wait_ms)
    except Exception as fault:  # noqa: BLE001 - the line speaks the wire, so nobody sees a traceback
        try:
            Flash().save("mishap", repr(fault).encode())
        finally:
            machine.reset()


main()
