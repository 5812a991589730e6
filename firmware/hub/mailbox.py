"""Packets for stoppers, which sleep with their radio off and hear only just after they spoke.

It must not know what a packet says.
"""

LISTEN_MS = 25  # a little less than a stopper listens
ROOM, NODES = 4, 20  # packets for a stopper; stoppers, as many as ESP-NOW has peers


class Mailbox:
    """What is held for each stopper, and when it was last heard."""

    def __init__(self):
        self._boxes = {}  # by node: [heard_ms, packets]
        self.drops = 0

    def put(self, node, packet, now_ms):
        """Hold a packet until the stopper is heard next, unless it listens now anyway."""
        box = self._boxes.get(node)
        if box is not None and now_ms - box[0] < LISTEN_MS:
            return
        if box is None:
            if len(self._boxes) >= NODES:
                self.drops += 1
                return
            box = self._boxes[node] = [-LISTEN_MS, []]
        if len(box[1]) >= ROOM:
            self.drops += 1
            box[1].pop(0)
        box[1].append(packet)

    def heard(self, node, now_ms):
        """Return what is held for a stopper that is listening now."""
        box = self._boxes.get(node)
        if box is None:
            if len(self._boxes) < NODES:
                self._boxes[node] = [now_ms, []]
            return ()
        held, box[0], box[1] = box[1], now_ms, []
        return held
