"""What a stopper runs from power-on, as main.py: it picks a slot. No update replaces it."""

import sys

import machine
from flash import Flash

WATCHDOG_MS = 8000


def main():
    """Run the slot; an exception is reported by whatever runs next."""
    try:
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        from slots import chosen  # noqa: PLC0415 - so that an error in it is recorded, too

        flash = Flash()
        if machine.reset_cause() == machine.WDT_RESET:
            flash.save("mishap", b"watchdog")
        slot, trial = chosen(flash)
        sys.path.insert(0, "/" + slot)
        from loop_stopper import run  # noqa: PLC0415 - likewise

        run(watchdog, slot, trial)
    except Exception as fault:  # noqa: BLE001 - nobody can see a traceback in a barrel
        try:
            Flash().save("mishap", repr(fault).encode())
        finally:
            machine.reset()


main()
