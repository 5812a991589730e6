"""Packets for stoppers, which sleep with their radio off and hear only just after they spoke."""

LISTEN_MS = 25  # a little less than a stopper listens
ROOM, NODES = 4, 20  # packets for a stopper; stoppers, as many as ESP-NOW has peers


class Mailbox:
    """What is held for each stopper, and when it was last heard."""

    def __init__(self):
        self._boxes = []  # of [node, heard_ms, packets, ours], the longest unheard first
        self.drops = 0

    def put(self, node, packet, now_ms):
        """Hold a packet until the stopper is next heard, unless it is listening now."""
        box = self._box(node)
        if box is None:
            if len(self._boxes) >= NODES:
                self._evict(self._stranger() or self._boxes[0])
            box = [node, -LISTEN_MS, [], True]
            self._boxes.append(box)
        box[3] = True  # the host knows it
        if now_ms - box[1] < LISTEN_MS:
            return
        if len(box[2]) >= ROOM:
            self.drops += 1
            box[2].pop(0)
        box[2].append(packet)

    def heard(self, node, now_ms):
        """Return what is held for a stopper that is listening now."""
        box = self._box(node)
        if box is not None:
            self._boxes.remove(box)
        else:
            box = [node, 0, [], False]
            if len(self._boxes) >= NODES:
                longest = self._stranger()
                if longest is None:
                    return ()  # all are the host's own
                self._evict(longest)
        self._boxes.append(box)
        held, box[1], box[2] = box[2], now_ms, []
        return held

    def _box(self, node):
        for box in self._boxes:
            if box[0] == node:
                return box
        return None

    def _stranger(self):
        for box in self._boxes:
            if not box[3]:
                return box
        return None

    def _evict(self, box):
        self.drops += len(box[2])
        self._boxes.remove(box)
