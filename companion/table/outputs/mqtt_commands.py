"""Handles MQTT commands of a hall: it may propose the next match, and nothing else.

Each command is answered, with a code if it is refused. It is heard in the connection's thread and
carried out in the speaker's, by the same way as what phones wish for.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from companion.mqtt import payloads
from companion.mqtt.client import MqttMessage, Publication
from companion.mqtt.payloads import EXPIRY_S, CommandAnswer, HallCommand
from companion.mqtt.signing import CommandVerifier, RefusalReason
from companion.mqtt.topics import TopicKind, topic
from companion.referee import commands
from companion.referee.commands import NewMatch
from companion.referee.events import HouseRules
from companion.referee.snapshot import Proposal, ProposalVerdict, ProposeMatch, Snapshot
from companion.system.errors import CompanionError, RulesError, Stale
from companion.system.text import SEATS

WAITING: Final = 16  # commands; nothing that works correctly sends more
LONGEST_BY: Final = 40
BY_HALL: Final = "hall"


@dataclass(frozen=True, slots=True)
class CommandPorts:
    ask: Callable[[commands.Command], commands.Answer | None]
    sit: Callable[[str, str], object]  # have somebody sit at a seat; CompanionError: why not


class Commands:
    """Obeys what comes from whoever has the key, is meant for this table, and is fresh."""

    def __init__(
        self,
        table: str,
        key: bytes,
        room: CommandPorts,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._room, self._wall_ms = room, wall_ms
        self._place, self._answers = topic(table, TopicKind.COMMAND), topic(table, TopicKind.ANSWER)
        self._keeper = CommandVerifier(table, key, wall_ms())
        self._waiting: deque[MqttMessage] = deque(maxlen=WAITING)
        self._said: deque[Publication] = deque(maxlen=WAITING)  # or is still to be said
        self._seated = ""  # the request whose people were told to the table
        self.filters: tuple[str, ...] = (self._place,)

    def on_connect(self) -> None:
        """Note that a connection came: what was asked in the one before waits no more."""
        self._said.clear()

    def handle_message(self, heard: MqttMessage) -> None:
        if heard.topic == self._place:
            self._waiting.append(heard)

    def tick(self, now: Snapshot, say: Callable[[Publication], bool]) -> None:
        """Carry out what was said, and answer."""
        while self._waiting:
            heard = self._waiting.popleft()
            answer = self._answer(heard, now)
            data = payloads.write(answer)
            self._said.append(
                Publication(self._answers, data, expiry_s=EXPIRY_S, correlation=heard.correlation)
            )
        while self._said and say(self._said[0]):
            self._said.popleft()  # else it waits until the broker takes more
        self._seat(now.proposal)

    def _answer(self, heard: MqttMessage, now: Snapshot) -> CommandAnswer:
        command: HallCommand | None = None
        try:
            command = payloads.read(HallCommand, heard.data)
            refused, values = self._refused(heard, command, now)
        except RulesError:
            refused, values = RefusalReason.UNREADABLE, None
        request = "" if command is None else command.request
        code = None if refused is None else refused.name
        return CommandAnswer(request, now.version, self._wall_ms(), code, values)

    def _refused(
        self, heard: MqttMessage, command: HallCommand, now: Snapshot
    ) -> tuple[RefusalReason | None, dict[str, Any] | None]:
        if heard.retained:
            return RefusalReason.RETAINED, None
        if heard.response != self._answers:
            return RefusalReason.NO_ANSWER, None
        if (refused := self._keeper.refuses(command, self._wall_ms())) is not None:
            return refused, None
        if now.match is not None and not now.over:
            return RefusalReason.PLAYING, None
        return self._propose(command)

    def _propose(self, command: HallCommand) -> tuple[RefusalReason | None, dict[str, Any] | None]:
        wish = command.wish
        match = NewMatch(wish.game, wish.settings, HouseRules())
        names = tuple((seated.seat, seated.name) for seated in wish.names if seated.seat in SEATS)
        proposal = Proposal(command.request, command.by[:LONGEST_BY], match, names)
        asked = commands.Command(
            f"hall {command.request}",
            ProposeMatch(proposal),
            BY_HALL,
            command.version,
            command.match,
        )
        answer = self._room.ask(asked)
        if answer is None:
            return RefusalReason.OFFLINE, None
        match answer.refused:
            case None:
                return None, None
            case Stale():
                return RefusalReason.STALE, None
            case why:
                return RefusalReason.NO_SUCH_MATCH, {"why": str(why)[:400]}

    def _seat(self, proposal: Proposal | None) -> None:
        """Have the table know who sits where, once people there have said yes."""
        if proposal is None or proposal.verdict is not ProposalVerdict.ACCEPTED:
            return
        if proposal.request != self._seated:
            self._seated = proposal.request
            for seat, name in proposal.names:
                try:
                    self._room.sit(seat, name)
                except CompanionError:  # such as a name that is too long: the colour will do
                    continue


def proposed(proposal: Proposal | None) -> payloads.ProposalState | None:
    """Return what a hall is told of the last proposal."""
    if proposal is None:
        return None
    return payloads.ProposalState(proposal.request, proposal.verdict.value)
