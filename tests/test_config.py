"""The configuration: what it reads, and how it says what is wrong."""

import json
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.table.table
from companion.system import config
from companion.system.config import SeatPins, TableWiring, load, parse
from companion.system.errors import ConfigError
from companion.table.table_config import TableConfig
from tests.cases import check_cases

FILE = "table.toml"


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, FILE)
    return str(caught.value).splitlines()


def test_the_template_is_a_table_without_parts_until_somebody_has_them() -> None:
    assert parse(config.TEMPLATE, FILE) == TableWiring()


@pytest.mark.parametrize("section", config.TEMPLATE.split("\n\n")[1:])
def test_each_part_of_the_template_can_be_had_alone(section: str) -> None:
    freed = "".join(line.removeprefix("#") for line in section.splitlines(keepends=True))
    table = parse(config.TEMPLATE.replace(section, freed), FILE)
    assert (table == TableWiring()) == freed.startswith(
        "[barrels]"
    )  # which says what is assumed anyway


def test_all_parts_of_the_template_are_the_default_of_everything() -> None:
    table = parse(config.EVERY_PART, FILE)
    assert table.hub == config.Hub()
    assert table.light_board == config.LightBoardConfig()
    assert table.stoppers == config.Stoppers()
    assert table.barrels == config.Barrels()
    assert table.buzzer == config.Buzzer(18)
    assert [seat.colour for seat in table.seats] == list(config.COLOURS)
    assert len(list(table.pins())) == 17


def test_every_key_stands_in_the_template_with_a_comment() -> None:
    parts = (config.Hub, config.LightBoardConfig, config.SeatPins, config.Buzzer)
    others = (config.Stoppers, config.Barrels, config.VoiceConfig, config.HallConfig)
    for kind in (*parts, *others, config.WebConfig):
        for key in fields(kind):
            assert f"{key.name} = " in config.EVERY_PART or not key.metadata
    assert config.EVERY_PART.count("#") > 10


def test_an_empty_file_is_a_table_without_parts() -> None:
    assert parse("", FILE) == TableWiring()


def test_any_part_may_be_absent() -> None:
    table = parse("[seats.blue]\nbutton = 6\n[light_board]", FILE)
    assert table.seats == (SeatPins("blue", button=6),)
    assert table.light_board == config.LightBoardConfig()
    assert table.hub is None


def test_seats_keep_the_order_of_the_colours() -> None:
    table = parse("[seats.yellow]\npad = 4\n[seats.red]\npad = 5", FILE)
    assert [seat.colour for seat in table.seats] == ["red", "yellow"]


def test_each_fault_says_where_it_stands_and_what_would_be_right(rewrite_golden: bool) -> None:
    file = Path(__file__).with_name("config_faults.txt")
    check_cases(file, lambda _, line: faults_in(json.loads(line)), rewrite=rewrite_golden)


def faults_in(document: dict[str, object]) -> list[str]:
    """Return all that is wrong with what a file says."""
    reader = config.TableReader(FILE)
    table = reader.table(document)
    reader.check_pins(table)
    reader.check_hubs(table)
    return list(map(str, reader.faults))


@pytest.mark.parametrize("pattern", ["/dev/ttyACM*", "/dev//tty[AU]*", "/x", "/dev/..a/*/.b/hüb 1"])
def test_a_pattern_that_can_name_ports_is_taken(pattern: str) -> None:
    assert parse(f"[hub]\nports = ['{pattern}']", FILE).hub == config.Hub(None, (pattern,))


def test_without_a_light_board_the_i2c_pins_are_free() -> None:
    assert parse("[seats.red]\npad = 3", FILE).seats == (SeatPins("red", pad=3),)


def test_a_fault_keeps_its_template_for_the_translation() -> None:
    with pytest.raises(ConfigError) as caught:
        parse("[x]", FILE)
    assert caught.value.faults[0].values["key"] == "x"
    assert caught.value.faults[0].template.startswith("{file}, {key}: ")


def test_what_is_not_toml_says_the_line() -> None:
    (sentence,) = faults("[hub]\nid = \n")
    assert sentence.startswith(f"{FILE}: ")
    assert "line 2" in sentence


def test_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(config.EVERY_PART, "utf-8")
    assert load(file) == parse(config.EVERY_PART, FILE)


def test_files_that_cannot_be_read_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / FILE)
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(tmp_path / FILE)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 300) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["hub", "seats", "light_board", "buzzer", "stoppers", "red", "pin", "id"])


@given(st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES)))
def test_any_document_gives_a_table_or_sentences(document: dict[str, object]) -> None:
    reader = config.TableReader(FILE)
    table = reader.table(document)
    reader.check_pins(table)
    for fault in reader.faults:
        assert str(fault).startswith(f"{FILE}, ")
    assert isinstance(table, TableWiring)


def test_the_wiring_gives_each_light_registers_of_its_own() -> None:
    registers = [16 * (sw - 1) + cs for sw, *sinks in config.LIGHT_WIRING for cs in sinks]
    assert len(config.LIGHT_WIRING) == config.LIGHT_COUNT
    assert len(set(registers)) == 3 * config.LIGHT_COUNT


def test_barrels_weigh_what_the_file_says() -> None:
    assert parse("[barrels]\nempty_g = 36.2", FILE).barrels.empty_g == 36.2
    assert parse("[barrels]\nempty_g = 36", FILE).barrels.empty_g == 36
    assert parse("[barrels]", FILE).barrels == config.Barrels()


def test_what_barrels_weigh_reaches_the_enrolment(tmp_path: Path) -> None:
    with companion.table.table.Table(
        TableConfig(parse("[barrels]\nempty_g = 36.2", FILE), tmp_path)
    ) as table:
        assert table.sensing_link.sensing.settings.enrolment.shell_mg == pytest.approx(36_200)


def test_every_part_is_a_section_of_the_template() -> None:
    assert set(tomllib.loads(config.EVERY_PART)) == {
        "hub", "light_board", "seats", "buzzer", "stoppers", "barrels",
    }  # fmt: skip
