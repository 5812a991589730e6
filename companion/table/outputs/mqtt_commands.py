"""Handles MQTT commands of a hall: it may propose the next match, and nothing else.

Each command is answered, with a code if it is refused. It is heard in the connection's thread and
carried out in the speaker's, by the same way as what phones wish for.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from companion.mqtt import client, payloads, signing
from companion.mqtt.topics import TopicKind, topic
from companion.referee import commands, events, snapshot
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

    def __init__(self, table: str, key: bytes, room: CommandPorts) -> None:
        self._room = room
        self._place, self._answers = topic(table, TopicKind.COMMAND), topic(table, TopicKind.ANSWER)
        self._keeper = signing.CommandVerifier(table, key, _wall_ms())
        self._waiting: deque[client.MqttMessage] = deque(maxlen=WAITING)
        self._said: deque[client.Publication] = deque(maxlen=WAITING)  # or is still to be said
        self._seated = ""  # the request whose people were told to the table
        self.filters: tuple[str, ...] = (self._place,)

    def on_connect(self) -> None:
        """Note that a connection came: what was asked in the one before waits no more."""
        self._said.clear()

    def handle_message(self, heard: client.MqttMessage) -> None:
        if heard.topic == self._place:
            self._waiting.append(heard)

    def tick(self, now: snapshot.Snapshot, say: Callable[[client.Publication], bool]) -> None:
        """Carry out what was said, and answer."""
        while self._waiting:
            heard = self._waiting.popleft()
            answer = self._answer(heard, now)
            data = payloads.write(answer)
            self._said.append(
                client.Publication(
                    self._answers, data, expiry_s=payloads.EXPIRY_S, correlation=heard.correlation
                )
            )
        while self._said and say(self._said[0]):
            self._said.popleft()  # else it waits until the broker takes more
        self._seat(now.proposal)

    def _answer(self, heard: client.MqttMessage, now: snapshot.Snapshot) -> payloads.CommandAnswer:
        command: payloads.HallCommand | None = None
        try:
            command = payloads.read(payloads.HallCommand, heard.data)
            refused, values = self._refused(heard, command, now)
        except RulesError:
            refused, values = signing.RefusalReason.UNREADABLE, None
        request = "" if command is None else command.request
        code = None if refused is None else refused.name
        return payloads.CommandAnswer(request, now.version, _wall_ms(), code, values)

    def _refused(
        self, heard: client.MqttMessage, command: payloads.HallCommand, now: snapshot.Snapshot
    ) -> tuple[signing.RefusalReason | None, dict[str, Any] | None]:
        if heard.retained:
            return signing.RefusalReason.RETAINED, None
        if heard.response != self._answers:
            return signing.RefusalReason.NO_ANSWER, None
        if (refused := self._keeper.refuses(command, _wall_ms())) is not None:
            return refused, None
        if now.match is not None and not now.over:
            return signing.RefusalReason.PLAYING, None
        return self._propose(command)

    def _propose(
        self, command: payloads.HallCommand
    ) -> tuple[signing.RefusalReason | None, dict[str, Any] | None]:
        wish = command.wish
        match = commands.NewMatch(wish.game, wish.settings, events.USUAL_HOUSE)
        names = tuple((seated.seat, seated.name) for seated in wish.names if seated.seat in SEATS)
        proposal = snapshot.Proposal(command.request, command.by[:LONGEST_BY], match, names)
        asked = commands.Command(
            f"hall {command.request}",
            snapshot.ProposeMatch(proposal),
            BY_HALL,
            command.version,
            command.match,
        )
        answer = self._room.ask(asked)
        if answer is None:
            return signing.RefusalReason.OFFLINE, None
        match answer.refused:
            case None:
                return None, None
            case Stale():
                return signing.RefusalReason.STALE, None
            case why:
                return signing.RefusalReason.NO_SUCH_MATCH, {"why": str(why)[:400]}

    def _seat(self, proposal: snapshot.Proposal | None) -> None:
        """Tell the table who sits where, once people there have said yes."""
        if proposal is None or proposal.verdict is not snapshot.ProposalVerdict.ACCEPTED:
            return
        if proposal.request != self._seated:
            self._seated = proposal.request
            for seat, name in proposal.names:
                try:
                    self._room.sit(seat, name)
                except CompanionError:  # such as a name that is too long: the colour will do
                    continue


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
