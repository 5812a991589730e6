"""Tables are told whom the tournament seats there, and what they publish becomes a result."""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.plugin import PLUGINS
from companion.hall import director_page, tables_page, tournament_page, tournament_sync
from companion.hall.accounts import Visitor
from companion.hall.server_app import HallServer
from companion.hall.tournament.events import (
    Begun,
    Chosen,
    LastMatch,
    Mode,
    ResultEntered,
    TableAdded,
)
from companion.hall.tournament.standings import places
from companion.hall.tournament_sync import last_matches, proposal
from companion.mqtt.payloads import Events, HallProposal, Online, Points, TableState
from companion.present.mqtt_state import state_of
from companion.present.viewer import Viewer
from companion.system.errors import NoAnswer
from tests.hall.matches import moments
from tests.hall.tables import journal_lines

GAME = next(iter(PLUGINS))
PATIENCE_S = 60.0


class Link:
    """What the hall says to its tables."""

    connected, others = True, frozenset[str]()

    def __init__(self) -> None:
        self.said: list[tuple[str, HallProposal]] = []
        self.deaf = False

    def propose(self, name: str, wish: HallProposal, _: str) -> None:
        if self.deaf:
            raise NoAnswer("Deaf.")
        self.said.append((name, wish))


@pytest.fixture
def hall() -> Iterator[HallServer]:
    """Have a hall with a table, at which a match was played before, and two people."""
    with HallServer(None) as hall:
        hall.link = Link()  # type: ignore[assignment]
        prepare(hall)
        yield hall


def prepare(hall: HallServer) -> None:
    hall.tables.get_or_add("attic")
    tell(hall, "before", over=True)
    for name in ("Ada", "Bo"):
        hall.tournament.check_in(name)
    hall.tournament.do(TableAdded("1"))
    hall.tournament.do(Chosen(GAME, Mode.POINTS, 2, 4, 2))
    hall.tournament.propose()


def tell(hall: HallServer, match: str, *, over: bool, **more: Any) -> None:
    state = TableState(0, 0, simulated=True, version=1, match=match, game=GAME, over=over, **more)
    hall.tables.update("attic", state=state)
    table = hall.tables.named("attic")
    assert table is not None
    hall.tournament_sync.handle_state(table)


def begin(hall: HallServer) -> None:
    hall.tournament.do(Begun(last_matches(hall.tournament.now, hall.tables)))
    hall.tournament_sync.propose_soon()


def until(holds: Any) -> None:
    late_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < late_s
        time.sleep(0.005)


def test_a_table_is_asked_once_for_those_who_sit_there(hall: HallServer) -> None:
    begin(hall)
    until(lambda: hall.link.said)  # type: ignore[union-attr]
    hall.tournament_sync.propose_soon()
    hall.tournament_sync.close()
    ((name, wish),) = hall.link.said  # type: ignore[union-attr]
    assert (name, wish.game) == ("attic", GAME)
    assert {one.name for one in wish.names} == {"Ada", "Bo"}
    assert [one.seat for one in wish.names] == wish.settings["seats"]


def test_a_table_that_does_not_answer_is_told_of(hall: HallServer) -> None:
    hall.link.deaf = True  # type: ignore[union-attr]
    begin(hall)
    until(lambda: hall.tournament_sync.untold)
    assert str(hall.tournament_sync.untold[0]) == "Deaf."


def test_a_table_that_did_not_answer_is_asked_again_after_a_while(
    hall: HallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_sync, "AGAIN_S", 0.02)
    hall.link.deaf = True  # type: ignore[union-attr]
    begin(hall)
    until(lambda: hall.tournament_sync.untold)
    hall.link.deaf = False  # type: ignore[union-attr]
    until(lambda: hall.link.said and not hall.tournament_sync.untold)  # type: ignore[union-attr]


