"""What an update is not trusted for: its signature, its zip, and the file that it lies in."""

import os
import re
import shutil
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.install import care as root_care
from companion.cli.install import payload
from companion.maintenance import care
from companion.maintenance.care import CareState
from companion.system.errors import CompanionError
from release.install.updates import OLD, Making, Updated, unchanged


def unsigned(making: Making) -> Path:
    return making.zip(signed=None)


def signed_by_a_stranger(making: Making) -> Path:
    return making.zip(signed="stranger")


def signed_for_something_else(making: Making) -> Path:
    folder = making.folder()
    making.sign(folder, "maker", "git")
    return making.packed(folder)


def with_another_signature(making: Making) -> Path:
    folder, other = making.folder(), making.folder(what="# other")
    shutil.copy2(other / payload.SIGNATURE, folder)
    return making.packed(folder)


def no_signature_at_all(making: Making) -> Path:
    folder = making.folder()
    (folder / payload.SIGNATURE).write_bytes(b"\0" * 100_000)
    return making.packed(folder)


def changed_after_signing(making: Making) -> Path:
    folder = making.folder()
    (wheel,) = folder.glob("wheels/*")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    return making.packed(folder)


def sealed_again_after_signing(making: Making) -> Path:
    folder = making.folder()
    (wheel,) = folder.glob("wheels/*")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    payload.seal(folder)
    return making.packed(folder)


def older(making: Making) -> Path:
    return making.zip("0.0.9")


