"""A calibration that cannot be used is told where troubles are told, until another one serves."""

from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.i18n.translate import say
from companion.referee.calibration_store import ActiveCalibration, CalibrationStore
from companion.referee.commands import Command, CommandBody
from companion.referee.handlers import usual_match
from companion.referee.maintenance_commands import RollBack
from companion.sensing.calibration import Calibration
from companion.system import config
from companion.system.text import Text
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig

NEWER = "calibration-000002.json"


def asks(table: Table, wish: CommandBody) -> None:
    answer = table.ask(Command(type(wish).__name__, wish, "red"))
    assert answer is not None
    assert answer.refused is None


def states(table: Table) -> list[object]:
    return [condition.state for condition in table.snapshot.troubles]


def page(table: Table) -> str:
    assert table.site is not None
    with urlopen(f"http://127.0.0.1:{table.site.here.port}/") as answer:
        return str(answer.read().decode())


@pytest.mark.parametrize("older", [True, False])
def test_all_who_play_are_told_of_it_until_another_serves(tmp_path: Path, older: bool) -> None:
    if older:
        CalibrationStore(tmp_path).save(Calibration("2026-11-21T20:15:00Z"))
    (tmp_path / NEWER).write_text('{"rappelwacht calib')
    with Table(TableConfig(config.TableWiring(), tmp_path, pages=Pages(0))) as table:
        asks(table, usual_match(["red", "blue"]))
        assert states(table) == [ActiveCalibration.OLDER if older else ActiveCalibration.NONE]
        told = page(table)
        assert NEWER in told
        assert "This calibration is damaged, perhaps by a power cut." in told
        assert str(tmp_path) not in told


def test_it_is_told_no_more_once_another_one_is_chosen_in_the_workshop(tmp_path: Path) -> None:
    CalibrationStore(tmp_path).save(Calibration("2026-11-21T20:15:00Z"))
    (tmp_path / NEWER).write_text("[]")
    with Table(TableConfig(config.TableWiring(), tmp_path)) as table:
        asks(table, RollBack(1))
        asks(table, usual_match(["red", "blue"]))
        assert states(table) == []
    with Table(TableConfig(config.TableWiring(), tmp_path)) as table:
        assert states(table) == []


def test_none_at_all_and_one_that_was_given_are_no_trouble(tmp_path: Path) -> None:
    with Table(TableConfig(config.TableWiring(), tmp_path)) as table:
        asks(table, usual_match(["red", "blue"]))
        assert states(table) == []
    (tmp_path / NEWER).write_text("[]")
    given = Calibration("2026-11-21T20:15:00Z")
    with Table(TableConfig(config.TableWiring(), tmp_path, calibration=given)) as table:
        asks(table, usual_match(["red", "green"]))
        assert states(table) == []


def test_what_is_wrong_is_said_in_german(tmp_path: Path) -> None:
    (tmp_path / NEWER).write_text("[]")
    trouble = CalibrationStore(tmp_path).newest().condition
    german = say(Text(trouble.state.template, **trouble.values), "de")
    assert german != str(trouble)
    assert "This calibration" not in german
