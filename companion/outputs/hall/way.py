"""How the way to the hall is, told to people once it has been so for a while.

A connection that comes and goes is not news each time: nobody at the table can mend that, and what
is told makes a new snapshot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.condition import Condition, Report, Watched
from companion.hall_link.client import Broker, Client
from companion.hall_link.reach import Reach, today

LASTS_US: Final = 10_000_000  # it must last this long before it counts as trouble


class Way:
    """What is known of the way; the speaker's thread looks, and any thread may read."""

    def __init__(self, report: Report, clock_us: Callable[[], int]) -> None:
        self._clock_us = clock_us
        self._watched = Watched(Reach.NONE, report)
        self._broker: Broker | None = None
        self._seen: Reach | None = None
        self._since_us = 0

    @property
    def condition(self) -> Condition:
        """Return how it is."""
        return self._watched.condition

    def leads_to(self, broker: Broker | None) -> None:
        """Take note of another hall; None: of none."""
        self._broker, self._seen = broker, None
        if broker is None:
            self._watched.becomes(Reach.NONE, self._clock_us())
        else:
            self._watched.becomes(Reach.LOOKING, self._clock_us(), host=broker.hosts[0])

    def look(self, client: Client) -> None:
        """See how far a connection comes."""
        broker, reach, now_us = self._broker, client.reach, self._clock_us()
        if broker is None or reach is None:
            return
        if reach is not self._seen:
            self._seen, self._since_us = reach, now_us
        if reach.fine or now_us - self._since_us >= LASTS_US:
            where = {"host": broker.hosts[0], "port": broker.port}
            why = {} if reach.fine else {"reason": client.why, "date": today()}
            self._watched.becomes(reach, now_us, **where, **why)
