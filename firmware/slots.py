"""Which of the two slots runs: the one that proved itself, or for a few boots a new one on trial.

An update never replaces this file, so it stays as it is. `slot` and `trial` in flash are written
whole or not at all; so a power cut at any moment leaves the old firmware or the new one.
"""

SLOTS = (b"a", b"b")
TRIES = 3  # boots in which a new firmware may prove itself


def chosen(flash):
    """Return which slot runs now, and whether it is on trial; count that as one of its tries."""
    slot = flash.load("slot")
    slot = slot if slot in SLOTS else SLOTS[0]
    trial = flash.load("trial")
    if not trial or len(trial) != 2 or trial[:1] not in SLOTS or trial[:1] == slot:
        return slot.decode(), False
    if trial[1] == 0:
        flash.save("trial", b"")  # it failed
        return slot.decode(), False
    flash.save("trial", trial[:1] + bytes((min(trial[1], TRIES) - 1,)))
    return trial[:1].decode(), True


def try_out(flash, slot):
    """Have a slot run from the next boot on, until it has proved itself or failed."""
    flash.save("trial", slot.encode() + bytes((TRIES,)))


def keep(flash, slot):
    """A slot proved itself: from now on it is the one that runs."""
    flash.save("slot", slot.encode())
    flash.save("trial", b"")
