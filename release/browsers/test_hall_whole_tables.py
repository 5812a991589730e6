"""Eight whole tables play an evening to its standings, as fast as the machine can.

Each is a program of its own, with its simulated barrels, hands and sensors; its guests play what
the evening proposes. Nobody enters a result: all of them come from the tables.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.core.game import Outcome
from companion.core.plugin import seats_of
from companion.hall.server_app import HallServer
from companion.hall.simulated_tables import SimulatedTables
from companion.hall.tournament.limits import spread
from companion.hall.tournament.tournament import Tournament
from companion.journal import Journal
from companion.referee.people.person import Animal
from companion.referee.replay import replay_steps
from companion.system.paths import JOURNAL
from companion.system.text import seat_word
from tests.browser.chromium import DESK, PHONE, Complaints, Drawer, Opener, too_small, too_wide
from tests.browser.test_hall_evening import HERE, address, begins, directs
from tests.programs import need

TABLES, ROUNDS = 8, 2
SPEED = 60.0  # more than any machine can: then it is as fast as this one
WIN = 120  # tenths of a point of the first of two
PATIENCE_S = 1_800.0  # a match takes a minute of a processor, and eight of them play at once


class WholeEvening:
    """A hall with its broker and its tables, and the pages on which it is watched."""

    def __init__(self, folder: Path, tables: int, opened: Callable[..., Page]) -> None:
        self._folder, self._life = folder, ExitStack()
        self.names = [f"simulated-{number}" for number in range(1, tables + 1)]
        self.hall = self._life.enter_context(HallServer(folder / "hall"))
        broker = self.hall.own_broker(folder / "hall", HERE).address
        self.hall.follow(broker)
        self.hall.serve(0, HERE)
        words = ("--speed", str(SPEED), "--bots", "2", "--games", "0")
        all_tables = SimulatedTables(self.hall, folder, broker, tables, words)
        self._playing = self._life.enter_context(ExitStack())
        self._playing.enter_context(all_tables)
        self.director, self.player = opened(PHONE, "en-GB"), opened(PHONE, "de-DE")
        self.wall, self.watcher = opened(DESK, "de-DE"), opened(DESK, "en-GB")

    def begin(self) -> None:
        """Have people come, a screen hang, and all tables be there."""
        self.until(lambda: all(one.online.online for one in self.hall.tables))
        self.until(lambda: len(self.hall.tables) == len(self.names))
        directs(self.hall, self.director)
        self.director.select_option("#choose-mode", "points")
        self.director.select_option("#choose-wanted", "2")
        self.director.click("#choose button")
        self.director.click("#tables button.main")
        expect(self.director.locator("#tables .list li")).to_have_count(len(self.names))
        for at in range(2 * len(self.names) - 1):
            self.hall.tournament.check_in(f"Person {at + 1}", [*Animal][at % len(Animal)])
        self.player.goto(address(self.hall, "/evening"))
        self.player.fill("#person-name", "Ada")
        self.player.click("#check-in button")
        self.wall.goto(address(self.hall, "/screen"))
        self.wall.click("main form button")
        four = " ".join(str(one.number) for one in self.hall.tables if one.number <= 4)
        code = self.wall.locator(".code-word").inner_text()
        self.director.goto(address(self.hall, "/screens"))
        self.director.fill("main form input[name=code]", code)
        self.director.select_option("main form select", f"table {four}")
        self.director.click("main form button.main")
        self.director.goto(address(self.hall, "/director"))
        self.watcher.goto(address(self.hall, "/"))

    def plays(self) -> Iterator[str]:
        """Propose and begin a round, and yield what phase is to be seen until it is over."""
        hall = self.hall
        self.director.get_by_role("button", name="Propose the next round").wait_for()
        begins(self.director)
        expect(self.player.locator("#mine")).to_contain_text("Ada")
        yield "seated"
        begun = {one.id for one in hall.tournament.now.running}
        self.until(lambda: all(one.state and one.state.playing for one in hall.tables))
        yield "playing"
        self.until(lambda: len(hall.tournament.now.running) < len(begun))
        yield "first result"
        self.until(lambda: not hall.tournament.now.running)
        yield "over"

    def until(self, moment: Callable[[], object]) -> None:
        """Wait, while the pages go on."""
        late_s = time.monotonic() + PATIENCE_S
        while not moment():
            assert time.monotonic() < late_s
            self.director.wait_for_timeout(200)

    def outcomes(self) -> list[list[Outcome | None]]:
        """Return how each match ended by each table's own journal; the tables end before."""
        self._playing.close()
        return [[*_outcomes(self._folder / name / JOURNAL)] for name in self.names]

    def close(self) -> None:
        """End all of it."""
        self._life.close()


def _outcomes(path: Path) -> Iterator[Outcome | None]:
    with closing(Journal(path)) as journal:
        for match in reversed(journal.matches()):
            steps, fault = replay_steps(journal.events(match.id))
            assert fault is None
            after = steps[-1].after
            assert after is not None
            yield after.game.outcome(after.state)


@contextmanager
def whole_evening(folder: Path, tables: int, opened: Callable[..., Page]) -> Iterator[WholeEvening]:
    """Have an evening, and leave its pages before it ends."""
    evening = WholeEvening(folder, tables, opened)
    try:
        evening.begin()
        yield evening
        for page in (evening.director, evening.player, evening.wall, evening.watcher):
            page.goto("about:blank")
    finally:
        evening.close()


@pytest.mark.slow
def test_eight_whole_tables_play_two_rounds_to_standings_that_their_journals_bear_out(
    tmp_path: Path, drawer: Drawer, complaints: Complaints
) -> None:
    need("mosquitto", "openssl")
    complaints.forgive("ERR_CONNECTION_REFUSED|Failed to fetch")  # once the hall has ended
    with whole_evening(tmp_path, TABLES, lambda *of: Opener(drawer, of[0])(of[1])) as evening:
        for _ in range(ROUNDS):
            for _ in evening.plays():
                for page in (evening.director, evening.player):
                    assert not too_wide(page) + too_small(page)
        now, shown = evening.hall.tournament.now, points_shown(evening.player)
        assert len(now.matches) == ROUNDS * TABLES
        assert len(shown) == 2 * TABLES
        won = wins(now, evening.outcomes())
        assert shown == {one: str(WIN * won[one] // 10) for one in shown}


def points_shown(page: Page) -> dict[str, str]:
    """Return the points of each person, as the standings on a page have them."""
    rows = page.locator("table.standings tbody tr").evaluate_all(
        "all => all.map(one => [one.id, one.querySelector('td:nth-child(3)').textContent.trim()])"
    )
    return {name.removeprefix("standing-"): points for name, points in rows}


def wins(now: Tournament, outcomes: list[list[Outcome | None]]) -> Counter[str]:
    """Return how often each has won, by the tables' journals alone; the results must agree."""
    won = Counter[str]()
    for number, of_table in enumerate(outcomes, 1):
        matches = [one for one in now.matches if one.table == str(number)]
        for match, outcome in zip(matches, of_table, strict=True):
            assert outcome is not None
            seats = spread(seats_of(now.rounds[match.round].chosen.game), len(match.players))
            sitting = dict(zip(seats, match.players, strict=True))
            (winner,) = (sitting[seat_word(seat)] for seat in outcome.winners)
            assert match.result is not None
            assert match.result[0] == (winner,)
            won[winner] += 1
    return won
