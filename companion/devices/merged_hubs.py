"""Merges what two hubs say: all of it by the clock of the first, live and in a recording alike."""

from typing import Final

from companion.devices.hub_discovery import HubMessage

SPAN_US: Final = 30_000_000  # the least delay of the last one or two of these counts


class ClockOffset:
    """How much later than a hub's clock the host's is, by the least delayed of its messages.

    >>> offset = ClockOffset()
    >>> offset.take(5_000, 1_000), offset.take(6_900, 3_000), offset.take(9_500, 5_000)
    (4000, 3900, 3900)
    >>> offset.take(10_000, 20)  # it started over
    9980
    """

    def __init__(self) -> None:
        self._hub_us = self._since_us = 0
        self._least: tuple[int, ...] = ()  # of this span and the one before

    def take(self, at_us: int, hub_us: int) -> int:
        """Take a time on both clocks; return how far they are apart."""
        if hub_us < self._hub_us:
            self._least = ()
        if not self._least or at_us - self._since_us > SPAN_US:
            self._since_us, self._least = at_us, (at_us - hub_us, *self._least[:1])
        self._hub_us = hub_us
        self._least = (min(self._least[0], at_us - hub_us), *self._least[1:])
        return self.us

    @property
    def us(self) -> int:
        """Return how far they are apart."""
        return min(self._least, default=0)


class MergedHubs:
    """Two hubs as one; a table with one hub never asks for the second."""

    def __init__(self) -> None:
        self._first, self._second = ClockOffset(), ClockOffset()

    def first(self, heard: HubMessage) -> HubMessage:
        """Return what the first hub says, as it is."""
        self._first.take(heard.at_us, heard.said.time_us)
        return heard

    def second(self, heard: HubMessage) -> HubMessage | None:
        """Return what the second heard as if the first had; None: it speaks of itself, no news."""
        message = heard.said
        later_us = self._second.take(heard.at_us, message.time_us) - self._first.us
        if message.name != "RELAYED":
            return None
        time_us = max(0, message.time_us + later_us)
        return HubMessage(heard.at_us, message._replace(time_us=time_us))
