"""What the hub runs from power-on: on the board this file is called main.py."""

import time

import machine
from board_hub import Board
from hub.hub import Hub

WATCHDOG_MS = 8000


def main():
    """Step for ever."""
    hub = Hub(Board())
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        wait_ms = hub.step()
        watchdog.feed()
        time.sleep_ms(wait_ms)


main()
