"""Whatever is played, in whatever order, what must always hold does hold."""

import json
from bisect import bisect_left
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.core.codec import pack, pack_action, unpack, unpack_action
from companion.core.game import TABLE, Action
from companion.core.log import Log, load
from companion.core.notation import read, write
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import Colour, Flip, Move, Pawn, Place, State, ZappZerapp
from companion.system.errors import Illegal, RulesError
from tests.games.zapp_zerapp.games import random_action
from tests.games.zapp_zerapp.laws import VIEWERS, check_state, check_step
from tests.games.zapp_zerapp.strategies import ANY_ACTION, GAMES, JSON, LINES, SEEDS
from tests.referee.twins import seen_by

KNOWN = {ZappZerapp.name: ZappZerapp}


class Table(RuleBasedStateMachine):
    """Somebody plays, takes back, saves, loads and tries what is not allowed."""

    log: Log[State]
    twin: ZappZerapp  # another object with equal settings, which is asked the same

    @initialize(game=GAMES)
    def sit_down(self, game: ZappZerapp) -> None:
        self.log = Log.begin(game)
        self.twin = ZappZerapp(through_json(rules.Settings, game.settings))

    @property
    def game(self) -> Any:
        return self.log.game

    @property
    def state(self) -> State:
        return self.log.state

    # What is done.

    @rule(seed=SEEDS)
    def do_something(self, seed: int) -> None:
        if not self.game.turns(self.state):
            return
        before, log = self.state, self.log
        copy = deepcopy(before)
        action = random_action(Random(seed), self.game, before)
        self.log = log.play(action)
        assert before == copy, "a state never changes"
        assert log.state == before, "nor does a log"
        check_step(self.game, before, action, self.state)
        check_equal(self.game, self.twin, before, action)
        check_text(self.game, before, action)

    @rule(seed=SEEDS, count=st.integers(1, 150))
    def play_on(self, seed: int, count: int) -> None:
        rng = Random(seed)
        for _ in range(count):
            if self.game.turns(self.state):
                self.do_something(rng.getrandbits(32))
                check_state(self.game, self.state)

    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(0, len(self.log.actions)), "count")
        self.log = self.log.undo(count)

    @rule(count=st.integers(1, 10))
    def take_back_too_much(self, count: int) -> None:
        before = self.log
        for impossible in (len(before.actions) + count, -count):
            with pytest.raises(RulesError):
                before.undo(impossible)
        assert self.log == before

    @rule(action=ANY_ACTION)
    def try_anything(self, action: Action) -> None:
        check_attempt(self.log, action)

    @precondition(lambda self: self.state.phase is rules.Phase.MOVE)
    @rule(data=st.data())
    def try_a_similar_move(self, data: st.DataObject) -> None:
        check_attempt(self.log, draw_similar(data, self.game, self.state))

    # What is kept.

    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(0, len(self.log.actions)), "count")
        again = Log.begin(self.twin, self.log.actions[:count])
        assert again.states == self.log.states[: count + 1]
        assert again.state == self.log.undo(len(self.log.actions) - count).state

    @rule()
    def save_and_load(self) -> None:
        again, fault = load(self.log.dump(), KNOWN)
        assert fault is None
        assert again.game.settings == self.game.settings
        assert (again.actions, again.states) == (self.log.actions, self.log.states)
        assert again.dump() == self.log.dump()

    @rule()
    def show_the_log(self) -> None:
        """Everybody sees every number as soon as it is flipped, and no number before."""
        flips = [index for index, done in enumerate(self.log.actions) if isinstance(done, Flip)]
        last = flips[-1] if flips else -1
        for viewer in VIEWERS:
            seen = seen_by(self.log, viewer)
            assert seen[: last + 1] == self.log.actions[: last + 1]
            for shown, done in zip(seen[last + 1 :], self.log.actions[last + 1 :], strict=True):
                assert shown == (Place(done.seat) if isinstance(done, Place) else done)

    @rule()
    def pack_the_state(self) -> None:
        assert through_json(State, self.state) == self.state

    @invariant()
    def keep_the_laws(self) -> None:
        check_state(self.game, self.state)


