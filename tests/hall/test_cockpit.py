"""The director's cockpit: what stands at each table, since when; only what is new is sent."""

from pathlib import Path
from random import Random

import pytest

from companion.hall.accounts import Visitor
from companion.hall.cockpit import Cockpit, TableStatus
from companion.hall.director_page import cockpit_cell, cockpit_live
from companion.hall.server_app import HallServer
from companion.hall.tournament.events import Begun, Chosen, Mode, TableAdded, TableBroke
from companion.hall.tournament_sync import last_matches
from companion.mqtt.payloads import Online
from companion.present.mqtt_state import state_of
from companion.present.viewer import Viewer
from tests.hall.matches import moments

DIRECTOR = Visitor(Viewer("en"), "director")


def evening(folder: Path, tables: int, people: int) -> HallServer:
    """Return a hall with a round that has begun."""
    hall = HallServer(folder)
    for number in range(1, tables + 1):
        hall.tournament.do(TableAdded(str(number)))
    for number in range(people):
        hall.tournament.check_in(f"P{number}")
    hall.tournament.do(Chosen("zapp-zerapp", Mode.POINTS, 2, 4, 4, 2))
    hall.tournament.propose()
    hall.tournament.do(Begun(last_matches(hall.tournament.now, hall.tables)))
    return hall


def watched(hall: HallServer, clock_ms: list[int]) -> Cockpit:
    """Return a cockpit whose clock a test sets."""
    return Cockpit(
        hall.tables, hall.tournament, hall.tournament_sync, lambda: True, lambda: clock_ms[0]
    )


def test_a_table_is_free_playing_waiting_or_broken_and_tells_since_when(tmp_path: Path) -> None:
    clock_ms = [60_000]
    with evening(tmp_path, tables=3, people=8) as hall:
        hall.tables.get_or_add("t1")
        cockpit = watched(hall, clock_ms)
        playing = TableStatus.PLAYING
        assert [cell.status for cell in cockpit.cells] == [playing, playing, TableStatus.FREE]
        assert cockpit.since_ms("1") is None  # it may have been so for long
        idle = [*moments("m", "zapp-zerapp", Random(1), 5)][-1]
        state = state_of(idle.snapshot, at_ms=1)
        hall.tables.update("t1", online=Online(online=True), state=state)
        clock_ms[0] = 120_000
        assert cockpit.renew("1") == ["of-table-1"]  # it plays something else than its match
        assert (cockpit.cells[0].status, cockpit.since_ms("1")) == (TableStatus.WAITING, 120_000)
        assert cockpit.renew("1") == []
        hall.tournament.do(TableBroke("3"))
        assert cockpit.renew() == ["of-table-3"]
        assert cockpit.cells[2].status is TableStatus.BROKEN


def test_a_cell_offers_what_can_be_done_there_and_only_to_a_director(tmp_path: Path) -> None:
    with evening(tmp_path, tables=2, people=4) as hall:
        match = hall.tournament.now.running[0]
        cell = cockpit_cell(hall, DIRECTOR, "of-table-1")
        assert f'data-result="{match.id}"' in cell
        assert "tablebroke" in cell
        assert "Watch this table" not in cell  # it has no computer
        for who in (Visitor(Viewer("en")), Visitor(Viewer("en"), match.players[0])):
            assert cockpit_cell(hall, who, "of-table-1") == ""
            assert "of-table-" not in cockpit_live(hall, who)


def test_news_of_one_table_is_sent_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = 500
    with evening(tmp_path, tables=tables, people=40) as hall:
        assert len(hall.cockpit.cells) == tables
        seen: list[tuple[str, str]] = []
        monkeypatch.setattr(hall.views, "changed", lambda view, part="": seen.append((view, part)))
        hall.tournament.do(TableBroke(str(tables)))
        assert [part for view, part in seen if view == "cockpit"] == [f"of-table-{tables}"]
        seen.clear()
        hall.changed("hall", f"tile-{tables}")
        assert [part for view, part in seen if view == "cockpit"] == []
        assert len(cockpit_cell(hall, DIRECTOR, f"of-table-{tables}")) < 4000
