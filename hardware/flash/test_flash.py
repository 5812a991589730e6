"""Flashing a stopper and a hub: what is on the board and on the host afterwards, and what fails."""

import io
import json
import os
import re
import signal
import stat
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import flash_board, flash_programs
from companion.cli import flash_board as program
from companion.cli.main import main
from companion.devices import stopper_registry
from companion.devices.firmware import image
from companion.devices.firmware.image import KINDS, firmware_files
from companion.devices.stopper_registry import STOPPERS, Stopper
from companion.maintenance.stopper_status import version_text
from companion.system.paths import project_file
from hardware.emulated import micropython
from hardware.flash import fake_mpremote
from hardware.flash.board import NODE, Board, Repl, hashed

REAL, RUN = program.PROGRAM, image.run
ROOT = Path(__file__).parents[2]
FAKE = (sys.executable, "-B", "-m", "hardware.flash.fake_mpremote")
OTHER = bytes.fromhex("240ac4000109")


@dataclass
class Bench:
    """A board that is plugged in, and the folder of a table."""

    folder: Path

    @property
    def port(self) -> Path:
        return self.folder / "ttyACM0"

    @property
    def table(self) -> Path:
        return self.folder / "table"

    def special(self, **special: object) -> None:
        (self.port / "board.json").write_text(json.dumps(special))

    def flash(self, kind: str = "stopper", *more: str, port: str | None = None) -> int:
        words = ["flash", kind, "--port", port or str(self.port), "--folder", str(self.table)]
        return main([*words, *more, "--language", "en"])

    def on_board(self, name: str) -> bytes:
        return (self.port / "flash" / name).read_bytes()

    def known(self) -> dict[int, bytes]:
        return {one.number: one.node for one in stopper_registry.load(self.table)}


def _in_this_process(words: Sequence[str], patience_s: float) -> tuple[int, str, str]:
    """Do as mpremote does, without a start of Python for each word."""
    if (*words[: len(FAKE)],) != FAKE:
        return RUN(words, patience_s)
    out, complaint = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(complaint):
        code = fake_mpremote.main([*words[len(FAKE) :]])
    return code, out.getvalue(), complaint.getvalue()


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path)
    bench.port.mkdir()
    bench.table.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(program, "PROGRAM", FAKE)
    monkeypatch.setattr(image, "run", _in_this_process)
    monkeypatch.setattr(image, "find_mpy_cross", lambda: None)  # CPython reads source only
    monkeypatch.setattr(program, "AGAIN_S", 0.01)
    return bench