TestTable = Table.TestCase
USUAL = settings().max_examples  # of a property; without --full half of them says as much
TestTable.settings = settings(
    TestTable.settings, max_examples=USUAL // 2 if USUAL <= 100 else USUAL
)


def through_json(kind: type[Any], value: Any) -> Any:
    """Write a value as JSON and read it again."""
    again = unpack(kind, json.loads(json.dumps(pack(value))), "value")
    assert type(again) is kind
    assert repr(again) == repr(value), "equal, and of equal types"
    return again


def check_equal(game: ZappZerapp, twin: ZappZerapp, state: State, action: Action) -> None:
    """Asking twice, or another game with equal settings, gives the same answers."""
    for other in (game, twin):
        assert other.turns(state) == game.turns(state)
        for seat in game.turns(state):
            assert other.legal(state, seat) == game.legal(state, seat)
        assert other.apply(state, action) == game.apply(state, action)
        assert other.explain(state, action) == game.explain(state, action)
        for viewer in VIEWERS:
            assert other.view(state, viewer) == game.view(state, viewer)


def check_text(game: ZappZerapp, state: State, action: Action) -> None:
    """What is written is read again, however it is spaced; and so is JSON."""
    text = write(action)
    loose = "  " + text.upper().replace(" ", " \t ") + "\n"
    for line in (text, loose):
        assert read(game, state, line) == action
    packed = json.loads(json.dumps(pack_action(action)))
    again = unpack_action(game, packed)
    assert again == action
    assert repr(again) == repr(action)


def check_attempt(log: Log[State], action: Action) -> None:
    """An action does what the rules say if it is legal; otherwise nothing but Illegal comes."""
    game, state, copy = log.game, log.state, deepcopy(log.state)
    legal = [one for seat in game.turns(state) for one in game.legal(state, seat)]
    if action in legal:
        log.play(action)
    else:
        for attempt in (log.play, lambda one: game.apply(state, one)):
            with pytest.raises(Illegal) as caught:
                attempt(action)
            check_sentence(caught.value)
        with pytest.raises(Illegal):
            game.explain(state, action)
    assert log.state == copy


def check_sentence(fault: RulesError) -> None:
    """Whatever is refused is refused with a sentence, all its blanks filled in."""
    assert str(fault).strip()


def draw_similar(data: st.DataObject, game: ZappZerapp, state: State) -> Move:
    """Draw a move that names pawns which are really there, by right or not, in any order."""
    seats = st.sampled_from(game.seats)
    there = [pawn for seat in game.seats for pawn in pawns_of(state, seat)]
    some = st.lists(st.sampled_from(there), max_size=3).map(tuple)
    steps = st.sampled_from([pawn.step for pawn in there])
    return data.draw(st.builds(Move, seats, steps, some, st.none() | some), "move")


def pawns_of(state: State, seat: Colour) -> list[Pawn]:
    return [Pawn(seat, step) for step in state.pawns[seat]]


# Whatever is typed, stored or sent.


def draw_log(data: st.DataObject) -> Log[State]:
    """Draw a game and how far it has been played."""
    game, rng = data.draw(GAMES), Random(data.draw(SEEDS))
    log = Log.begin(game)
    for _ in range(data.draw(st.integers(0, 60), "actions")):
        if game.turns(log.state):
            log = log.play(random_action(rng, game, log.state))
    return log


@given(data=st.data(), lines=st.lists(LINES, min_size=1, max_size=20))
def test_any_text_is_read_or_refused(data: st.DataObject, lines: list[str]) -> None:
    log = draw_log(data)
    game, state = log.game, log.state
    for line in lines:
        try:
            action = read(game, state, line)
        except RulesError as fault:
            check_sentence(fault)
        else:
            assert any(action in game.legal(state, seat) for seat in game.turns(state))


@given(data=st.data())
def test_any_shortened_action_means_a_legal_one_or_is_refused(data: st.DataObject) -> None:
    log = draw_log(data)
    game, state = log.game, log.state
    for seat in game.turns(state):
        for action in game.legal(state, seat)[:20]:
            words = write(action).split()
            kept = words[: data.draw(st.integers(1, len(words)))]
            try:
                meant = read(game, state, " ".join(kept))
            except RulesError as fault:
                check_sentence(fault)
            else:
                assert any(meant in game.legal(state, one) for one in game.turns(state))


