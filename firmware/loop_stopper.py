"""What a slot of a stopper's firmware starts with: it steps forever."""

from board_stopper import Board
from stopper.stopper import Stopper


def run(watchdog, slot, trial):
    """Step, and wait as the firmware says."""
    board = Board(slot, trial)
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
