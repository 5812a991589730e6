"""The core plays exactly as the reference does, which was written from the rulebook alone.

Two ways of asking: count every sequence of moves from given positions (perft.py), and play whole
random games side by side.
"""

import random
from collections import Counter
from itertools import product

import pytest

from companion.games.zapp_zerapp.rules import PRESETS, Colour, Settings, ZappZerapp
from tests.games.zapp_zerapp import perft
from tests.games.zapp_zerapp.games import TABLES, VARIANTS, random_board
from tests.games.zapp_zerapp.perft import Position
from tests.games.zapp_zerapp.translation import (
    core_facts,
    name,
    reference_facts,
    set_table,
    translate,
)

GAMES, IN_FULL = 12, 1000  # for every table and variant
POSITIONS = perft.read_positions()
CASES = [
    pytest.param(position, variant, id=f"{position.name}, {variant}")
    for position, variant in product(POSITIONS, VARIANTS)
]


@pytest.fixture(scope="module", autouse=True)
def digests(rewrite_golden: bool) -> None:
    """Let the reference count again, if that is asked for."""
    if rewrite_golden:
        cases = product(POSITIONS, VARIANTS)
        perft.rewrite_digests(perft.reference_digest(*case) for case in cases)
        perft.read_positions.cache_clear()
        pytest.skip("The digests of perft.toml are new; read the diff, then test again.")


# Every sequence of moves.


@pytest.mark.parametrize(("position", "variant"), CASES)
def test_the_core_counts_as_recorded(position: Position, variant: str) -> None:
    assert str(perft.core_digest(position, variant)) == position.digests[variant]


@pytest.mark.slow(but=24)
@pytest.mark.parametrize(("position", "variant"), CASES)
def test_the_reference_counts_as_recorded(position: Position, variant: str) -> None:
    assert str(perft.reference_digest(position, variant)) == position.digests[variant]


@pytest.mark.slow(but=14)
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_every_position_is_one_of_contact(position: Position) -> None:
    assert perft.show(position, "profi") == position.shows
    assert {perft.BANISH, perft.TAKE} <= position.shows
    assert {perft.BANISH, perft.TAKE} <= perft.show(position, "both")
    for variant in ("base", "overlook"):
        assert perft.BANISH in perft.show(position, variant)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_positions_show_everything(players: int) -> None:
    fitting = [position for position in POSITIONS if len(position.pawns) == players]
    assert len(fitting) >= 12
    shown = Counter(fact for position in fitting for fact in position.shows)
    assert all(shown[fact] >= 3 for fact in perft.MORE)
    boards = {position.board for position in fitting}
    assert boards > set(PRESETS.values()), "both presets and rings of an owner's own"


def test_no_two_digests_are_equal() -> None:
    recorded = Counter(digest for one in POSITIONS for digest in one.digests.values())
    assert max(recorded.values()) == 1


# Whole games.


@pytest.mark.slow(but=12)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", TABLES, ids=lambda seats: " ".join(map(name, seats)))
def test_random_games_are_equal(seats: tuple[Colour, ...], variant: str, full: bool) -> None:
    profi, overlook = VARIANTS[variant]
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(f"{seats} {variant} {seed}")
        play_side_by_side(Settings(seats, profi, overlook, board=random_board(rng)), rng)


def play_side_by_side(settings: Settings, rng: random.Random) -> None:
    """Play a random game with the core and the reference; both must agree on everything."""
    game, table = ZappZerapp(settings), set_table(settings)
    state = game.start()
    assert core_facts(settings, state) == reference_facts(table)
    while table.turns():
        seats = game.turns(state)
        assert [name(seat) for seat in seats] == table.turns()
        seat = rng.choice(seats)
        legal = game.legal(state, seat)
        said = [translate(action) for action in legal]
        assert len(said) == len(set(said)), "no choice twice"
        assert set(said) == table.legal(name(seat))
        action = rng.choice(legal)
        state = game.apply(state, action)
        table.do(translate(action))
        assert core_facts(settings, state) == reference_facts(table)
    assert game.turns(state) == ()
    outcome = game.outcome(state)
    assert outcome is not None
    assert [name(winner) for winner in outcome.winners] == [table.winner]
