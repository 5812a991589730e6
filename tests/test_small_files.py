"""Small files of every kind: today's bytes stay, and whatever stands in one stops no table.

In small_files/ lies one of each kind as today's version wrote it; nothing there is ever made again.
"""

import errno
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from companion.cli.flash_board import FLASHED_FILE
from companion.devices import stopper_registry
from companion.devices.stopper_registry import HEARD_FILE, STOPPERS, StoppersFile
from companion.i18n.translate import say
from companion.maintenance.measuring import MEASURED_FILE
from companion.maintenance.practice import FILE as PRACTICE_FILE
from companion.mqtt import join_code
from companion.mqtt.join_code import HALL_FILE, Joining
from companion.referee.calibration_store import CalibrationStore
from companion.referee.people.store import PEOPLE_FILE
from companion.sensing.calibration import Calibration
from companion.simulator.live.world_store import WORLD
from companion.system import config, private_files
from companion.system.errors import CompanionError
from companion.system.safe_json import load_json
from companion.system.small_files import KeptAside, SmallFile
from companion.system.status import Condition
from companion.system.text import Text
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.cafe import CAFE_FILE
from companion.web.first_run_page import SETUP_FILE, FirstRun
from companion.web.pairing_store import PHONES_FILE, PIN_FILE

GOLDEN: Final = Path(__file__).parent / "small_files"
FILES: Final[dict[str, SmallFile[Any]]] = {
    file.name: file
    for file in (
        *(FLASHED_FILE, HALL_FILE, HEARD_FILE, MEASURED_FILE),
        *(CAFE_FILE, PEOPLE_FILE, PHONES_FILE, PRACTICE_FILE, SETUP_FILE, WORLD),
    )
}
OF_A_HALL: Final = {"authority.pem", "certificate.pem", "hall-pin"}  # tested with the broker
ELSEWHERE: Final = {"restoring.json", "trial.json"}  # tested with backups, and with updates
PIN: Final = PIN_FILE.name  # a new one stands in it after every start
SHELF: Final = "calibration-000001.json"
FOLDER: Final = Path("/dev/null/nowhere")


def golden(name: str) -> bytes:
    return (GOLDEN / name).read_bytes()


def test_every_kind_of_file_is_here_and_has_a_golden_one() -> None:
    loaded = [vars(module) for name, module in sys.modules.items() if name.startswith("companion.")]
    kinds = {value.name for names in loaded for value in names.values() if type(value) is SmallFile}
    assert kinds - OF_A_HALL - ELSEWHERE == {*FILES, PIN}
    assert {path.name for path in GOLDEN.iterdir()} == {*FILES, STOPPERS, SHELF}


@pytest.mark.parametrize("name", FILES)
def test_what_was_written_is_read_and_written_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    file = FILES[name]
    shutil.copy(GOLDEN / name, tmp_path)
    value = file.read(tmp_path)
    assert value
    (tmp_path / name).unlink()
    file.save(tmp_path, value)
    assert (tmp_path / name).read_bytes() == golden(name)
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def test_stoppers_and_a_calibration_are_written_to_the_same_bytes(tmp_path: Path) -> None:
    for stopper in reversed(stopper_registry.load(GOLDEN)):
        stopper_registry.save(tmp_path, stopper)
    calibration = CalibrationStore(GOLDEN).version(1)
    assert isinstance(calibration, Calibration)
    CalibrationStore(tmp_path).save(calibration)
    for name in (STOPPERS, SHELF):
        assert (tmp_path / name).read_bytes() == golden(name)


# --- what is bad ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bad:
    """One way in which a file is not as it must be."""

    name: str
    put: Callable[[Path], object]

    def __str__(self) -> str:
        return self.name


def text(name: str, data: bytes) -> Bad:
    return Bad(name, lambda path: path.write_bytes(data))


def never_ends(path: Path) -> None:
    path.touch(0o600)
    os.truncate(path, 1 << 42)


