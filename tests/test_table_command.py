"""How the simulated table on the command line ends: by itself only if so many games were wanted."""

import gc
import re
from argparse import Namespace
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from urllib.request import urlopen

import pytest

from companion.cli import simulated_table
from companion.cli import table as table_command
from companion.cli.options import read_options
from companion.cli.simulated_table import _simulated, simulated
from companion.cli.table import WAITING, NewestSnapshots, SnapshotPrinter, _follow, show_table
from companion.core.log import Log
from companion.devices.stopper_registry import Stopper, load_counters, save_counters
from companion.games.blackmore.rules import Blackmore
from companion.present.output import CallbackOutput
from companion.present.simulated_hands import HandAct, HandActRequest, SittingPlayer
from companion.present.terminal import TerminalScreen
from companion.present.terminal_game import look_of
from companion.referee.automation import Randomness, automatic_events
from companion.referee.commands import NewMatch
from companion.referee.events import Bot, HouseRules, Roller
from companion.referee.match import Match, apply
from companion.referee.match_snapshot import for_match
from companion.referee.snapshot import Snapshot
from companion.simulator.boards import key, node
from companion.simulator.guests import GuestPlugin, NoGuests
from companion.simulator.live import live as live_module
from companion.simulator.traits import USUAL
from companion.system.text import SeatName
from companion.table.table import Table
from tests.referee.tables import Round
from tests.web.test_server import until

OVER = "The match is over; Ctrl-C ends the table."


class Enough:
    """Guests who have played all their games."""

    guests, shakes_again = NoGuests(), False

    def go(self, *_: object) -> bool:
        """Go home."""
        return False


class Terminal(StringIO):
    """A terminal where somebody presses Ctrl-C after reading that the match is over."""

    page = ""
    kept_out = 0  # things that Python does not look through while the table is played at

    def write(self, text: str) -> int:
        written = super().write(text)
        if OVER in text:
            self.kept_out = gc.get_freeze_count()
            (port,) = re.findall(r"open \S+:(\d+)\.", self.getvalue())
            with urlopen(f"http://127.0.0.1:{port}/") as answer:
                self.page = answer.read().decode()
            raise KeyboardInterrupt
        return written


def options(folder: Path, *words: str) -> Namespace:
    return read_options("en", ["--folder", str(folder), "--port", "0", *words])


@pytest.fixture(autouse=True)
def _enough(monkeypatch: pytest.MonkeyPatch) -> None:
    enough = GuestPlugin(lambda *_: Enough())
    monkeypatch.setattr(simulated_table, "visitors", lambda: {"zapp-zerapp": enough})
    monkeypatch.setattr(live_module, "COMING_US", 0)


def test_after_the_match_it_serves_on_and_says_how_it_ends(tmp_path: Path) -> None:
    terminal = Terminal()
    with pytest.raises(KeyboardInterrupt):
        simulated(options(tmp_path), TerminalScreen(terminal, "en"))
    assert 'data-live="table"' in terminal.page


def test_what_a_started_table_consists_of_is_not_looked_through_again(tmp_path: Path) -> None:
    terminal = Terminal()
    with pytest.raises(KeyboardInterrupt):
        simulated(options(tmp_path), TerminalScreen(terminal, "en"))
    assert terminal.kept_out > 10_000
    assert gc.get_freeze_count() == 0


def test_where_no_game_has_guests_the_seats_belong_to_whoever_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_table, "visitors", dict)
    with _simulated(options(tmp_path, "--seat", "blue"), 1, USUAL) as (real, live):
        assert real.site is not None
        assert real.site.hands is not None
        seats = real.site.hands
        assert list(seats) == ["blue", "red", "green", "yellow"]
        for hands in seats.values():
            assert hands.table().sitting is SittingPlayer.GUEST
            hands.do(HandActRequest(HandAct.PRESS))
            assert hands.table().sitting is SittingPlayer.YOU
        for hands in seats.values():
            hands.do(HandActRequest(HandAct.LEAVE))
            assert hands.table().sitting is SittingPlayer.GUEST
        assert (real.snapshot.match, live.enough.is_set()) == (None, False)


