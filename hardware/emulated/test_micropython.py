"""The firmware under real MicroPython, compiled for a board, and checked against its modules.

The hardware's answers are recorded under CPython and said again under MicroPython: the same source
must then write the same registers and send the same bytes.
"""

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

from companion import wire
from hardware.emulated import replay
from hardware.emulated.bench import HUB, KEY, NODE, Board, Flash, Script
from hardware.emulated.micropython import BUILDS, cross_compile, run
from hardware.emulated.source import FIRMWARE, load
from hardware.emulated.test_hub import Bench

SOURCES = sorted(FIRMWARE.rglob("*.py"))
PORTABLE = [path for path in SOURCES if path.parent != FIRMWARE]
HEAP_BYTES = 102_000  # about half of what MicroPython has on an ESP32-C3 beside its Wi-Fi
STUBS = ("micropython-esp32-stubs", "micropython-stdlib-stubs")

UNPACK = """
import os
for folder in ("drivers", "stopper", "hub"):
    os.mkdir("/" + folder)
for name in os.listdir("/"):
    if "=" in name:
        with open("/" + name, "rb") as file:
            content = file.read()
        with open("/" + name.replace("=", "/"), "wb") as file:
            file.write(content)
"""
BEGIN = """
import gc, replay
from stopper.stopper import Stopper
board = replay.Replay(open("/recording"), {node}, {{"key": {key}}}, print)
board.box = {box}
stopper = Stopper(board)
def play(steps):
    for _ in range(steps):
        stopper.step()
"""
MEASURE = "gc.collect(); print(gc.mem_alloc())"
AT_A_TIME = 20  # steps; this build collects its garbage only in between


class Recorder:
    """A board that is written down: what the firmware hears, and what it does."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.heard: list[str] = []
        self.did: list[str] = []
        self.unique_id, self.flash = NODE, board.flash
        self.i2c = self.radio = self
        self.battery_mv, self.temperature_c = board.battery_mv, board.temperature_c
        self.cold, self.moved, self.plugged = True, board.moved, board.plugged
        self.boxed, self.charging = board.boxed, board.charging

    def ticks_us(self) -> int:
        """Write down the ticks."""
        self.heard.append(f"t {self._board.ticks_us()}")
        return self._board.ticks_us()

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Write down what is read."""
        try:
            data = self._board.i2c.readfrom_mem(address, register, count)
        except OSError as fault:
            self.heard.append(f"e {fault.errno}")
            raise
        self.heard.append(f"r {data.hex()}")
        return data

    def readfrom_mem_into(self, address: int, register: int, buffer: memoryview) -> None:
        """Likewise."""
        buffer[:] = self.readfrom_mem(address, register, len(buffer))

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """Write down what is written."""
        try:
            self._board.i2c.writeto_mem(address, register, data)
        except OSError as fault:
            self.heard.append(f"e {fault.errno}")
            raise
        self.heard.append("r")
        self.did.append(f"w {address:02x} {register:02x} {data.hex()}")

    def send(self, to: bytes, data: bytes) -> bool:
        """Write down what is sent."""
        self.did.append(f"> {to.hex()} {data.hex()}")
        return self._board.radio.send(to, data)

    def switch(self, on: bool) -> None:
        """Write down that the radio is switched."""
        self.did.append(f"radio {int(on)}")

    def receive(self) -> tuple[bytes, bytes, int] | None:
        """Write down what is heard."""
        heard = self._board.radio.receive()
        self.heard.append(f"a {heard[0].hex()} {heard[1].hex()} {heard[2]}" if heard else "a")
        return heard

    def shine(self, pulses: tuple[int, ...]) -> None:
        """Write down the infrared light."""
        self._board.shine(pulses)
        self.did.append("shines " + " ".join(map(str, pulses)))

    def led(self, on: bool) -> None:
        """Write down the light."""
        self.did.append(f"led {int(on)}")

    def deep_sleep(self) -> None:
        """Write down the sleep."""
        self.did.append("sleeps")


def recorded(board: Board, until_us: int, spoil: Any = None) -> tuple[Recorder, int]:
    """Return what happened, and in how many steps."""
    recorder = Recorder(board)
    board.stopper = stopper = load("stopper.stopper").Stopper(recorder)
    steps = 0
    while board.now_us < until_us:
        if spoil is not None:
            spoil(board)
        board.now_us += 1000 * int(stopper.step())
        steps += 1
    return recorder, steps


