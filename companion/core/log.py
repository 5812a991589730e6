"""The log of a game: its actions one after another, replay, undo; for all games."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

from companion.core import codec
from companion.core.game import Action, Game, after
from companion.core.persistent_list import PersistentList
from companion.system.errors import RulesError, Unreadable

S = TypeVar("S")
FORMAT = 1  # of the lines themselves; what they say has the schema of the game


@dataclass(frozen=True)
class Log(Generic[S]):
    """A game from its start: every action, and the state before the first and after each."""

    game: Game[S] = field(compare=False)
    actions: Sequence[Action]
    states: Sequence[S]

    @classmethod
    def begin(cls, game: Game[S], actions: Iterable[Action] = ()) -> Self:
        """Replay actions from the start; raise Illegal at the first that is not allowed."""
        done, states = [], [game.start()]
        for action in actions:
            states.append(after(game, states[-1], action))
            codec.demand_packable(game, action)
            done.append(action)
        return cls(game, tuple(done), tuple(states))

    @property
    def state(self) -> S:
        """Return where the game stands."""
        return self.states[-1]

    def play(self, action: Action) -> Self:
        """Return the log with one more action; raise Illegal if the rules refuse it.

        What the rules may let pass, but could not be read again, is refused, too: Roll(7.0).
        """
        state = after(self.game, self.state, action)
        codec.demand_packable(self.game, action)
        actions, states = (
            PersistentList.from_items(self.actions),
            PersistentList.from_items(self.states),
        )
        return type(self)(self.game, actions.plus(action), states.plus(state))

    def undo(self, count: int = 1) -> Self:
        """Return the log without its last actions, as if they had never been."""
        keep = len(self.actions) - count
        if not 0 <= keep <= len(self.actions):
            raise RulesError(
                "{done} actions have been done; {count} cannot be taken back.",
                count=count,
                done=len(self.actions),
            )
        actions, states = (
            PersistentList.from_items(self.actions),
            PersistentList.from_items(self.states),
        )
        return type(self)(self.game, actions.first(keep), states.first(keep + 1))

    @cached_property
    def sealed(self) -> bool:
        """Whether a secret is neither open nor lost, so that consequences may tell it.

        That goes by what the game declares of its actions alone, whatever their parts hold.
        """
        openers = {kind.sealed.opened_by for kind in self.game.actions if kind.sealed}
        later, lost = set[type[Action]](), set[tuple[type[Action], Any]]()
        for action in reversed(self.actions):
            if openers <= later:
                return False
            seal = action.sealed
            gone = seal and any((kind, action.seat) in lost for kind in seal.lost_by)
            if seal and not gone and seal.opened_by not in later:
                return True
            later.add(type(action))
            lost.add((type(action), getattr(action, "player", None)))
        return False

    def steps(self) -> Iterator[tuple[S, Action, S]]:
        """Go through the game: the state before each action, the action, and the state after."""
        return zip(self.states, self.actions, self.states[1:], strict=False)

    def dump(self) -> str:
        """Return the whole log as JSON lines, for safe keeping: not for anybody's eyes."""
        head = {
            "rappelwacht": FORMAT,
            "game": self.game.name,
            "schema": self.game.schema,
            "settings": codec.pack(self.game.settings),
        }
        lines = [head, *map(codec.pack_action, self.actions)]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def load(text: str, games: Mapping[str, type[Any]]) -> tuple[Log[Any], RulesError | None]:
    """Return a dumped log as far as it is sound, and what is wrong with the line after that."""
    head, *lines = text.removeprefix("\ufeff").split("\n")
    game = _game(_json(head), games)
    actions, states = [], [game.start()]
    wrong: RulesError | None = None
    for number, line in enumerate(lines, start=2):
        try:
            if line.strip():
                action = codec.unpack_action(game, _json(line))
                states.append(after(game, states[-1], action))
                actions.append(action)
        except RulesError as fault:
            wrong = type(fault)("Line {line}: {fault}", line=number, fault=fault)
            break
    return Log(game, tuple(actions), tuple(states)), wrong


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise not_json(line) from fault


def not_json(line: str) -> Unreadable:
    return Unreadable(
        "'{line}' is not JSON; every line of a log is one JSON object.", line=line[:40]
    )


def _game(head: object, games: Mapping[str, type[Any]]) -> Game[Any]:
    if not isinstance(head, Mapping) or "rappelwacht" not in head:
        raise Unreadable(
            "This is not a game log: its first line must say 'rappelwacht', the game and its "
            "settings."
        )
    name = head.get("game")
    if not isinstance(name, str) or name not in games:
        raise Unreadable(
            "The game '{name}' is not known; known: {games}.",
            name=str(name)[:40],
            games=tuple(games),
        )
    kind = games[name]
    version = head["rappelwacht"], head.get("schema")
    if version != (FORMAT, kind.schema) or not all(type(part) is int for part in version):
        raise Unreadable(
            "The log has format {format}, schema {schema}; this Rappelwacht reads format {own}, "
            "schema {known}. Use the version that wrote it, or a newer one.",
            format=head["rappelwacht"],
            schema=head.get("schema"),
            own=FORMAT,
            known=kind.schema,
        )
    game: Game[Any] = kind(codec.unpack(kind.settings_type, head.get("settings"), "settings"))
    return game
