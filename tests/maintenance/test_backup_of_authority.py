"""What phones trust by https travels in a backup that a passphrase locks, and in no other."""

import errno
import os
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.maintenance import backup as backups
from companion.maintenance.backup import finish_restore, read_backup, restore
from companion.system import certificates, private_files
from companion.system.errors import CompanionError
from tests.maintenance import backup_files
from tests.maintenance.backup_files import NOW, QUICK, WORDS, backed_up, cut_at, kept, locked, table

MADE = datetime(2026, 11, 28, tzinfo=UTC)
NAMES = ("zapp.local", "192.168.7.5")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "SCRYPT", QUICK)


def trusted(folder: Path) -> bytes:
    """Have a table make its certificates, unless it has some; return what phones trust of it."""
    known = certificates.read_pages(folder / "https")
    if known is None:
        known = certificates.renew_pages(folder / "https", NAMES, MADE)
    assert known is not None
    return known.root


def test_phones_trust_a_table_that_was_restored_behind_a_passphrase(tmp_path: Path) -> None:
    old, new = table(tmp_path / "old"), table(tmp_path / "new", 1)
    root, mine = trusted(old), trusted(new)
    file = locked(old, tmp_path / "b.zip")
    with backups.unlocked(file, WORDS) as plain:
        backup, before = restore(new, file, NOW, stream=plain)
    assert "authority" in backup.counts()
    assert backups.trusted_anew(backup) is None
    assert trusted(new) == root != mine  # and a certificate of before that it never signed is gone
    assert (new / "https/authority.pem").stat().st_mode & private_files.OTHERS == 0
    assert (before / "https/authority.pem").stat().st_mode & private_files.OTHERS == 0
    assert trusted(before) == mine


def test_no_key_is_in_a_backup_that_anybody_can_open(tmp_path: Path) -> None:
    old, new = table(tmp_path / "old"), table(tmp_path / "new", 1)
    trusted(old)
    mine = trusted(new)
    table(old / "simulated", 1)
    trusted(old / "simulated")
    file = backed_up(old, tmp_path / "b.zip")
    assert "authority" not in read_backup(file).counts()
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(name) for name in archive.namelist())
    assert b"PRIVATE KEY" not in held
    assert "anew" in str(backups.trusted_anew(read_backup(file)))
    restore(new, file, NOW)
    assert trusted(new) == mine  # whoever trusted this table goes on


def test_a_restore_that_is_cut_leaves_one_authority_or_the_other(tmp_path: Path) -> None:
    old = table(tmp_path / "old", 1)
    (old / "https").mkdir()
    (old / "https/authority.pem").write_text("old", "ascii")
    file, moment, done, seen = locked(old, tmp_path / "b.zip"), 0, False, set[str]()
    while not done:
        moment += 1
        here = table(tmp_path / f"here-{moment}", 1)
        (here / "https").mkdir()
        (here / "https/authority.pem").write_text("mine", "ascii")
        mine = kept(here)
        with backups.unlocked(file, WORDS) as plain, pytest.MonkeyPatch.context() as patched:
            cut_at(patched, moment)
            try:
                restore(here, file, NOW, stream=plain)
                done = True
            except backup_files.PowerCut:
                pass
        finish_restore(here)
        assert kept(here) in (mine, kept(old)), moment
        seen.add((here / "https/authority.pem").read_text("ascii"))
    assert seen == {"old", "mine"}


def test_the_commands_say_so_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, here = table(tmp_path / "old"), table(tmp_path / "here")
    trusted(old)
    root = trusted(old)
    words = ["--language", "en", "--folder"]

    def shown() -> str:
        return " ".join(capsys.readouterr().out.split())

    assert main(["backup", str(tmp_path / "plain.zip"), *words, str(old)]) == 0
    assert "https" in shown()
    backup_files.typing(monkeypatch, *5 * [WORDS])
    assert main(["backup", str(tmp_path / "b.zip"), "--passphrase", *words, str(old)]) == 0
    assert "https" in shown()
    assert main(["restore", str(tmp_path / "plain.zip"), *words, str(here)]) == 0
    assert "anew" in shown()
    assert main(["restore", str(tmp_path / "b.zip"), "--yes", *words, str(here)]) == 0
    after = shown()
    assert "anew" not in after
    assert trusted(here) == root


