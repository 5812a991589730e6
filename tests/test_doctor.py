"""`rappelwacht doctor` at a simulated table, at a table that runs, and where much is amiss."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from typing import NoReturn

import pytest

from companion.cli import doctor
from companion.cli.doctor import Files, Running, examined, findings_of_table
from companion.cli.doctor import _parts as parts_of
from companion.cli.doctor_parts import DoctorWiring, listened
from companion.cli.main import main
from companion.devices.gpio import PinError, PinFault, Pins
from companion.devices.hub_discovery import HubState
from companion.devices.light_board import LightBoardState
from companion.devices.second_hub import SecondHubState
from companion.devices.serial_line import OpenPort
from companion.i18n.translate import say
from companion.journal import Journal, NewEntry
from companion.maintenance import backup
from companion.maintenance.checks.computer import BusSpeed, FirmwareCheck, Groups, Python
from companion.maintenance.checks.network import Name, PortCheck
from companion.maintenance.checks.result import CheckResult, CheckText, severity, translated
from companion.maintenance.checks.stoppers import (
    Battery,
    HeardCheck,
    NamesCheck,
    NamesRead,
    judge_names,
)
from companion.maintenance.checks.stoppers import PinsCheck as PinsState
from companion.simulator.live.live import SIMULATED, Live, stoppers_of, wiring_of
from companion.system import config, paths
from companion.system.paths import JOURNAL
from companion.system.status import Condition
from companion.system.text import SeatName
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from rappelwacht_research.scene import play
from rappelwacht_research.script_reader import read as read_script

TESTS = [Path(__file__), *(Path(__file__).parent / "maintenance/checks").glob("test_*.py")]
LISTEN_S = 12  # by the clock of a table that lives faster


class NoPorts:
    """A computer at which nothing is plugged in."""

    def find(self, _: object) -> list[str]:
        return []

    def open(self, path: str) -> OpenPort:
        raise AssertionError(path)


def no_pins() -> Pins:
    raise PinError(PinFault.NO_CHIP, "can not open gpiochip")


NOTHING = DoctorWiring(NoPorts(), no_pins, answers_us=200_000)


@dataclass
class Place:
    """A folder with a table's files."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "table.toml"

    def all_found(self, outside: DoctorWiring, port: int = 1) -> list[CheckText]:
        found = examined(self.config, self.folder, port, "en", outside, LISTEN_S)
        return [translated(one, say) for one in found]

    def look(self, outside: DoctorWiring = NOTHING, port: int = 1) -> dict[str, CheckText]:
        return {one.check: one for one in self.all_found(outside, port)}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(tmp_path)
    place.config.write_text(config.EVERY_PART, "utf-8")
    return place


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    ports = tmp_path / "ports"
    ports.mkdir()
    with Live(ports, 7, 12.0) as live:
        yield live


class Untouchable:
    """Ports that nobody may look at."""

    def __init__(self, touched: Callable[..., NoReturn]) -> None:
        self.find = self.open = touched


def wait_for(there: Callable[[], bool]) -> None:
    """Look until something is there, or the time is over."""
    deadline = time.monotonic() + 60
    while not there() and time.monotonic() < deadline:
        Event().wait(0.01)
    assert there()


# --- parts that are tried ---------------------------------------------------------------------


def wired_to(live: Live, **waits_us: int) -> DoctorWiring:
    """Return how a simulated table is wired; whoever asks for its time hears why it ended."""

    def clock_us() -> int:
        if live.fault is not None:
            raise live.fault
        return live.clock_us()

    return DoctorWiring(live.ports, live.outside.open_pins, clock_us, **waits_us)


def tried(live: Live, place: Place, other_key: int | None = None) -> list[CheckResult]:
    """Try all parts of the simulated table; its keys are written down, but for one."""
    keys = [
        f'["{one.node.hex(":")}"]\nnumber = {one.number}\n'
        f'key = "{(bytes(16) if one.number == other_key else one.key).hex()}"\n'
        for one in stoppers_of(live.table)
    ]
    (place.folder / "stoppers.toml").write_text("".join(keys), "utf-8")
    outside = wired_to(live)
    return list(parts_of(SIMULATED, place.folder, free_port(), outside, LISTEN_S))


def free_port() -> int:
    with closing(socket.create_server(("", 0))) as line:
        port: int = line.getsockname()[1]
    return port


def test_at_a_sound_table_all_parts_are_found_well(live: Live, place: Place) -> None:
    found = tried(live, place)
    ill = [translated(one, say).told for one in found if severity(one.condition) == "see-to"]
    assert ill == []
    assert [one.check for one in found] == [
        *("port", "light-board", "gpio", *["names"] * 4, "hub", "stoppers"),
        *("radio", "batteries", "firmware"),
    ]


