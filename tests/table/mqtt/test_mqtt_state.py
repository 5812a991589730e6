"""What everybody may know travels as codes and numbers, and shows the same where it arrives."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.plugin import PLUGINS
from companion.i18n.translate import LANGUAGES
from companion.mqtt import payloads
from companion.mqtt.client import Broker
from companion.mqtt.payloads import TableState, TroubleSaid
from companion.present.headline import headline
from companion.present.mqtt_state import condition_from, snapshot_from_state, state_of
from companion.present.page import page_of
from companion.present.viewer import Viewer
from companion.referee.commands import Call
from companion.referee.faults import STOPPER_FAULT, TableFault
from companion.referee.snapshot import Snapshot
from companion.sensing.stopper_faults import StopperFault
from companion.system.errors import Unreadable
from companion.system.status import Condition
from companion.system.text import SeatName
from tests.mqtt.broker import LOOPBACK, free_port
from tests.table.mqtt.telling import Telling
from tests.web.room import FakeRoom


def travelled(now: Snapshot) -> Snapshot:
    """Return what arrives of a snapshot."""
    said = state_of(now, at_ms=7)
    data = payloads.write(said)
    assert payloads.read(TableState, data) == said
    return snapshot_from_state(payloads.read(TableState, data))


@pytest.mark.parametrize("game", PLUGINS)
def test_what_arrives_shows_the_same_board_and_says_the_same(game: str) -> None:
    table = Telling(Broker(LOOPBACK, free_port())).begins(game)
    page = page_of(game)
    assert page is not None
    for _ in range(12):
        now, there = table.room.now, travelled(table.room.now)
        assert (there.view, there.settings, there.house) == (now.view, now.settings, now.house)
        for reader in map(Viewer, LANGUAGES):
            assert headline(there, reader) == headline(now, reader)
            drawn = [page.picture(one.view, one.settings, (), reader) for one in (there, now)]
            assert drawn[0] == drawn[1]
            assert page.seats(there, reader) == page.seats(now, reader)
        if table.room.now.over or not table.room.now.can_undo:
            break
        table.plays(5)
    table.hall.close()


def test_it_says_no_sentence_and_no_seat_s_hand() -> None:
    table = Telling(Broker(LOOPBACK, free_port())).begins("via-magica").plays(3)
    now = table.room.now
    said = json.loads(payloads.write(state_of(now, at_ms=7)))
    assert said["view"]["hand"] == said["view"]["choices"] == []
    assert "happened" not in said
    assert now.seen
    table.hall.close()


def test_fouls_and_troubles_are_told() -> None:
    room = FakeRoom("red", "blue")
    assert room.wish(Call("peek", "blue"), "red").refused is None
    low = STOPPER_FAULT(StopperFault.BATTERY_LOW.value)
    troubles = (
        Condition(low, 0, {"stopper": None}),
        Condition(TableFault.PAD_CUT_OFF, 0, {"seat": SeatName.RED}),
    )
    now = replace(room.now, troubles=troubles)
    said, there = state_of(now, at_ms=7), travelled(now)
    assert not said.batteries
    assert state_of(room.now, at_ms=7).batteries
    assert [str(one) for one in there.troubles] == [str(one) for one in troubles]
    assert (there.fouls[0].seat, there.fouls[0].raised.code) == ("blue", "peek")
    assert (there.costly, there.held) == (now.costly, now.held)


@pytest.mark.parametrize(
    ("code", "values"),
    [("Nothing.AT_ALL", {}), ("Doubt.PAD_CUT_OFF", {}), ("Doubt.PAD_CUT_OFF", {"seat": [1]})],
)
def test_a_trouble_of_another_version_is_left_out(code: str, values: dict[str, object]) -> None:
    found = condition_from(TroubleSaid(code, values))
    assert found is None or str(found)


def test_a_game_that_is_not_known_there_is_refused_with_a_sentence() -> None:
    table = Telling(Broker(LOOPBACK, free_port())).begins()
    said = state_of(table.room.now, at_ms=7)
    table.hall.close()
    with pytest.raises(Unreadable, match="The game 'x' is not known"):
        snapshot_from_state(replace(said, game="x"))
    with pytest.raises(Unreadable):
        snapshot_from_state(replace(said, view={"turns": ["violet?"]}))
    with pytest.raises(Unreadable):
        snapshot_from_state(replace(said, seats=("nobody",)))


def test_before_any_match(tmp_path: Path) -> None:
    now = Snapshot(-1, joining=("red",))
    assert headline(travelled(now), Viewer()) == headline(now, Viewer())
    assert not list(tmp_path.iterdir())
