"""The life of a table of nothing but a computer: it starts wholly or not, and outlives mistakes."""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion import config
from companion.app import Pages, Plan, Table
from companion.errors import CompanionError
from companion.phone.server import listening
from companion.referee.commands import Act, Command, RollForUs, Wish
from companion.referee.wishes import zapp_zerapp

BEGIN = zapp_zerapp(["red", "blue"])


def plan(folder: Path, port: int | None = None) -> Plan:
    pages = None if port is None else Pages(port)
    return Plan(config.Table(), folder, pages=pages)


def asks(table: Table, request: str, wish: Wish) -> CompanionError | Exception | None:
    answer = table.ask(Command(request, wish, "red"))
    assert answer is not None
    return answer.refused


def mistaken(*_: object, **__: object) -> None:
    raise ZeroDivisionError


def threads() -> set[str]:
    return {one.name for one in threading.enumerate()}


def test_phones_find_its_pages_and_its_matches(tmp_path: Path) -> None:
    changes: list[int] = []
    with Table(plan(tmp_path, 0)) as table:
        table.watch(lambda: changes.append(table.snapshot.version))
        assert asks(table, "1", BEGIN) is None
        assert asks(table, "2", RollForUs()) is None
        (match,) = table.matches()
        assert [entry.kind for entry in table.entries(match.id)] == ["began", "did"]
        assert table.entries("nothing") == ()
        assert changes[-1] == 1
        assert table.phones is not None
        with urlopen(f"http://127.0.0.1:{table.phones.here.port}/manual") as page:
            assert page.status == 200


def test_where_a_port_is_taken_nothing_of_the_table_stays(tmp_path: Path) -> None:
    before = threads()
    with listening(0) as other, pytest.raises(CompanionError, match="is in use"):
        Table(plan(tmp_path, other.getsockname()[1])).__enter__()
    assert threads() == before
    with Table(plan(tmp_path)) as table:  # its journal was let go, too
        assert asks(table, "1", BEGIN) is None


def test_a_command_that_fails_by_our_mistake_is_refused_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
        with monkeypatch.context() as patched:
            patched.setattr(table.referee, "command", mistaken)
            assert "mistake of this program" in str(asks(table, "2", Act("roll 7")))
        assert "Act failed" in caplog.text
        assert asks(table, "3", Act("roll 7")) is None
        assert table.snapshot.view.magic == 7
        assert table.fault is None


def test_what_ends_its_thread_is_kept_for_whoever_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Table(plan(tmp_path)) as table:
        monkeypatch.setattr(table, "turn", mistaken)
        table.post(Command("1", BEGIN, "red"))
        table._thread.join(60)
        assert isinstance(table.fault, ZeroDivisionError)
        monkeypatch.undo()
