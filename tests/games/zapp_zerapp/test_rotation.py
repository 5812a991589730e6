"""The mountain looks alike from every side: a table turned by a quarter plays the same game.

Every seat becomes the next one clockwise, and every field the one six further on. Only who is
suggested to roll does not turn, because the first round begins with the first colour of the box.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from companion.core.game import TABLE, Action
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import FIELDS, PRESETS, Board, Colour, Pawn, Settings, View
from tests.games.zapp_zerapp.games import TABLES, VARIANTS, random_board, random_game

T = TypeVar("T")
QUARTER = FIELDS // 4
GAMES, IN_FULL = 1, 40  # on each board, for every table and variant
LETTERS = str.maketrans("RGBY", "GBYR")


def turn_field(index: int) -> int:
    return (index + QUARTER) % FIELDS


def turn_seat(colour: Colour) -> Colour:
    return Colour((colour + 1) % 4)


def turn_by_seat(values: tuple[T, T, T, T]) -> tuple[T, T, T, T]:
    return values[3], values[0], values[1], values[2]


def turn_seats(seats: Iterable[Colour], *, in_order: bool = False) -> tuple[Colour, ...]:
    """Turn a list of seats, which is clockwise from the first colour unless order matters."""
    turned = [turn_seat(seat) for seat in seats]
    return tuple(turned if in_order else sorted(turned))


def turn_pawns(pawns: Iterable[Pawn]) -> tuple[Pawn, ...]:
    return tuple(sorted(Pawn(turn_seat(pawn.colour), pawn.step) for pawn in pawns))


def turn_board(board: Board) -> Board:
    ring = [kind.translate(LETTERS) for kind in board.ring]
    entries, gates = (
        tuple(turn_field(index) for index in part) for part in (board.entries, board.gates)
    )
    return Board((*ring[-QUARTER:], *ring[:-QUARTER]), _of_four(entries), _of_four(gates))


def _of_four(indices: tuple[int, ...]) -> tuple[int, int, int, int]:
    red, green, blue, yellow = indices
    return turn_by_seat((red, green, blue, yellow))


def turn_settings(settings: Settings) -> Settings:
    return replace(settings, seats=turn_seats(settings.seats), board=turn_board(settings.board))


def turn_state(state: rules.State) -> rules.State:
    return state._replace(
        barrels=turn_by_seat(state.barrels),
        queue=turn_seats(state.queue, in_order=state.phase is rules.Phase.MOVE),
        pawns=turn_by_seat(state.pawns),
    )


def turn_action(action: Action) -> Action:
    match action:
        case rules.Place():
            return replace(action, seat=turn_seat(action.seat))
        case rules.Say():
            return replace(action, player=turn_seat(action.player))
        case rules.Move(seat, step, take, banish):
            named = None if banish is None else turn_pawns(banish)
            return rules.Move(turn_seat(seat), step, turn_pawns(take), named)
    return action


def turn_event(event: Any) -> Any:
    """Turn an event, without the suggestion who rolls."""
    match event:
        case rules.RoundOver():
            return replace(event, roller=Colour.RED)
        case rules.Placed(seat, waiting):
            return rules.Placed(turn_seat(seat), turn_seats(waiting))
        case rules.Order(seats):
            return rules.Order(turn_seats(seats, in_order=True))
        case rules.Moved(seat, start, end, path):
            return rules.Moved(turn_seat(seat), start, end, tuple(map(turn_field, path)))
        case rules.Banished(seat, pawn, index):
            return rules.Banished(turn_seat(seat), turn_pawns([pawn])[0], turn_field(index))
        case rules.TakenAlong(seat, pawn, index, end):
            return rules.TakenAlong(turn_seat(seat), turn_pawns([pawn])[0], turn_field(index), end)
    return replace(event, seat=turn_seat(event.seat)) if hasattr(event, "seat") else event


def turn_view(view: View) -> View:
    """Turn a view, without the suggestion who rolls; what has no order is sorted."""
    return replace(
        view,
        roller=Colour.RED,
        turns=tuple(
            sorted(seat if seat == TABLE else turn_seat(Colour(seat)) for seat in view.turns)
        ),
        placed=turn_seats(view.placed),
        out=turn_seats(view.out),
        numbers=tuple(sorted((turn_seat(seat), number) for seat, number in view.numbers)),
        order=turn_seats(view.order, in_order=True),
        pawns=tuple(sorted((turn_seat(seat), camp) for seat, camp in view.pawns)),
        choices=tuple(sorted(map(turn_action, view.choices), key=repr)),
        winner=None if view.winner is None else turn_seat(view.winner),
    )


def as_turned(view: View) -> View:
    return replace(view, roller=Colour.RED, choices=tuple(sorted(view.choices, key=repr)))


@pytest.mark.parametrize("board", PRESETS.values(), ids=PRESETS)
def test_the_presets_look_alike_from_every_side(board: Board) -> None:
    assert turn_board(board) == board


def test_four_quarters_are_a_whole_turn() -> None:
    board = random_board(random.Random(1))
    assert turn_board(turn_board(turn_board(turn_board(board)))) == board


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seats", TABLES, ids=lambda seats: " ".join(c.name for c in seats))
def test_a_turned_table_plays_the_same(seats: tuple[Colour, ...], variant: str, full: bool) -> None:
    profi, overlook = VARIANTS[variant]
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(f"{seats} {variant} {seed}")
        for board in (*PRESETS.values(), random_board(rng)):
            play_turned(Settings(seats, profi, overlook, board=board), rng)


def play_turned(settings: Settings, rng: random.Random) -> None:
    """Play a random game on a table and, in step, on the same table turned by a quarter."""
    game, turned = rules.ZappZerapp(settings), rules.ZappZerapp(turn_settings(settings))
    here, there = game.start(), turned.start()
    for state, action in random_game(rng, game):
        assert state == here
        for seat in game.turns(here):
            legal = Counter(map(turn_action, game.legal(here, seat)))
            other = seat if seat == TABLE else turn_seat(Colour(seat))
            assert legal == Counter(turned.legal(there, other))
        other_action = turn_action(action)
        events = Counter(map(turn_event, game.explain(here, action)))
        assert events == Counter(
            replace(event, roller=Colour.RED) if isinstance(event, rules.RoundOver) else event
            for event in turned.explain(there, other_action)
        )
        for viewer in Colour:
            seen = as_turned(turned.view(there, turn_seat(viewer)))
            assert turn_view(game.view(here, viewer)) == seen
        here = game.apply(here, action)
        there = turned.apply(there, other_action)
        assert turn_state(here) == there
    assert here.phase is there.phase is rules.Phase.OVER
