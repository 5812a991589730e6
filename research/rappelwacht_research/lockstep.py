"""Thousands of random matches of the base game in lockstep: one round of all of them after another.

Whoever plays keeps any barrel and moves any pawn. It needs numpy, and the rules only for what its
look-ups are made of; a match that is traced can be played again by the rules themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion.core.game import Action, Outcome
from companion.core.players.levels import RANDOM
from companion.games.zapp_zerapp.rules.board import CITY, FIELDS, START
from companion.games.zapp_zerapp.rules.model import BARRELS, Flip, Move, Place, Roll, Settings
from companion.games.zapp_zerapp.rules.moves import Moves, advanced
from companion.games.zapp_zerapp.solution.table import CAMPS, COUNT, HOME, NUMBER
from rappelwacht_research.study.match import Chunk, StudiedMatch

Ints = NDArray[Any]

CHUNK: Final = 50_000  # matches, after which somebody may end it
LANES: Final = 8192  # that go on at once: more would not fit into a processor's cache
PAWNS: Final = 3
DICE: Final = [first + other for first in range(1, 7) for other in range(1, 7)]
NUMBERS: Final = BARRELS + 1  # none included
WAYS: Final = 6  # what one, two and three choices divide alike
COUNTED: Final = ("moves", "banished", "sent_back")


@dataclass(frozen=True, slots=True)
class Matches:
    """What matches came to, in the order in which they were begun."""

    rounds: Ints
    actions: Ints
    winner: Ints  # the place of a seat, from 0
    home: Ints  # by match and seat: pawns in the city
    deeds: dict[str, Ints]  # by what was done: by match and seat how often
    traces: dict[int, list[Action]]  # of some of them: all that was done


def chunks(
    settings: Settings, players: Sequence[str], matches: int, seed: int
) -> list[Chunk] | None:
    """Return matches in chunks, each with a chance of its own; None: such are not played so."""
    if settings.profi or settings.overlook or {*players} != {RANDOM}:
        return None
    begun = range(0, matches, CHUNK)
    counts = [min(CHUNK, matches - first) for first in begun]
    return [partial(_ended, settings, n, (seed, chunk)) for chunk, n in enumerate(counts)]


def _ended(settings: Settings, matches: int, seed: tuple[int, int]) -> Iterator[StudiedMatch]:
    """Yield what matches came to."""
    seats, results = settings.seats, _lockstep(settings).play(matches, seed)
    events = np.stack([results.deeds[name] for name in COUNTED], axis=1).tolist()
    for actions, rounds, winner, home, done in zip(
        results.actions.tolist(),
        results.rounds.tolist(),
        results.winner.tolist(),
        results.home.tolist(),
        events,
        strict=True,
    ):
        outcome = Outcome((seats[winner],), tuple(zip(seats, home, strict=True)))
        yield StudiedMatch(actions, rounds, outcome, tuple(map(tuple, done)))


@lru_cache(maxsize=2)
def _lockstep(settings: Settings) -> Lockstep:
    return Lockstep(settings)


class Lockstep:
    """Matches of one kind; the same seed gives the same ones."""

    def __init__(self, settings: Settings) -> None:
        if settings.profi or settings.overlook:
            raise ValueError("only the base game runs in lockstep")
        self.settings, self.seats = settings, len(settings.seats)
        moves, board = Moves(settings), settings.board
        steps = np.array(CAMPS)
        self.to = np.tile(np.arange(COUNT, dtype=np.int32), (NUMBERS, PAWNS, 1))
        self.step = np.zeros((PAWNS, COUNT), np.int32)
        self.choices = np.ones(COUNT, np.int32)
        for camp, where in enumerate(CAMPS):
            walkers = sorted({*where} - {CITY})
            self.choices[camp] = len(walkers) or 1
            for choice, step in enumerate(walkers):
                self.step[choice, camp] = step
                for number in range(1, NUMBERS):
                    self.to[number, choice, camp] = NUMBER[advanced(where, step, number)]
        masks = [moves.banishing[seat] for seat in settings.seats]
        self.swept = np.array([[*rows, [0] * NUMBERS] for rows in masks], np.int32)
        entries = np.array([board.entries[seat] for seat in settings.seats])
        bits = 1 << (entries[:, None, None] + steps - 1) % FIELDS
        bits[:, (steps == START) | (steps == CITY)] = 0
        safe = [sum(1 << index for index in board.protected(seat)) for seat in settings.seats]
        self.bits = bits & ~np.array(safe)[:, None, None]  # [seat, camp, pawn], open to banishment
        first, second, third = np.moveaxis(self.bits, 2, 0)
        self.open = (first | second | third).astype(np.int32)
        self.steps = steps
        self.camp = np.zeros((CITY + 1,) * PAWNS, np.int32)
        self.camp[steps[:, 0], steps[:, 1], steps[:, 2]] = range(COUNT)
        drawn = np.array([*permutations(range(1, NUMBERS), self.seats)])
        self.order = np.argsort(-drawn, axis=1).T.astype(np.int32)
        self.drawn = -np.sort(-drawn, axis=1).T.astype(np.int32)
        self.placed = drawn
        self.pick = np.array([[way % (count or 1) for count in range(4)] for way in range(WAYS)])
        self.pick = self.pick.astype(np.int32)

    def play(self, matches: int, seed: int | tuple[int, ...], trace: Iterable[int] = ()) -> Matches:
        """Play so many matches."""
        return _Run(self, matches, seed, trace).matches()


class _Run:
    """Matches on their way: each lane holds one, and the next one when it is over."""

    def __init__(
        self, tables: Lockstep, matches: int, seed: int | tuple[int, ...], trace: Iterable[int]
    ) -> None:
        self.t, self.chance = tables, np.random.default_rng(seed)
        seats, lanes = tables.seats, min(LANES, matches)
        self.wanted, self.begun = matches, lanes
        self.match: Ints = np.arange(lanes)
        self.camps: Ints = np.zeros(lanes * seats, np.int32)
        self.rounds: Ints = np.zeros(lanes, np.int32)
        self.moved: Ints = np.zeros(lanes, np.int32)
        self.deeds: Ints = np.zeros((len(COUNTED), lanes * seats), np.int32)
        self.traced: list[int] = []  # the lanes whose matches are traced
        self.traces: dict[int, list[Action]] = {match: [] for match in trace}
        self.found = Matches(
            np.zeros(matches, np.int32),
            np.zeros(matches, np.int32),
            np.zeros(matches, np.int8),
            np.zeros((matches, seats), np.int8),
            {name: np.zeros((matches, seats), np.int32) for name in COUNTED},
            self.traces,
        )

    def matches(self) -> Matches:
        while self.match.size:
            self._round()
            over = np.flatnonzero((self.camps.reshape(-1, self.t.seats) == HOME).any(axis=1))
            if over.size:
                self._end(over)
        return self.found

    def _round(self) -> None:
        t, seats = self.t, self.t.seats
        lanes = self.match.size
        sets = t.placed.shape[0]
        chance = self.chance.integers(0, len(DICE) * sets * WAYS**seats, lanes, np.uint32)
        rest, dice = np.divmod(chance, np.uint32(len(DICE)))
        ways, placed = np.divmod(rest, np.uint32(sets))
        magic = np.array(DICE, np.int32).take(dice)
        self.rounds += 1
        self.traced = list(self._traced(magic, placed)) if self.traces else []
        base = np.arange(0, lanes * seats, seats, dtype=np.int32)
        for turn in range(seats):
            seat, number = t.order[turn].take(placed), t.drawn[turn].take(placed)
            number *= number <= magic
            ways, way = np.divmod(ways, np.uint32(WAYS))
            won = self._move(base, seat, number, way)
            magic[won] = 0  # nobody moves there any more

    def _move(self, base: Ints, seat: Ints, number: Ints, way: Ints) -> Ints:
        """Move a pawn in every lane where the number works; return where that wins."""
        t, seats = self.t, self.t.seats
        at = base + seat
        camp = self.camps.take(at)
        pick = t.pick.ravel().take(way * np.uint32(4) + t.choices.take(camp))
        step = t.step.ravel().take(pick * COUNT + camp)
        new = t.to.ravel().take((number * PAWNS + pick) * COUNT + camp)
        swept = t.swept.ravel().take((seat * (CITY + 1) + step) * NUMBERS + number)
        self.camps[at] = new
        works = number > 0
        self.moved += works
        self.deeds[0, at] += works
        for lane in self.traced:
            if works[lane]:
                mover = t.settings.seats[seat[lane]]
                self.traces[int(self.match[lane])].append(Move(mover, int(step[lane])))
        for off in range(1, seats):
            other = seat + np.int32(off)
            other -= np.int32(seats) * (other >= seats)
            met = t.open.ravel().take(other * COUNT + self.camps.take(base + other)) & swept
            hit = np.flatnonzero(met)
            if hit.size:
                self._banish(at.take(hit), (base + other).take(hit), other.take(hit), met.take(hit))
        return np.flatnonzero(new == HOME)

    def _banish(self, movers: Ints, at: Ints, seat: Ints, met: Ints) -> None:
        t = self.t
        camp = self.camps.take(at)
        gone = (t.bits[seat, camp] & met[:, None]) != 0
        steps = np.sort(np.where(gone, START, t.steps[camp]), axis=1)
        self.camps[at] = t.camp[steps[:, 0], steps[:, 1], steps[:, 2]]
        count = gone.sum(axis=1)
        self.deeds[1, movers] += count
        self.deeds[2, at] += count

    def _traced(self, magic: Ints, placed: Ints) -> Iterator[int]:
        for lane in np.flatnonzero(np.isin(self.match, [*self.traces])).tolist():
            trace = self.traces[int(self.match[lane])]
            numbers = self.t.placed[placed[lane]].tolist()
            trace.append(Roll(int(magic[lane])))
            trace += [Place(s, n) for s, n in zip(self.t.settings.seats, numbers, strict=True)]
            trace.append(Flip())
            yield lane

    def _end(self, over: Ints) -> None:
        """Write down the matches in these lanes, and have the next ones begin there."""
        t, results, which = self.t, self.found, self.match[over]
        camps = self.camps.reshape(-1, t.seats)
        results.rounds[which] = self.rounds[over]
        results.actions[which] = self.moved[over] + self.rounds[over] * (t.seats + 2)
        results.winner[which] = (camps[over] == HOME).argmax(axis=1)
        results.home[which] = (t.steps[camps[over]] == CITY).sum(axis=2)
        events = self.deeds.reshape(len(COUNTED), -1, t.seats)
        for name, counted in zip(COUNTED, events, strict=True):
            results.deeds[name][which] = counted[over]
        next_ = over[: self.wanted - self.begun]
        self.match[next_] = np.arange(self.begun, self.begun + next_.size)
        self.begun += next_.size
        camps[over], events[:, over] = 0, 0
        self.rounds[over], self.moved[over] = 0, 0
        if next_.size < over.size:
            left = np.ones(self.match.size, bool)
            left[over[next_.size :]] = False
            self.match, self.rounds = self.match[left], self.rounds[left]
            self.moved = self.moved[left]
            self.camps = camps[left].ravel()
            self.deeds = events[:, left].reshape(len(COUNTED), -1)
