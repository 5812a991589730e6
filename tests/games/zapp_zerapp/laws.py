"""What must hold of every state, every step and every view of Zapp Zerapp, whatever was played.

It must not know how the game computes any of it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import cast

from companion.core.game import TABLE, Action, Event, Seat
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import BARRELS, CITY, START, Colour, Phase, State, ZappZerapp
from companion.games.zapp_zerapp.rules.model import Barrels, Camp, Camps

VIEWERS: tuple[Seat | None, ...] = (*Colour, None)
HIDDEN_PHASES = {Phase.PLACE, Phase.FLIP}
OPEN_PHASES = {Phase.SAY, Phase.MOVE, Phase.OVER}


def check_state(game: ZappZerapp, state: State) -> None:
    """Whatever may be asked of one state."""
    check_pawns(game, state)
    check_barrels(game, state)
    check_turns(game, state)
    check_views(game, state)


def check_pawns(game: ZappZerapp, state: State) -> None:
    """Every colour has three pawns, and those of absent colours stay on their starts (ZZ-1)."""
    assert len(state.pawns) == len(Colour)
    for colour in Colour:
        camp = state.pawns[colour]
        assert len(camp) == 3
        assert list(camp) == sorted(camp)
        assert START <= camp[0] <= camp[2] <= CITY
        if colour not in game.seats:
            assert camp == (START,) * 3


def check_barrels(game: ZappZerapp, state: State) -> None:
    """Barrels are unique, and those that work move in descending order (ZZ-7 to ZZ-9)."""
    known = [number for number in state.barrels if number not in {rules.EMPTY, rules.UNREAD}]
    assert len(known) == len(set(known))
    assert all(1 <= number <= BARRELS for number in known)
    assert all(state.barrels[c] == rules.EMPTY for c in Colour if c not in game.seats)
    assert state.magic == 0 if state.phase is Phase.ROLL else 2 <= state.magic <= 12
    if state.phase is Phase.MOVE:
        numbers = [state.barrels[seat] for seat in state.queue]
        assert numbers
        assert numbers == sorted(set(numbers), reverse=True)
        assert all(number <= state.magic for number in numbers)
    if state.phase is Phase.PLACE:
        waiting = tuple(seat for seat in game.seats if state.barrels[seat] == rules.EMPTY)
        assert state.queue == waiting


def check_turns(game: ZappZerapp, state: State) -> None:
    """Whoever has a turn has a choice, nobody else has one; the third pawn home ends the game."""
    turns = game.turns(state)
    for seat in (TABLE, *Colour):
        legal = game.legal(state, seat)
        assert bool(legal) == (seat in turns)  # ZZ-14
        assert len(set(legal)) == len(legal)
    if turns == (TABLE,):
        assert len(game.odds(state)) == len(game.legal(state, TABLE))
        assert min(game.odds(state)) > 0
    home = tuple(seat for seat in game.seats if state.pawns[seat] == (CITY,) * 3)
    outcome = game.outcome(state)
    assert bool(home) == (state.phase is Phase.OVER) == (not turns) == (outcome is not None)
    if outcome:  # ZZ-15
        assert outcome.winners == home
        assert len(home) == 1
        assert outcome.scores == tuple((s, state.pawns[s].count(CITY)) for s in game.seats)
    if state.phase is Phase.MOVE:
        movers = [move.step for move in game.legal(state, turns[0]) if isinstance(move, rules.Move)]
        assert {*movers} == {*state.pawns[turns[0]]} - {CITY}


def check_views(game: ZappZerapp, state: State) -> None:
    """Before the flip nobody can tell one number from another; later all see all (ZZ-7)."""
    for viewer in VIEWERS:
        view = game.view(state, viewer)
        assert bool(view.choices) == (viewer in game.turns(state))
        if state.phase not in OPEN_PHASES:
            assert view.numbers == ()
        if state.phase in HIDDEN_PHASES:
            for other in other_numbers(state):
                assert game.view(other, viewer) == view
        else:
            told = tuple((seat, state.barrels[seat]) for seat in game.seats)
            assert view.numbers == tuple((s, n) for s, n in told if n > rules.EMPTY)
        same = game.view(state, None)
        names = [part.name for part in fields(view) if part.name != "choices"]
        assert all(getattr(view, name) == getattr(same, name) for name in names)


def other_numbers(state: State) -> Iterable[State]:
    """Return states in which the barrels that stand there bear other numbers, or unread ones."""
    ways: Sequence[dict[int, int]] = [
        {number: BARRELS + 1 - number for number in range(1, BARRELS + 1)},
        {number: number % BARRELS + 1 for number in range(1, BARRELS + 1)},
        dict.fromkeys(range(1, BARRELS + 1), rules.UNREAD),
    ]
    for way in ways:
        barrels = tuple(way.get(number, number) for number in state.barrels)
        yield state._replace(barrels=cast(Barrels, barrels))


def check_step(game: ZappZerapp, before: State, action: Action, after: State) -> None:
    """Whatever may be asked of one action."""
    check_progress(game, before, action, after)
    events = game.explain(before, action)
    assert retell(game, before, action, events) == after
    if isinstance(action, rules.Move):
        check_move(game, before, action, after, events)
    if isinstance(action, rules.Place):
        for other in game.legal(before, action.seat):
            assert game.explain(before, other) == events, "no event tells a hidden number"


def check_progress(game: ZappZerapp, before: State, action: Action, after: State) -> None:
    """Pawns move only in moves; the mover's advance, others go home or, Profi, along."""
    if not isinstance(action, rules.Move):
        assert after.pawns == before.pawns
        return
    mover = action.seat
    gains = [n - o for o, n in zip(before.pawns[mover], after.pawns[mover], strict=True)]
    assert min(gains) >= 0  # ZZ-12, ZZ-17
    assert sum(gains) > 0
    for colour in Colour:
        assert after.pawns[colour].count(CITY) >= before.pawns[colour].count(CITY)
        if colour == mover:
            continue
        lost = Counter(before.pawns[colour]) - Counter(after.pawns[colour])
        gained = Counter(after.pawns[colour]) - Counter(before.pawns[colour])
        taken = [pawn for pawn in action.take if pawn.colour == colour]
        assert gained.total() - gained[START] <= len(taken)
        assert lost[CITY] == lost[START] == gained[CITY] == 0
        if not game.settings.profi:
            assert gained.keys() <= {START}
            assert not action.take