@given(data=JSON, kind=st.sampled_from((rules.Settings, State)))
def test_any_json_is_unpacked_or_refused(data: object, kind: type[Any]) -> None:
    try:
        value = unpack(kind, data, "data")
    except RulesError as fault:
        check_sentence(fault)
    else:
        assert isinstance(value, kind)


@given(data=JSON, log=GAMES.map(Log.begin))
def test_any_json_is_an_action_or_refused(data: object, log: Log[State]) -> None:
    verbs = [kind.__name__.lower() for kind in log.game.actions]
    for named in verbs:
        for said in (data, {"do": named} | data if isinstance(data, dict) else {"do": named}):
            try:
                action = unpack_action(log.game, said)
            except RulesError as fault:
                check_sentence(fault)
            else:
                check_attempt(log, action)


@given(data=st.data())
def test_mangled_settings_and_states_are_refused_or_sound(data: st.DataObject) -> None:
    log = draw_log(data)
    for value in (log.game.settings, log.state):
        packed = json.loads(json.dumps(pack(value)))
        mangled = mangle(data, packed)
        try:
            again = unpack(type(value), mangled, "value")
        except RulesError as fault:
            check_sentence(fault)
        else:
            assert through_json(type(value), again) == again


def mangle(data: st.DataObject, value: Any) -> Any:
    """Replace something anywhere in a JSON value."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: mangle(data, value[key])}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], mangle(data, value[index]), *value[index + 1 :]]
    return data.draw(JSON)


@given(text=st.text() | st.lists(JSON.map(json.dumps)).map("\n".join))
def test_any_text_is_not_a_log(text: str) -> None:
    try:
        log, _ = load(text, KNOWN)
    except RulesError as fault:
        check_sentence(fault)
    else:
        assert log.actions == ()


@given(data=st.data())
def test_a_mangled_log_is_kept_as_far_as_it_is_sound(data: st.DataObject) -> None:
    log = draw_log(data)
    text = log.dump()
    start = data.draw(st.integers(0, len(text)), "start")
    end = data.draw(st.integers(start, min(start + 20, len(text))), "end")
    put = data.draw(st.text(max_size=3) | JSON.map(json.dumps), "put")
    try:
        again, fault = load(text[:start] + put + text[end:], KNOWN)
    except RulesError as error:
        check_sentence(error)
        assert start <= len(text.splitlines()[0]), "only a bad first line leaves nothing"
        return
    untouched = max(0, text[:start].count("\n") - 1)
    assert again.actions[:untouched] == log.actions[:untouched]
    assert Log.begin(again.game, again.actions).states == again.states
    assert fault is None or str(fault)


@given(data=st.data(), actions=st.lists(ANY_ACTION, min_size=1, max_size=20))
def test_any_action_is_applied_or_illegal(data: st.DataObject, actions: list[Action]) -> None:
    log = draw_log(data)
    for action in actions:
        check_attempt(log, action)


@pytest.mark.parametrize("opening", ["", '{"do":', '{"do":"roll","magic":', '{"do":"move","take":'])
def test_deeply_nested_json_is_refused(opening: str) -> None:
    """Around the depth at which Python's own reader gives up."""
    head = Log.begin(ZappZerapp()).dump()
    deepest = bisect_left(range(200_000), 1, key=lambda depth: not is_read(nested(depth)))
    for depth in range(max(deepest - 30, 1), deepest + 5):
        log, fault = load(head + opening + nested(depth) + "}" * bool(opening), KNOWN)
        assert log.actions == ()
        assert fault is not None


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def is_read(text: str) -> bool:
    try:
        json.loads(text)
    except RecursionError:
        return False
    return True


@pytest.mark.parametrize("kind", [rules.Roll, Flip, rules.Say])
def test_no_seat_acts_for_the_table(kind: type[Action]) -> None:
    """What only the table does cannot even be said in a seat's name."""
    said: dict[str, Any] = {
        rules.Roll: {"magic": 7},
        rules.Say: {"player": Colour.RED, "number": 5},
    }.get(kind, {})
    assert kind(**said).seat == TABLE
    with pytest.raises(TypeError):
        kind(**said | {"seat": Colour.RED})