@pytest.mark.parametrize(
    ("name", "block"),
    [
        ("simulated", Path.touch),
        ("journal", Path.touch),
        ("https", Path.touch),
        ("simulated", lambda at: at.symlink_to("/nowhere")),
        ("people.json", Path.mkdir),
        ("https/authority.pem", lambda at: at.mkdir(parents=True)),
    ],
)
def test_what_is_in_the_way_is_named_before_anything_is_changed(
    tmp_path: Path, name: str, block: Callable[[Path], object]
) -> None:
    old, here = table(tmp_path / "old"), tmp_path / "here"
    table(old / "simulated", 1)
    (old / "https").mkdir()
    (old / "https/authority.pem").write_text("old", "ascii")
    file = locked(old, tmp_path / "b.zip")
    here.mkdir()
    block(here / name)
    there = [*here.iterdir()]
    with (
        backups.unlocked(file, WORDS) as plain,
        pytest.raises(CompanionError, match=f"'{here / name}'"),
    ):
        restore(here, file, NOW, stream=plain)
    assert not finish_restore(here)
    assert [*here.iterdir()] == there


def test_what_does_not_fit_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, here = backed_up(table(tmp_path / "old"), tmp_path / "b.zip"), table(tmp_path / "here", 1)
    mine, names = kept(here), {path.name for path in here.iterdir()}
    for moment in range(1, 30):
        with monkeypatch.context() as patched:
            left = [moment]

            def full(_: int, left: list[int] = left) -> None:
                left[0] -= 1
                if not left[0]:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            patched.setattr(os, "fsync", full)
            try:
                backups.stage(here, file, NOW)
            except OSError:
                staged = backups.is_restoring(here)  # only where its note itself is on the disk
                assert (here / "restore").exists() is staged, moment
                if not staged:
                    assert kept(here) == mine
                    assert {path.name for path in here.iterdir()} == names
                    continue
        break
    assert moment > len(read_backup(file).files)
    finish_restore(here)
    assert kept(here) == kept(tmp_path / "old")


def test_a_file_that_is_called_simulated_tells_nothing_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "simulated").touch()
    assert backups.is_simulated(tmp_path) is None
    read = read_backup(backed_up(tmp_path, tmp_path / "b.zip"))
    assert (read.simulated, read.files) == (None, ())


@pytest.mark.parametrize("lifted", ["DNS:com", "IP:0.0.0.0/0.0.0.0", ""])
def test_no_authority_is_restored_that_may_vouch_for_the_whole_world(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lifted: str
) -> None:
    old, new = table(tmp_path / "old"), table(tmp_path / "new", 1)
    if lifted:
        home = certificates.OpensslRun

        def more(*names: str, permitted: Iterable[str] = ()) -> certificates.OpensslRun:
            return home(*names, permitted=[*permitted, lifted])

        with monkeypatch.context() as patched:
            patched.setattr(certificates, "OpensslRun", more)
            trusted(old)
    else:
        (old / "https").mkdir()
        certificates.authority(old / "https")  # one of a hall, which no phone is asked to trust
    before = kept(new)
    file = locked(old, tmp_path / "b.zip")
    with backups.unlocked(file, WORDS) as plain, pytest.raises(CompanionError, match="vouch"):
        restore(new, file, NOW, stream=plain)
    assert kept(new) == before


URIS = "permitted;URI:DNS:local,permitted;URI:IP:10.0.0.0/255.0.0.0,permitted;URI:IP:FC00::/FE00::"
HOME = [
    *(f"DNS:{name}" for name in certificates.HOME_NAMES),
    *(f"IP:{home.network_address}/{home.netmask}" for home in certificates.HOME_NETWORKS),
]


@pytest.mark.parametrize(
    "limits",
    [
        f"critical, {','.join(f'excluded;{limit}' for limit in HOME)}",
        f"critical, {URIS}",
        "critical, @more",
        ",".join(f"permitted;{limit}" for limit in HOME),  # which whoever likes may overlook
    ],
    ids=["excluded", "other kinds", "one name in three lines", "not critical"],
)
def test_what_openssl_shows_of_an_authority_is_believed_only_if_its_bytes_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: str
) -> None:
    more = "[more]\npermitted;DNS=local\\n IP:10.0.0.0/255.0.0.0\\n IP:FC00::/FE00::\n"
    words = certificates.WORDS.replace("critical, $ENV::PERMITTED", limits, 1)
    monkeypatch.setattr(certificates, "WORDS", words + more)
    with certificates.OpensslRun(permitted=HOME) as desk:
        made = desk.signed("root", "Rappelwacht", "ec", certificates.ROOT_ENDS)
    with pytest.raises(CompanionError, match="vouch"):
        certificates.demand_limits(made, tmp_path)


def test_an_authority_may_vouch_for_the_names_of_people_far_away(tmp_path: Path) -> None:
    own = tmp_path / "https"
    made = certificates.renew_pages(own, [*NAMES, "table.example.org"], MADE)
    assert made is not None
    assert made.far == ("table.example.org",)
    certificates.demand_limits((own / certificates.AUTHORITY).read_bytes(), own)
