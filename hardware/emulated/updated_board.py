# The boards have neither types nor pathlib, and these modules are the firmware's own.
# mypy: ignore-errors
"""A whole update on files of its own, with the power cut at each moment: for MicroPython.

It must not need CPython. Slot a runs; what comes of each cut is printed as one line.
"""

import binascii
import hashlib

import flash
import slots
from stopper import update

NEW = {"loop.py": b"VERSION = 2\n" * 30, "stopper/clock.py": b"same", "wire.py": bytes(300)}
OLD = {"loop.py": b"VERSION = 1\n", "stopper/clock.py": b"same", "gone.py": b"no more"}
PIECE = 150


class Cut(BaseException):
    """The power is gone."""


class Power:
    """So many operations are left."""

    left = -1

    def use(self) -> None:
        """Use one."""
        if self.left == 0:
            raise Cut
        self.left -= 1


POWER = Power()


class File:
    """An open file."""

    def __init__(self, file):
        self._file = file

    def write(self, data):
        """Write, if there is power."""
        POWER.use()
        return self._file.write(data)

    def close(self):
        """Close it."""
        self._file.close()


class Disk(flash.Disk):
    """The board's own files, as long as there is power."""

    def open(self, path, mode):
        """Open a file."""
        if mode == "rb":
            return super().open(path, mode)
        POWER.use()
        return File(super().open(path, mode))

    def remove(self, path):
        """Remove something."""
        POWER.use()
        super().remove(path)

    def rename(self, path, to):
        """Rename something."""
        POWER.use()
        super().rename(path, to)


class Flash(flash.Flash):
    """What is kept, as long as there is power."""

    def save(self, name, data):
        """Save something."""
        POWER.use()
        super().save(name, data)


class Fields:
    """A command's fields."""

    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)


class Board:
    """The stopper."""

    def __init__(self, kept):
        self.disk, self.flash = Disk(), Flash(kept)
        self.slot, self.trial = slots.chosen(self.flash)


def listed(files):
    """Return the list of files."""
    lines = []
    for name in files:
        hash_ = binascii.hexlify(hashlib.sha256(files[name]).digest()).decode()
        lines.append(f"{name} {len(files[name])} {hash_}\n")
    return "".join(lines).encode()


def lay(files, slot):
    """Put files into a slot, and nothing else."""
    disk = flash.Disk()
    for name in disk.names("/" + slot):
        for part in disk.names("/" + slot + "/" + name):
            disk.remove("/" + slot + "/" + name + "/" + part)
        disk.remove("/" + slot + "/" + name)
    disk.make("/" + slot)
    disk.make("/" + slot + "/stopper")
    for name in files:
        with disk.open("/" + slot + "/" + name, "wb") as file:
            file.write(files[name])


def there(slot, files):
    """Return whether these files are whole in a slot."""
    disk = flash.Disk()
    for name in files:
        try:
            with disk.open("/" + slot + "/" + name, "rb") as file:
                if file.read() != files[name]:
                    return False
        except OSError:
            return False
    return True


def whole(board):
    """Update, run the new one, and keep it."""
    parts = [listed(NEW)] + [NEW[name] for name in NEW]
    made = update.Update(board, 1)
    digest = hashlib.sha256(parts[0]).digest()
    about = Fields(update=1, kind=0, firmware=1, size=len(parts[0]), hash=digest)
    said = made.take("UPDATE_BEGIN", about, 0, 0)
    while said["state"] == update.WANTS:
        file, offset = said["file"], said["offset"]
        data = parts[file][offset : offset + PIECE]
        fields = Fields(update=1, file=file, offset=offset, data=data)
        said = made.take("UPDATE_PIECE", fields, 0, 0)
    made.take("UPDATE_DO", Fields(update=1, deed=update.RUN), 0, 0)
    board.slot, board.trial = slots.chosen(board.flash)
    update.Update(board, 1).over(update.PROVEN_MS, True)


def cut_after(left, kept):
    """Return which slot runs after so many operations, whether it is whole, and whether all is."""
    lay(OLD, "a")
    lay(OLD, "b")
    POWER.left = -1
    for name in ("slot", "trial"):
        Flash(kept).save(name, b"")
    board = Board(kept)
    POWER.left, ended = left, True
    try:
        whole(board)
    except Cut:
        ended = False
    POWER.left = -1
    slot, _ = slots.chosen(board.flash)
    return slot, there(slot, NEW if slot == "b" else OLD), ended


def each(kept):
    """Cut the power after each number of operations; print how it ends."""
    left = 0
    while True:
        slot, sound, ended = cut_after(left, kept)
        print(left, slot, "whole" if sound else "BROKEN")  # noqa: T201 - it is run to be read
        if ended:
            return
        left += 1
