"""Damaged files in a hall's folder: it starts, keeps them aside, and says so."""

import logging
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from companion.cli import hall as hall_command
from companion.cli.main import main
from companion.hall.accounts import COOKIE, DIRECTOR
from companion.hall.broker import FILE
from companion.hall.server_app import HallServer, create_app
from companion.hall.store import Store
from companion.system import certificates
from tests.programs import need


def told_the_director(hall: HallServer) -> str:
    """Return what the page Director says."""
    phone = create_app(hall, hall.views).test_client()
    phone.set_cookie(COOKIE, hall.accounts.sign_in(DIRECTOR))
    return unescape(phone.get("/director").text)


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
        assert f"kept as {path}.damaged-1" in told_the_director(hall)
    assert path.with_name(f"{FILE}.damaged-1").read_bytes() == bad
    assert f"kept as {path}.damaged-1" in caplog.text
    caplog.clear()
    with HallServer(tmp_path) as hall:
        assert [table.name for table in hall.tables] == ["cellar"]
        assert "damaged-1" not in told_the_director(hall)
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


def test_a_new_authority_is_told_where_a_director_looks(tmp_path: Path) -> None:
    need("mosquitto")
    need("openssl")
    (tmp_path / "broker").mkdir(mode=0o700)
    (tmp_path / "broker" / certificates.AUTHORITY).write_text("spoilt", "ascii")
    with HallServer(tmp_path) as hall:
        hall.own_broker(tmp_path, "127.0.0.1")
        said = told_the_director(hall)
    assert f"{certificates.AUTHORITY}.damaged-1" in said
    assert certificates.NO_TABLE_TRUSTS.template[:60] in said


def test_a_spoilt_file_of_the_pin_is_told_on_the_terminal_and_to_the_director(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hall").mkdir(mode=0o700)
    (tmp_path / "hall" / hall_command.PIN).mkdir()
    halls, pages = list[HallServer](), list[str]()

    def opened(folder: Path) -> HallServer:
        halls.append(HallServer(folder))
        return halls[0]

    monkeypatch.setattr(hall_command, "HallServer", opened)
    monkeypatch.setattr(hall_command, "go_on", lambda *_: pages.append(told_the_director(*halls)))
    words = ["hall", "--folder", str(tmp_path / "hall"), "--broker", "127.0.0.1:1", "--port", "0"]
    assert main(["--language", "en", *words]) == 0
    aside = f"{hall_command.PIN}.damaged-1"
    assert aside in " ".join(capsys.readouterr().out.split())
    assert aside in pages[0]
    assert (tmp_path / "hall" / hall_command.PIN).is_file()


@pytest.mark.usefixtures("nobody_waits")
def test_a_store_that_is_closed_and_one_that_met_a_fault_keep_nobody_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path / FILE, "CREATE TABLE seen (id INTEGER)")
    store.later(lambda file: file.execute("INSERT INTO seen VALUES (1)"), then=lambda: 1 // 0)
    store.write(lambda file: file.execute("INSERT INTO seen VALUES (2)"))
    assert store.read("SELECT id FROM seen") == [(1,), (2,)]
    assert "ZeroDivisionError" in caplog.text
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.write(lambda file: file.execute("INSERT INTO seen VALUES (3)"))
