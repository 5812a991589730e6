"""Positions from which every sequence of moves is counted, by the core and by the reference.

A position says where the pawns stand and, for each of its rounds, the magic number and everybody's
barrel; only the moves branch. **A leaf is reached when the movement phase of the last round has
ended, or when the game is over.** The digest is the sum, modulo 2**64, of a hash of every leaf's
text, so it counts how often a leaf is reached and does not care in which order. Equal states
are followed once and counted as often as they were reached, which changes neither sum nor digest.

The positions and their digests are data: perft.toml.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, PRESETS, START, Colour, Phase, Settings, State
from companion.games.zapp_zerapp.rules.model import Camps
from tests.games.zapp_zerapp import reference
from tests.games.zapp_zerapp.games import VARIANTS
from tests.games.zapp_zerapp.reference import Reference
from tests.games.zapp_zerapp.translation import name, set_table

FILE = Path(__file__).with_name("perft.toml")
DIGEST_LINE = re.compile(rf"^({'|'.join(VARIANTS)})( *= ).*$", re.MULTILINE)
AT_START = (START,) * 3


class Digest(NamedTuple):
    """How many sequences of moves there are, and the hash of where they lead."""

    sequences: int
    leaves: int

    def __str__(self) -> str:
        """Return the digest as perft.toml has it."""
        return f"{self.sequences} {self.leaves:016x}"


@dataclass(frozen=True)
class Position:
    """Where the pawns stand, what the barrels will say, and what comes of it in each variant."""

    name: str
    board: rules.Board
    pawns: Mapping[str, Sequence[int]]
    rounds: Sequence[Mapping[str, int]]  # "magic" and the number of every colour
    shows: frozenset[str]  # what can happen in its first round in the Profi version
    digests: Mapping[str, str]  # by variant

    def settings(self, variant: str) -> Settings:
        """Return the table on which the position is played."""
        profi, overlook = VARIANTS[variant]
        seats = tuple(colour for colour in Colour if colour.name.lower() in self.pawns)
        return Settings(seats, profi, overlook, board=self.board)


@cache
def read_positions() -> tuple[Position, ...]:
    """Return every position of the file."""
    data = tomllib.loads(FILE.read_text())
    boards = PRESETS | {name: rules.read_board(board) for name, board in data["boards"].items()}
    return tuple(
        Position(
            one["name"],
            boards[one["board"]],
            one["pawns"],
            one["rounds"],
            frozenset(one["shows"]),
            {variant: one[variant] for variant in VARIANTS},
        )
        for one in data["position"]
    )


def rewrite_digests(digests: Iterable[Digest]) -> None:
    """Put other digests into the file: for every position in turn, one for every variant."""
    left = iter(digests)
    text = DIGEST_LINE.sub(lambda line: f'{line[1]}{line[2]}"{next(left)}"', FILE.read_text())
    FILE.write_text(text)


# The core counts.


def core_digest(position: Position, variant: str) -> Digest:
    """Let the core play every sequence of moves."""
    settings = position.settings(variant)
    game = rules.ZappZerapp(settings)
    pawns = [tuple(position.pawns.get(colour.name.lower(), AT_START)) for colour in Colour]
    states = Counter([game.start()._replace(pawns=cast(Camps, tuple(pawns)))])
    for numbers in position.rounds:
        states = _core_round(game, states, numbers)
    texts = Counter[str]()
    for state, times in states.items():
        outcome = game.outcome(state)
        winner = name(outcome.winners[0]) if outcome else None
        texts[_text([state.pawns[seat] for seat in settings.seats], winner)] += times
    return _digest(texts)


def _core_round(
    game: rules.ZappZerapp, states: Counter[State], numbers: Mapping[str, int]
) -> Counter[State]:
    done, moving = Counter[State](), Counter[State]()
    for state, times in states.items():
        if state.phase is Phase.OVER:
            done[state] += times
            continue
        ready = game.apply(state, rules.Roll(numbers["magic"]))
        for seat in game.seats:
            ready = game.apply(ready, rules.Place(seat, numbers[seat.name.lower()]))
        ready = game.apply(ready, rules.Flip())
        (moving if ready.phase is Phase.MOVE else done)[ready] += times
    while moving:
        state, times = moving.popitem()
        for action in game.legal(state, game.turns(state)[0]):
            after = game.apply(state, action)
            (moving if after.phase is Phase.MOVE else done)[after] += times
    return done


# The reference counts.


class Tables:
    """The reference's tables, equal ones kept once with how often they were reached."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[Reference, int]] = {}

    def add(self, table: Reference, times: int) -> None:
        """Keep a table, or count it again."""
        key = repr(sorted(vars(table).items()))
        self.found[key] = (table, times + self.found.get(key, (table, 0))[1])

    def take_all(self) -> Iterator[tuple[Reference, int]]:
        """Hand out every table until none is left."""
        while self.found:
            yield self.found.pop(next(iter(self.found)))


