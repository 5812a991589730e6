"""A queue of limited length: what must wait, and what is thrown away first when it is full.

Order is always kept, because the host refuses a packet that was overtaken.
"""


class Queue:
    """Frames on their way to a host that may be slow or gone."""

    def __init__(self, room):
        self._room = room
        self._frames = []  # of (frame, expendable)
        self._rest = b""  # of the frame that is being written
        self.drops = 0

    def __len__(self):
        return len(self._frames) + (1 if self._rest else 0)

    def put(self, frame, expendable):
        """Add a frame; if there is no room, the oldest expendable one goes, or else the oldest."""
        if len(self._frames) >= self._room:
            self.drops += 1
            self._frames.pop(self._first_to_go())
        self._frames.append((frame, expendable))

    def pump(self, write):
        """Write as much as is taken without waiting."""
        while self._rest or self._frames:
            if not self._rest:
                self._rest = self._frames.pop(0)[0]
            taken = write(self._rest) or 0
            self._rest = self._rest[taken:]
            if self._rest:
                return

    def _first_to_go(self):
        for at, (_, expendable) in enumerate(self._frames):
            if expendable:
                return at
        return 0
