"""From the seating of a round to its standings, over a real broker: nobody enters a result."""

from pathlib import Path

from companion.hall.server_app import HallServer
from companion.hall.tournament.events import Begun, Chosen, Mode, TableAdded
from companion.hall.tournament_sync import last_matches
from companion.mqtt.signing import signing_key
from companion.referee.commands import Accept
from tests.mqtt.broker import Broker, wait_until
from tests.table.mqtt.telling import Telling

GAME = "blackmore"  # it ends after a hundred events
NAMES = ("attic", "cellar")


def test_what_two_tables_play_becomes_the_standings(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, HallServer(tmp_path / "hall") as hall:
        tables = [Telling(broker.of(one), one, key=signing_key(f"{one}!")) for one in NAMES]
        for name in NAMES:
            hall.join_table(name, f"{name}!")
        hall.follow(broker.of("hall"))
        wait_until(lambda: all(one.online.online for one in hall.tables))
        for person in ("Ada", "Bo", "Cy", "Di"):
            hall.tournament.check_in(person)
        for table in hall.tables:
            hall.tournament.do(TableAdded(str(table.number)))
        hall.tournament.do(Chosen(GAME, Mode.POINTS, 2, 2, 2, 1))
        for turn in range(2):
            hall.tournament.propose()
            hall.tournament.do(Begun(last_matches(hall.tournament.now, hall.tables)))
            hall.tournament_sync.propose_soon()
            for one in tables:
                accepts(one)
            for one in tables:
                one.plays(2_000)
            wait_until(lambda: not hall.tournament.now.running)
            assert len(hall.tournament.now.matches) == 2 * (turn + 1)
        for match in hall.tournament.now.matches:
            (played,) = [one for one in tables if str(number(hall, one)) == match.table]
            names = {hall.tournament.now.guests[one].name for one in match.players}
            assert names <= {name for _, name in played.sat}
        shown = hall.views.text(("evening", "en", ""))
        assert all(name in shown for name in ("Ada", "Bo", "Cy", "Di"))
        for one in tables:
            one.hall.close()


def number(hall: HallServer, table: Telling) -> int:
    place = table.hall._link.table
    found = hall.tables.named(place)
    assert found is not None
    return found.number


def accepts(table: Telling) -> None:
    """Have people begin what the hall proposes."""
    before = table.room.now.match
    wait_until(lambda: table.room.now.proposal and table.room.now.proposal.verdict.value == "open")
    assert table.room.now.proposal is not None
    assert table.room.wish(Accept(table.room.now.proposal.request)).refused is None
    table.room.stir()
    assert table.room.now.match != before