def half(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return file


def empty(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(b"")
    return file


def with_entry(
    making: Making, name: str, data: bytes = b"x", packing: int = zipfile.ZIP_STORED, mode: int = 0
) -> Path:
    """Return a release with an entry more."""
    file = making.zip()
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = packing, mode << 16
    with zipfile.ZipFile(file, "a") as files, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name may be there already
        files.writestr(info, data)
    return file


def climbing(making: Making) -> Path:
    return with_entry(making, "rappelwacht/../../../etc/rappelwacht/climbed")


def absolute(making: Making) -> Path:
    return with_entry(making, "rappelwacht//etc/climbed")


def twice(making: Making) -> Path:
    return with_entry(making, f"rappelwacht/{payload.SUMS}")


def link(making: Making) -> Path:
    return with_entry(making, "rappelwacht/wheels/evil.whl", b"/etc/shadow", mode=0o120777)


def bomb(making: Making) -> Path:
    return with_entry(making, "rappelwacht/bomb", b"\0" * (101 << 20), zipfile.ZIP_DEFLATED)


def bomb_of_another_packing(making: Making) -> Path:
    return with_entry(making, "rappelwacht/bomb", b"\0" * (9 << 20), zipfile.ZIP_LZMA)


def bomb_that_lies(making: Making) -> Path:
    """Return one whose directory says that it holds little."""
    file = with_entry(making, "rappelwacht/bomb", b"\0" * (9 << 20), zipfile.ZIP_DEFLATED)
    data = file.read_bytes()
    file.write_bytes(data.replace((9 << 20).to_bytes(4, "little"), (9).to_bytes(4, "little")))
    return file


def broken_inside(making: Making) -> Path:
    file = with_entry(making, "rappelwacht/README.txt", os.urandom(9_000), zipfile.ZIP_DEFLATED)
    data = bytearray(file.read_bytes())
    at = data.rindex(b"rappelwacht/README.txt", 0, len(data) - 200) + 400
    data[at : at + 50] = b"\xff" * 50
    file.write_bytes(data)
    return file


def locked(making: Making) -> Path:
    """Return one of which an entry wants a password."""
    file = with_entry(making, "rappelwacht/README.txt")
    data = bytearray(file.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    file.write_bytes(data)
    return file


def many(making: Making) -> Path:
    file = making.zip()
    with zipfile.ZipFile(file, "a") as files:
        for number in range(payload.MOST_FILES):
            files.writestr(f"rappelwacht/wheels/{number}.whl", b"")
    return file


def no_zip(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(b"PK\x05\x06" + os.urandom(500))
    return file


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (unsigned, "it is not signed"),
        (signed_by_a_stranger, "nobody whom this table knows"),
        (signed_for_something_else, "belongs to something else"),
        (with_another_signature, "belongs to something else"),
        (no_signature_at_all, "nobody whom this table knows|too large"),
        (changed_after_signing, "not as it was made"),
        (sealed_again_after_signing, "belongs to something else"),
        (older, "is older than 0.1.0"),
        (half, "not whole"),
        (empty, "not whole"),
        (climbing, "not whole"),
        (absolute, "not whole"),
        (twice, "not whole"),
        (link, "does not belong"),
        (bomb, "not whole"),
        (bomb_of_another_packing, "not whole"),
        (bomb_that_lies, "not whole"),
        (broken_inside, "not whole|does not belong"),
        (locked, "not whole"),
        (many, "not whole"),
        (no_zip, "not whole"),
    ],
)
def test_what_is_not_to_be_trusted_changes_nothing(
    table: Updated, making: Making, make: Callable[[Making], Path], why: str
) -> None:
    table.lay(make(making))
    before = table.pi.tree()
    answered = table.ask()
    assert answered.state is CareState.REFUSED, answered
    assert re.search(why, str(answered.sentence)), answered.sentence
    assert table.used == OLD
    assert table.is_tidy()
    assert unchanged(before, table.pi.tree())


def test_what_lies_beside_the_folder_in_a_zip_goes_nowhere(
    table: Updated, making: Making, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    table.lay(with_entry(making, str(outside)))
    assert table.ask().state is CareState.DONE
    assert not outside.exists()


def test_the_owner_may_install_what_nobody_signed(table: Updated, making: Making) -> None:
    """Only on the command line, where nobody comes by a phone."""
    file = making.zip(signed=None)
    with pytest.raises(CompanionError, match="not to be trusted"):
        table.pi.carry_out("install", source=str(file))
    table.pi.carry_out("install", source=str(file), unsigned=True)
    assert [call for call in table.pi.tools.calls if "companion" in call]


def test_without_ssh_keygen_nothing_is_trusted(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay(making.zip())
    monkeypatch.setattr(payload, "KEYGEN", "no-such-program")
    answered = table.ask()
    assert answered.state is CareState.REFUSED
    assert "apt-get install openssh-client" in str(answered.sentence)


def _link(file: Path) -> None:
    file.rename(file.with_name("real.zip"))
    file.symlink_to("real.zip")


def _hard_link(file: Path) -> None:
    file.with_name("other.zip").hardlink_to(file)


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _large(file: Path) -> None:
    os.truncate(file, care.UPDATE_BYTES + 1)


def _anothers(file: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, who gives files away")
    os.chown(file, 4321, 4321)


@pytest.mark.parametrize("spoil", [_link, _hard_link, _pipe, _large, _anothers])
def test_nothing_but_an_ordinary_file_of_the_pages_is_read(
    table: Updated, making: Making, spoil: Callable[[Path], None]
) -> None:
    table.lay(making.zip())
    spoil(care.request_folder(table.table) / care.UPDATE)
    answered = table.ask()
    assert answered.state is CareState.REFUSED, answered
    assert table.used == OLD
    assert table.is_tidy()


def test_whoever_changes_the_file_after_it_was_checked_changes_nothing(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = making.packed(making.folder(signed=None, what="raise SystemExit"))
    checked = payload.demand_signed
    copied: list[bytes] = []

    def swap(folder: Path, settings: Path) -> None:
        checked(folder, settings)
        shutil.copyfile(evil, care.request_folder(table.table) / care.UPDATE)
        there = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.stat().st_uid for path in there} == {os.geteuid()}
        assert (table.pi.places.care / root_care.WORK).stat().st_mode & 0o777 == 0o700
        copied.append(payload.wheel(folder).read_bytes())

    monkeypatch.setattr(payload, "demand_signed", swap)
    table.lay(making.zip())
    assert table.ask().state is CareState.DONE
    assert b"SystemExit" not in copied[0]


def test_too_little_room_is_said_before_anything_is_done(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay(making.zip())
    usage = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "too little room" in str(table.ask().sentence)
    assert table.used == OLD
