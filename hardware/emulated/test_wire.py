"""The wire on real MicroPython: the same file, the same vectors, the same bytes."""

from pathlib import Path

import pytest

import companion.wire
import tests.wire
from hardware.emulated.micropython import BUILDS, cross_compile, run
from tests.wire import golden

WIRE = Path(companion.wire.__file__)
VECTORS = Path(tests.wire.__file__).parent / "vectors.txt"
FILES = {
    "wire.py": WIRE.read_bytes(),
    "golden.py": Path(golden.__file__).read_bytes(),
    "vectors.txt": VECTORS.read_bytes(),
}
ALL_VECTORS = """
import golden, wire
for words, code in golden.vectors(open("/vectors.txt").read()):
    print(golden.told(wire, words, code))
    print(golden.made(wire, words) or code)
"""
WHAT_IS_SENT_WRONG = """
import wire
fields = {"event": 1 << 20, "at_us": -1, "load_mg": -(1 << 40), "blind_ms": 1 << 40}
losses = dict.fromkeys(wire.LOSSES, 0)
print(wire.NAMED["LIFT"].unpack(wire.NAMED["LIFT"].pack(fields), losses))
seal = wire.Seal(bytes(16), bytes(6), 1)
def fault(act):
    try: act()
    except Exception as error: print(type(error).__name__)
fault(lambda: seal.packet("LIFT", 0, event=1))
fault(lambda: seal.packet("LIFT", 0, event=1, at_us=1, load_mg=1, blind_ms=0, label=7))
fault(lambda: seal.packet("LABEL", 0))
fault(lambda: seal.packet("RAW", 0, request=1, chunk=0, samples=bytes(214)))
fault(lambda: wire.encode(b""))
fault(lambda: wire.Seal(b"short", bytes(6), 1))
"""
FLOOD = """
import gc, wire
decoder = wire.Decoder()
piece = b"x" * 1024
for _ in range(1024): assert decoder.feed(piece) == []
assert decoder.feed(b"\\0" + wire.encode(b"on")) == [b"on"]
print(decoder.losses["too_long"])
"""


def board(version: str, *steps: str, heap_bytes: int = 1 << 20) -> list[str]:
    return run(version, FILES, *steps, heap_bytes=heap_bytes).splitlines()


@pytest.mark.parametrize("version", BUILDS)
def test_the_golden_vectors_are_the_same_on_the_boards(version: str) -> None:
    vectors = golden.vectors(VECTORS.read_text(encoding="utf-8"))
    assert board(version, ALL_VECTORS) == [line for vector in vectors for line in vector]


@pytest.mark.parametrize("version", BUILDS)
def test_the_dictionary_is_the_same_on_the_boards(version: str) -> None:
    assert board(version, "import wire; print(wire.DICTIONARY); print(wire.DICTIONARY_HASH)") == [
        *companion.wire.DICTIONARY.split("\n"),
        repr(companion.wire.DICTIONARY_HASH),
    ]


@pytest.mark.parametrize("version", BUILDS)
def test_what_we_would_send_wrong_is_refused_or_mended_alike(version: str) -> None:
    assert board(version, WHAT_IS_SENT_WRONG) == [
        f"LIFT(event=65535, at_us=0, load_mg={-(2**31)}, blind_ms={2**32 - 1})",
        *("KeyError", "TypeError", "KeyError", "ValueError", "ValueError", "ValueError"),
    ]


@pytest.mark.parametrize("version", BUILDS)
def test_a_flood_fits_into_the_memory_of_a_board(version: str) -> None:
    assert board(version, FLOOD, heap_bytes=100 * 1024) == ["1"]


def test_it_compiles_for_the_boards() -> None:
    assert 1000 < len(cross_compile(WIRE)) < 8192
