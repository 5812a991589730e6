"""A match that this version cannot read keeps nobody from playing, and stays as it is."""

from pathlib import Path
from random import Random

import pytest

from companion.games.zapp_zerapp.rules import ZappZerapp
from companion.journal import Entry, Journal, NewEntry
from companion.referee.commands import ClearTable, Command, CommandBody, DoAction, GiveUp
from companion.referee.events import HouseRules, MatchAbandoned, from_json, to_json
from companion.referee.faults import TableFault
from companion.referee.handlers import usual_match
from companion.referee.match import started_event
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.system import config
from companion.system.paths import JOURNAL
from companion.table.table import Table
from companion.table.table_config import TableConfig

ROLLED = {"action": '{"do": "roll", "magic": 7}', "by": "red"}
FOUL = {"foul": 1, "code": "peek", "weight": "foul", "length_ms": 0, "percent": 100}
BEGAN = to_json(started_event(ZappZerapp(), HouseRules()))[1]
UNREAD = {
    "a newer game": [("began", BEGAN | {"schema": 99})],
    "a game of later": [("began", BEGAN | {"game": "chess"})],
    "a newer kind of deed": [("began", BEGAN), ("prophesied", {"by": "red"})],
    "a newer part of event": [("began", BEGAN | {"weather": "rain"})],
    "what cannot be": [("began", BEGAN), ("did", {"action": '{"do": "flip"}', "by": "red"})],
    "a barrel where nobody sits": [
        *(("began", BEGAN), ("did", ROLLED), ("stood", {"seat": "purple", "stopper": 3}))
    ],
    "a foul of nobody": [("began", BEGAN), ("raised", FOUL | {"seat": "purple"})],
    "no settings": [("began", BEGAN | {"settings": "{"})],
}


def written(folder: Path, *events: tuple[str, dict[str, object]]) -> tuple[Entry, ...]:
    """Write a match that was not over when the power failed."""
    journal = Journal(folder / JOURNAL, lambda _: None)
    match = journal.start(*(NewEntry(kind, body) for kind, body in events))
    entries = tuple(journal.events(match))
    journal.close()
    return entries


def unfinished(folder: Path) -> tuple[str, ...]:
    journal = Journal(folder / JOURNAL, lambda _: None)
    found = tuple(match.id for match in journal.unfinished())
    journal.close()
    return found


def asks(table: Table, request: str, wish: CommandBody) -> None:
    answer = table.ask(Command(request, wish, "red"))
    assert answer is not None
    assert answer.refused is None, answer.refused


def plan(folder: Path) -> TableConfig:
    return TableConfig(config.TableWiring(), folder)


@pytest.mark.parametrize("events", UNREAD.values(), ids=UNREAD)
def test_the_table_starts_says_so_and_people_start_over(
    tmp_path: Path, events: list[tuple[str, dict[str, object]]]
) -> None:
    before = written(tmp_path, *events)
    with Table(plan(tmp_path)) as table:
        assert table.snapshot.match is None
        assert [condition.state for condition in table.snapshot.troubles] == [TableFault.UNREAD]
        asks(table, "1", usual_match(("red", "blue")))
        assert table.snapshot.troubles == ()
        asks(table, "2", DoAction("roll 7"))
        newer = table.snapshot.match
    with Table(plan(tmp_path)) as table:  # and after the next loss of power
        assert (table.snapshot.match, table.snapshot.view.magic) == (newer, 7)
        assert tuple(table.entries(before[0].match))[:-1] == before  # given up, and else as it was
        asks(table, "3", GiveUp())
    with Table(plan(tmp_path)) as table:
        assert (table.snapshot.match, table.snapshot.over) == (newer, True)
        assert table.snapshot.troubles == ()
        asks(table, "4", ClearTable())
        assert table.snapshot.troubles == ()
        unread = tuple(table.entries(before[0].match))
        assert unread[:-1] == before
        assert from_json(unread[-1].kind, unread[-1].body) == MatchAbandoned("red")
    assert unfinished(tmp_path) == ()  # nothing keeps anybody from installing


def test_as_long_as_nobody_starts_over_a_match_that_cannot_be_read_is_not_given_up(
    tmp_path: Path,
) -> None:
    before = written(tmp_path, *UNREAD["a newer kind of deed"])
    for _ in range(2):
        with Table(plan(tmp_path)) as table:
            assert table.snapshot.match is None
    assert unfinished(tmp_path) == (before[0].match,)


def test_a_match_that_its_disk_does_not_give_keeps_nobody_from_playing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL)
    shown: list[Snapshot] = []
    referee = Referee(journal, lambda snapshot, _: shown.append(snapshot), Random(1))
    with pytest.raises(ValueError, match="prophesied"):
        referee.resume("lost", [Entry("lost", 0, 0, "prophesied", "{}")], 0)
    referee.wait_for_match(0, unread=True)
    assert (
        referee.handle_command(Command("1", usual_match(("red", "blue")), "red"), 0).refused is None
    )
    assert shown[-1].match == journal.matches()[0].id
    journal.close()
