"""Before the flip no byte that passes the broker depends on which barrel holds which number."""

from __future__ import annotations

import json
import time
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.journal import Entry
from companion.mqtt import payloads, topics
from companion.mqtt.signing import password
from companion.mqtt.topics import TopicKind
from companion.present.api_snapshot import open_entries
from companion.present.mqtt_state import state_of
from companion.referee.commands import Call, Rule
from companion.referee.events import FoulCost, HouseRules
from companion.referee.handlers import usual_match
from companion.simulator.live.live import wiring_of
from companion.system import config
from companion.table.outputs import mqtt_publisher
from tests.mqtt.broker import LOOPBACK, Broker, Listener, secret, wait_until
from tests.mqtt.folding import Fold
from tests.mqtt.tap import Kind as Packets
from tests.mqtt.tap import Packet, Tap
from tests.scenarios import refereed
from tests.scenarios.refereed import Refereed

TRUE = {number: number for number in range(1, 14)}
FALSE = {number: 14 - number for number in TRUE}
TIMES = {"at_ms", "match", "seal", "request", "hall"}  # what no two tables have alike


@dataclass(frozen=True, slots=True)
class Passed:
    """What passed the broker: events in their order, and which states; and which could have."""

    lines: tuple[str, ...]
    states: frozenset[str]
    possible: frozenset[str]
    rest: frozenset[str]
    around: tuple[Packet, ...]  # whatever else the table sent, to the byte


def alike(data: Any) -> Any:
    """Return what was said without what differs between any two tables."""
    if isinstance(data, dict):
        return {name: alike(one) for name, one in data.items() if name not in TIMES}
    return [*map(alike, data)] if isinstance(data, list) else data


def plain(data: bytes) -> str:
    return json.dumps(alike(json.loads(data)), sort_keys=True)


class Evening(AbstractContextManager["Evening"]):
    """A table of the simulator that tells a hall by a real broker."""

    def __init__(self, folder: Path, labels: dict[int, int], patch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        with ExitStack() as life:
            broker = life.enter_context(Broker(folder))
            self.tap = life.enter_context(Tap(broker.port))
            hall = config.HallConfig(
                broker=LOOPBACK,
                port=self.tap.port,
                table="attic",
                password=password(secret("attic")),
                home_assistant=True,
            )
            patch.setattr(mqtt_publisher, "new_instance_id", lambda: "any")
            patch.setattr(refereed, "wiring_of", lambda sim: replace(wiring_of(sim), hall=hall))
            self.ears = [
                life.enter_context(Listener(broker.of(who), "#")) for who in ("hall", "home")
            ]
            self.fold = life.enter_context(closing(Fold(broker.of("hall"), "attic").wait()))
            self.table = life.enter_context(Refereed(folder, guests=False, labels=labels))
            self._life = life.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._life.close()

    def begins(self) -> Evening:
        self.table.wait(3.5)
        new = replace(usual_match(("red", "blue")), house=HouseRules(FoulCost.PUT_BACK))
        assert self.table.says("red", new).refused is None
        self.table.says("red", "roll 12")
        return self

    def calls_a_foul(self) -> Evening:
        """Have people call one that costs the barrel that was placed, and uphold it."""
        assert self.table.says("red", Call("peek", "blue")).refused is None
        assert self.table.says("red", Rule(1, upheld=True)).refused is None
        return self

    def open_journal(self) -> dict[str, list[Entry]]:
        journal = self.table.table.journal
        return {one.id: [*open_entries(journal.events(one.id))] for one in journal.matches()}

    def _published(self) -> set[tuple[str, bytes]]:
        packets = self.tap.packets()
        return {(one.topic, one.data) for one in packets if one.kind is Packets.PUBLISH}

    def _heard(self) -> set[tuple[str, bytes]]:
        heard = [one for ear in self.ears for one in ear.heard]
        return {(one.topic, one.data) for one in heard if _by_table(one.topic)}

    def passed(self) -> Passed:
        """Return all that passed, once the newest state did."""
        newest = self.table.now.version
        self.fold.until(lambda: self.fold.states and self.fold.states[-1].version == newest)
        self.fold.until(lambda: self.fold.entries == self.open_journal())
        time.sleep(0.3)
        state = topics.topic("attic", TopicKind.STATE)
        wait_until(lambda: self._published() == self._heard())
        heard = [one for ear in self.ears for one in ear.heard]
        events = [one for of in self.fold.entries.values() for one in of]
        possible = [state_of(one, at_ms=0) for one in self.table.shown]
        packets = self.tap.packets()
        return Passed(
            tuple(f"{one.number} {one.kind} {one.text}" for one in events),
            frozenset(plain(one.data) for one in heard if one.topic == state),
            frozenset(plain(payloads.write(one)) for one in possible),
            frozenset(
                plain(one.data)
                for one in heard
                if topics.read(one.topic) is None or b'"online"' in one.data
            ),
            tuple(one for one in packets if one.kind in {Packets.CONNECT, Packets.SUBSCRIBE}),
        )


def _by_table(topic: str) -> bool:
    place = topics.read(topic)
    return place is None or place.kind is not TopicKind.HAVE


def test_two_tables_that_differ_in_their_numbers_pass_the_broker_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Passed] = []
    later: list[Passed] = []
    for name, labels in (("one", TRUE), ("other", FALSE)):
        with Evening(tmp_path / name, labels, monkeypatch) as evening:
            table = evening.begins().table
            table.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
            evening.calls_a_foul()
            table.people("blue puts back 4").rest()
            table.people("blue lifts 5\nblue places 5").rest()
            found.append(evening.passed())
            assert table.view.phase in {Phase.PLACE, Phase.FLIP}
            table.people("all flip").rest()
            later.append(evening.passed())
    one, other = found
    assert one.lines == other.lines
    assert len(one.lines) >= 2
    assert one.possible == other.possible
    assert one.states | other.states <= one.possible
    assert one.rest == other.rest
    assert one.around == other.around
    assert len(one.around) >= 2
    assert "peek" in "".join(one.states | other.states)
    assert later[0].lines != later[1].lines, "what is compared would show a difference"
    assert later[0].states != later[1].states
