"""Loss of power at any moment of a round: the match is there again, and can be finished."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.core.game import TABLE
from companion.core.notation import write
from companion.core.plugin import PLUGINS
from companion.games.zapp_zerapp.rules import Phase
from companion.journal import journal
from companion.referee.barrel_game import BarrelGame
from companion.referee.commands import DoAction, NewMatch, RollForUs
from companion.referee.events import HouseRules, Roller
from companion.referee.handlers import usual_match
from companion.referee.snapshot import Snapshot
from companion.simulator.live.live import PeriodicTask
from companion.system.text import seat_word
from tests.scenarios.players import TRUE, begun, bring_to, finish
from tests.scenarios.refereed import TURN_US, Refereed

DAY_MS, YEAR_MS = 86_400_000, 365 * 86_400_000


def match_of(now: Snapshot) -> object:
    """Return what must survive: all that is shown of the match, but not what is lit or asked."""
    return now.version, now.match, now.view, now.settings, now.house, now.fouls, now.over


def cut(evening: Refereed) -> None:
    """Cut the power for an instant; what was shown last must be there again."""
    before = match_of(evening.now)
    evening.cut_the_power()
    assert match_of(evening.now) == before


class Cutter:
    """Cuts the power whenever something was written, or each time some seconds have passed."""

    def __init__(self, evening: Refereed, every_s: float | None = None) -> None:
        self._evening, self._version, self.cuts = evening, evening.now.version, 0
        period_us = TURN_US if every_s is None else round(every_s * 1e6)
        self._always = every_s is not None
        evening.also.append(PeriodicTask(period_us, self._go, evening.sim.now_us + period_us))

    def _go(self, _: int) -> None:
        if self._always or self._evening.now.version != self._version:
            self._version = self._evening.now.version
            self.cuts += 1
            cut(self._evening)


def test_power_is_cut_after_every_event_of_a_round(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        cutter = Cutter(evening)
        finish(evening)
        assert cutter.cuts >= 6
        assert evening.view.round == 2


@pytest.mark.parametrize(
    "game", [name for name, plugin in PLUGINS.items() if not plugin.part(BarrelGame)]
)
def test_power_is_cut_after_each_event_of_a_game_without_barrels(tmp_path: Path, game: str) -> None:
    rules = {"seats": ["red", "blue"]}
    with Refereed(tmp_path, guests=False).wait(3.5) as evening:
        begins = NewMatch(game, rules, HouseRules(roller=Roller.COMPANION))
        assert evening.says("red", begins).refused is None
        for _ in range(12):
            match = evening.table.referee.match
            assert match is not None
            seat = match.game.turns(match.state)[0]
            wish = DoAction(write(match.game.legal(match.state, seat)[0]))
            chance = seat == TABLE
            by = "red" if chance else seat_word(seat)
            assert evening.says(by, RollForUs() if chance else wish).refused is None
            cut(evening)


def test_power_is_cut_while_all_practise_with_the_coach(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False).wait(3.5) as evening:
        usual = usual_match(("red", "blue"))
        coached = replace(usual, house=HouseRules(coached=True))
        assert evening.says("red", coached).refused is None
        cutter = Cutter(evening)
        finish(evening)
        assert cutter.cuts >= 6
        assert evening.now.house is not None
        assert evening.now.house.coached


def test_power_is_cut_in_the_hand_of_a_person_who_plays_with_guests(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        evening.says("red", "roll 9")
        evening.people("red lifts 8\nred shakes 8 for 0.5").rest(0.2)
        cut(evening)
        evening.people("red places 8").rest()
        assert evening.placed == {"red"}
        cut(evening)
        evening.wait(1)
        assert (evening.placed, evening.troubles) == ({"red"}, [])


@pytest.mark.slow
def test_power_is_cut_again_and_again(tmp_path: Path, full: bool) -> None:
    with begun(tmp_path) as evening:
        cutter = Cutter(evening, 0.11 if full else 1.3)
        finish(evening)
        assert cutter.cuts > 5
        assert evening.view.round == 2


def test_the_pi_sleeps_while_barrels_are_flipped(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.FLIP)
        evening.cut_the_power(for_s=4, meanwhile="all flip").wait(8)
        assert evening.view.phase in {Phase.FLIP, Phase.SAY}
        assert evening.numbers == {}  # nobody has seen that these barrels stood there till then
        finish(evening)


@pytest.mark.slow
@pytest.mark.parametrize("meanwhile", ["blue lifts 4\nblue places 4", "red lifts 8"])
def test_the_pi_sleeps_while_barrels_are_chosen(tmp_path: Path, meanwhile: str) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.cut_the_power(for_s=4, meanwhile=meanwhile).wait(8)
        finish(evening)


def test_pads_that_are_closed_already_and_barrels_that_stand_are_seen_after_a_start(
    tmp_path: Path,
) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.cut_the_power(for_s=3).wait(8)
        assert evening.placed == {"red"}
        evening.people("blue lifts 4\nblue shakes 4 for 0.5\nblue places 4").rest()
        assert evening.view.phase is Phase.FLIP
        evening.people("all flip").rest(2)
        evening.says("red", "flip")
        assert evening.numbers.items() <= TRUE.items()  # what stood there unwatched may be asked
        finish(evening)


class Wall:
    """A wall clock that somebody sets; the other one goes on as ever."""

    def __init__(self, evening: Refereed) -> None:
        self._evening, self.jump_ms = evening, 0

    def time_ns(self) -> int:
        return (1_790_000_000_000 + self.jump_ms) * 1_000_000 + self._evening.sim.now_us * 1000

    def monotonic_ns(self) -> int:
        return self._evening.sim.now_us * 1000


def shown_with(folder: Path, jump_ms: int, patch: Callable[[object], None]) -> list[Snapshot]:
    """Play a round whose clock jumps in its midst; then a second match, and a power cut."""
    folder.mkdir()
    with begun(folder) as evening:
        wall = Wall(evening)
        patch(SimpleNamespace(time_ns=wall.time_ns, monotonic_ns=wall.monotonic_ns))
        bring_to(evening, Phase.PLACE)
        wall.jump_ms = jump_ms
        bring_to(evening, Phase.FLIP, already=True)
        evening.says("red", usual_match(("red", "green")))
        wall.jump_ms = 2 * jump_ms
        evening.says("red", "roll 3")
        newest = match_of(evening.now)
        evening.cut_the_power()
        assert match_of(evening.now) == newest
        names = {name: str(place) for place, name in enumerate(matches_of(evening.shown))}
        return [replace(one, match=names[one.match], troubles=()) for one in evening.shown]


def matches_of(shown: list[Snapshot]) -> dict[str | None, None]:
    return dict.fromkeys(one.match for one in shown)


@pytest.mark.slow
def test_a_jumping_clock_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def patch(clock: object) -> None:
        monkeypatch.setattr(journal, "time", clock)

    usual, back, on = (
        shown_with(tmp_path / str(jump_ms), jump_ms, patch) for jump_ms in (0, -YEAR_MS, DAY_MS)
    )
    assert back == usual
    assert on == usual
