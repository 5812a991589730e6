"""A hall machine, and a table that joins a hall while it is installed."""

import pytest

from companion.cli.install import releases, system
from companion.cli.install.places import FILES
from companion.cli.install.system import HALL
from companion.journal import Journal, NewEntry
from companion.mqtt import join_code
from companion.mqtt.join_code import FILE, HALL_FILE, Joining
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from release.install.roots import BOOT, Pi

JOINING = Joining(
    "192.168.7.9 rappelwacht-hall.local", 8883, "attic", "a secret", b"\x30 authority"
)
CODE = join_code.write(JOINING)
UNIT = "etc/systemd/system/rappelwacht-hall.service"
OF_TABLES = {place for name, place in FILES.items() if name not in HALL.files}


def test_all_that_a_hall_needs_is_there_afterwards_and_nothing_of_a_table(pi: Pi) -> None:
    assert pi.carry_out("install", hall=True) == 0
    for place in HALL.files.values():
        assert (pi.root / place).is_file(), place
    assert not [place for place in OF_TABLES if (pi.root / place).exists()]
    assert not pi.places.config.exists()
    assert "HALL_WORDS" in pi.read("etc/rappelwacht/hall.conf")
    assert pi.read("etc/hostname") == "rappelwacht-hall\n"
    assert "127.0.1.1 rappelwacht-hall" in pi.read("etc/hosts")
    assert pi.read("boot/firmware/config.txt") == BOOT  # no bus is needed
    enable = ["systemctl", f"--root={pi.root}", "enable", "--no-reload", "rappelwacht-hall.service"]
    assert enable in pi.tools.calls
    assert not pi.tools.asked("rappelwacht.service")
    said = " ".join(pi.out.getvalue().split())
    assert "The hall is at rappelwacht-hall.local" in said
    assert "hall/hall-pin" in said
    assert {"mosquitto", "openssl"} <= {*HALL.packages}


@pytest.mark.slow
def test_once_more_it_stays_a_hall_and_what_people_wrote_stays(pi: Pi) -> None:
    pi.carry_out("install", hall=True)
    (pi.root / "etc/rappelwacht/hall.conf").write_text("HALL_WORDS=--broker h\n", "utf-8")
    before = pi.tree()
    assert pi.carry_out("install") == 0
    assert pi.carry_out("install", hall=True) == 0
    assert pi.tree() == before


def test_a_newer_version_of_a_hall_can_be_gone_back_from(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.carry_out("install", hall=True)
    old = pi.places.current.readlink().name
    with monkeypatch.context() as patch:
        patch.setattr(releases, "name", lambda: "9.9.9-0000000000")
        pi.carry_out("install")
    assert pi.carry_out("roll_back") == 0
    assert pi.places.current.readlink().name == old
    assert system.installed_role(pi.places) is HALL


def test_a_hall_is_removed_but_for_what_it_keeps(pi: Pi) -> None:
    before = pi.tree()
    pi.carry_out("install", hall=True)
    kept_by_it = pi.places.data / "hall/hall.sqlite3"
    kept_by_it.parent.mkdir(parents=True)
    kept_by_it.write_text("results", "utf-8")
    assert pi.carry_out("uninstall") == 0
    left = pi.tree()
    assert left.pop("etc/rappelwacht/hall.conf")
    assert left.pop("var/lib/rappelwacht/hall/hall.sqlite3")
    assert left == before
    assert [
        "systemctl",
        f"--root={pi.root}",
        "disable",
        "rappelwacht-hall.service",
    ] in pi.tools.calls
    pi.carry_out("install")  # now it may be a table
    pi.carry_out("uninstall", purge=True)
    assert not [name for name in pi.tree() if "rappelwacht" in name]


def test_a_computer_is_one_of_the_two(pi: Pi) -> None:
    pi.carry_out("install")
    before = pi.tree()
    with pytest.raises(CompanionError, match="sudo rappelwacht uninstall"):
        pi.carry_out("install", hall=True)
    assert pi.tree() == before
    hall = Pi(pi.root.with_name("hall"))
    hall.carry_out("install", hall=True)
    for words in ({}, {"hall": True}):
        with pytest.raises(CompanionError, match="A hall cannot join a hall"):
            hall.carry_out("install", join=CODE, **words)


def test_a_table_joins_while_it_is_installed_and_needs_no_network_for_it(pi: Pi) -> None:
    assert pi.carry_out("install", join=CODE) == 0
    file = pi.places.data / "table" / FILE
    assert HALL_FILE.read(file.parent) == JOINING
    assert file.stat().st_mode & 0o077 == 0
    said = " ".join(pi.out.getvalue().split())
    assert "belongs to the hall at 192.168.7.9, as attic" in said
    assert "a secret" not in said
    pi.carry_out("install")  # once more, and it still does
    assert HALL_FILE.read(file.parent) == JOINING


def test_what_is_not_a_code_is_refused_before_anything_is_done(pi: Pi) -> None:
    before = pi.tree()
    with pytest.raises(CompanionError, match="not read or typed"):
        pi.carry_out("install", join=CODE[:-2])
    assert pi.tree() == before


def test_no_table_is_restarted_in_mid_game_to_join_a_hall(pi: Pi) -> None:
    pi.carry_out("install")
    folder = pi.places.data / "table"
    folder.mkdir(parents=True)
    journal = Journal(folder / JOURNAL)
    journal.start(NewEntry("begun", {}))
    journal.close()
    with pytest.raises(CompanionError, match="A match is not finished"):
        pi.carry_out("install", join=CODE)
    assert HALL_FILE.read(folder) is None
    assert pi.carry_out("install", join=CODE, anyway=True) == 0
    assert HALL_FILE.read(folder) == JOINING
