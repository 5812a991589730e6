"""The journal keeps what happened, in order, and nobody can change it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal import Journal, NewEntry
from companion.journal.entry import body_text
from companion.system.errors import NoAnswer
from tests.journal.journals import BEGUN, WON, Table, folder_in_memory, moved


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table whose journal does not exist yet."""
    with folder_in_memory() as folder:
        yield Table(folder / "journal")


@pytest.fixture
def journal(table: Table) -> Iterator[Journal]:
    """Yield a new journal."""
    journal = table.open()
    yield journal
    journal.close()


def test_what_was_added_is_there_after_a_restart(table: Table) -> None:
    journal = table.open()
    match = journal.start(BEGUN)
    journal.append(match, 1, NewEntry("rolled", {"magic": 7}, request="c4-17"), moved(2))
    before = journal.events(match)
    journal.close()
    again = table.open()
    assert again.events(match) == before
    assert [event.kind for event in before] == ["begun", "rolled", "moved"]
    assert before[1].body == {"magic": 7}
    assert before[1].request == "c4-17"
    assert before[0].at_ms == table.wall_ms
    again.close()


def test_the_same_once_more_is_not_added_again(journal: Journal) -> None:
    match = journal.start(BEGUN)
    first = journal.append(match, 1, moved(1))
    assert journal.append(match, 1, moved(1)) == first
    assert len(journal.events(match)) == 2


@pytest.mark.parametrize("number", [-1, 0, 1, 3])
def test_only_the_next_event_can_be_added(journal: Journal, number: int) -> None:
    match = journal.start(BEGUN, moved(1))
    with pytest.raises(ValueError, match=r"does not follow|out of range"):
        journal.append(match, number, moved(9))
    with pytest.raises(ValueError, match="no match"):
        journal.append("another", 1, moved(1))


def test_matches_come_newest_first_and_an_undo_opens_a_match_again(table: Table) -> None:
    journal = table.open()
    first = journal.start(BEGUN)
    journal.append(first, 1, WON)
    second = journal.start(BEGUN)
    for _ in range(2):  # the second time after a restart
        assert [match.id for match in journal.matches()] == [second, first]
        assert [match.count for match in journal.matches()] == [1, 2]
        assert [match.id for match in journal.unfinished()] == [second]
        journal.close()
        journal = table.open()
    journal.append(first, 2, NewEntry("undone", {"to": 0}))
    assert [match.id for match in journal.unfinished()] == [second, first]
    journal.close()


def test_a_clock_that_jumps_changes_nothing(table: Table) -> None:
    journal = table.open()
    year_ms, day_ms = 365 * 86_400_000, 86_400_000
    matches = []
    for jump in (0, -year_ms, day_ms, -table.wall_ms - year_ms):
        table.wall_ms += jump
        match = table.play(journal, 2)
        table.wall_ms -= year_ms
        journal.append(match, 2, moved(2))
        matches.append(match)
    journal.close()
    journal = table.open()
    assert [match.id for match in journal.matches()] == matches[::-1]
    assert all([e.number for e in journal.events(m)] == [0, 1, 2] for m in matches)
    journal.close()


def test_each_match_is_a_file_that_people_can_read(table: Table) -> None:
    journal = table.open()
    match = journal.start(BEGUN)
    journal.append(match, 1, NewEntry("rolled", {"magic": 7}, request="c4-17"), WON)
    other = journal.start(BEGUN)
    files = sorted(path.name for path in table.path.glob("*.jsonl"))
    assert files == [f"000001-{match}.jsonl", f"000002-{other}.jsonl"]
    assert [line[:-9] for line in table.file(match).read_text("ascii").splitlines()] == [
        '{"rappelwacht":"match","version":1,"match":"match-1"}',
        (
            '[{"number":0,"at_ms":1700000000000,"kind":"begun","request":null,"ends":false,'
            '"body":{"seats":["red","blue"]}}]'
        ),
        (
            '[{"number":1,"at_ms":1700000000000,"kind":"rolled","request":"c4-17","ends":false,'
            '"body":{"magic":7}},{"number":2,"at_ms":1700000000000,"kind":"won","request":null,'
            '"ends":true,"body":{"seat":"red"}}]'
        ),
    ]
    journal.close()


def test_a_match_whose_file_is_deleted_is_gone(table: Table) -> None:
    journal = table.open()
    over, going = table.play(journal, 3), ""
    journal.append(over, 3, WON)
    going = table.play(journal, 3)
    table.file(over).unlink()
    with pytest.raises(NoAnswer):
        journal.entries(over)
    journal.tick()
    assert [match.id for match in journal.matches()] == [going]
    assert journal.entries(over) == ()
    assert journal.condition.state.fine
    journal.close()
    assert not any(over in path.name for path in table.path.iterdir())
    journal = table.open()
    assert [match.id for match in journal.matches()] == [going]
    journal.close()


TEXT = st.text(max_size=20) | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none()
BODIES = st.dictionaries(
    st.text(max_size=8), st.recursive(TEXT, lambda inner: st.lists(inner, max_size=3)), max_size=4
)


@given(BODIES.filter(lambda body: "inf" not in repr(body)))
def test_any_body_comes_back_as_it_was(body: dict[str, object]) -> None:
    event = NewEntry("any", body).entry("m", 0, 0)
    assert event.body == body
    assert body_text(event.body) == event.text
    assert event.text.isascii()


@pytest.mark.parametrize("body", [{1: 1, "1": 2}, {"a": float("nan")}, {"a": "x" * 2_000_000}])
def test_a_body_that_would_not_return_is_refused(journal: Journal, body: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"read back|JSON"):
        journal.start(NewEntry("any", body))
    assert journal.matches() == ()
