"""What must never be known: before the flip nobody learns anything about a barrel's number."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import TABLE, Action, choices
from companion.core.log import Log
from companion.core.notation import read
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import Colour, Flip, Move, Phase, Place, PutBack, Roll, State
from companion.system.errors import Ambiguous, Illegal, RulesError
from tests.games.zapp_zerapp.strategies import ANY_ACTION, LINES
from tests.games.zapp_zerapp.tables import BLUE, GREEN, RED, game
from tests.referee.twins import seen_by

VIEWERS: list[int | None] = [*Colour, TABLE, None]
Numbers = Sequence[int | None]


def known(log: Log[State]) -> list[object]:
    """Return everything that anybody gets to see of a game."""
    table, state = log.game, log.state
    return [
        [table.view(state, viewer) for viewer in VIEWERS],
        [choices(table, state, viewer) for viewer in VIEWERS],
        [seen_by(log, viewer) for viewer in VIEWERS],
        _told(log),
        table.turns(state),
    ]


def _told(log: Log[State]) -> list[object]:
    steps = zip(log.states, log.actions, strict=False)
    return [log.game.explain(state, action) for state, action in steps]


def play(seats: Sequence[Colour], numbers: Numbers, magic: int) -> list[Log[State]]:
    """Return the game after each action, until the moment before the flip."""
    log = Log.begin(game(*sorted(seats)), [Roll(magic)])
    logs = [log]
    for seat, number in zip(seats, numbers, strict=False):
        log = log.play(Place(seat, number))
        logs.append(log)
    return logs


barrels = st.permutations(range(1, 14)).flatmap(
    lambda order: st.lists(st.booleans(), min_size=4, max_size=4).map(
        lambda read: [number if told else None for number, told in zip(order, read, strict=False)]
    )
)
orders = st.permutations(list(Colour)).flatmap(
    lambda order: st.integers(2, 4).map(lambda count: order[:count])
)


@given(orders, barrels, barrels, st.integers(2, 12))
def test_zz_7_before_the_flip_nobody_knows_a_number(
    seats: list[Colour], one: Numbers, other: Numbers, magic: int
) -> None:
    """Whatever barrels are placed, everybody sees the same; after the flip they do not."""
    here, there = play(seats, one, magic), play(seats, other, magic)
    assert [known(log) for log in here] == [known(log) for log in there]
    assert here[-1].state.phase is Phase.FLIP
    flipped, otherwise = here[-1].play(Flip()), there[-1].play(Flip())
    if one[: len(seats)] == other[: len(seats)]:
        assert known(flipped) == known(otherwise)
        return
    assert _told(flipped) != _told(otherwise)
    for viewer in VIEWERS:
        assert seen_by(flipped, viewer) == flipped.actions
        assert seen_by(flipped, viewer) != seen_by(otherwise, viewer)
        if {flipped.state.phase, otherwise.state.phase} <= {Phase.MOVE, Phase.SAY}:
            views = [log.game.view(log.state, viewer) for log in (flipped, otherwise)]
            assert views[0] != views[1]


@given(st.permutations(range(1, 14)), st.permutations(range(1, 14)))
def test_zz_7_a_second_round_is_as_secret_as_the_first(one: list[int], other: list[int]) -> None:
    """What was flipped stays known, what has been placed since does not open with it."""
    past: list[Action] = [Roll(2), Place(RED, 12), Place(BLUE, 13), Flip(), Roll(7)]
    here, there = (
        Log.begin(game(RED, BLUE), [*past, Place(BLUE, order[0]), Place(RED, order[1])])
        for order in (one, other)
    )
    assert known(here) == known(there)
    hidden: list[Action] = [Place(BLUE), Place(RED)]
    for viewer in VIEWERS:
        assert seen_by(here, viewer) == (*past, *hidden)


def test_zz_7_not_even_the_player_itself_knows_its_number() -> None:
    """It shook the barrel, but it has not seen the underside."""
    log = Log.begin(game(RED, GREEN), [Roll(7), Place(RED, 5)])
    assert seen_by(log, RED) == (Roll(7), Place(RED))
    assert log.dump().splitlines()[2] == '{"do": "place", "seat": "red", "barrel": 5}'


def test_zz_7_what_one_may_choose_betrays_no_taken_barrel() -> None:
    log = Log.begin(game(RED, GREEN), [Roll(7), Place(RED, 5)])
    for viewer, offered in [(GREEN, (Place(GREEN),)), (RED, ()), (TABLE, ()), (None, ())]:
        assert choices(log.game, log.state, viewer) == offered
        assert log.game.view(log.state, viewer).choices == offered


def test_zz_7_a_number_that_is_said_is_known_at_once_and_the_others_are_not() -> None:
    log = Log.begin(
        game(RED, GREEN), [Roll(7), Place(RED), Place(GREEN), Flip(), rules.Say(RED, 5)]
    )
    for viewer in VIEWERS:
        view = log.game.view(log.state, viewer)
        assert view.numbers == ((RED, 5),)
        assert view.placed == (RED, GREEN)
        assert seen_by(log, viewer) == log.actions


@pytest.mark.parametrize("ruling", [PutBack(RED), rules.SitOut(RED)])
def test_zz_7_a_number_that_was_not_flipped_is_never_known(ruling: PutBack | rules.SitOut) -> None:
    again = [Place(RED, 8)] if isinstance(ruling, PutBack) else []
    begun = [Roll(7), Place(RED, 5), Place(GREEN, 3), ruling, *again]
    log = Log.begin(game(RED, GREEN), [*begun, Flip(), Move(GREEN, 0), Roll(6)])
    for viewer in VIEWERS:
        assert seen_by(log, viewer) == (Roll(7), Place(RED), *log.actions[2:])


def test_zz_7_whoever_sits_out_after_the_flip_has_shown_its_number() -> None:
    actions = [Roll(7), Place(RED, 5), Place(GREEN, 3), Flip(), rules.SitOut(RED)]
    assert seen_by(Log.begin(game(RED, GREEN), actions), None) == tuple(actions)


@pytest.mark.parametrize("text", ["place", "roll", "say red"])
def test_no_error_tells_which_barrels_are_taken(text: str) -> None:
    """An ambiguous or impossible line is answered without a number of a barrel, placed or free."""
    answers = set()
    for barrel in (3, 7, None):
        table = game()
        state = table.apply(table.apply(table.start(), Roll(8)), Place(BLUE, barrel))
        with pytest.raises((Ambiguous, Illegal)) as refused:
            read(table, state, text)
        answers.add(str(refused.value))
    assert len(answers) == 1


@given(orders, barrels, barrels, st.integers(0, 4), st.one_of(LINES, ANY_ACTION))
def test_zz_7_no_error_depends_on_what_it_was_not_told(
    seats: list[Colour], one: Numbers, other: Numbers, placed: int, said: str | Action
) -> None:
    """Whoever sends no number of a barrel gets the same answer whatever barrels stand there."""
    if getattr(said, "barrel", None) or (isinstance(said, str) and said.lower().split()[2:]):
        return  # it names a barrel, and its sender knows it
    count = min(placed, len(seats))
    assert answer(play(seats, one, 8)[count], said) == answer(play(seats, other, 8)[count], said)


def answer(log: Log[State], said: str | Action) -> object:
    """Return what somebody is told who says this."""
    try:
        if isinstance(said, str):
            return read(log.game, log.state, said)
        log.game.apply(log.state, said)
    except RulesError as refused:
        return str(refused), refused.template, refused.values
    return "done"