def check_move(
    game: ZappZerapp, before: State, move: rules.Move, after: State, events: Sequence[Event]
) -> None:
    """Whom a move banishes and takes along, where it stands and by which right."""
    board, profi = game.settings.board, game.settings.profi
    moved = next(event for event in events if isinstance(event, rules.Moved))
    number = before.barrels[move.seat]
    assert moved.end == min(moved.start + number, CITY)
    steps = range(moved.start + 1, min(moved.end, rules.FIELDS) + 1)
    assert moved.path == tuple(board.field(move.seat, step) for step in steps)
    banished = [event for event in events if isinstance(event, rules.Banished)]
    taken = [event for event in events if isinstance(event, rules.TakenAlong)]
    for event in banished:
        letter = event.pawn.colour.name[0]
        kind = board.ring[event.field]
        assert event.pawn.colour != move.seat  # ZZ-17
        assert event.pawn.colour in game.seats
        assert move.step != START  # ZZ-18
        assert event.field in moved.path
        assert event.field == board.field(event.pawn.colour, event.pawn.step)
        assert kind != letter  # ZZ-16
        assert not (profi and letter in kind)  # ZZ-21
    fields_met = [moved.path.index(event.field) for event in banished]
    assert fields_met == sorted(fields_met), "in the order of the way"
    assert tuple(event.pawn for event in taken) == move.take
    overtaken = moved.path if moved.end == CITY else moved.path[:-1]
    for passenger in taken:
        kind = board.ring[passenger.field]
        assert profi
        assert len(kind) == 2
        assert passenger.pawn.colour.name[0] in kind
        assert passenger.field in overtaken  # ZZ-22
        assert passenger.field == board.field(passenger.pawn.colour, passenger.pawn.step)
        if passenger.pawn.colour == move.seat:
            assert passenger.end == moved.end  # ZZ-24
        else:
            assert board.field(passenger.pawn.colour, passenger.end) == moved.path[-1]
    if game.settings.overlook:
        assert tuple(sorted(event.pawn for event in banished)) == move.banish  # ZZ-20
    home = [event.pawns for event in events if isinstance(event, rules.CameHome)]
    assert home == ([after.pawns[move.seat].count(CITY)] if moved.end == CITY else [])


def retell(game: ZappZerapp, before: State, action: Action, events: Sequence[Event]) -> State:
    """Return the state that the events alone tell of; a placed number only the action tells."""
    state = before
    if isinstance(action, rules.Place):
        number = rules.UNREAD if action.barrel is None else action.barrel
        state = state._replace(barrels=_with(state.barrels, action.seat, number))
    if isinstance(action, rules.Move):
        state = state._replace(queue=state.queue[1:])
    if before.phase is Phase.FLIP:
        state = state._replace(phase=Phase.SAY)
    for event in events:
        state = _tell(game, state, event)
    return state


def _tell(game: ZappZerapp, state: State, event: Event) -> State:
    match event:
        case rules.MagicNumber():
            assert event.round == state.round
            return state._replace(phase=Phase.PLACE, magic=event.magic, queue=game.seats)
        case rules.Placed():
            phase = Phase.PLACE if event.waiting else Phase.FLIP
            return state._replace(phase=phase, queue=event.waiting)
        case rules.Shown():
            assert event.works == (event.number <= state.magic)  # ZZ-8
            return state._replace(barrels=_with(state.barrels, event.seat, event.number))
        case rules.Order():
            return state._replace(phase=Phase.MOVE, queue=event.seats)
        case rules.Moved():
            return _put(state, rules.Pawn(event.seat, event.start), event.end)
        case rules.Banished():
            return _put(state, event.pawn, START)
        case rules.TakenAlong():
            return _put(state, event.pawn, event.end)
        case rules.CameHome():
            assert state.pawns[event.seat].count(CITY) == event.pawns
            return state
        case rules.Won():
            return state._replace(phase=Phase.OVER, queue=())
        case rules.RoundOver():
            assert event.round == state.round
            assert event.shuffle == game.settings.shuffle
            assert event.roller == game.seats[event.round % len(game.seats)]
            return State(state.round + 1, Phase.ROLL, 0, (rules.EMPTY,) * 4, (), state.pawns)
    raise AssertionError(event)


def _put(state: State, pawn: rules.Pawn, step: int) -> State:
    camp = list(state.pawns[pawn.colour])
    camp.remove(pawn.step)
    camps = list(state.pawns)
    camps[pawn.colour] = cast(Camp, tuple(sorted([*camp, step])))
    return state._replace(pawns=cast(Camps, tuple(camps)))


def _with(barrels: Barrels, seat: Colour, number: int) -> Barrels:
    stand = list(barrels)
    stand[seat] = number
    return cast(Barrels, tuple(stand))