@pytest.mark.parametrize("file", ["heard.json", "world.json", "phone.pin"])
def test_a_simulated_table_tells_which_files_it_does_without(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text("[[[")
    with _simulated(options(tmp_path), 1, USUAL) as (real, _):
        aside = tmp_path / f"{file}.damaged-1"
        assert until(
            lambda: any(told.values.get("aside") == aside for told in real.snapshot.troubles)
        )


def test_after_as_many_games_as_were_wanted_it_ends_by_itself(tmp_path: Path) -> None:
    terminal = StringIO()
    assert simulated(options(tmp_path, "--games", "1"), TerminalScreen(terminal, "en")) == 0
    assert OVER not in terminal.getvalue()


def test_while_a_terminal_stands_still_only_the_newest_waits_to_be_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outputs, out, printed = list[CallbackOutput](), StringIO(), list[int]()
    table = SimpleNamespace(
        recorded=False,
        site=None,
        begins_anew=False,
        snapshot=Snapshot(-1),
        loop=SimpleNamespace(fault=None),
        outputs=SimpleNamespace(join=outputs.append),
    )

    def tell(_: SnapshotPrinter, now: Snapshot) -> None:
        if now.version == 0:  # here somebody presses Ctrl-S, and much later Ctrl-Q
            for version in range(1, 10_001):
                outputs[0].on_update(Snapshot(version), ())
        elif now.version < 0:
            outputs[0].on_update(Snapshot(0), ())
        printed.append(now.version)
        if now.version == 10_000:
            raise KeyboardInterrupt

    monkeypatch.setattr(SnapshotPrinter, "tell", tell)
    with pytest.raises(KeyboardInterrupt):
        show_table(cast("Table", table), TerminalScreen(out, "en"))
    assert printed == [-1, 0, *range(10_001 - WAITING, 10_001)]
    assert out.getvalue().count("more happened than is told here") == 1


def test_the_terminal_says_where_the_pages_are_by_https_once_they_are() -> None:
    links, out = list[str](), StringIO()
    secure = SimpleNamespace(https=SimpleNamespace(links=links))

    class Anew:
        """A table whose certificate is made after a while, and that ends some time after that."""

        snapshot, loop, site = Snapshot(-1), SimpleNamespace(fault=None), secure
        outputs, recorded = SimpleNamespace(join=lambda _: None), False
        looks = 0

        @property
        def begins_anew(self) -> bool:
            self.looks += 1
            if self.looks == 2:
                links.append("https://zapp.local:8443")
            return self.looks > 4

    secure.here = SimpleNamespace(links=("http://zapp.local:8000",))
    newest = NewestSnapshots()
    newest.waiting = cast("Any", SimpleNamespace(get=lambda **_: None))  # nobody waits
    _follow(cast("Table", Anew()), TerminalScreen(out, "en"), newest, None, ends=False)
    assert out.getvalue().count("https://zapp.local:8443") == 1
    assert "http://zapp.local:8000/trust" in out.getvalue()


def test_a_match_of_any_game_is_drawn_when_it_begins_and_after_its_milestones() -> None:
    game, luck, out = Blackmore(), Randomness(Random(1)), StringIO()
    bots = tuple(Bot(SeatName(seat), "greedy") for seat in game.seats)
    match = Match(Log.begin(game), HouseRules(roller=Roller.COMPANION, bots=bots))
    teller = SnapshotPrinter(TerminalScreen(out, "en"))
    teller.tell(for_match("1", match, {}, ()))
    assert out.getvalue().startswith("A match begins.\n\n")
    while "wins the trick" not in out.getvalue():
        assert out.getvalue().count("in hand") == len(game.seats)  # one picture
        match = apply(match, automatic_events(match, luck)[0])
        teller.tell(for_match("1", match, {}, ()))
    assert out.getvalue().count("in hand") == 2 * len(game.seats)
    assert "  Trump: " in out.getvalue()


def test_a_match_that_begins_is_not_told_as_one_that_goes_on() -> None:
    """Where cards are dealt at once, the first that is seen of it is not its beginning."""
    out, table = StringIO(), Round()
    teller = SnapshotPrinter(TerminalScreen(out, "en"))
    teller.tell(Snapshot(-1))
    assert (
        table.wish(NewMatch("blackmore", {"seats": ["red", "blue"]}, HouseRules())).refused is None
    )
    teller.tell(table.now)
    assert out.getvalue().startswith("A match begins.\n\n")
    again = StringIO()
    SnapshotPrinter(TerminalScreen(again, "en")).tell(table.now)
    assert again.getvalue().startswith("The match goes on where it was.\n\n")


def test_a_game_whose_pictures_fail_is_told_without_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    look = replace(look_of("blackmore"), picture=lambda *_: [str(1 / 0)])
    monkeypatch.setattr(table_command, "look_of", lambda _: look)
    game, luck, out = Blackmore(), Randomness(Random(1)), StringIO()
    bots = tuple(Bot(SeatName(seat), "casual") for seat in game.seats)
    match = Match(Log.begin(game), HouseRules(roller=Roller.COMPANION, bots=bots))
    teller = SnapshotPrinter(TerminalScreen(out, "en"))
    teller.tell(for_match("1", match, {}, ()))
    while "wins the trick" not in out.getvalue():
        match = apply(match, automatic_events(match, luck)[0])
        teller.tell(for_match("1", match, {}, ()))
    assert [one.getMessage() for one in caplog.records] == [
        "The game blackmore is shown here without pictures from now on."
    ]


def test_stoppers_are_heard_after_a_restart_though_the_clock_went_back(tmp_path: Path) -> None:
    """What they say counts by their boots, as flash would count them: by no clock."""
    later = 2_000_000_000  # the boot of an evening at which the clock was ahead by years
    known = [Stopper(node(number), number, key(number)) for number in range(1, 14)]
    save_counters(tmp_path, known, {one.node: (later, 7) for one in known})
    with _simulated(options(tmp_path), 1, USUAL) as (real, live):
        until_us = live.table.now_us + 60_000_000  # of the table's own time, on any computer

        def heard() -> bool:
            assert live.fault is None
            assert live.table.now_us < until_us, real.sensing_link.newest
            return all(boot > later for boot, _ in real.sensing_link.newest.values())

        while not until(heard):  # a busy computer lets its time pass slowly
            pass
    assert {boot for boot, _ in load_counters(tmp_path, known).values()} == {later + 1}