def test_it_shows_both_hubs(place: Place, tmp_path: Path) -> None:
    with Live(tmp_path, 7, 12.0, hubs=2) as live:
        wiring = wiring_of(live.table)
        outside = wired_to(live, answers_us=600_000_000, words_us=0)
        assert wiring.hub is not None
        for _ in range(20):  # on a busy machine a hub may answer too late
            results = listened(wiring.hub, (), place.folder, outside, 1.0)
            hubs = [result.condition for result in results][:2]
            if all("port" in hub.values for hub in hubs):
                break
    states = [(hub.state, hub.values["hub"], hub.values["port"]) for hub in hubs]
    assert states == [
        (HubState.PRESENT, "7c:df:a1:00:00:ff", "simulated-hub-0"),
        (SecondHubState.PRESENT, "7c:df:a1:00:00:fe", "second-simulated-hub-0"),
    ]


def test_it_says_how_well_each_pad_reads_the_names() -> None:
    read = [
        NamesRead(SeatName.RED, 4, 19, 1),
        NamesRead(SeatName.BLUE, 19, 8, 12),
        NamesRead(SeatName.GREEN, 13, 0, 0),
    ]
    states = [result.condition.state for result in judge_names(read, 3)]
    assert states == [NamesCheck.READS, NamesCheck.POORLY, NamesCheck.NOTHING]
    assert [severity(result.condition) for result in judge_names(read, 3)] == [
        "fine",
        "see-to",
        "fine",
    ]


def test_it_hears_the_words_of_a_barrel_that_stands_on_a_pad(live: Live, place: Place) -> None:
    def places() -> None:
        play(live.table, read_script("+0 red lifts 4\n+0.5 red places 4"))

    live.carry_out(places)
    names = [result.condition for result in tried(live, place) if result.check == "names"]
    red = next(name for name in names if name.values["seat"] is SeatName.RED)
    assert red.state is NamesCheck.READS
    assert red.values["pin"] == 4


def test_two_stoppers_with_one_name_are_found(live: Live, place: Place) -> None:
    outside = wired_to(live, words_us=0)
    keys = [
        f'["{stopper.node.hex(":")}"]\nnumber = {stopper.number}\nkey = "{bytes(16).hex()}"\n'
        for stopper in stoppers_of(live.table)[:2]
    ]
    (place.folder / "stoppers.toml").write_text("".join(keys), "utf-8")
    results = parts_of(SIMULATED, place.folder, free_port(), outside, LISTEN_S)
    (alike,) = [one for one in results if one.condition.state is HeardCheck.ALIKE]
    assert alike.condition.values == {"stoppers": (2,)}
    assert severity(alike.condition) == "see-to"


def test_a_light_board_that_is_unplugged_and_a_stopper_that_is_not_understood_are_noticed(
    live: Live, place: Place
) -> None:
    live.carry_out(lambda: live.outside.bus.unplug(0x34))
    found = {one.check: one.condition for one in tried(live, place, other_key=4)}
    assert found["light-board"].state is LightBoardState.MISSING
    assert found["stoppers"].state is HeardCheck.SILENT
    assert found["stoppers"].values == {"stoppers": (4,)}


def test_without_pins_one_sentence_says_so_for_all_that_hangs_on_them(place: Place) -> None:
    found = place.look()
    assert found["gpio"].state == "NONE"
    assert "can not open gpiochip" in found["gpio"].told


def test_without_the_installation_one_sentence_says_so_for_all_pins(place: Place) -> None:
    def nothing() -> Pins:
        raise PinError(PinFault.NOT_INSTALLED, "lgpio")

    outside = DoctorWiring(NoPorts(), nothing, answers_us=200_000)
    (said,) = [one for one in place.all_found(outside) if "sudo rappelwacht install" in one.told]
    assert (said.check, said.state) == ("gpio", "NOT_INSTALLED")


def test_a_pin_that_another_program_holds_is_named(place: Place) -> None:
    def busy() -> Pins:
        raise PinError(PinFault.BUSY, "GPIO busy")

    assert place.look(DoctorWiring(NoPorts(), busy, answers_us=200_000))["gpio"].state == "BUSY"


def test_without_a_bus_and_a_hub_each_says_what_to_do(place: Place) -> None:
    found = place.look()
    assert (found["light-board"].state, found["hub"].state) == ("NO_BUS", "SEARCHING")
    assert "USB" in found["hub"].told


# --- files ------------------------------------------------------------------------------------


def test_faults_of_the_configuration_are_findings_among_others(place: Place) -> None:
    place.config.write_text("[buzer]\npin = 18\n", "utf-8")
    found = place.look()
    assert found["configuration"].state == "FAULTY"
    assert "did you mean 'buzzer'?" in found["configuration"].told
    assert "python" in found


def test_faults_of_the_stoppers_file_are_findings_without_any_key(place: Place) -> None:
    secret = bytes(range(16)).hex()
    text = f'["24:0a:c4:00:01:01"]\nnumber = 77\nkey = "{secret}"\n'
    (place.folder / "stoppers.toml").write_text(text, "utf-8")
    found = place.look()
    assert (found["stoppers"].mark, found["stoppers"].state) == ("see-to", "FAULTY")
    assert secret not in json.dumps([one.told for one in found.values()])


def test_a_stoppers_file_that_cannot_be_read_is_a_finding(place: Place) -> None:
    (place.folder / "stoppers.toml").mkdir()
    assert place.look()["stoppers"].state == "FAULTY"


