"""A mistake of ours costs one message: it is logged once, people are told, and the game goes on."""

import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import wire
from companion.devices.hub_discovery import HubMessage
from companion.journal.match_file import MatchFile
from companion.present.output import CallbackOutput
from companion.referee import barrel_state, referee
from companion.referee.commands import Command, DoAction, RollForUs
from companion.referee.faults import TableFault
from companion.referee.handlers import usual_match
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.sensing.observations import ButtonPressed, PadChanged
from companion.system import config
from companion.system.status import Condition
from companion.table.inbox import Message, PendingCommand
from companion.table.loop import HOPELESS_US, QUIET_US, BugStatus
from companion.table.table import Table
from companion.table.table_config import TableConfig

BEGIN = Command("begin", usual_match(["red", "blue"]), "red")
PAD = PadChanged("red", occupied=True, at_us=0)
MESSAGES: list[tuple[Message, str]] = [  # and whose mistake it is
    (
        HubMessage(0, wire.Said("BEACON", 0, wire.NAMED["BEACON"].named(hub=b"", channel=1))),
        "sensing_link.handle_hub_message",
    ),
    (Condition(TableFault.UNREAD, 0), "referee.handle_conditions"),
    (ButtonPressed("red", long=False, at_us=0, held_us=1), "referee.handle_press"),
    (PAD, "sensing_link.handle"),
    (PendingCommand(Command("roll", RollForUs(), "red")), "referee.handle_command"),
]
DUE = ("hardware.seats.tick", "sensing_link.tick", "journal.tick", "_lights.tick")


class Driven(Table):
    """A table whose thread is the test's, and whose clock, too."""

    def __init__(self, folder: Path) -> None:
        self.clock = [1_000_000]
        super().__init__(
            TableConfig(
                config.TableWiring(), folder, clock_us=lambda: self.clock[0], chance=Random(3)
            )
        )
        self.resume()
        self.turn()

    def takes(self, *messages: Message) -> None:
        for message in messages:
            self.inbox.put(message)
        for _ in range(2):  # what comes of it is a message, too
            self.clock[0] += 1_000
            self.turn()

    def rolls(self, request: str) -> str:
        """Have somebody say what the dice show; return why not."""
        asked = PendingCommand(Command(request, DoAction("roll 7"), "red"))
        self.takes(asked)
        assert asked.answer is not None
        return str(asked.answer.refused or "")

    @property
    def warns(self) -> bool:
        return any(one.state is BugStatus.MADE for one in self.snapshot.troubles)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Driven]:
    made = Driven(tmp_path)
    made.takes(PendingCommand(BEGIN))
    yield made
    made.stop()


def mistaken(*_: object, **__: object) -> Any:
    raise ZeroDivisionError


def broken(table: Table, part: str, patched: pytest.MonkeyPatch) -> None:
    *owners, name = part.split(".")
    owner: Any = table
    for one in owners:
        owner = getattr(owner, one)
    patched.setattr(owner, name, mistaken)


