"""What a stopper runs from power-on: on the board this file is called main.py."""

import machine
from air import Flash

WATCHDOG_MS = 8000


def main():
    """Step for ever; what goes wrong is told with the next heartbeats, and ends in a boot."""
    try:
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        from board_stopper import Board  # noqa: PLC0415 - what fails in there is noted too
        from stopper.stopper import Stopper  # noqa: PLC0415 - likewise

        board = Board()
        if machine.reset_cause() == machine.WDT_RESET:
            board.flash.save("mishap", b"watchdog")
        stopper = Stopper(board)
        while True:
            wait_ms = stopper.step()
            watchdog.feed()
            if stopper.sleeps:
                board.sleep_ms(wait_ms)
            elif stopper.at_rest:
                board.rest_ms(wait_ms)
            else:
                board.wait_ms(wait_ms)
    except Exception as fault:  # noqa: BLE001 - nobody can see a traceback in a barrel
        try:
            Flash().save("mishap", repr(fault).encode())
        finally:
            machine.reset()


main()
