"""Two matches that look the same to a viewer, because they differ only in what is sealed for it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from companion.core.codec import pack
from companion.core.game import TABLE, Action, Game, Seat
from companion.core.log import Log
from companion.core.notation import read, write
from companion.mqtt import payloads
from companion.present.api_snapshot import open_entries, snapshot_json
from companion.present.headline import headline
from companion.present.lights.scenes import scene
from companion.present.mqtt_state import state_of
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction, GiveUp, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.system.errors import RulesError
from companion.system.text import seat_word
from tests.referee.tables import Round

TRIES = 60  # to find a twin
AHEAD = (1000, 40, 12, 4, 1)  # this many moves on it should still be one
GIVES_UP = 5  # this often somebody gives up, and takes that back


def at_random(game: Game[Any], chance: Random, most: int) -> Log[Any]:
    """Return a match in which everybody does anything, up to so many actions."""
    log, dealt = Log.begin(game), False
    while (seats := game.turns(log.state)) and (len(log.actions) < most or not dealt):
        log = log.play(chance.choice(game.legal(log.state, chance.choice(seats))))
        dealt = TABLE not in game.turns(log.state)  # people never see it deal
    return log


def seen_by(log: Log[Any], viewer: Seat | None) -> tuple[Action, ...]:
    """Return the actions as a viewer may know them by their seals; once a match is over, all."""
    over = log.game.outcome(log.state) is not None
    opened = range(len(log.actions)) if over else _opened(log.actions)
    return tuple(
        action.seen_by(viewer, opened=place in opened) for place, action in enumerate(log.actions)
    )


def _opened(actions: Iterable[Action]) -> set[int]:
    """Return the places of those sealed actions whose secret lies open by now."""
    opened, closed = set[int](), dict[int, Action]()
    for index, action in enumerate(actions):
        kind, player = type(action), getattr(action, "player", None)
        for place, earlier in [*closed.items()]:
            seal = earlier.sealed
            if seal is not None and seal.opened_by is kind:
                opened.add(place)
                del closed[place]
            elif seal is not None and kind in seal.lost_by and player == earlier.seat:
                del closed[place]
        if action.sealed is not None and action.sealed.opened_by is not None:
            closed[index] = action
    return opened


def twin(log: Log[Any], viewer: Seat | None, chance: Random) -> Log[Any] | None:
    """Return a match that looks the same to a viewer; None: nothing is found that could differ."""
    seen = seen_by(log, viewer)
    hidden = [
        number
        for number, action in enumerate(log.actions)
        if action != seen[number] and not _own(log.game, action, viewer)
    ]
    for _ in range(TRIES if hidden else 0):
        place = chance.choice(hidden)
        action, game = log.actions[place], log.game
        legal = game.legal(log.states[place], action.seat)
        others = [one for one in legal if one.hidden() == action.hidden() and one != action]
        match = _with(log, place, chance.choice(others), hidden, chance) if others else None
        if match and seen_by(match, viewer) == seen and match.actions != log.actions:
            return match
    return None


def _own(game: Game[Any], action: Action, viewer: Seat | None) -> bool:
    """Tell whether an action has to do with the viewer, who may see in its view what it did."""
    values = (getattr(action, part.name) for part in fields(action))
    return any(type(value) is type(game.seats[0]) and value == viewer for value in values)


def _with(
    log: Log[Any], place: int, action: Action, hidden: Sequence[int], chance: Random
) -> Log[Any] | None:
    """Return the match with another hidden action, and whoever had that gets what it replaced."""
    was, other = log.actions[place], {place: action}
    for later in hidden:
        if later > place and _secret(log.actions[later]) == _secret(action):
            names = _hides(log.actions[later])
            swapped = dict(zip(names, _secret(was), strict=False))
            other[later] = replace(log.actions[later], **swapped)
            break
    match = log.undo(len(log.actions) - place)
    for number in range(place, len(log.actions)):
        action = other.get(number, log.actions[number])
        legal = log.game.legal(match.state, action.seat)
        if action not in legal and number in hidden:
            legal = [one for one in legal if one.hidden() == action.hidden()]
            action = chance.choice(legal) if legal else action
        try:
            match = match.play(action)
        except RulesError:
            return None
    return match


def _hides(action: Action) -> tuple[str, ...]:
    return action.sealed.hides if action.sealed else ()


def _secret(action: Action) -> tuple[Any, ...]:
    return tuple(getattr(action, name) for name in _hides(action))


class Scripted(Random):
    """Has chance decide what a match says that it decided."""

    def __init__(self, script: Sequence[Action]) -> None:
        super().__init__(1)
        self.script = [*script]

    def choices(self, population: Any, *_: Any, **__: Any) -> list[Any]:
        assert self.script[0] in population
        return [self.script.pop(0)]


def table_of(game: Game[Any]) -> tuple[Round, NewMatch]:
    """Return a table, and the wish that begins a match there."""
    return Round(), NewMatch(game.name, pack(game.settings), HouseRules())


def played(log: Log[Any], table: Round, new: NewMatch) -> Iterator[Sequence[Action]]:
    """Play a match at a table as people do; yield whenever one of them is to act, what was done."""
    game = log.game
    table.referee.chance = Scripted(
        [action for action in log.actions if type(action) in game.unasked]
    )
    wish(table, new)
    yield actions(table)
    while (number := len(actions(table))) < len(log.actions):
        action = log.actions[number]
        wish(
            table,
            DoAction(write(action)),
            "red" if action.seat == TABLE else seat_word(action.seat),
        )
        assert actions(table)[: number + 1] == log.actions[: number + 1]
        yield actions(table)
        if number % GIVES_UP == 0 and not table.now.over:
            wish(table, GiveUp())
            yield actions(table)
            wish(table, Undo())


def wish(table: Round, wanted: Any, by: str = "red") -> None:
    answer = table.wish(wanted, by=by)
    assert answer.refused is None, (wanted, answer.refused)


def actions(table: Round) -> Sequence[Action]:
    assert table.referee.match is not None
    return table.referee.match.log.actions


def told(table: Round, viewer: Seat | None) -> tuple[Any, ...]:
    """Return all that a viewer can learn of a table now, from whatever it sends or shows."""
    (entries,) = table.papers.values()
    role = None if viewer is None else seat_word(viewer)
    now, phone = table.now, Viewer(role=role)
    return (
        *(
            replace(now, seen=()),
            now.seen_by(role),
            snapshot_json(now, phone),
            refusals(table, viewer),
        ),
        *(scene(now, 0), headline(now, phone), [phone.say(event) for event in now.happened]),
        *(payloads.write(state_of(now, at_ms=0)), [*map(pack, open_entries(entries))]),
    )


def refusals(table: Round, viewer: Seat | None) -> list[str]:
    """Return how a viewer is answered who only names a kind of action, whatever it is."""
    match = table.referee.match
    assert match is not None
    answers = []
    for kind in match.game.actions:
        try:
            answers.append(write(read(match.game, match.state, kind.__name__, viewer).hidden()))
        except RulesError as why:
            answers.append(str(why))
    return answers


@dataclass(frozen=True, slots=True)
class Pair:
    """A match and its twin, which look the same to a viewer from one time to another, both in."""

    one: Log[Any]
    other: Log[Any]
    first: int  # how often people had acted
    last: int


def pairs(log: Log[Any], viewer: Seat | None, chance: Random) -> Iterator[Pair]:
    """Yield a match beside twins of it, until all times were looked at that have one.

    Raise ValueError if there is none at all: then nothing was tried.
    """
    shown = [len(done) for done in played(log, *table_of(log.game))]
    at, tried = 0, 0
    while at < len(shown):
        for ahead in AHEAD:
            last = min(at + ahead, len(shown)) - 1
            whole = log.undo(len(log.actions) - shown[last])
            if (other := twin(whole, viewer, chance)) is not None:
                yield Pair(whole, other, at, last)
                tried += 1
                break
        at = last + 1
    if not tried:
        raise ValueError(f"{log.game.name}: nothing sealed was ever hidden from {viewer}")


def leaks(log: Log[Any], viewer: Seat | None, chance: Random) -> Iterator[tuple[Any, Any]]:
    """Yield what a viewer can learn of what is sealed, at every move: what differs from a twin."""
    for pair in pairs(log, viewer, chance):
        tables = [table_of(log.game) for _ in range(2)]
        both = zip((pair.one, pair.other), tables, strict=True)
        steps = zip(*[played(one, *table) for one, table in both], strict=False)
        for number, _ in enumerate(steps):
            if pair.first <= number <= pair.last:
                one, other = (told(table, viewer) for table, _ in tables)
                if one != other:
                    yield one, other
