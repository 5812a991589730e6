"""`update`: the running table is asked for what the workshop's button does, and watched at it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from werkzeug.serving import make_server

from companion.cli import update
from companion.cli.main import main
from companion.maintenance.updates import Stage, UpdateShown
from companion.maintenance.view import (
    CalibrationShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    StopperShown,
)
from companion.referee.commands import Answer, Command
from companion.referee.maintenance_commands import StopUpdating, UpdateStoppers
from companion.system.errors import CompanionError
from tests.web.room import PIN, FakeRoom, app, phones

NEWEST = "0.2.0"
OLD = tuple(StopperShown(number, firmware="0.1.9") for number in (1, 2))
ALL = (*OLD, StopperShown(3, firmware=NEWEST), StopperShown(4))
SERVING = CalibrationShown(0, 0, None, (), ())
OPENED = MaintenanceDetails(ALL, (), SERVING, outdated=(1, 2))


class Room(FakeRoom):
    """A table whose workshop goes on by one step each time that it is looked at."""

    def __init__(self) -> None:
        self.steps: list[MaintenanceDetails | None] = []
        self.wished: list[object] = []
        self.refuses: CompanionError | None = None
        super().__init__()
        self._shown = MaintenanceSnapshot(opened=OPENED)

    @property
    def workshop(self) -> MaintenanceSnapshot:
        if self.wished and self.steps:
            self._shown = replace(self._shown, opened=self.steps.pop(0))
        return self._shown

    @workshop.setter
    def workshop(self, shown: MaintenanceSnapshot) -> None:
        self._shown = shown

    def ask(self, command: Command) -> Answer | None:
        self.wished.append(command.wish)
        return Answer(command.request, 0, self.refuses)


Types = Callable[..., int]


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def types(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Types]:
    server = make_server("127.0.0.1", 0, app(phones(room)), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    (tmp_path / "phone.pin").write_text(PIN + "\n")
    monkeypatch.setattr(update, "LOOK_S", 0.0)
    more = ["--port", str(server.port), "--folder", str(tmp_path), "--language", "en"]
    yield lambda *words: main(["update", *words, *more])
    server.shutdown()
    thread.join()
    server.server_close()


def at(*stages: tuple[int, Stage, int], **others: Any) -> MaintenanceDetails:
    return replace(OPENED, updates=tuple(UpdateShown(*one) for one in stages), **others)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_whoever_needs_it_gets_it_one_after_another_and_a_table_tells_of_all(
    room: Room, types: Types, capsys: pytest.CaptureFixture[str]
) -> None:
    room.steps = [
        at((1, Stage.ASKED, 0), (2, Stage.WAITING, 0)),
        at((1, Stage.SENDING, 40), (2, Stage.WAITING, 0)),
        at((1, Stage.DONE, 100), (2, Stage.SENDING, 9)),
        at((1, Stage.DONE, 100), (2, Stage.WEAK, 9)),
    ]
    assert types() == 1
    said = told(capsys)
    assert room.wished == [UpdateStoppers((1, 2))]
    assert "Stoppers 1 and 2 get firmware 0.2.0; leave the barrels standing." in said
    assert "mpy-cross" not in said
    table = said.split("charge it first", 1)[1]
    assert "1 has the new firmware 2 its battery is too low: charge it first" in table
    assert "3 already runs firmware 0.2.0 4 has not been heard yet: lift its barrel" in table


def test_only_those_who_are_named_and_with_sources_it_says_what_that_costs(
    room: Room, types: Types, capsys: pytest.CaptureFixture[str]
) -> None:
    room.workshop = MaintenanceSnapshot(opened=replace(OPENED, sends_sources=True))
    room.steps = [at((2, Stage.DONE, 100))]
    assert types("2") == 0
    assert room.wished == [UpdateStoppers((2,))]
    assert "about 40 s each instead of 25" in told(capsys)
    assert types("3") == 0  # it runs it already
    assert types("4") == 1
    assert types("9") == 2
    assert len(room.wished) == 1


def test_whoever_began_already_is_watched_and_not_begun_again(room: Room, types: Types) -> None:
    room.workshop = MaintenanceSnapshot(opened=at((1, Stage.SENDING, 40)))
    room.steps = [at((1, Stage.SENDING, 50)), at((1, Stage.DONE, 100))]
    room.wished.append("begun by a button")
    assert types("1") == 0
    assert len(room.wished) == 1


def test_in_a_match_it_is_refused_and_a_match_that_begins_ends_it(
    room: Room, types: Types, capsys: pytest.CaptureFixture[str]
) -> None:
    room.steps = [at((1, Stage.SENDING, 40)), None]
    assert types("1") == 1
    assert "A match is beginning, so no more is sent" in told(capsys)
    assert types() == 2
    assert "No stopper is updated while a match is being played" in capsys.readouterr().err
    assert len(room.wished) == 1


def test_what_the_table_refuses_is_said_in_its_own_words_and_ctrl_c_stops_it(
    room: Room, types: Types, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room.refuses = CompanionError("The workshop is closed.")
    assert types() == 2
    assert "The workshop is closed." in capsys.readouterr().err

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    room.refuses = None
    monkeypatch.setattr(update, "_follow", interrupted)
    assert types() == 130
    assert isinstance(room.wished[-1], StopUpdating)


def test_where_no_table_runs_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", "--port", "1", "--folder", str(tmp_path), "--language", "en"]) == 2
    assert "No table answers at port 1" in capsys.readouterr().err


def test_a_pin_that_is_not_the_tables_is_refused(
    room: Room, types: Types, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "phone.pin").write_text("000000")
    assert types() == 2
    assert "This is not the PIN." in capsys.readouterr().err
    assert not room.wished