def asks(board: Board) -> None:
    """Let the host ask for this and that, and the bus fail while it is lifted."""
    board.i2c.stuck = 2_900_000 <= board.now_us < 3_200_000
    if board.now_us == 6_000_000:
        board.radio.command("BLINK", blink_ms=300)
        board.radio.command("RAW_REQUEST", request=3, start_us=4_000_000, length_ms=1500)
    if board.now_us == 7_000_000:
        board.radio.command("HELLO_REQUEST")


def files(recording: list[str]) -> dict[str, bytes]:
    """Return the firmware, the wire and a recording, as a board would have them."""
    portable = {"=".join(path.relative_to(FIRMWARE).parts): path for path in PORTABLE}
    return {
        "wire.py": Path(wire.__file__).read_bytes(),
        "slots.py": (FIRMWARE / "slots.py").read_bytes(),
        "replay.py": Path(replay.__file__).read_bytes(),
        "recording": "\n".join(recording).encode(),
        **{name: path.read_bytes() for name, path in portable.items()},
    }


def on_board(version: str, content: dict[str, bytes], *steps: str) -> list[str]:
    """Return what MicroPython prints."""
    return run(version, content, UNPACK, *steps, heap_bytes=1 << 20).splitlines()


SCRIPT = Script().stand(3).hold(1).shake(1.5, 3).hold(0.6, 80).hold(0.5).stand(2).rest(1.5, 180)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("version", BUILDS)
def test_a_stopper_sends_the_same_bytes_under_micropython(version: str) -> None:
    board = Board(SCRIPT, seed=5)
    recorder, steps = recorded(board, SCRIPT.end_us, asks)
    sent = [line for line in recorder.did if line.startswith(">")]
    assert len(sent) > 30
    assert any(fields.blind_ms > 0 for name, _, fields in board.events() if name != "STILL")
    *did, held = played(version, recorder, steps, MEASURE)
    assert did == recorder.did
    assert int(held) < HEAP_BYTES


def played(version: str, recorder: Recorder, steps: int, last: str) -> list[str]:
    """Return what MicroPython does when it hears the same."""
    rest, more = divmod(steps, AT_A_TIME)
    plays = [f"play({AT_A_TIME})"] * rest + [f"play({more})"]
    begin = BEGIN.format(node=NODE, key=KEY, box=recorder.boxed())
    return on_board(version, files(recorder.heard), begin, *plays, last)


def a_minute_later(board: Board) -> None:
    """Let most of the first minute be over at once."""
    if 3_000_000 <= board.now_us < 59_000_000:
        board.now_us = 59_000_000


@pytest.mark.parametrize("version", BUILDS)
def test_a_stopper_in_its_box_sleeps_the_same_under_micropython(version: str) -> None:
    board = Board(Script().stand(90))
    board.box = board.charger = True
    recorder, steps = recorded(board, board.script.end_us, a_minute_later)
    assert board.stopper.sleeps
    assert any(line == "w 2a 00 00" for line in recorder.did)  # its converter is off
    *did, sleeps = played(version, recorder, steps, "print(stopper.sleeps)")
    assert (did, sleeps) == (recorder.did, "True")


HUB_PLAY = """
import binascii
from hub.hub import Hub

class Board:
    def __init__(self, lines):
        self.lines = lines
        self.radio = self.usb = self.flash = self
        self.unique_id = {hub}
        self.kept = {{}}
    def answer(self):
        return self.lines.readline().split()[1:]
    def ticks_us(self): return int(self.answer()[0])
    def load(self, name): return self.kept.get(name)
    def save(self, name, data): self.kept[name] = data
    def read(self): return binascii.unhexlify((self.answer() or [""])[0])
    def receive(self):
        heard = self.answer()
        if heard:
            return binascii.unhexlify(heard[0]), binascii.unhexlify(heard[1]), int(heard[2])
    def send(self, to, data):
        print(">", binascii.hexlify(to).decode(), binascii.hexlify(data).decode())
        return True
    def write(self, data):
        taken = int(self.answer()[0])
        print("<", binascii.hexlify(data[:taken]).decode())
        return taken

hub = Hub(Board(open("/recording")))
for _ in range({steps}):
    hub.step()
"""


