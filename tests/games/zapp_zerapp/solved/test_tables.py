"""Tables are read where they lie; one that is broken or foreign is refused, and done without."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from companion.games.zapp_zerapp.rules import PRESETS, Colour, Settings
from companion.games.zapp_zerapp.solution import folder, value_of, worth
from companion.games.zapp_zerapp.solution import table as tables
from companion.games.zapp_zerapp.solution.table import (
    HEAD,
    SOLVED,
    UNPACKED,
    Pairing,
    Table,
    find_table,
    read_table,
    size,
    unpacked,
)
from companion.system.errors import CompanionError
from rappelwacht_research.solve import head, packed

RED, GREEN, BLUE, YELLOW = Colour
OWN = Settings((RED, BLUE), board=PRESETS["three-before-city"])  # nothing is shipped for it
PAIRING = Pairing.for_colours(OWN.board, RED, BLUE)
ROWS = b"".join(bytes((number * 7 & 255,)) * number for number in range(3276))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let nothing be remembered, and nothing lie in anybody's home."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    worth.cache_clear()
    value_of.cache_clear()
    yield tmp_path
    worth.cache_clear()
    value_of.cache_clear()


def table(**other: object) -> bytes:
    said = json.loads(head(PAIRING, 1e-5, ROWS)) | other
    return json.dumps(said).encode().ljust(HEAD - 1) + b"\n" + ROWS


def laid(content: bytes) -> Path:
    file = folder() / (PAIRING.name + SOLVED)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return file


def test_a_ring_that_was_solved_here_is_found() -> None:
    assert worth(OWN).why
    worth.cache_clear()
    value_of.cache_clear()
    laid(table())
    assert worth(OWN).why is None
    assert worth(OWN).why is None


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        pytest.param(lambda _: b"", "cannot be read", id="empty"),
        pytest.param(lambda _: b"{}" * 600, "is not a table", id="another file"),
        pytest.param(lambda _: b"[" * 5000, "is not a table", id="nested"),
        pytest.param(lambda sound: sound[:-1], "is incomplete", id="cut off"),
        pytest.param(lambda sound: sound[:-1] + b"\1", "is damaged", id="a bit turned"),
        pytest.param(lambda _: table(version=2), "version 2", id="later rules"),
        pytest.param(lambda _: table(pairing=[6, [], []]), "another ring", id="another ring"),
    ],
)
def test_a_table_that_is_broken_or_foreign_is_refused_and_done_without(
    spoil: Callable[[bytes], bytes], sentence: str
) -> None:
    file = laid(spoil(table()))
    with pytest.raises(CompanionError, match=sentence) as refused:
        read_table(file, PAIRING)
    assert str(file) in str(refused.value)
    known = worth(OWN)
    assert known.why
    assert known.why is not None
    assert known.why.template == refused.value.template


@pytest.mark.parametrize(
    "seats", [(RED, BLUE), (RED, GREEN), (RED, YELLOW)], ids=["opposite", "left", "right"]
)
def test_what_is_shipped_is_sound_and_unpacked_once(
    seats: tuple[Colour, Colour], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = worth(Settings(seats))
    assert known.why is None
    (kept,) = (home / "rappelwacht" / "solved").iterdir()
    worth.cache_clear()
    value_of.cache_clear()
    monkeypatch.setattr(tables, "unpacked", None)  # nobody may unpack it again
    start = ((0, 0, 0),) * 4
    assert worth(Settings(seats)).start(start) == known.start(start)
    monkeypatch.undo()
    kept.write_bytes(b"broken")
    worth.cache_clear()
    value_of.cache_clear()
    assert worth(Settings(seats)).why is None


def test_what_an_earlier_release_unpacked_is_unpacked_again() -> None:
    settings = Settings((RED, BLUE))
    pairing = Pairing.for_colours(settings.board, RED, BLUE)
    ahead = ((0, 0, 5), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    won = bytes((255,)) * size(symmetric=pairing.symmetric)
    earlier = folder() / (pairing.name + UNPACKED)
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(head(pairing, 1e-5, won) + won)
    assert 0.5 < worth(settings).start(ahead)[0] < 0.9


def test_two_who_unpack_at_once_never_write_in_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is cut off while it is mapped takes the whole program with it."""
    pairing, both, names = (
        Pairing.for_colours(Settings((RED, BLUE)).board, RED, BLUE),
        Barrier(2, timeout=60),
        list[Path](),
    )
    real = Path.write_bytes

    def together(file: Path, data: bytes) -> int:
        names.append(file)
        both.wait()
        return real(file, data)

    monkeypatch.setattr(Path, "write_bytes", together)
    with ThreadPoolExecutor(2) as pool:
        found = [*pool.map(find_table, [pairing, pairing])]
    assert len({*names}) == 2
    assert all(table is not None for table in found)


def test_without_home_it_lies_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert worth(Settings((GREEN, YELLOW))).why is None


@pytest.mark.parametrize("symmetric", [True, False])
def test_what_was_packed_is_unpacked(symmetric: bool) -> None:
    count = size(symmetric=symmetric)
    whole = table()[:HEAD] + (ROWS * 3)[:count]
    assert unpacked(packed(whole, symmetric=symmetric), symmetric=symmetric) == whole
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the library says
        unpacked(b"no such thing", symmetric=symmetric)


def test_a_table_tells_both_sides_of_a_pair() -> None:
    file = laid(table())
    value = read_table(file, PAIRING).value()
    assert isinstance(read_table(file, PAIRING), Table)
    assert value(5, 3) + value(3, 5) == 255
    assert value(7, 7) == 127.5