def test_whoever_plays_is_called_by_name_as_long_as_their_match_is_seen(hall: HallServer) -> None:
    def called() -> list[str]:
        table = hall.tables.named("attic")
        assert table is not None
        return [one.name for _, one in hall.tournament_sync.seating(table).people]

    begin(hall)
    until(lambda: hall.link.said)  # type: ignore[union-attr]
    seats = tuple(hall.link.said[0][1].settings["seats"])  # type: ignore[union-attr]
    names = [hall.tournament.now.guests[one].name for one in hall.tournament.now.matches[0].players]
    tell(hall, "before", over=True, seats=seats)
    assert called() == []
    tell(hall, "new", over=False, seats=seats[:1])
    assert called() == []
    tell(hall, "new", over=False, seats=seats)
    assert called() == names
    scores = tuple(Points(seat, 1) for seat in seats)
    tell(hall, "new", over=True, seats=seats, winners=seats[:1], scores=scores)
    until(lambda: hall.tournament.now.matches[0].places)
    assert called() == names
    tell(hall, "another", over=False, seats=seats)  # nobody knows who plays this
    assert called() == []


def test_walls_and_pages_call_players_by_name() -> None:
    played = [*moments("m", "zapp-zerapp", Random(1), 20)]
    names, who = ("Ada", "Bo", "Cy", "Di"), Visitor(Viewer())
    with HallServer(None) as hall:
        hall.tables.get_or_add("attic")
        for name in names:
            hall.tournament.check_in(name)
        hall.tournament.do(TableAdded("1"))
        hall.tournament.do(Chosen("zapp-zerapp", Mode.POINTS, 2, 4, 4))
        hall.tournament.propose()
        hall.tournament.do(Begun((LastMatch("1", "before"),)))
        state = state_of(played[-1].snapshot, at_ms=1)
        hall.tables.update("attic", online=Online(online=True), state=state)
        hall.replica.handle_events(
            "attic", Events("m", 0, tuple(journal_lines(played)), hall.replica.hall)
        )
        hall.store.write(lambda _: None)
        shown = [
            hall.pictures["table"].make(hall, who, "1"),
            tables_page.table_live(hall, who, "1"),
        ]
    for html in shown:
        assert all(f"<bdi>{name}</bdi>" in html for name in names)
        assert "<bdi>Red</bdi>" not in html
    happened = shown[1].partition('id="happened"')[2]
    assert any(name in happened for name in names)
    assert not any(colour in happened for colour in ("Red", "Yellow", "Green", "Blue"))


def test_nobody_stands_first_before_anything_was_played(hall: HallServer) -> None:
    def stand() -> set[bool]:
        who = Visitor(Viewer())
        shown = tournament_page.live(hall, who), tournament_page.standings(hall, who, "")
        return {'class="standings"' in html for html in shown}

    begin(hall)
    assert stand() == {False}
    (match,) = hall.tournament.now.running
    hall.tournament.do(ResultEntered(match.id, tuple((one,) for one in match.players)))
    assert stand() == {True}


def test_a_match_that_ended_unseen_counts_by_its_journal() -> None:
    """Whoever wins while the hall is off, and plays on, has won all the same."""
    names, game = ("Ada", "Bo", "Cy", "Di"), "zapp-zerapp"
    ours = [*moments("ours", game, Random(1), 2_000)]
    later = [*moments("later", game, Random(2), 3)]
    outcome = ours[-1].snapshot.outcome
    assert outcome is not None
    with HallServer(None) as hall:
        hall.tables.get_or_add("attic")
        for name in names:
            hall.tournament.check_in(name)
        hall.tournament.do(TableAdded("1"))
        hall.tournament.do(Chosen(game, Mode.POINTS, 4, 4, 4))
        hall.tournament.propose()
        hall.tournament.do(Begun((LastMatch("1", "before"),)))
        hall.tables.update("attic", state=state_of(later[-1].snapshot, at_ms=1))
        before = [*moments("before", game, Random(3), 3)]
        for name, found in (("before", before), ("ours", ours), ("later", later)):
            hall.replica.handle_events(
                "attic", Events(name, 0, tuple(journal_lines(found)), hall.replica.hall)
            )
        hall.store.write(lambda _: None)
        table = hall.tables.named("attic")
        assert table is not None
        hall.tournament_sync.handle_journal(table)
        until(lambda: hall.tournament.now.matches[0].places)
        (match,) = hall.tournament.now.matches
        assert match.places == places(outcome, dict(enumerate(match.players)))


