"""A search plays on in worlds that a seat cannot tell from the true one, by counts and no clock."""

import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core import SeatName
from companion.core.game import TABLE, Action
from companion.core.players.monte_carlo import SearchBudget, draw_by_chance, searching
from companion.core.plugin import GAMES
from companion.games.blackmore.players import FORESIGHT, Foresight
from companion.games.blackmore.rules import Blackmore, Phase, Settings, State, View
from rappelwacht_research.study.ladder import share_won

FEW = SearchBudget(playouts=12, rests=1)
GAME = Blackmore(Settings(seats=(SeatName.RED, SeatName.BLUE, SeatName.WHITE)))


def moments(seed: int) -> Iterator[tuple[Any, int, View]]:
    """Yield states of a random match in which somebody may choose."""
    chance, state = Random(seed), GAME.start()
    while seats := GAME.turns(state):
        options = GAME.legal(state, seats[0])
        if seats[0] != TABLE:
            yield state, seats[0], GAME.view(state, seats[0])
        state = GAME.apply(state, chance.choice(options))


def same(view: View) -> tuple[Any, ...]:
    """Return all of a view but what was won: a search counts from now on."""
    known = view.phase, view.turns, view.leader, view.queue, view.pile, view.trump, view.ranking
    return *known, view.trumps, view.top, view.trick, view.held, view.hand, view.choices


def test_a_seat_cannot_tell_the_worlds_of_a_search_from_the_true_one() -> None:
    chance, kinds = Random(2), Counter[Phase]()
    for state, seat, view in moments(1):
        worlds = [FORESIGHT.world(GAME, view, seat, chance) for _ in range(3)]
        for world in worlds:
            assert same(GAME.view(world, seat)) == same(view)
        if sum(view.held) > len(view.hand) + 1 and view.pile:
            assert len({world.hands for world in worlds}) > 1
        kinds[state.phase] += 1
    assert kinds.keys() == {Phase.PLAY, Phase.CHANGE}


def test_who_searches_chooses_by_what_the_seat_sees_and_by_the_seed_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose = searching(Blackmore, FORESIGHT, FEW)
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.delattr(time, name)
    for state, seat, view in [*moments(3)][::5]:
        asked = GAME.settings, view, seat, view.choices
        first = choose(*asked, Random(1))
        assert first == choose(*asked, Random(1))
        assert first in view.choices
        another = FORESIGHT.world(GAME, view, seat, Random(9))
        assert another.hands[seat] == state.hands[seat]
        seen = GAME.view(another, seat)
        assert choose(GAME.settings, seen, seat, seen.choices, Random(1)) == first


def test_one_choice_draws_once_from_the_chance_of_its_match() -> None:
    """So a match goes on the same, however much is searched."""
    choose = searching(Blackmore, FORESIGHT, FEW)
    _, seat, view = next(moments(4))
    searched, drew = Random(7), Random(7)
    choose(GAME.settings, view, seat, view.choices, searched)
    drew.random()
    assert searched.random() == drew.random()


@pytest.mark.parametrize("rests", [1, 2])
def test_it_plays_on_to_the_end_of_so_many_tricks(rests: int) -> None:
    ends: list[State] = []

    class Recorded(Foresight):
        def worth(self, game: Blackmore, state: State, seat: int) -> float:
            ends.append(state)
            return super().worth(game, state, seat)

    choose = searching(Blackmore, Recorded(), SearchBudget(playouts=4, rests=rests))
    _, seat, view = next(moments(5))
    choose(GAME.settings, view, seat, view.choices, Random(1))
    assert ends
    for end in ends:
        assert (end.phase, end.trick) == (Phase.PLAY, ())
        assert sum(map(len, end.won)) + len(end.trumps) - view.trumps == rests * len(GAME.seats)


def test_what_the_table_does_happens_as_often_as_it_should() -> None:
    chance, options = Random(1), [Action(), Action(), Action()]
    found = Counter(id(draw_by_chance(options, (1, 6, 3), chance)) for _ in range(2000))
    shares = [found[id(one)] / 2000 for one in options]
    assert shares == pytest.approx([0.1, 0.6, 0.3], abs=0.03)
    assert draw_by_chance(options[:1], (1,), chance) is options[0]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("blackmore", ("good", "casual")),
        ("blackmore", ("expert", "good")),
        ("via-magica", ("expert", "good")),
        ("trap-the-wizard", ("expert", "good")),
    ],
)
def test_each_level_beats_the_one_below(name: str, pair: tuple[str, str]) -> None:
    """Of hundreds of matches of two an expert wins 64 to 72 %, so of forty hardly ever half."""
    kind = GAMES[name]
    game = kind(kind.settings_type(seats=kind().seats[:2]))
    assert share_won(game, pair, 40, 1).share > 0.5