def test_small_files_that_the_table_will_do_without_are_findings(place: Place) -> None:
    for name in ("people.json", "phones.json", "heard.json", "measured.json"):
        (place.folder / name).write_text(5_000 * "[", "utf-8")
        found = [one for one in place.all_found(NOTHING) if one.check == "files"]
        assert [(one.mark, one.state) for one in found] == [("see-to", "FAULTY")]
        assert name in found[0].told
        (place.folder / name).unlink(missing_ok=True)
    assert "files" not in place.look()


def test_the_journal_is_looked_at_where_there_is_one(place: Place) -> None:
    assert "journal" not in place.look()
    (place.folder / JOURNAL).touch()
    assert place.look()["journal"].state == "NOT_A_FOLDER"
    (place.folder / JOURNAL).unlink()
    journal = Journal(place.folder / JOURNAL)
    match = journal.start(*(NewEntry("moved", {"note": "x" * 1000}) for _ in range(30)))
    journal.close()
    assert place.look()["journal"].mark == "fine"
    (file,) = (place.folder / JOURNAL).glob(f"*-{match}.jsonl")
    data = file.read_bytes()
    file.write_bytes(data[:15000] + b"yy" + data[15002:])
    assert place.look()["journal"].state == "RESTORED"


# --- a table that runs ------------------------------------------------------------------------


@pytest.mark.parametrize("below", [".", backup.SIMULATED])  # there, where nothing is built yet
def test_a_table_that_runs_keeps_its_parts_and_says_how_they_are(place: Place, below: str) -> None:
    def touched(*_: object) -> NoReturn:
        raise AssertionError("a part of the running table was touched")

    port = free_port()
    plan = TableConfig(
        config.TableWiring(hub=config.Hub()),
        paths.ensure_private_folder(place.folder / below),
        ports=NoPorts(),
        pages=Pages(port),
    )
    with Table(plan) as table:
        wait_for(lambda: bool(table.workshop.parts))
        found = place.look(DoctorWiring(Untouchable(touched), touched), port)
        assert found["table"].state == "RUNS"
        assert "port" not in found
        assert {"parts", "voltage", "groups"} <= set(found)
        mute = place.look(DoctorWiring(Untouchable(touched), touched), free_port())
        assert mute["table"].state == "MUTE"
        assert "parts" not in mute
    assert place.look()["table"].state == "STOPPED"


def test_what_answers_at_the_port_and_is_not_a_table_is_not_believed() -> None:
    for answer in (
        b"",
        b"HTTP/1.0 200 OK\r\n\r\n[1]",
        b'HTTP/1.0 200 OK\r\n\r\n{"findings": [{}]}',
    ):
        with closing(socket.create_server(("127.0.0.1", 0))) as line:
            said = Thread(target=answers, args=(line, answer), daemon=True)
            said.start()
            assert findings_of_table(line.getsockname()[1], "en") is None
            said.join(60)


def answers(line: socket.socket, answer: bytes) -> None:
    caller, _ = line.accept()
    with closing(caller):
        caller.recv(1000)
        caller.sendall(answer)


# --- the command ------------------------------------------------------------------------------


def test_the_command_says_in_its_exit_code_whether_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    well = CheckText("python", "GOOD", "fine", "Python is new enough.")
    ill = CheckText("hub", "SEARCHING", "see-to", "No hub is plugged in.")
    monkeypatch.setattr(doctor, "examined", lambda *_: iter([well]))
    assert main(["doctor", "--language", "en"]) == 0
    assert "All is well." in capsys.readouterr().out
    monkeypatch.setattr(doctor, "examined", lambda *_: iter([well, ill]))
    assert main(["doctor", "--language", "de"]) == 1
    out = capsys.readouterr().out
    assert "! No hub is plugged in." in out
    assert "1 Sache zu erledigen" in out
    assert main(["doctor", "--json"]) == 1
    told_ = json.loads(capsys.readouterr().out)
    assert told_["fine"] is False
    assert told_["findings"][1] == asdict(ill)


def test_without_a_configuration_only_the_computer_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(paths, "CONFIG", tmp_path / "gone.toml")
    assert main(["doctor", "--json", "--folder", str(tmp_path)]) in (0, 1)
    checks = [one["check"] for one in json.loads(capsys.readouterr().out)["findings"]]
    assert {"python", "disk", "name"} < {*checks}
    assert checks[-1] == "configuration"
    assert not {"hub", "gpio", "light-board", "table"} & {*checks}


def test_every_complaint_of_the_doctor_is_provoked_by_a_test() -> None:
    tests = "".join(file.read_text("utf-8") for file in TESTS)
    for kind in (Python, Groups, BusSpeed, PortCheck, Name, FirmwareCheck, HeardCheck, Battery):
        for state in kind:
            assert (
                f"{kind.__name__}.{state.name}" in tests
                or severity(Condition(state, 0)) != "see-to"
            )
    for told_by_name in (*Files, *Running, *PinsState):
        assert f'"{told_by_name.name}"' in tests or told_by_name.fine
