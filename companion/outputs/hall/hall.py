"""The way out to the hall: the table's thread leaves a snapshot, and never waits.

All else is done by the speaker, in its own thread; whether a broker is there, slow or hostile
changes nothing at the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Self

from companion.hall_link.client import Client
from companion.outputs.hall.commands import Commands, Room
from companion.outputs.hall.home_assistant import HomeAssistant
from companion.outputs.hall.membership import Membership
from companion.outputs.hall.open_journal import Journal
from companion.outputs.hall.speaker import Extra, Link, Speaker
from companion.outputs.output import NEVER_US
from companion.referee.snapshot import Snapshot

QUIET_S: Final = 2.0  # time enough for who was there before to come back


class Hall:
    """What a hall is told."""

    due_us: Final = NEVER_US  # it needs no call but for what is new

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        speaker.start()

    @classmethod
    def of(
        cls,
        hall: Membership,
        journal: Journal,
        room: Room | None = None,
        *,
        simulated: bool = False,
        watch: Callable[[Client], object] = lambda _: None,
    ) -> Self:
        """Return the way out to a hall; without a room nobody there is obeyed."""
        link = Link(hall.table, hall.broker, hall.delay_s, simulated, QUIET_S)
        extras: list[Extra] = []
        if hall.key is not None and room is not None:
            extras.append(Commands(hall.table, hall.key, room))
        if hall.home_assistant:
            extras.append(HomeAssistant(hall.table, str(hall.home_assistant)))
        return cls(Speaker(link, journal, tuple(extras), watch=watch))

    def show(self, snapshot: Snapshot, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Have it told as soon as it may be."""
        self.speaker.give(snapshot)

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Say that the table is gone, if somebody is there to hear it."""
        self.speaker.close()