BAD: Final = (
    text("empty", b""),
    text("binary", bytes(range(256))),
    text("zeros", bytes(4096)),
    text("UTF-16", '{"a": 1}'.encode("utf-16")),
    text("lone surrogate", b'{"a": "\\ud800", "\\udfff": 1}'),
    text("lone surrogate in bytes", b'{"a": "\xed\xa0\x80"}'),
    text("brackets", 5_000 * b"["),
    text("objects", 5_000 * b'{"a":'),
    text("closed brackets", 5_000 * b"[" + 5_000 * b"]"),
    text("400 digits", b"1" + 400 * b"0"),
    text("5,000 digits", 5_000 * b"7"),
    text("no number", b"NaN"),
    text("no object", b"[]"),
    text("null", b"null"),
    text("large", 2_000_000 * b" "),
    Bad("never ends", never_ends),
    Bad("folder", Path.mkdir),
    Bad("folder with something", lambda path: (path / "in").mkdir(parents=True)),
    Bad("pipe", os.mkfifo),
    Bad("endless device", lambda path: path.symlink_to("/dev/zero")),
    Bad("circle", lambda path: path.symlink_to(path)),
)
PARTS: Final[tuple[Any, ...]] = (
    *(None, True, False, -1, 0, 1.5, 2**53, -(2**53), 10**400, float("inf")),
    *("", "x", "\ud800", "\0", "nan", [], [[]], {}, {"a": 1}, ["red"], [10**400]),
)


def changed(value: Any) -> Iterator[Any]:
    """Yield a value with each of its parts replaced by something else, or left out."""
    yield from PARTS
    if isinstance(value, dict):
        for name, part in value.items():
            rest = {one: it for one, it in value.items() if one != name}
            yield rest
            yield {"\ud800": part, **rest}
            yield from ({**value, name: other} for other in changed(part))
    elif isinstance(value, list):
        for at, part in enumerate(value[:3]):
            yield value[:at] + value[at + 1 :]
            yield from ([*value[:at], other, *value[at + 1 :]] for other in changed(part))


def kept_aside(folder: Path, name: str) -> list[Path]:
    return sorted(folder.glob(f"{name}.damaged-*"))


def loaded(file: SmallFile[Any], folder: Path) -> tuple[Any, list[Condition]]:
    reported: list[Condition] = []
    return file.load(folder, None, reported.append), reported


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("bad", BAD, ids=str)
def test_what_cannot_be_used_is_kept_aside_and_said(name: str, bad: Bad, tmp_path: Path) -> None:
    file, path = FILES[name], tmp_path / name
    for number in (1, 2):
        bad.put(path)
        with pytest.raises(CompanionError, match=name):
            file.read(tmp_path)
        value, reported = loaded(file, tmp_path)
        assert value is None
        assert [one.state for one in reported] == [KeptAside.ASIDE]
        assert f"{name}.damaged-{number}" in str(reported[0])
        assert len(kept_aside(tmp_path, name)) == number  # the first is still there
        assert loaded(file, tmp_path) == (None, [])
    shutil.copy(GOLDEN / name, tmp_path)
    assert file.read(tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_of_another_type_is_refused_or_harmless(name: str) -> None:
    """What is read at all can be written, and then read again."""
    file, refused = FILES[name], 0
    for value in changed(json.loads(golden(name))):
        data = json.dumps(value).encode()
        try:
            read = file.parse(FOLDER, data)
        except CompanionError:
            refused += 1
            continue
        load_json(data)
        if read is not None:  # another version may have written it
            file.parse(FOLDER, file.to_bytes(read))
    assert refused > 20


@pytest.mark.parametrize("name", [*FILES, STOPPERS])
def test_a_file_that_was_cut_off_is_refused_or_read(name: str, tmp_path: Path) -> None:
    data = golden(name)
    for length in range(len(data)):
        (tmp_path / name).write_bytes(data[:length])
        with suppress(CompanionError):
            if name == STOPPERS:
                stopper_registry.load(tmp_path)
            else:
                assert FILES[name].read(tmp_path) is None
                raise AssertionError(f"the first {length} bytes were read as a whole file")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    some.sampled_from(sorted({*FILES, STOPPERS})),
    some.binary(max_size=200),
    some.integers(0, 400),
    some.integers(0, 20),
)
def test_no_bytes_anywhere_in_a_file_do_more(
    tmp_path: Path, name: str, data: bytes, at: int, over: int
) -> None:
    whole = golden(name)
    (tmp_path / name).write_bytes(whole[:at] + data + whole[at + over :])
    with suppress(CompanionError):
        if name == STOPPERS:
            stopper_registry.load(tmp_path)
        else:
            FILES[name].read(tmp_path)


def test_a_byte_order_mark_is_passed_over_as_before(tmp_path: Path) -> None:
    for name, file in FILES.items():
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + golden(name))
        assert file.read(tmp_path) == file.read(GOLDEN)


