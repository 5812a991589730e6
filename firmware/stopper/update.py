"""A new firmware, file by file into the slot that does not run; it must not know the radio.

First comes a list of all files with their sizes and hashes, then each that is not there already.
The sender is told which piece is wanted next, so that pieces that are lost, repeated or out of
order do no harm. The running slot is never touched.
"""

import binascii
import hashlib

import slots

KIND = 0  # of wire.KINDS
MOST_LISTED, MOST_TRIED = 8192, 3  # bytes of the list; how often a file may arrive damaged
SLOT_FILES, SLOT_BYTES = 64, 400_000  # twice as much leaves room for what else is kept
NEW = "new"  # what is being written, until it is whole
READ = 512
AWAKE_MS = 5_000  # the sender may be silent for this long
PROVEN_MS, HOPELESS_MS = 10_000, 90_000  # how long a new firmware must run, and may take at most
NOTHING, WANTS, WHOLE, MOVED, WEAK, OLDER, OTHER, FAILED, TRIAL = range(9)  # wire.UPDATE_STATES
LOOK, RUN, STOP = range(3)  # wire.UPDATE_DEEDS


class Update:
    """One update, as far as it has come in this boot."""

    def __init__(self, board, firmware):
        self.possible = getattr(board, "disk", None) is not None
        self._disk, self._flash = board.disk if self.possible else board, board.flash
        self._firmware = firmware
        self._own = board.slot if self.possible else "a"
        self._slot = "b" if self._own == "a" else "a"
        self.trial = self.possible and board.trial  # this firmware has still to prove itself
        self._ready = False  # the next boot will run the new one
        self._number = self._heard_ms = 0
        self._end(TRIAL if self.trial else NOTHING)

    def _end(self, state):
        self._state, self._files, self._file, self._offset = state, [], 0, 0
        self._out = self._list_hash = None
        self._digest, self._list = hashlib.sha256(), b""
        self._size = self._damaged = 0

    def busy(self, now_ms):
        """Whether more of it may come at any moment."""
        return self._state in (WANTS, WHOLE) and now_ms - self._heard_ms < AWAKE_MS

    def over(self, now_ms, heard):
        """Return whether another firmware should run: a complete new one, or the old one again.

        A new one that runs for a while and has heard its host is kept: it can be updated again.
        """
        if self.trial and now_ms >= PROVEN_MS and heard:
            slots.keep(self._flash, self._own)
            self.trial = False
            self._end(NOTHING)
        return self._ready or (self.trial and now_ms >= HOPELESS_MS)

    def take(self, name, fields, now_ms, hindrance):
        """Take a command; return what to say. `hindrance`: NOTHING, or why not right now."""
        self._heard_ms = now_ms
        state = hindrance
        try:
            if name == "UPDATE_BEGIN":
                state = self._begin(fields, hindrance)
            elif fields.update != self._number or self._state not in (WANTS, WHOLE):
                state = self._state
            elif name == "UPDATE_DO":
                state = self._do(fields.deed, hindrance)
            elif hindrance == NOTHING and self._state == WANTS:
                self._piece(fields)
        except (OSError, ValueError):  # no room, or a list that makes no sense
            self._close()
            self._disk.remove(self._path(NEW))  # a full flash could not keep count of boots
            self._end(FAILED)
            state = FAILED
        return {
            "update": self._number,
            "state": self._state if state == NOTHING else state,
            "file": self._file,
            "offset": self._offset,
        }

    def _begin(self, fields, hindrance):
        if self.trial:  # the other slot is the one to go back to
            return TRIAL
        if fields.kind != KIND or not self.possible:
            return OTHER
        if fields.firmware < self._firmware:
            return OLDER
        if hindrance != NOTHING:
            return hindrance
        if self._state in (WANTS, WHOLE) and fields.hash == self._list_hash:
            self._number = fields.update  # it goes on
            return NOTHING
        self._close()
        if not 0 < fields.size <= MOST_LISTED:
            return FAILED
        self._end(WANTS)
        self._number, self._list_hash, self._size = fields.update, fields.hash, fields.size
        return NOTHING

    def _do(self, deed, hindrance):
        if deed == STOP:
            self._close()
            self._end(NOTHING)
        elif deed == RUN and self._state == WHOLE and hindrance == NOTHING:
            if any(not self._whole(*one) for one in self._files):
                self._next(0)  # the flash forgot something
            else:
                slots.try_out(self._flash, self._slot)
                self._ready = True
        return hindrance

    def _piece(self, fields):
        data = fields.data
        if fields.file != self._file or fields.offset != self._offset or not data:
            return
        if self._offset + len(data) > self._size:
            raise ValueError
        if self._out is None:
            self._list += data
        else:
            self._out.write(data)
            self._digest.update(data)
        self._offset += len(data)
        if self._offset == self._size:
            self._arrived()

    def _arrived(self):
        if self._file == 0:
            if hashlib.sha256(self._list).digest() != self._list_hash:
                raise ValueError
            self._files = listed(self._list)
            self._list = b""
            self._clear()
            self._next(0)
            return
        name, _, wanted = self._files[self._file - 1]
        self._close()
        if self._digest.digest() == wanted:
            self._disk.rename(self._path(NEW), self._path(name))
            self._damaged = 0
        else:
            self._damaged += 1
            if self._damaged >= MOST_TRIED:
                raise ValueError
            self._file -= 1
        self._next(self._file)

    def _next(self, after):
        """Want the next file that is not there."""
        for number in range(after, len(self._files)):
            if not self._whole(*self._files[number]):
                self._file, self._offset, self._size = number + 1, 0, self._files[number][1]
                self._digest = hashlib.sha256()
                self._out = self._disk.open(self._path(NEW), "wb")
                self._state = WANTS
                if self._size == 0:
                    self._arrived()
                return
        self._file, self._offset, self._state = len(self._files), self._size, WHOLE

    def _clear(self):
        """Leave nothing in the slot except what belongs there and is complete; make its folders."""
        wanted = {name: (size, hash_) for name, size, hash_ in self._files}
        self._disk.make("/" + self._slot)
        for name in self._disk.names("/" + self._slot):
            inside = self._disk.names(self._path(name))
            for part in [name + "/" + one for one in inside] + [name]:
                if part not in wanted or not self._whole(part, *wanted[part]):
                    self._disk.remove(self._path(part))
        for name in wanted:
            if "/" in name:
                self._disk.make(self._path(name.split("/")[0]))

    def _whole(self, name, size, wanted):
        digest = hashlib.sha256()
        try:
            with self._disk.open(self._path(name), "rb") as file:
                while True:
                    data = file.read(READ)
                    if not data:
                        break
                    size -= len(data)
                    digest.update(data)
        except OSError:
            return False
        return size == 0 and digest.digest() == wanted

    def _path(self, name):
        return "/" + self._slot + "/" + name

    def _close(self):
        if self._out is not None:
            self._out.close()
            self._out = None


def listed(data):
    """Return name, size and hash of each file of a list; ValueError: it makes no sense."""
    found = []
    for line in data.decode().split("\n"):
        if line:
            name, size, hash_ = line.split(" ")
            top, _, rest = name.partition("/")
            for part in (top, rest) if rest else (top,):
                if part in ("", ".", "..", NEW) or "/" in part:
                    raise ValueError
            found.append((name, int(size), binascii.unhexlify(hash_)))
    sizes = [size for _, size, _ in found]
    if not 0 < len(found) <= SLOT_FILES or min(sizes) < 0 or sum(sizes) > SLOT_BYTES:
        raise ValueError
    if len({name for name, _, _ in found}) < len(found):
        raise ValueError
    return found