def logged(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [one for one in caplog.records if one.name == "companion.table.loop"]


@pytest.mark.mistakes
@pytest.mark.parametrize(("message", "part"), MESSAGES, ids=lambda one: type(one).__name__)
def test_a_message_that_meets_a_mistake_is_the_only_one_that_is_lost(
    message: Message,
    part: str,
    table: Driven,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with monkeypatch.context() as patched:
        broken(table, part, patched)
        table.takes(*[message] * 25)
    first, *again = logged(caplog)
    assert first.exc_info is not None
    assert first.exc_info[0] is ZeroDivisionError
    assert all(one.exc_info is None for one in again)
    assert len(again) == 1  # the tenth
    table.takes(message)
    assert table.rolls("1") in {"", "Now {phase} is due."} or table.snapshot.view.magic
    assert table.warns


@pytest.mark.mistakes
@pytest.mark.parametrize("part", DUE)
def test_what_is_due_may_fail_and_messages_are_taken_all_the_same(
    part: str, table: Driven, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken(table, part, monkeypatch)
    table.clock[0] += 2_000_000  # all is due
    assert table.rolls("1") == ""
    assert table.snapshot.view.magic == 7
    assert len(logged(caplog)) == 1


@pytest.mark.mistakes
def test_nothing_of_a_match_is_shown_while_the_workshop_cannot_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Driven(tmp_path)
    with monkeypatch.context() as patched:
        broken(table, "maintenance.tick", patched)
        table.takes(PendingCommand(BEGIN))
        assert table.snapshot.match is None
    assert table.rolls("1") == ""
    assert table.workshop.opened is None
    assert table.snapshot.view.magic == 7
    table.stop()


@pytest.mark.mistakes
def test_people_are_told_until_all_is_well(table: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        broken(table, "sensing_link.handle", patched)
        table.takes(PAD)
    assert table.warns
    table.clock[0] += QUIET_US - 10_000
    table.takes()
    assert table.warns
    table.clock[0] += 10_000
    table.takes()
    assert not table.warns


@pytest.mark.mistakes
def test_one_output_that_fails_keeps_nothing_from_the_others(table: Driven) -> None:
    seen: list[int] = []
    table.outputs.join(CallbackOutput(mistaken))
    table.outputs.join(CallbackOutput(lambda snapshot: seen.append(snapshot.version)))
    assert table.rolls("1") == ""
    assert set(seen) == {1}
    assert len(seen) < 5  # what fails again while it is healed is not healed again


@pytest.mark.mistakes
def test_a_event_that_is_written_counts_though_showing_it_failed(
    table: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, show = iter([mistaken]), table.referee._publish

    def shows(snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        next(once, show)(snapshot, events)

    monkeypatch.setattr(table.referee, "_publish", shows)
    assert table.rolls("1") != ""
    assert table.snapshot.view.magic == 7  # what follows from the journal is shown
    assert table.rolls("1") == ""  # and once more it is not done again
    assert table.snapshot.version == 1


@pytest.mark.mistakes
def test_a_event_that_the_journal_took_halfway_is_taken_over(
    table: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(MatchFile, "append", mistaken)
        assert table.rolls("1") != ""
    assert table.snapshot.view.magic == 7
    asked = PendingCommand(Command("2", DoAction("place red"), "red"))
    table.takes(asked)
    assert asked.answer is not None
    assert asked.answer.refused is None
    table.clock[0] += 60_000_000
    table.takes()
    (match,) = table.journal.matches()
    assert [one.number for one in table.journal.events(match.id)] == [0, 1, 2]


@pytest.mark.mistakes
def test_a_finding_whose_foul_could_not_be_written_gives_its_number_back(
    table: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(
        number: int,
    ) -> FoulFinding:  # each of a barrel of its own, for one barrel's are one card
        return FoulFinding(
            number, FoulCode.PEEK, Weight.FOUL, 0, 600_000, (number,), "red", 0.93, ()
        )

    with monkeypatch.context() as patched:
        patched.setattr(barrel_state, "foul_raised", mistaken)
        table.handle_events([found(1)], table.clock[0])
    table.handle_events([found(3), found(1)], table.clock[0])
    assert [one.raised.foul for one in table.snapshot.fouls] == [1, 2]


@pytest.mark.mistakes
@pytest.mark.parametrize("fault", [MemoryError, KeyboardInterrupt, SystemExit])
def test_what_is_not_a_mistake_of_a_message_ends_the_loop(
    fault: type[BaseException], table: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(table.referee, "handle_command", raises)
    table.post(Command("1", RollForUs(), "red"))
    with pytest.raises(fault):
        table.turn()


@pytest.mark.mistakes
@pytest.mark.parametrize("well", [False, True])
def test_a_loop_of_which_no_turn_goes_well_ends_in_the_end(
    well: bool, table: Driven, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = table.sensing_link.tick
    monkeypatch.setattr(table.sensing_link, "tick", mistaken)
    begun_us = table.clock[0]
    while table.clock[0] < begun_us + HOPELESS_US:
        table.turn()
        assert table.rest_s() >= 0.05  # and in no haste
        table.clock[0] += 1_000_000
        if well and table.clock[0] == begun_us + 15_000_000:
            with monkeypatch.context() as patched:
                patched.setattr(table.sensing_link, "tick", passes)
                table.turn()
    if well:
        table.turn()
    else:
        with pytest.raises(ZeroDivisionError):
            table.turn()


@pytest.mark.mistakes
def test_a_match_that_failed_to_begin_can(table: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    again = Command("again", usual_match(["red", "yellow"]), "red")
    with monkeypatch.context() as patched:
        patched.setattr(table.journal, "start", mistaken)
        table.takes(PendingCommand(again))
    assert table.snapshot.over
    table.takes(PendingCommand(again))
    assert [seat.colour for seat in table.snapshot.seats] == ["red", "yellow"]


@pytest.mark.mistakes
def test_a_match_that_cannot_be_gone_on_with_by_our_mistake_keeps_no_table_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Driven(tmp_path)
    first.takes(PendingCommand(BEGIN))
    first.stop()
    with monkeypatch.context() as patched:
        patched.setattr(referee, "start_match", mistaken)
        again = Driven(tmp_path)
    assert TableFault.UNREAD in {one.state for one in again.snapshot.troubles}
    assert again.warns
    again.takes(PendingCommand(BEGIN))
    assert again.rolls("1") == ""
    again.stop()