def test_a_disk_failing_now_moves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(GOLDEN / HALL_FILE.name, tmp_path)
    for code in (errno.EIO, errno.EACCES, errno.EMFILE):

        def failing(*_: object, code: int = code) -> bytes:
            raise OSError(code, os.strerror(code))

        with monkeypatch.context() as disk:
            disk.setattr(private_files, "read", failing)
            value, (condition,) = loaded(HALL_FILE, tmp_path)
        assert (value, condition.state) == (None, KeptAside.UNREAD)
    assert HALL_FILE.read(tmp_path) == HALL_FILE.read(GOLDEN)


def test_a_disk_that_takes_nothing_is_said_and_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    (tmp_path / PEOPLE_FILE.name).write_text("[[[")
    monkeypatch.setattr(Path, "rename", failing)
    value, (condition,) = loaded(PEOPLE_FILE, tmp_path)
    assert (value, condition.state) == (None, KeptAside.STUCK)
    assert (tmp_path / PEOPLE_FILE.name).read_text() == "[[["


def test_what_could_not_be_read_again_is_never_written(tmp_path: Path) -> None:
    shutil.copy(GOLDEN / HALL_FILE.name, tmp_path)
    joining = HALL_FILE.read(tmp_path)
    assert joining is not None
    for wrong in WRONG:
        with pytest.raises(CompanionError, match=HALL_FILE.name):
            HALL_FILE.save(tmp_path, replace(joining, **wrong))
        assert HALL_FILE.read(tmp_path) == joining


# --- a table starts -------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_table_starts_whatever_stands_in_all_its_files(bad: Bad, tmp_path: Path) -> None:
    for name in (*FILES, STOPPERS, SHELF, PIN):
        bad.put(tmp_path / name)
    known, troubles = stopper_registry.load_or_fault(tmp_path)
    assert known == ()
    first_run = FirstRun(tmp_path, config.TableWiring())
    pages, troubles = Pages(0, first_run=first_run), (*troubles, *first_run.troubles)
    with Table(
        TableConfig(config.TableWiring(), tmp_path, known, troubles=troubles, pages=pages)
    ) as table:
        assert table.site is not None
        assert PIN_FILE.read(tmp_path) == table.site.pairing.pin
    table.turn()
    sentences = [str(trouble) for trouble in table.snapshot.troubles]
    for name in {*FILES, PIN} - {
        FLASHED_FILE.name,
        WORLD.name,
    }:  # for flashing, and for the simulator
        assert [path.name for path in kept_aside(tmp_path, name)] == [f"{name}.damaged-1"]
        said = name if name == PEOPLE_FILE.name else f"{name}.damaged-1"
        assert any(said in sentence for sentence in sentences), name
    if bad.name not in {"empty", "large", "never ends"}:
        assert StoppersFile.BROKEN in {trouble.state for trouble in table.snapshot.troubles}
    assert (tmp_path / STOPPERS).is_symlink() or (tmp_path / STOPPERS).exists()  # keys are in it


def test_what_was_kept_aside_is_said_in_german_without_where_it_is(tmp_path: Path) -> None:
    for name, file in FILES.items():
        (tmp_path / name).write_text("[" * 5_000)
        _, (condition,) = loaded(file, tmp_path)
        german = say(Text(condition.state.template, **condition.values), "de")
        assert "aufbewahrt" in german
        assert "makes no sense" not in german


# --- a code that would have made a table unusable -------------------------------------------------


BRICK: Final = "RW1-EIYTENZOGAXDALRREIWDQOBYGMWCEYLUORUWGIRMEJOHKZBYGAYCEAFUNGGYC"


WRONG: Final[tuple[dict[str, Any], ...]] = (
    *({"host": " "}, {"host": "a\0b"}, {"host": "\udcff"}, {"host": ["hall"]}),
    *({"secret": "\ud800"}, {"secret": "\n"}, {"secret": 10**400}, {"secret": {}}),
    *({"port": 10**400}, {"port": True}, {"table": "\ud800"}, {"table": None}),
)
SOUND: Final = Joining("hall", 8883, "attic", "a secret", None)


@pytest.mark.parametrize("code", [BRICK, *(join_code.write(replace(SOUND, **it)) for it in WRONG)])
def test_a_code_that_no_hall_gives_is_refused_in_the_ordinary_sentence(code: str) -> None:
    with pytest.raises(CompanionError):
        join_code.read(code)
