"""The schematics that lie in hardware/boards are made from the netlist, and can be read."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from hardware.boards import files, schematic, sheet_file, symbols
from hardware.boards.placement import FOLDER
from hardware.boards.schematic import Drawing, Label, Sheet
from hardware.boards.symbols import LETTER, Box, Spot
from hardware.tests import plan, sheets
from hardware.tests.plan import Circuit

BOARDS = sorted(file.stem for file in schematic.SHEETS.glob("*.toml"))
PLAN = plan.load()
PAPERS = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}
EDGE_MM = 12  # KiCad's frame
TITLE_MM = (110.0, 34.0)  # at its lower right
APART_MM = 0.25  # a word from the line of its frame


def committed(board: str) -> Path:
    return FOLDER / board / f"{board}.kicad_sch"


def wanted(circuit: Circuit) -> dict[str, frozenset[sheets.Pad]]:
    """Return the pads of each net, as the netlist has them."""
    numbers = {
        (ref, pin): role.numbers or (pin,)
        for ref, part in circuit.parts.items()
        for pin, role in part.pins.items()
    }
    return {
        net: frozenset((leg.part, number) for leg in legs for number in numbers[leg.part, leg.pin])
        for net, legs in circuit.nets.items()
    }


def test_every_board_has_a_schematic() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.toml")) == BOARDS


@pytest.mark.parametrize("board", BOARDS)
def test_the_schematic_is_what_the_netlist_makes(board: str) -> None:
    assert committed(board).read_text("utf-8") == sheet_file.text(board)


@pytest.mark.parametrize("board", BOARDS)
def test_its_nets_are_those_of_the_netlist(board: str) -> None:
    circuit = PLAN.circuits[board]
    drawn = sheets.read(committed(board))
    assert dict(drawn.nets) == wanted(circuit)
    every = {(ref, pad) for ref, part in circuit.parts.items() for pad in part.pads()}
    assert drawn.open == every - frozenset().union(*drawn.nets.values())
    assert dict(drawn.values) == {
        ref: (part.value or part.mpn or part.kind, part.footprint)
        for ref, part in circuit.parts.items()
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'\(global_label "SDA"', '(global_label "SCL"'),
        (r"\(wire\s+\(pts \(xy ([\d.]+) ", r"(wire (pts (xy 1\1 "),
        (
            r'\(lib_id "rappelwacht:3V3 up"\)([^$]*?)"Value" "3V3"',
            r'(lib_id "rappelwacht:3V3 up")\1"Value" "5V"',
        ),
    ],
    ids=["name", "wire", "supply"],
)
def test_what_is_joined_otherwise_is_another_net(old: str, new: str, tmp_path: Path) -> None:
    text, changed = re.subn(old, new, committed("stopper").read_text("utf-8"), count=1)
    assert changed
    (tmp_path / "s.kicad_sch").write_text(text, "utf-8")
    assert dict(sheets.read(tmp_path / "s.kicad_sch").nets) != wanted(PLAN.circuits["stopper"])


@pytest.mark.parametrize("board", BOARDS)
def test_every_resistor_and_capacitor_has_its_reason(board: str) -> None:
    circuit = PLAN.circuits[board]
    for block in schematic.read(board).blocks:
        for ref in block.places:
            if circuit.parts[ref].kind in {"resistor", "capacitor"}:
                value = circuit.parts[ref].value
                assert re.search(rf"\b{ref}\b[^.:;]*?{re.escape(value)}", block.notes), (board, ref)


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_lies_on_anything_else(board: str) -> None:
    sheet = schematic.read(board)
    boxes = dict(things(sheet, schematic.drawn(sheet)))
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        assert not overlap(a, b), f"{one} and {other}"
    width, height = PAPERS[sheet.paper]
    right, bottom = ((side - EDGE_MM) / symbols.STEP_MM for side in (width, height))
    title = (right - TITLE_MM[0] / symbols.STEP_MM, bottom - TITLE_MM[1] / symbols.STEP_MM)
    for block in sheet.blocks:
        left, top, wide, high = block.box
        assert min(left, top) >= EDGE_MM / symbols.STEP_MM
        assert left + wide <= right, block.title
        assert top + high <= bottom, block.title
        assert not (left + wide > title[0] and top + high > title[1]), block.title


def things(sheet: Sheet, drawing: Drawing) -> Iterator[tuple[str, Box]]:
    """Yield all that takes room, and what it is."""
    for put in drawing.puts:
        yield f"body of {put.ref}", put.box()
        says = put.ref, put.part.value or put.part.kind
        for (x, y), word in zip(put.symbol.label, says, strict=True):
            yield (
                f"{word} of {put.ref}",
                written(word, (put.at[0] + x, put.at[1] + y), put.symbol.centred),
            )
    for i, label in enumerate(drawing.labels):
        yield f"name {label.net} {i}", flagged(label)
    for i, flag in enumerate(drawing.flags):
        x, y = flag.at
        yield (
            f"flag {i}",
            written(sheet_file.FLAG, (x, y - 2.8 if flag.side == "up" else y + 3), centred=True),
        )
    for i, sign in enumerate(drawing.supplies):
        x, y = sign.at
        yield (
            f"sign {sign.net} {i}",
            (x - 0.9, y, x + 0.9, y + 2) if sign.side == "down" else (x - 0.6, y - 1.7, x + 0.6, y),
        )
        if sign.net not in sheet.grounds:
            yield f"word {sign.net} {i}", written(sign.net, (x, y - 2.8), centred=True)
    for block in sheet.blocks:
        left, bottom, wide = block.beside
        high = schematic.LINE * (len(schematic.noted(block)) - 0.5)
        yield f"notes of {block.title}", (left, bottom - high, left + wide, bottom + 0.7)
        left, top, *_ = block.box
        yield (
            f"title {block.title}",
            (left, top + 1, left + 1.6 * LETTER * len(block.title), top + 3),
        )


def written(word: str, at: Spot, centred: bool = False) -> Box:
    wide = 0.9 * LETTER * len(word)  # some letters are narrow
    left = at[0] - wide / 2 if centred else at[0]
    return left, at[1] - 0.6, left + wide, at[1] + 0.6


def flagged(label: Label) -> Box:
    """Return the room of a net's name in its frame."""
    long, (x, y) = LETTER * len(label.net) + 0.8, label.at
    return {
        "left": (x - long, y - 0.7, x, y + 0.7),
        "right": (x, y - 0.7, x + long, y + 0.7),
        "up": (x - 0.7, y - long, x + 0.7, y),
        "down": (x - 0.7, y, x + 0.7, y + long),
    }[label.side]


def overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.05 and min(a[3], b[3]) - max(a[1], b[1]) > 0.05


def test_a_name_on_a_part_is_seen() -> None:
    sheet = schematic.read("box")
    drawing = schematic.drawn(sheet)
    (put,) = [put for put in drawing.puts if put.ref == "R5"]
    drawing.labels.append(Label("LAMP_A", put.at, "right"))
    boxes = list(dict(things(sheet, drawing)).values())
    assert any(overlap(a, b) for a, b in combinations(boxes, 2))


def test_a_part_without_a_place_is_told() -> None:
    sheet = schematic.read("box")
    with pytest.raises(LookupError, match=r"F1.*X13"):
        schematic.drawn(replace(sheet, blocks=sheet.blocks[:2]))


@pytest.mark.parametrize("board", BOARDS)
def test_no_word_touches_the_frame_of_its_block(board: str) -> None:
    """By the widths that KiCad itself writes into the page; our own are estimates."""
    words = list(drawn_words(committed(board).with_suffix(".svg").read_text("utf-8")))
    assert len(words) > 100
    for block in schematic.read(board).blocks:
        x, y, wide, high = (symbols.STEP_MM * side for side in block.box)
        for word, left, right, foot in words:
            if x <= left < x + wide and y <= foot < y + high:
                assert right < x + wide - APART_MM, (block.title, word)


def drawn_words(svg: str) -> Iterator[tuple[str, float, float, float]]:
    """Yield each word with where it begins, ends and stands, in millimetres."""
    said = r'<text x="([\d.]+)" y="([\d.]+)"\s*textLength="([\d.]+)"[^>]*?text-anchor="(\w+)"[^>]*>'
    for x, foot, wide, anchor, word in re.findall(said + "([^<]*)<", svg):
        left = float(x) - float(wide) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        yield word, left, left + float(wide), float(foot)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("page", ["pdf", "svg"])
def test_there_is_a_page_to_read_without_kicad(board: str, page: str) -> None:
    file = committed(board).with_suffix(f".{page}")
    assert file.stat().st_size > 50_000
    if page == "svg":
        told = file.read_text("utf-8")
        for ref in PLAN.circuits[board].parts:
            assert f"<desc>{ref}</desc>" in told, ref


@pytest.mark.parametrize("board", BOARDS)
def test_kicad_finds_no_fault_in_schematic_and_board(board: str, tmp_path: Path) -> None:
    """Its electrical rules, its design rules, and what differs between both."""
    if not shutil.which("kicad-cli"):
        pytest.skip("KiCad is not here, so it judges nothing: see hardware/boards/README.md")
    version = subprocess.run(["kicad-cli", "version"], capture_output=True, text=True, check=True)
    if not version.stdout.startswith("9."):
        pytest.skip(f"KiCad 9 is asked for, and this one is {version.stdout.strip()}")
    for kind in ("kicad_sch", "kicad_pcb", "kicad_pro"):
        shutil.copy(FOLDER / board / f"{board}.{kind}", tmp_path)
    assert files.faults(tmp_path / f"{board}.kicad_pcb") == []
    sheet = tmp_path / f"{board}.kicad_sch"  # and it would find one
    sheet.write_text(
        sheet.read_text("utf-8").replace('(global_label "D+"', '(global_label "D-"', 1)
    )
    if '"D+"' in committed(board).read_text("utf-8"):
        assert files.faults(tmp_path / f"{board}.kicad_pcb") != []