def test_the_next_tournament_s_first_match_is_told_to_its_table_too(hall: HallServer) -> None:
    begin(hall)
    until(lambda: hall.link.said)  # type: ignore[union-attr]
    until(lambda: hall.store.read("SELECT * FROM told_tables"))
    director_page.ORDERS["begin-anew"](hall, {})
    assert not hall.store.read("SELECT * FROM told_tables")  # nor would the hall, begun again
    for name in ("Cy", "Di"):
        hall.tournament.check_in(name)
    hall.tournament.propose()
    begin(hall)
    until(lambda: len(hall.link.said) == 2)  # type: ignore[union-attr]
    assert {one.name for one in hall.link.said[1][1].names} == {"Cy", "Di"}  # type: ignore[union-attr]


def test_a_hall_that_begins_again_tells_whoever_was_not_told(tmp_path: Path) -> None:
    said = []
    for deaf in (True, False, False):  # it ends after each
        with HallServer(tmp_path) as hall:
            hall.link = link = Link()  # type: ignore[assignment]
            link.deaf = deaf
            if not hall.tournament.now.guests:
                prepare(hall)
                begin(hall)
                until(lambda: hall.tournament_sync.untold)
            hall.tournament_sync.propose_soon()
            hall.tournament_sync.close()
            said.append(len(link.said))
    assert said == [0, 1, 0]


def test_a_table_that_plays_what_it_was_to_be_told_is_not_asked(hall: HallServer) -> None:
    link: Any = hall.link
    link.deaf = True
    begin(hall)
    until(lambda: hall.tournament_sync.untold)
    wish = proposal(hall.tournament.now, hall.tournament.now.matches[0])
    tell(hall, "new", over=False, playing=True, seats=tuple(wish.settings["seats"]))
    until(lambda: not hall.tournament_sync.untold)
    assert not link.said


def test_a_table_that_still_plays_is_asked_again_when_it_is_free(hall: HallServer) -> None:
    link: Any = hall.link
    link.deaf = True
    tell(hall, "before", over=False, playing=True)
    begin(hall)
    until(lambda: hall.tournament_sync.untold)
    link.deaf = False
    tell(hall, "before", over=False, playing=True)  # nothing is new
    hall.tournament_sync.propose_soon()
    tell(hall, "before", over=True)
    until(lambda: link.said)
    until(lambda: not hall.tournament_sync.untold)
    hall.tournament_sync.propose_soon()
    hall.tournament_sync.close()
    assert len(link.said) == 1


def test_what_a_table_published_is_the_result(hall: HallServer) -> None:
    begin(hall)
    until(lambda: hall.link.said)  # type: ignore[union-attr]
    first, second = hall.link.said[0][1].settings["seats"]  # type: ignore[union-attr]
    scores = (Points(first, 1), Points(second, 3))
    match = hall.tournament.now.matches[0]
    tell(hall, "before", over=True, winners=(first,), scores=scores)  # played before the round
    tell(hall, "new", over=False)
    tell(hall, "new", over=True, seats=(first, second), winners=(second,), scores=scores[:1])
    tell(hall, "new", over=True, seats=(first,), winners=(second,), scores=scores)  # other people
    coached = {"winners": (second,), "scores": scores, "house": {"coached": True}}
    tell(hall, "new", over=True, seats=(first, second), **coached)  # practice
    hall.tournament_sync.propose_soon()
    assert not hall.tournament.now.matches[0].places
    tell(hall, "new", over=True, seats=(first, second), winners=(second,), scores=scores)
    until(lambda: hall.tournament.now.matches[0].places)
    one, other = match.players
    assert hall.tournament.now.matches[0].places == ((other,), (one,))
