"""The life of a table of nothing but a computer: it starts wholly or not, and outlives mistakes."""

import errno
import threading
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.journal import JournalState, journal
from companion.journal.match_file import MatchFile
from companion.present.output import CallbackOutput
from companion.referee.commands import Command, CommandBody, DoAction, RollForUs
from companion.referee.handlers import usual_match
from companion.referee.maintenance_commands import TryLight
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from companion.table.inbox import PendingCommand
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.common.server import listening
from companion.web.server import PhoneServer

BEGIN = usual_match(["red", "blue"])


def plan(folder: Path, port: int | None = None) -> TableConfig:
    pages = None if port is None else Pages(port)
    return TableConfig(config.TableWiring(), folder, pages=pages)


def asks(table: Table, request: str, wish: CommandBody) -> CompanionError | Exception | None:
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
        table.outputs.join(CallbackOutput(lambda now: changes.append(now.version)))
        assert asks(table, "1", BEGIN) is None
        assert asks(table, "2", RollForUs()) is None
        (match,) = table.matches()
        assert [entry.kind for entry in table.entries(match.id)] == ["began", "did"]
        assert table.entries("nothing") == ()
        assert changes[-1] == 1
        assert table.site is not None
        with urlopen(f"http://127.0.0.1:{table.site.here.port}/manual") as page:
            assert page.status == 200


def test_phones_hear_of_what_the_workshop_shows_though_no_snapshot_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1_000_000]
    table = Table(replace(plan(tmp_path, 0), clock_us=lambda: clock[0]))
    with PhoneServer(table) as phones:
        table.outputs.join(phones)
        table.resume()
        table.turn()
        before, rung, tick = table.snapshot, [0], phones.tick

        def ring(now_us: int) -> None:
            rung[0] += 1
            tick(now_us)

        monkeypatch.setattr(phones, "tick", ring)
        for light in (3, 4):
            clock[0] += 1_000_000
            table.turn(PendingCommand(Command(f"try {light}", TryLight(light), "red")))
            assert (rung, table.snapshot) == ([light - 2], before)
        clock[0] += 1_000_000
        table.turn()  # nothing is new
        assert rung == [2]
        table.stop()


def test_where_a_port_is_taken_nothing_of_the_table_stays(tmp_path: Path) -> None:
    before = threads()
    with listening(0) as other, pytest.raises(CompanionError, match="is in use"):
        Table(plan(tmp_path, other.getsockname()[1])).__enter__()
    assert threads() == before
    with Table(plan(tmp_path)) as table:  # its journal was let go, too
        assert asks(table, "1", BEGIN) is None


@pytest.mark.mistakes
def test_a_command_that_fails_by_our_mistake_is_refused_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
        with monkeypatch.context() as patched:
            patched.setattr(table.referee, "handle_command", mistaken)
            assert asks(table, "2", DoAction("roll 7")) is not None
        assert asks(table, "3", DoAction("roll 7")) is None
        assert "while doing act" in caplog.text
        assert table.snapshot.view.magic == 7
        assert table.loop.fault is None


def test_what_ends_a_thread_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Table(plan(tmp_path)) as table:
        monkeypatch.setattr(table.inbox, "wait", mistaken)
        table.post(Command("1", BEGIN, "red"))
        table.loop.thread.join(60)
        assert isinstance(table.loop.fault, ZeroDivisionError)
        monkeypatch.undo()


def break_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be read or written any more, nor opened."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "the card was pulled out")

    for way in (MatchFile.write, MatchFile.append):
        monkeypatch.setattr(MatchFile, way.__name__, fail)
    for name in ("read", "edges", "flock"):
        monkeypatch.setattr(journal, name, fail)


def test_a_resumed_match_needs_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
        match = table.snapshot.match
    with Table(plan(tmp_path)) as table, monkeypatch.context() as patched:
        break_disk(patched)
        assert asks(table, "2", DoAction("roll 7")) is None
        assert table.journal.condition.state is JournalState.FAILING
        assert [one.id for one in table.matches()] == [match]
        assert asks(table, "3", DoAction("place red 3")) is None
        assert table.loop.fault is None
    with Table(plan(tmp_path)) as table:
        assert (table.snapshot.match, table.snapshot.version) == (match, 2)


def test_a_late_disk_brings_its_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
        match = table.snapshot.match
    with monkeypatch.context() as patched:
        break_disk(patched)
        table = Table(plan(tmp_path))
        table.resume()
        assert table.snapshot.match is None
    table.journal.backoff.due_us = 0
    table.tick(0)
    assert table.snapshot.match == match
    assert table.journal.condition.state is JournalState.CAUGHT_UP
    table.stop()


def test_a_disk_that_comes_late_leaves_a_match_that_was_begun_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
    with monkeypatch.context() as patched:
        break_disk(patched)
        table = Table(plan(tmp_path))
        table.resume()
        table.referee.handle_command(Command("2", BEGIN, "red"), 0)
        begun = table.snapshot.match
    table.journal.backoff.due_us = 0
    table.tick(0)
    assert table.snapshot.match == begun
    assert len(table.journal.unfinished()) == 2
    table.stop()


def test_a_disk_that_fails_after_it_told_of_a_match_is_not_a_match_of_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Table(plan(tmp_path)) as table:
        assert asks(table, "1", BEGIN) is None
        match = table.snapshot.match
    table = Table(plan(tmp_path))
    with monkeypatch.context() as patched:
        break_disk(patched)
        table.resume()
        assert table.snapshot.match is None
    table.journal.backoff.due_us = 0
    table.tick(0)
    assert table.snapshot.match == match
    table.stop()


def test_pages_do_not_say_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Table(plan(tmp_path, 0)) as table, monkeypatch.context() as patched:
        assert table.site is not None
        assert asks(table, "1", BEGIN) is None
        break_disk(patched)
        assert asks(table, "2", DoAction("roll 7")) is None
        for place in ("/", "/workshop", "/api/workshop", "/api/snapshot", "/workshop/doctor.json"):
            with urlopen(f"http://127.0.0.1:{table.site.here.port}{place}") as page:
                told = page.read().decode()
            assert str(tmp_path) not in told, place
            assert JOURNAL in told, place


def test_a_recording_that_cannot_be_written_leaves_no_journal_open(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="cannot be written"):
        Table(replace(plan(tmp_path, None), record=tmp_path / "missing" / "evening"))
    assert not (tmp_path / JOURNAL).exists()