def reference_digest(position: Position, variant: str) -> Digest:
    """Let the reference play every sequence of moves."""
    tables = Tables()
    tables.add(_reference_table(position, variant), 1)
    for numbers in position.rounds:
        tables = _reference_round(tables, numbers)
    texts = Counter[str]()
    for table, times in tables.take_all():
        texts[_text([table.pawns[seat] for seat in table.seats], table.winner)] += times
    return _digest(texts)


def _reference_table(position: Position, variant: str) -> Reference:
    table = set_table(position.settings(variant))
    table.pawns = {seat: list(position.pawns[seat]) for seat in table.seats}
    return table


def _reference_round(tables: Tables, numbers: Mapping[str, int]) -> Tables:
    done, moving = Tables(), Tables()
    for table, times in tables.take_all():
        if table.phase == "over":
            done.add(table, times)
            continue
        _shake(table, numbers)
        (moving if table.phase == "move" else done).add(table, times)
    for table, times in moving.take_all():
        for _, after in _branches(table):
            (moving if after.phase == "move" else done).add(after, times)
    return done


def _shake(table: Reference, numbers: Mapping[str, int]) -> None:
    table.do(("roll", numbers["magic"]))
    for seat in table.seats:
        table.do(("place", seat, numbers[seat]))
    table.do(("flip",))


def _branches(table: Reference) -> Iterator[tuple[reference.Action, Reference]]:
    for action in sorted(table.legal(table.order[0]), key=repr):
        branch = deepcopy(table)
        branch.do(action)
        yield action, branch


# What a position is good for.

BANISH = "banish"
TAKE = "take along"
MORE = frozenset(
    {
        "banish equal pawns",
        "banish on the way into the city",
        "take along from the start",
        "take along own pawns",
        "take along equal pawns",
        "take along own pawns into the city",
        "take along others to the gate",
        "take along past its own city",
        "win",
    }
)


def show(position: Position, variant: str) -> frozenset[str]:
    """Let the reference tell what can happen in the first round of a position."""
    table = _reference_table(position, variant)
    _shake(table, position.rounds[0])
    moving = Tables()
    moving.add(table, 1)
    seen: set[str] = set()
    for before, _ in moving.take_all():
        for action, after in _branches(before):
            seen.update(_show(before, action, after))
            if after.phase == "move":
                moving.add(after, 1)
    return frozenset(seen)


def _show(before: Reference, action: reference.Action, after: Reference) -> Iterator[str]:
    _, mover, step, take, named = action
    end, _, banishable = before.walk(mover, step)
    banished = banishable if named is None else named
    own = [pawn for pawn in take if pawn[0] == mover]
    facts: dict[str, Any] = {
        BANISH: banished,
        "banish equal pawns": len(set(banished)) < len(banished),
        "banish on the way into the city": banished and end == CITY,
        TAKE: take,
        "take along from the start": take and step == START,
        "take along own pawns": own,
        "take along equal pawns": len(set(take)) < len(take),
        "take along own pawns into the city": own and end == CITY,
        "take along others to the gate": len(own) < len(take) and end == CITY,
        "take along past its own city": any(
            _went_back(pawn, before, after) for pawn in take if pawn[0] != mover
        ),
        "win": after.winner,
    }
    assert facts.keys() == MORE | {BANISH, TAKE}
    return (fact for fact, holds in facts.items() if holds)


def _went_back(pawn: reference.Pawn, before: Reference, after: Reference) -> bool:
    """Tell whether a pawn that was taken along owes another lap: it stands behind, on the ring."""
    colour, step = pawn
    gained = Counter(after.pawns[colour]) - Counter(before.pawns[colour])
    return any(START < new < step for new in gained)


# What a leaf is.


def _text(pawns: Sequence[Sequence[int]], winner: str | None) -> str:
    steps = chain.from_iterable((*camp, "|") for camp in pawns)
    return " ".join(map(str, steps)) + f" winner {winner or 'none'}"


def _digest(texts: Counter[str]) -> Digest:
    leaves = sum(times * _hash(text) for text, times in texts.items())
    return Digest(texts.total(), leaves % 2**64)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
