"""What a stopper runs from power-on: on the board this file is called main.py."""

import machine
from board_stopper import Board
from stopper.stopper import Stopper

WATCHDOG_MS = 8000


def main():
    """Step for ever; what goes wrong is told with the next heartbeats, and ends in a boot."""
    board = Board()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    if machine.reset_cause() == machine.WDT_RESET:
        board.flash.save("mishap", b"watchdog")
    try:
        stopper = Stopper(board)
        while True:
            wait_ms = stopper.step()
            watchdog.feed()
            if stopper.at_rest:
                board.sleep_ms(wait_ms)
            else:
                board.wait_ms(wait_ms)
    except Exception as fault:  # noqa: BLE001 - nobody can see a traceback in a barrel
        board.flash.save("mishap", repr(fault).encode())
        machine.reset()


main()
