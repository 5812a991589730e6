"""The guides in both languages say the same, and what the plans say."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.sensing.settings import EnrolmentSettings
from companion.system.config import Barrels
from examples.readme.lines import of
from hardware.tests import plan, render
from hardware.tests.test_parts import ROWS
from tests.programs import need

PLAN = plan.load()
FILES = ("build.md", "bauen.md")
COLOURS = {"rot": "red", "grün": "green", "blau": "blue", "gelb": "yellow"}
CODE = {  # what the guides name besides parts, measures and files
    "AD", "SDO", "CS", "rappelwacht", "#", "[hub]", "[stoppers]", "COUNTS_PER_G", "counts_per_g",
    "empty_g", "[barrels]", "shell_common_mg", "shell_own_mg", "quarters = 8", "starts = false",
    "cities = false", "brightness_limit_percent", "ESP32_GENERIC_C3", "+", "-", "--listen 60",
    "channel", "id", "second", "iw dev",
}  # fmt: skip


def text(file: str) -> str:
    return (plan.HARDWARE / file).read_text("utf-8")


def table(file: str, first: str) -> list[list[str]]:
    """Return the rows of the table whose head begins with a word, without head."""
    lines = text(file).splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip().startswith(f"| {first} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.strip().startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


def links(file: str) -> list[str]:
    return re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text(file))


@pytest.mark.parametrize("file", FILES)
def test_every_picture_is_shown(file: str) -> None:
    every = [*links(file), *(link for link in links("stopper.md") if link.endswith(".png"))]
    shown = {Path(link).name for link in every if link.endswith((".svg", ".png"))}
    drawn = {f"{name}.svg" for name in (*PLAN.pictures, "lights")}
    sketched = {one.name for one in (plan.HARDWARE / "sketches").iterdir()}
    assert shown == drawn | sketched | {f"{name}.png" for name in render.SHOTS}
    assert {file.name for file in render.PICTURES.glob("*.png")} <= shown


@pytest.mark.parametrize("file", FILES)
def test_every_step_has_a_picture_or_a_table(file: str) -> None:
    steps = re.split(r"^(?=\d+\. )|^#+ ", text(file), flags=re.MULTILINE)
    steps = [one for one in steps if re.match(r"\d+\. ", one)]
    assert len(steps) > 20
    assert [
        one[:60] for one in steps if "![" not in one and not re.search(r"\n {3,4}\|", one)
    ] == []


def test_both_languages_have_the_same_steps_pictures_and_parts() -> None:
    def shape(file: str) -> list[str]:
        pattern = r"^#+|^ *\d+\. |^ *!\[|^\||\]\([^)]*(?:svg|png|scad|csv)\)|`[A-Z]+[_A-Z]*\d*`"
        return [found.strip() for found in re.findall(pattern, text(file), re.MULTILINE)]

    english, german = map(shape, FILES)
    assert sorted(english) == sorted(german)
    assert [s for s in english if s[0] in "#|!"] == [s for s in german if s[0] in "#|!"]


@pytest.mark.parametrize("file", FILES)
def test_every_part_that_is_named_is_in_the_list(file: str) -> None:
    known = {reference for row in ROWS for reference in row.references}
    measures = re.findall(r"^(\w+) = ", text("models/measures.scad"), re.MULTILINE)
    for name in re.findall(r"`([^`]+)`", text(file)):
        is_file = "/" in name or name.startswith(("openscad", "./run", "sudo", "rappelwacht "))
        assert name in known | set(measures) | CODE or is_file, name


@pytest.mark.parametrize("file", FILES)
def test_a_pole_is_called_as_it_is_printed_on_its_board(file: str) -> None:
    boards = [PLAN.circuits["breadboard"].parts[name].pins for name in ("U1", "U3")]
    pads = [part.value for part in PLAN.circuits["stopper"].parts.values() if part.kind == "pad"]
    contacts = PLAN.circuits["stopper"].parts["BOX1"].pins
    poles = {"".join(found) for found in re.findall(r"\b([A-Z]+)([+−])", text(file))}
    assert {"A+", "A−", "BAT+", "BAT−"} <= poles
    assert {pole.replace("−", "-") for pole in poles} <= {
        pin for pins in (*boards, pads, contacts) for pin in pins
    }


@pytest.mark.parametrize("file", FILES)
def test_every_part_of_the_list_but_wires_is_used_in_a_step(file: str) -> None:
    named = set(re.findall(r"`([^`]+)`", text(file)))
    for row in ROWS:
        if not row.references[0].startswith(("D0", "W2")):
            assert named & {*row.references}, row.references


@pytest.mark.parametrize(("file", "word"), list(zip(FILES, ("stage", "Stufe"), strict=True)))
def test_the_stages_cost_what_the_list_and_the_meshes_say(file: str, word: str) -> None:
    solids = pytest.importorskip("hardware.tests.solids")
    for stage, row in enumerate(table(file, word), start=1):
        mine = [part for part in ROWS if part.stage == stage]
        assert row[0].startswith(f"{stage}:")
        assert int(row[1]) == sum(part.quantity for part in mine)
        printed = [part for part in mine if part.part.startswith("printed: ")]
        grams = sum(solids.printed_g(part.references[0]) * part.quantity for part in printed)
        most = {"build.md": "at most ", "bauen.md": "höchstens "}[file]  # when it is solid
        assert row[2] == f"{most if grams else ''}{round(grams)} g"


@pytest.mark.parametrize(("file", "word"), list(zip(FILES, ("seat", "Platz"), strict=True)))
def test_the_seats_hang_on_the_pins_of_the_plan(file: str, word: str) -> None:
    told = {COLOURS.get(row[0], row[0]): row[1:] for row in table(file, word)}
    for colour in COLOURS.values():
        pins = [PLAN.pins[f"pi.{colour}.{part}"].at for part in ("pad", "button", "light", "name")]
        assert told[colour] == pins


@pytest.mark.parametrize(("file", "word"), list(zip(FILES, ("print", "drucken"), strict=True)))
def test_every_mesh_is_printed_as_often_as_the_list_says(file: str, word: str) -> None:
    told: dict[str, int] = {}
    for row in table(file, word):
        for name, count in re.findall(r"`([\w-]+)`(?: ×(\d+))?", row[0]):
            told[name] = int(count or 1)
            assert row[2] == str(next(p.stage for p in ROWS if name in p.references))
    assert told == {row.references[0]: row.quantity for row in ROWS if "printed: " in row.part}


@pytest.mark.parametrize("file", FILES)
def test_the_guide_says_what_a_stopper_weighs_and_what_the_companion_expects(file: str) -> None:
    stopper = pytest.importorskip("hardware.tests.stopper")
    for variant in ("weighing", "light"):
        weight = f"{stopper.grams(stopper.things(variant).values()):.1f} g"
        assert (weight.replace(".", ",") if file == "bauen.md" else weight) in text(file)
    empty = f"{EnrolmentSettings().shell_mg / 1000:.1f} g"
    assert (empty.replace(".", ",") if file == "bauen.md" else empty) in text(file)
    assert Barrels().empty_g == EnrolmentSettings().shell_mg / 1000


def test_the_guides_command_renders_a_part(tmp_path: Path) -> None:
    need("openscad")
    (command,) = of("openscad")
    assert all(f"`{command.text}`" in text(file) for file in FILES)
    shutil.copytree(plan.HARDWARE / "models", tmp_path / "models")
    (tmp_path / "stl").mkdir()
    quick = ["-q", "-D", "$fn=8"]
    subprocess.run([*shlex.split(command.text), *quick], check=True, cwd=tmp_path, timeout=60)
    assert (tmp_path / "stl" / "stopper-body.stl").stat().st_size > 1000


@pytest.mark.parametrize("file", FILES)
def test_the_guides_warn_of_lithium_cells(file: str) -> None:
    assert re.search(r"^## LiPo", text(file), re.MULTILINE)
    assert len(text(file).partition("## LiPo")[2].strip().split("\n- ")) >= 6
