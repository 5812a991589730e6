"""Damaged files in a hall's folder: it starts, keeps them aside, and says so."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.hall.broker import FILE
from companion.hall.server_app import HallServer
from tests.programs import need


@pytest.mark.parametrize("damage", ["random", "half", "brackets"])
def test_a_hall_keeps_its_damaged_file_aside_and_starts(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / FILE
    with HallServer(tmp_path) as hall:
        hall.tables.get_or_add("attic")
    whole = path.read_bytes()
    bad = {
        "random": bytes(n * 37 % 251 for n in range(9_000)),
        "half": whole[: len(whole) // 2],
        "brackets": b"[" * 5_000,
    }[damage]
    path.write_bytes(bad)
    with caplog.at_level(logging.WARNING), HallServer(tmp_path) as hall:
        assert not len(hall.tables)
        hall.tables.get_or_add("cellar")
    assert path.with_name(f"{FILE}.damaged-1").read_bytes() == bad
    assert f"kept as {path}.damaged-1" in caplog.text
    caplog.clear()
    with HallServer(tmp_path) as hall:
        assert [table.name for table in hall.tables] == ["cellar"]
    assert not caplog.records


def test_somebody_with_an_unknown_animal_is_passed_over_and_stays_in_the_file(
    tmp_path: Path,
) -> None:
    with HallServer(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("INSERT INTO regulars VALUES ('a', 'Ada', 'unicorn'), ('b', 'Bo', 'fox')")
    with HallServer(tmp_path) as hall:
        assert [*hall.ratings.regulars] == ["b"]
        assert hall.store.read("SELECT count(*) FROM regulars") == [(2,)]


def test_a_broker_starts_without_what_it_kept_if_that_is_damaged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    need("mosquitto")
    need("openssl")
    (tmp_path / "broker").mkdir(mode=0o700)
    kept = tmp_path / "broker" / "mosquitto.db"
    kept.write_bytes(b"[" * 5_000)
    with HallServer(tmp_path) as hall:
        broker = hall.own_broker(tmp_path, "127.0.0.1")
        assert broker.pid is not None
        assert kept.with_name("mosquitto.db.damaged-1").read_bytes() == b"[" * 5_000
    assert "mosquitto.db.damaged-1" in caplog.text
