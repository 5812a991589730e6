"""A match that this version cannot read keeps nobody from playing, and stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.app import Plan, Table
from companion.folders import JOURNAL
from companion.referee.commands import Act, ChooseAnew, Command, GiveUp, Wish
from companion.referee.deeds import House, to_json
from companion.referee.entry import Entry, Happened
from companion.referee.journal import Journal
from companion.referee.match import began
from companion.referee.troubles import Doubt
from companion.referee.wishes import zapp_zerapp
from companion.rules.zapp_zerapp import ZappZerapp

ROLLED = {"action": '{"do": "roll", "magic": 7}', "by": "red"}
FOUL = {"foul": 1, "code": "peek", "weight": "foul", "length_ms": 0, "percent": 100}
BEGAN = to_json(began(ZappZerapp(), House()))[1]
UNREAD = {
    "a newer game": [("began", BEGAN | {"schema": 99})],
    "a game of later": [("began", BEGAN | {"game": "chess"})],
    "a newer kind of deed": [("began", BEGAN), ("prophesied", {"by": "red"})],
    "a newer part of a deed": [("began", BEGAN | {"weather": "rain"})],
    "what cannot be": [("began", BEGAN), ("did", {"action": '{"do": "flip"}', "by": "red"})],
    "a barrel where nobody sits": [
        *(("began", BEGAN), ("did", ROLLED), ("stood", {"seat": "purple", "stopper": 3})),
    ],
    "a foul of nobody": [("began", BEGAN), ("raised", FOUL | {"seat": "purple"})],
    "no settings": [("began", BEGAN | {"settings": "{"})],
}


def written(folder: Path, *deeds: tuple[str, dict[str, object]]) -> tuple[Entry, ...]:
    """Write a match that was not over when the power failed."""
    journal = Journal(folder / JOURNAL, lambda _: None)
    match = journal.begin(*(Happened(kind, body) for kind, body in deeds))
    entries = tuple(journal.events(match))
    journal.close()
    return entries


def asks(table: Table, request: str, wish: Wish) -> None:
    answer = table.ask(Command(request, wish, "red"))
    assert answer is not None
    assert answer.refused is None, answer.refused


def plan(folder: Path) -> Plan:
    return Plan(config.Table(), folder)


@pytest.mark.parametrize("deeds", UNREAD.values(), ids=UNREAD)
def test_the_table_starts_says_so_and_people_begin_anew(
    tmp_path: Path, deeds: list[tuple[str, dict[str, object]]]
) -> None:
    before = written(tmp_path, *deeds)
    with Table(plan(tmp_path)) as table:
        assert table.snapshot.match is None
        assert [one.state for one in table.snapshot.troubles] == [Doubt.UNREAD]
        asks(table, "1", zapp_zerapp(("red", "blue")))
        assert table.snapshot.troubles == ()
        asks(table, "2", Act("roll 7"))
        newer = table.snapshot.match
    with Table(plan(tmp_path)) as table:  # and after the next loss of power
        assert (table.snapshot.match, table.snapshot.view.magic) == (newer, 7)
        assert tuple(table.entries(before[0].match)) == before
        asks(table, "3", GiveUp())
    with Table(plan(tmp_path)) as table:
        assert (table.snapshot.match, table.snapshot.over) == (newer, True)
        assert table.snapshot.troubles == ()
        asks(table, "4", ChooseAnew())
        assert table.snapshot.troubles == ()
        assert tuple(table.entries(before[0].match)) == before
