"""What the table's own screen tells of a match, and going on with one that came in."""

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.cli.table import SnapshotPrinter
from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.journal import Journal
from companion.journal.entry import body_text
from companion.journal.export import export_lines
from companion.present.terminal import TerminalScreen
from companion.referee.automation import Randomness, automatic_events
from companion.referee.commands import Call, NewMatch
from companion.referee.events import Bot, HouseRules
from companion.referee.referee import Referee
from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.system.paths import JOURNAL
from companion.system.text import SeatName
from tests.cli.journal.matches import LAST, MOVED, Told, before_the_flip, kept, play
from tests.referee.tables import Round


def test_the_table_shows_the_summary_once_when_the_game_ends() -> None:
    out, summary = io.StringIO(), ": 3.5 "  # stones that the best lost, on average
    teller = SnapshotPrinter(TerminalScreen(out))
    table = Round()
    play(table, NewMatch("zapp-zerapp", pack(Settings((Colour.RED, Colour.BLUE))), HouseRules()))
    play(table, *MOVED, *LAST[:-1])
    for shown in table.shown:
        teller.tell(shown)
    assert summary not in out.getvalue()
    play(table, LAST[-1])
    for shown in (table.now, table.now):
        teller.tell(shown)
    assert out.getvalue().count(summary) == 1


def test_the_table_says_fouls_as_people_call_them() -> None:
    out = io.StringIO()
    teller = SnapshotPrinter(TerminalScreen(out, "de"))
    table = Round("red", "blue")
    play(table, "roll 8", Call("early-flip", "blue"))
    table.tell(FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), "red", 0.97))
    teller.tell(table.now)
    assert "! Blau – zu früh umgedreht?" in out.getvalue()
    assert "! Rot – gespickt? Zu 95 % sicher." in out.getvalue()


def test_the_table_says_a_reminder_once_and_how_to_listen() -> None:
    out = io.StringIO()
    teller = SnapshotPrinter(TerminalScreen(out, "de"))
    table = Round("red", "blue")
    play(table, "roll 8")
    seen = FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), None, 0.9, listening=True)
    for finding in (seen, replace(seen, to_us=900_000)):
        table.tell(finding)
        teller.tell(table.now)
    assert out.getvalue().count("! Gelauscht oder gespickt?") == 1
    assert "bis 60° geneigt" in " ".join(out.getvalue().split())
    assert "Regelverstoß" not in out.getvalue()


def test_nothing_that_sensors_tell_is_wholly_certain() -> None:
    table = Round("red", "blue")
    play(table, "roll 8")
    table.tell(FoulFinding(9, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (4,), "red", 0.999))
    assert [foul.raised.percent for foul in table.now.fouls] == [95]


def test_a_table_goes_on_with_a_match_that_was_imported(tmp_path: Path, told: Told) -> None:
    table = Round("red", "blue")
    before_the_flip(table, 5, 9, "sensed")
    file, other = tmp_path / "cut.jsonl", tmp_path / "other"
    told("journal", "export", file, "--folder", kept(tmp_path / "here", table))
    told("journal", "import", file, "--folder", other)
    journal = Journal(other / JOURNAL)
    referee = Referee(journal, lambda *_: None, Random(1))
    [match] = journal.unfinished()
    referee.resume(match.id, journal.events(match.id), 0)
    assert referee.match is not None
    assert referee.match.game.turns(referee.match.state) == (Colour.RED, Colour.BLUE)
    journal.close()


@pytest.mark.parametrize(
    ("match", "bots", "why"),
    [
        ("../a?b", [], "this is damaged"),
        ("x" * 41, [], "this is damaged"),
        ("m1", [{"seat": "red", "player": "<nobody>"}], "as '<nobody>', only as"),
    ],
)
def test_a_match_that_no_page_could_show_or_no_player_go_on_with_is_left(
    tmp_path: Path, told: Told, match: str, bots: list[dict[str, str]], why: str
) -> None:
    table = Round("red", "blue")
    first = table.paper.events(table.now.match or "")[0]
    body = first.body
    body["house"]["bots"] = bots
    file = tmp_path / "match.jsonl"
    file.write_text("".join(export_lines([replace(first, match=match, text=body_text(body))])))
    code, out, err = told("journal", "import", file, "--folder", tmp_path)
    assert code == 1
    assert why in err
    assert out.startswith("0 matches")


def test_a_seat_whose_player_nobody_knows_is_played_by_people() -> None:
    table = Round("red", "blue")
    assert table.referee.match is not None
    house = replace(table.referee.match.house, bots=(Bot(SeatName.RED, "nobody"),))
    assert automatic_events(replace(table.referee.match, house=house), Randomness(Random(1))) == ()
