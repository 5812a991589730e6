"""Clocks may be wrong and tables away for long: nothing is lost, and nobody is refused for it."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings
from companion.hall.server_app import HallServer
from companion.mqtt.payloads import HallCommand, HallProposal
from companion.mqtt.signing import CommandVerifier, RefusalReason, signed, signing_key
from companion.referee.commands import Decline
from companion.system.errors import CompanionError
from companion.table.outputs import mqtt_commands, mqtt_publisher
from tests.hall.matches import Moment
from tests.hall.tables import GAME, Table, equal, played
from tests.mqtt.broker import Broker, wait_until
from tests.table.mqtt.telling import Telling

HOUR_MS = 3_600_000
SECRET = "a secret"  # noqa: S105 - not a real one
WISH = HallProposal(GAME, pack(Settings()) | {"seats": ["red", "green"]})


class Clock:
    """The clock on a table's wall, which a test sets; how fast time passes it leaves alone."""

    monotonic, sleep = staticmethod(time.monotonic), staticmethod(time.sleep)

    def __init__(self) -> None:
        self.wrong_ms = 0

    def time_ns(self) -> int:
        return time.time_ns() + self.wrong_ms * 1_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    for part in (mqtt_commands, mqtt_publisher):
        monkeypatch.setattr(part, "time", found)
    return found


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path) as found:
        yield found


def at(moments: list[Moment], by_ms: int) -> list[Moment]:
    return [
        replace(one, entry=replace(one.entry, at_ms=one.entry.at_ms + by_ms)) for one in moments
    ]


@pytest.mark.slow
def test_a_table_that_was_off_for_an_hour_catches_up_with_what_it_played(
    tmp_path: Path, broker: Broker, clock: Clock
) -> None:
    attic = Table("attic", broker.of("attic"))
    long = played(40)
    with HallServer(tmp_path / "hall") as hall:
        hall.follow(broker.of("hall"))
        for moment in long[:10]:
            attic.do("m", moment)
        equal(hall, attic)
        attic.off()
        wait_until(lambda: not is_online(hall))
        assert "not connected" in seen(hall)
        clock.wrong_ms = HOUR_MS
        for moment in at(long[10:], HOUR_MS):
            attic.do("m", moment)
        for number in range(3):  # each was whole before it came back
            for moment in at(played(9, f"n{number}", number), HOUR_MS):
                attic.do(f"n{number}", moment)
        attic.begin()
        equal(hall, attic)
        wait_until(lambda: is_online(hall) and "not connected" not in seen(hall))
        table = hall.tables.named("attic")
        assert table is not None
        assert table.state is not None
        assert abs(table.state.at_ms - time.time() * 1000 - HOUR_MS) < 60_000
        with HallServer(tmp_path / "from nothing") as anew:
            anew.follow(broker.of("hall"))
            equal(anew, attic)
    attic.speaker.close()


def is_online(hall: HallServer) -> bool:
    table = hall.tables.named("attic")
    return table is not None and table.online.online


def seen(hall: HallServer) -> str:
    return hall.views.text(("hall", "en", ""))


@pytest.mark.parametrize("wrong_h", [-1, 1])
def test_a_table_whose_clock_is_wrong_or_set_right_is_asked_all_the_same(
    broker: Broker, clock: Clock, wrong_h: int
) -> None:
    """Its own clock says what is fresh, and tells the hall, which asks no clock at all."""
    clock.wrong_ms = wrong_h * HOUR_MS
    with HallServer(None) as hall, Telling(broker.of("attic"), key=signing_key(SECRET)) as table:
        hall.join_table("attic", SECRET)
        link = hall.follow(broker.of("hall"))
        wait_until(lambda: is_online(hall))
        for wrong_ms in (clock.wrong_ms, 0, clock.wrong_ms):
            clock.wrong_ms = wrong_ms  # what the hall knows of it is now an hour old
            link.propose("attic", WISH, "Grace")
            proposal = table.room.now.proposal
            assert proposal is not None
            assert table.room.wish(Decline(proposal.request)).refused is None
            link.propose("attic", WISH, "Grace")
            again = table.room.now.proposal
            assert again is not None
            assert again.request != proposal.request
            assert table.room.wish(Decline(again.request)).refused is None


def test_whoever_is_not_there_is_told_of_with_what_to_do(broker: Broker) -> None:
    with HallServer(None) as hall:
        hall.join_table("attic", SECRET)
        link = hall.follow(broker.of("hall"))
        wait_until(lambda: link.connected)
        with pytest.raises(CompanionError, match=RefusalReason.OFFLINE.value):
            link.propose("attic", WISH, "Grace")


def test_a_clock_that_was_set_back_closes_no_door() -> None:
    """What is older than the program is refused, by the clock as it is now."""
    key = signing_key(SECRET)
    keeper = CommandVerifier("attic", key, began_ms=HOUR_MS)
    old = signed(HallCommand("r1", "attic", "Ada", HOUR_MS - 1, WISH), key)
    assert keeper.refuses(old, HOUR_MS + 100) is RefusalReason.LATE
    new = signed(HallCommand("r2", "attic", "Ada", 60_100, WISH), key)
    assert keeper.refuses(signed(replace(new, at_ms=HOUR_MS), key), 60_000) is RefusalReason.LATE
    assert keeper.refuses(new, 60_200) is None
    assert keeper.refuses(new, 60_300) is RefusalReason.REPEATED
