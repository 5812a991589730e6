"""A table whose stoppers' file is broken plays without them, says so everywhere, and keeps it."""

import re
from io import StringIO
from pathlib import Path
from urllib.request import urlopen

import pytest

from companion.cli import table as table_command
from companion.cli.options import read_options
from companion.cli.table import table
from companion.devices import stopper_registry
from companion.devices.stopper_registry import STOPPERS, Stopper, load_counters, save_counters
from companion.i18n.translate import say
from companion.present.terminal import TerminalScreen
from companion.referee.commands import Command, RollForUs
from companion.referee.handlers import usual_match
from companion.system import config
from companion.system.text import Text
from companion.table.table import Table
from companion.table.table_config import TableConfig

SECRET = bytes(range(16)).hex()
WITHOUT = "Until that is fixed and the table is restarted, it plays without its stoppers"
BROKEN: dict[str, tuple[bytes, str]] = {
    "no TOML": (b"[[[", "cannot be read"),
    "no text": (b"\xff\xfe", "cannot be read"),
    "half a key": (
        f'["24:0a:c4:00:01:01"]\nnumber = 1\nkey = "{SECRET[:-2]}"\n'.encode(),
        "24:0a:c4:00:01:01.key: this value is not allowed; write 32 hexadecimal digits.",
    ),
    "no number": (
        f'["24:0a:c4:00:01:01"]\nkey = "{SECRET}"\n'.encode(),
        "24:0a:c4:00:01:01.number: this key is missing; write a number from 1 to 13.",
    ),
}


class Terminal(StringIO):
    """A terminal where somebody opens the pages, then presses Ctrl-C."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, str] = {}

    def write(self, text: str) -> int:
        written = super().write(text)
        if "people tap what barrels do." in " ".join(self.getvalue().split()):
            (port,) = re.findall(r"open \S+:(\d+)\.", self.getvalue())
            for place in ("/", "/workshop", "/api/snapshot", "/workshop/doctor.json"):
                with urlopen(f"http://127.0.0.1:{port}{place}") as answer:
                    self.pages[place] = answer.read().decode()
            raise KeyboardInterrupt
        return written


@pytest.mark.parametrize("case", BROKEN)
def test_the_table_starts_and_tells_what_is_wrong_and_what_to_do(tmp_path: Path, case: str) -> None:
    data, fault = BROKEN[case]
    file, terminal = tmp_path / STOPPERS, Terminal()
    file.write_bytes(data)
    words = ["table", "--folder", str(tmp_path), "--port", "0"]
    with pytest.raises(KeyboardInterrupt):
        table(read_options("en", words), TerminalScreen(terminal, "en"))
    told = " ".join(terminal.getvalue().split())
    assert fault in told
    assert "".join(str(file).split()) in "".join(told.split())
    for place, page in terminal.pages.items():
        assert WITHOUT in page, place
        assert STOPPERS in page, place
        assert str(tmp_path) not in page, place
        assert SECRET[:-2] not in page, place
    assert file.read_bytes() == data


def test_a_sound_file_and_none_at_all_are_no_trouble(tmp_path: Path) -> None:
    assert stopper_registry.load_or_fault(tmp_path) == ((), ())
    one = Stopper(bytes(6), 1, bytes(16))
    stopper_registry.save(tmp_path, one)
    assert stopper_registry.load_or_fault(tmp_path) == ((one,), ())


def test_a_match_goes_on_and_what_was_heard_of_its_stoppers_stays(tmp_path: Path) -> None:
    one = Stopper(bytes(6), 1, bytes(16))
    save_counters(tmp_path, (one,), {one.node: (3, 812)})
    (tmp_path / STOPPERS).write_text("[[[")
    for wishes in ([usual_match(["red", "blue"])], [RollForUs()]):
        known, troubles = stopper_registry.load_or_fault(tmp_path)
        with Table(TableConfig(config.TableWiring(), tmp_path, known, troubles=troubles)) as real:
            for wish in wishes:
                answer = real.ask(Command(type(wish).__name__, wish, "red"))
                assert answer is not None
                assert answer.refused is None
            assert [str(shown) for shown in real.snapshot.troubles] == [*map(str, troubles)]
    assert load_counters(tmp_path, (one,)) == {one.node: (3, 812)}  # against what is sent again


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_wrong_is_said_in_german(tmp_path: Path, case: str) -> None:
    data, fault = BROKEN[case]
    (tmp_path / STOPPERS).write_bytes(data)
    _, (trouble,) = stopper_registry.load_or_fault(tmp_path)
    german = say(Text(trouble.state.template, **trouble.values), "de")
    assert fault.split(": ")[-1] not in german
    assert german != str(trouble)


def test_only_the_stoppers_that_the_wiring_file_names_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3):
        stopper_registry.save(tmp_path, stopper_registry.simulated_stopper(number))
    wiring = tmp_path / "table.toml"
    wiring.write_text("[stoppers]\nnodes = ['7c:df:a1:00:00:03', '7C:DF:A1:00:00:01']")
    plans = list[TableConfig]()

    class Taken(Exception):
        """The table would begin now."""

    def begin(plan: TableConfig) -> None:
        plans.append(plan)
        raise Taken

    monkeypatch.setattr(table_command, "Table", begin)
    words = ["table", "--folder", str(tmp_path), "--config", str(wiring)]
    with pytest.raises(Taken):
        table(read_options("en", words), TerminalScreen(StringIO(), "en"))
    assert [one.number for one in plans[0].stoppers] == [1, 3]