class Ends:
    """The hub's ends of air and line, written down."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.radio = self.usb = self
        self.flash, self.unique_id, self.channel = Flash(), HUB, 0
        self.lines: list[str] = []
        self.did: list[str] = []

    def ticks_us(self) -> int:
        """Write down the ticks."""
        self.lines.append(f"t {self._bench.ticks_us()}")
        return self._bench.ticks_us()

    def read(self) -> bytes:
        """Write down what the host says."""
        said = self._bench.usb.read()
        self.lines.append(f"u {said.hex()}")
        return said

    def write(self, data: bytes) -> int:
        """Write down what is taken."""
        taken = self._bench.usb.write(data)
        self.lines.append(f"w {taken}")
        self.did.append(f"< {data[:taken].hex()}".rstrip())
        return taken

    def receive(self) -> tuple[bytes, bytes, int] | None:
        """Write down what is heard."""
        heard = self._bench.radio.receive()
        self.lines.append(f"a {heard[0].hex()} {heard[1].hex()} {heard[2]}" if heard else "a")
        return heard

    def send(self, to: bytes, data: bytes) -> bool:
        """Write down what is sent."""
        self.did.append(f"> {to.hex()} {data.hex()}")
        return self._bench.radio.send(to, data)


def record_hub() -> tuple[list[str], list[str], int]:
    """Return what a hub heard, what it did, and in how many steps."""
    bench = Bench()
    ends = Ends(bench)
    bench.hub = load("hub.hub").Hub(ends)
    down = wire.Seal(KEY, NODE, 1)
    for number in range(300):
        if number % 20 == 5:
            bench.arrive("LIFT", event=number, at_us=number, load_mg=-7, blind_ms=0)
        if number % 30 == 9:
            bench.relay(down.packet("ACK", 0, event=number))
        if number == 100:
            bench.usb.to_hub += b"\x11\x22\0garbage" + wire.say("HUB_HELLO_REQUEST", 0)
        if number == 200:
            bench.usb.to_hub += wire.say("HUB_CHANNEL", 0, channel=11)
        bench.usb.room = 1 << 20 if number % 50 > 25 else 40
        bench.now_us += 10_000 + 1000 * int(bench.hub.step())
    return ends.lines, ends.did, 300


@pytest.mark.parametrize("version", BUILDS)
def test_a_hub_does_the_same_under_micropython(version: str) -> None:
    lines, did, steps = record_hub()
    assert len(did) > 50
    printed = on_board(version, files(lines), HUB_PLAY.format(hub=HUB, steps=steps))
    assert [line.rstrip() for line in printed] == did


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(FIRMWARE)))
def test_every_file_compiles_for_the_boards(path: Path) -> None:
    assert cross_compile(path)[:1] == b"M"


def stubs(folder: Path) -> Path:
    """Copy what the packages say of the boards' modules, or skip and say what is missing."""
    for name in STUBS:
        try:
            package = distribution(name)
        except PackageNotFoundError:
            pytest.skip(f"needs {name}: {sys.executable} -m pip install {STUBS[0]}")
        for file in package.files or ():
            if file.suffix == ".pyi" or file.name == "VERSIONS":
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    return folder


def test_the_firmware_fits_the_modules_of_the_esp32(tmp_path: Path) -> None:
    typings = stubs(tmp_path / "typings")
    here = tmp_path / "board"
    shutil.copytree(FIRMWARE, here, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(wire.__file__, here / "wire.py")
    mains = [path.name for path in sorted(here.glob("*.py"))]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", os.devnull, "--no-site-packages"),
            *("--check-untyped-defs", "--no-incremental", "--python-version", "3.11"),
            *("--custom-typeshed-dir", str(typings), *mains),
        ],
        cwd=here,
        env=os.environ | {"MYPYPATH": str(typings)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = (done.stdout + done.stderr).splitlines()
    ours = [line for line in lines if "error" in line and not line.startswith(str(typings))]
    assert not [line for line in ours if not line.startswith("Found ")], "\n".join(ours)
    assert "checked" in done.stdout  # it ran; what it finds in the stubs is not ours