def test_a_stopper_has_all_of_it_afterwards_and_the_table_knows_its_key(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.flash() == 0
    for name, data in firmware_files(KINDS["stopper"]).items():
        assert bench.on_board(name) == data, name
    (stopper,) = stopper_registry.load(bench.table)
    assert (stopper.node, stopper.number) == (NODE, 1)
    assert bench.on_board("kept/key") == stopper.key
    assert bench.on_board("kept/number") == b"1"
    assert stat.S_IMODE((bench.table / STOPPERS).stat().st_mode) == 0o600
    told = capsys.readouterr().out
    assert "It is stopper 1" in told
    assert "it runs firmware 0.2.0" in told


def test_the_key_stands_in_no_command_and_on_no_screen(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.flash()
    (stopper,) = stopper_registry.load(bench.table)
    told = capsys.readouterr()
    said = told.out + told.err + (bench.port / "calls").read_text()
    assert stopper.key.hex() not in said
    assert repr(stopper.key)[2:-1] not in said


def test_a_hub_has_no_key_and_no_number(bench: Bench) -> None:
    bench.special(chip="Generic ESP32S3 module with ESP32S3")
    assert bench.flash("hub") == 0
    assert bench.on_board("main.py") == (ROOT / "firmware/main_hub.py").read_bytes()
    assert not (bench.port / "flash/kept").exists()
    assert not (bench.table / STOPPERS).exists()


def test_what_starts_comes_last_and_only_after_the_rest_was_read_back(bench: Bench) -> None:
    bench.flash()
    calls = [one.split(" ", 2)[2][:10] for one in (bench.port / "calls").read_text().splitlines()]
    copies = [index for index, one in enumerate(calls) if one.startswith("fs cp")]
    assert len(copies) == 2
    assert copies[1] - copies[0] == 3  # between them: reading back, and trying its sensors
    assert calls[-1] == "reset"


def test_stopped_while_what_starts_is_copied_its_key_is_known_and_it_starts(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = program.ConnectedBoard.copy
    monkeypatch.setattr(image, "run", RUN)  # a signal reaches a process of its own differently

    def stopped(board: program.ConnectedBoard, paths: Sequence[Path]) -> None:
        if {one.name for one in paths} & stops_at:
            os.kill(os.getpid(), signal.SIGTERM)
        copy(board, paths)

    monkeypatch.setattr(program.ConnectedBoard, "copy", stopped)
    stops_at = {"kept"}
    assert bench.flash() == 143
    assert not (bench.port / "flash/main.py").exists()
    assert bench.known() == {}
    stops_at = {"main.py"}
    assert bench.flash() == 143
    (stopper,) = stopper_registry.load(bench.table)
    assert bench.on_board("kept/key") == stopper.key
    assert (bench.port / "calls").read_text().endswith(" reset\n")


def test_flashed_again_it_keeps_its_number_and_gets_another_key(bench: Bench) -> None:
    stopper_registry.save(bench.table, Stopper(OTHER, 1, bytes(16)))
    bench.flash("stopper", "--number", "7")
    key = bench.on_board("kept/key")
    assert bench.flash() == 0
    assert bench.known() == {1: OTHER, 7: NODE}
    assert bench.on_board("kept/key") != key


def test_its_new_key_makes_a_name_that_no_other_says_to_a_pad(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopper_registry.save(bench.table, Stopper(OTHER, 1, bytes(16)))
    drawn = [bytes(16), bytes(range(16))]
    monkeypatch.setattr("secrets.token_bytes", lambda _: drawn.pop(0))
    assert bench.flash() == 0
    assert bench.on_board("kept/key") == bytes(range(16))
    assert stopper_registry.alike(stopper_registry.load(bench.table)) == ()


@pytest.mark.slow
def test_its_own_number_is_known_from_the_board_where_the_table_has_forgotten_it(
    bench: Bench,
) -> None:
    bench.flash("stopper", "--number", "7")
    (bench.table / STOPPERS).unlink()
    bench.flash()
    assert bench.known() == {7: NODE}


def test_a_new_one_gets_the_next_free_number_or_replaces_one(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1, 14):
        stopper_registry.save(
            bench.table, Stopper(bytes((0, 0, 0, 0, 0, number)), number, bytes(16))
        )
    assert bench.flash() == 2
    assert "This table already has 13 stoppers" in capsys.readouterr().err
    assert bench.flash("stopper", "--number", "4") == 0
    assert bench.known()[4] == NODE
    assert len(bench.known()) == 13
    assert bench.flash("stopper", "--number", "14") == 2


def test_what_it_counts_never_falls_back(bench: Bench) -> None:
    (bench.port / "flash/kept").mkdir(parents=True, exist_ok=True)
    (bench.port / "flash/kept/boot").write_bytes(struct.pack("<i", 5000))
    bench.flash()
    assert struct.unpack("<i", bench.on_board("kept/boot")) == (5000,)
    assert bench.on_board("kept/boot") == bench.on_board("kept/boot-again")


@pytest.mark.slow
@pytest.mark.parametrize("boot", [(1 << 31) - 1, -5, -(1 << 31), 1 << 24])
def test_a_counter_that_is_damaged_or_used_up_starts_over_with_the_new_key(
    bench: Bench, boot: int
) -> None:
    bench.flash()
    for name in ("boot", "boot-again"):
        (bench.port / "flash/kept" / name).write_bytes(struct.pack("<i", boot))
    known = stopper_registry.load(bench.table)
    stopper_registry.save_counters(bench.table, known, {NODE: (0xFFFFFFFF, 0xFFFFFFFF)})
    bench.flash()
    assert struct.unpack("<i", bench.on_board("kept/boot")) == (0,)
    assert stopper_registry.load_counters(bench.table, stopper_registry.load(bench.table)) == {}


@pytest.mark.slow
def test_what_an_older_firmware_left_is_removed_but_not_what_the_board_keeps(bench: Bench) -> None:
    bench.flash()
    (bench.port / "flash/a/stopper/gone.py").touch()
    (bench.port / "flash/kept/zero").write_bytes(b"zero")
    bench.flash()
    assert not (bench.port / "flash/a/stopper/gone.py").exists()
    assert bench.on_board("kept/zero") == b"zero"


# --- what can go wrong ------------------------------------------------------------------------


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("special", "told", "code"),
    [
        ({}, "Its accelerometer and its load cell work.", 0),
        ({"without": ["load"]}, "No load cell answers, as in a light stopper.", 0),
        ({"without": ["motion"]}, "Its accelerometer does not work", 1),
        ({"stuck": ["load"]}, "Its load cell does not work", 1),
        ({"shorted": True}, "look for solder between SDA and SCL", 1),
    ],
)
def test_its_sensors_are_tried_before_it_starts(
    bench: Bench,
    special: dict[str, object],
    told: str,
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bench.special(**special)
    assert bench.flash() == code
    assert told in " ".join(capsys.readouterr().out.split())
    assert bench.known() == {1: NODE}  # it runs, and says by radio what it lacks


def test_the_only_board_needs_no_port_and_of_two_none_is_guessed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def there(*ports: Path) -> None:
        found = [SimpleNamespace(device=str(p), vid=0x303A, pid=1, serial_number="") for p in ports]
        monkeypatch.setattr(flash_board, "comports", lambda: found)

    words = ["flash", "stopper", "--folder", str(bench.table), "--language", "en"]
    there()
    assert main(words) == 2
    assert "No board is plugged in" in capsys.readouterr().err
    there(bench.port, bench.folder / "ttyACM1")
    assert main(words) == 2
    assert "2 boards are plugged in" in capsys.readouterr().err
    there(bench.port)
    assert main(words) == 0


@pytest.mark.slow(but=4)
@pytest.mark.parametrize(
    ("special", "told"),
    [
        ({"chip": "ESP32S3"}, "a stopper needs an ESP32C3"),
        ({"version": [1, 20, 0]}, "The board has MicroPython 1.20.0"),
        ({"version": [1, 26, 1]}, "The board has MicroPython 1.26.1, and all boards need 1.27.0"),
        ({"version": [1, 27, 1]}, "The board has MicroPython 1.27.1, and all boards need 1.27.0"),
        ({"version": [1, 29, 0]}, "newer ones may hang in light sleep"),
        ({"node": ""}, "does not report its address"),
        ({"deaf": True}, "hold its BOOT button while you plug it in"),
        ({"full": "a/wire.py"}, "could not be flashed (mpremote: cp: a/wire.py: No space left"),
        ({"worn": "a/air.py"}, "Not everything arrived complete: a/air.py."),
        ({"worn": "main.py"}, "Not everything arrived complete: main.py."),
        ({"worn": "kept/key"}, "Not everything arrived complete: kept/key."),
    ],
)
def test_each_fault_of_a_board_has_a_sentence_and_no_key_is_kept(
    bench: Bench, special: dict[str, object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.special(**special)
    assert bench.flash() == 2
    assert told in capsys.readouterr().err
    assert bench.known() == {}


@pytest.mark.slow
def test_a_board_that_was_cut_off_waits_for_python(bench: Bench) -> None:
    bench.flash()
    bench.special(full="a/wire.py")
    assert bench.flash() == 2
    assert not (bench.port / "flash/main.py").exists()


def test_all_that_flashes_tests_and_tells_of_it_means_the_same_micropython() -> None:
    wanted = ".".join(map(str, image.MICROPYTHON))
    assert wanted == [*micropython.BUILDS][-1]
    for page in ("firmware/flashing.md", "hardware/first-boards.md"):
        assert set(re.findall(r"MicroPython ([0-9.]+[0-9])", project_file(page).read_text())) == {
            wanted
        }


def test_a_port_that_is_not_there_or_in_use_is_named_with_those_that_are(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = [SimpleNamespace(device=f"/dev/ttyACM{number}") for number in (1, 0)]
    monkeypatch.setattr(program, "comports", lambda: there)
    assert bench.flash(port="/dev/ttyACM77") == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "/dev/ttyACM77 cannot be opened; plug the board in" in told
    assert told.endswith("Available ports: /dev/ttyACM0 /dev/ttyACM1")


def test_a_program_that_hangs_is_given_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "PROGRAM", ("sh", "-c", "exec sleep 60"))
    monkeypatch.setattr(program, "PATIENCE_S", 0.2)
    assert bench.flash() == 2
    assert "could not be flashed (no answer for" in capsys.readouterr().err


def test_a_key_that_cannot_be_kept_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stopper_registry, "save", full)
    assert bench.flash() == 2
    assert "The key cannot be stored" in capsys.readouterr().err


def test_a_program_without_its_firmware_says_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(image.firmware_files, "__defaults__", (bench.folder,))
    assert bench.flash() == 2
    assert "is missing from this program" in capsys.readouterr().err


# --- the real things --------------------------------------------------------------------------


@pytest.fixture
def plugged_in(bench: Bench) -> Iterator[Repl]:
    repl = Repl(Board(bench.port))
    yield repl
    repl.close()


@pytest.mark.slow
def test_the_real_mpremote_does_the_same(
    bench: Bench, plugged_in: Repl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "PROGRAM", REAL)
    assert bench.flash(port=plugged_in.port) == 0
    for name, data in firmware_files(KINDS["stopper"]).items():
        assert bench.on_board(name) == data, name
    (stopper,) = stopper_registry.load(bench.table)
    assert bench.on_board("kept/key") == stopper.key
    assert bench.flash(port=plugged_in.port) == 0  # over a firmware that is there
    assert bench.flash("hub", port=plugged_in.port) == 2


@pytest.mark.parametrize("version_", micropython.BUILDS)
@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_what_is_run_on_a_board_runs_under_micropython(
    kind: image.BoardKind, version_: str
) -> None:
    files = firmware_files(kind)
    names = [*files, "gone.py"]
    stand_ins = {
        "machine.py": b"def unique_id():\n    return b'\\x24\\x0a\\xc4\\x00\\x01\\x05'\n",
        "prelude.py": b"import os\n",
    }
    said = micropython.run(
        version_,
        {name.replace("/", "-"): data for name, data in (files | stand_ins).items()},
        spread(list(files)),
        flash_programs.check(kind.slot, kind.module, names),
        flash_programs.clear(["flash.py", "a", "drivers", "hub"]),
        "import os; print(sorted(os.listdir('/')))",
    )
    check, *_ = (
        flash_programs.parse_answer(line) for line in said.splitlines() if line.startswith("{")
    )
    assert version_text(int(str(check["firmware"]))) == "0.2.0"
    wanted = {name: hashed(data) for name, data in files.items()} | {"gone.py": ""}
    assert check["hashes"] == wanted
    left = said.splitlines()[-1]
    assert "main.py" in left
    assert not any(f"'{name}'" in left for name in ("a", "drivers", "hub", "flash.py"))


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_compiled_it_runs_under_micropython_and_only_what_starts_is_source(
    kind: image.BoardKind,
) -> None:
    files = image.compile_files(firmware_files(kind), micropython.tool("mpy-cross"))
    assert [name for name in files if not name.endswith(".mpy")] == ["main.py"]
    said = micropython.run(
        list(micropython.BUILDS)[-1],
        {name.replace("/", "-"): data for name, data in files.items()},
        spread(list(files)),
        flash_programs.check(kind.slot, kind.module, list(files)),
    )
    check, *_ = (
        flash_programs.parse_answer(line) for line in said.splitlines() if line.startswith("{")
    )
    assert version_text(int(str(check["firmware"]))) == "0.2.0"
    assert check["hashes"] == {name: hashed(data) for name, data in files.items()}


@pytest.mark.slow
def test_with_mpy_cross_nothing_but_what_starts_is_sent_as_source(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(image, "find_mpy_cross", lambda: None)
    assert bench.flash() == 0
    assert "mpy-cross is missing" in capsys.readouterr().out
    sent = list[str]()

    def put(_board: object, _kind: object, files: dict[str, bytes], *_: object) -> None:
        sent.extend(files)

    monkeypatch.setattr(image, "find_mpy_cross", lambda: micropython.tool("mpy-cross"))
    monkeypatch.setattr(program, "_put", put)
    monkeypatch.setattr(program, "_start", lambda *_: "0.2.0")
    assert bench.flash() == 0
    assert "mpy-cross is missing" not in capsys.readouterr().out
    assert [name for name in sent if not name.endswith(".mpy")] == ["main.py"]


def spread(names: list[str]) -> str:
    """Return what puts files into folders: they come with flat names."""
    parents = {str(one) for name in names for one in Path(name).parents}
    folders = sorted(parents - {"."})
    lines = ["import os", *(f"os.mkdir('/{folder}')" for folder in folders)]
    lines += [f"os.rename('/{one.replace('/', '-')}', '/{one}')" for one in names if "/" in one]
    return "\n".join(lines)
