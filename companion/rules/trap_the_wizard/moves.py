"""How wizards move: who may end where, whom that captures, and what a return home brings.

It must not know dice, rounds or whose turn it is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from companion.rules.trap_the_wizard.board import PLAYERS, START, Robe
from companion.rules.trap_the_wizard.state import (
    SIDES,
    Camp,
    Load,
    Move,
    Settings,
    State,
    Wizard,
    new,
)
from companion.rules.trap_the_wizard.ways import NOBODY, Path, Ways

JOKER: Final = Robe.JOKER
AT_HOME: Final = Wizard(START)
NOWHERE: Final = Wizard(START - 1)
FULL: Final = 2  # TW-3
MOST_OFFERS: Final = 2_000  # for captors, that are remembered, of a player and a number of points


Standing = tuple[tuple[Camp, ...], bool, tuple[Load, ...]]  # wizards, joker, taken
Offer = tuple[Move, ...]


class Catch(NamedTuple):
    """A wizard that a move captures, with what it holds itself."""

    robe: Robe
    wizard: Wizard


class Moves:
    """The moves on one board under one set of rules."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ways = Ways(settings)
        self._special = frozenset(settings.board.special)
        self._joker_field = settings.board.joker
        players, numbers = range(len(PLAYERS)), range(SIDES + 1)
        # By player and points: of who holds nobody by place, START last; of captors by wizard.
        free: list[Offer | None] = [None] * (len(settings.board.neighbours()) + 1)
        self._free = [[free.copy() for _ in numbers] for _ in players]
        self._captors: list[list[dict[Wizard, Offer]]] = [[{} for _ in numbers] for _ in players]

    def legal(
        self, wizards: tuple[Camp, ...], seat: Robe, points: int, rest: bool
    ) -> tuple[Move, ...]:
        """Return the moves of a player; a rest is for another wizard than the one come home."""
        free, captors = self._free[seat][points], self._captors[seat][points]
        camp = wizards[seat]
        found: tuple[Move, ...] = ()
        before, double = NOWHERE, START
        for wizard in camp:
            place, load = wizard
            if before[0] == place:
                double = place  # TW-3: of three wizards, no more than two can stand on a field
                if wizard == before:
                    continue  # the same choice
            before = wizard
            if rest and place == START and not _is_pair(camp):  # TW-5
                continue
            known = captors.get(wizard) if load else free[place]
            found += known or self._offer(wizards, seat, wizard, points)
        crowds = self._crowds(wizards)
        if crowds or double != START:
            return tuple([move for move in found if _has_room(move, double, crowds)])
        return found

    def _offer(self, wizards: tuple[Camp, ...], seat: Robe, wizard: Wizard, points: int) -> Offer:
        """Return where a wizard could go if nobody stood there; remember it, if nobody blocks."""
        blocked = self._blocked(wizards)
        offer = self._make_offers(seat, wizard, points, blocked)
        if wizard.load and not blocked:
            captors = self._captors[seat][points]
            if len(captors) >= MOST_OFFERS:
                captors.clear()
            captors[wizard] = offer
        elif not blocked:
            self._free[seat][points][wizard.place] = offer
        return offer

    def _blocked(self, wizards: tuple[Camp, ...]) -> frozenset[int]:
        """Return the fields that nobody may pass over: usually none (TW-10)."""
        if self._settings.pass_over:
            return NOBODY
        return frozenset(wizard.place for camp in wizards for wizard in camp)

    def _crowds(self, wizards: tuple[Camp, ...]) -> frozenset[int]:
        """Return the special fields on which two wizards stand."""
        special = self._special
        standing = [wizard[0] for camp in wizards for wizard in camp if wizard[0] in special]
        if len(standing) < FULL or len(standing) == len({*standing}):
            return NOBODY
        return frozenset([place for place in standing if standing.count(place) == FULL])

    def _make_offers(
        self, seat: Robe, wizard: Wizard, points: int, blocked: frozenset[int]
    ) -> tuple[Move, ...]:
        """Return where a wizard could go if nobody stood there; START only with opponents."""
        place, load = wizard
        ends = sorted(self._ways.paths(seat, place, points, blocked))
        home = bool(load) and any(robe not in {seat, JOKER} for robe in load)  # TW-4
        return tuple([Move(seat, place, end, load) for end in ends if end != START or home])

    def path(self, state: State, move: Move) -> Path:
        """Return the places that a legal move comes to, in order."""
        blocked = self._blocked(state.wizards)
        return self._ways.paths(move.seat, move.start, state.points, blocked)[move.end]

    def reach(self, state: State, move: Move) -> frozenset[int]:
        """Return where a wizard could end if nobody stood there, for whoever asks why it cannot."""
        blocked = self._blocked(state.wizards)
        wizard = Wizard(move.start, move.load)
        offers = self._make_offers(move.seat, wizard, state.points, blocked)
        return frozenset(offer.end for offer in offers)

    def left_over(self, state: State, move: Move) -> int:
        """Return the points that a move leaves for another wizard: only when it comes home."""
        return state.points - len(self.path(state, move)) if move.end == START else 0

    def caught(self, state: State, move: Move) -> list[Catch]:
        """Return whom a move captures where it ends."""
        end = move.end
        if end == START or (end in self._special and JOKER not in move.load):  # TW-2, TW-7
            return []
        return [
            Catch(PLAYERS[robe], wizard)
            for robe, camp in enumerate(state.wizards)
            for wizard in camp
            if wizard[0] == end and robe != move.seat
        ]

    def takes_joker(self, state: State, move: Move) -> bool:
        """Tell whether a move ends where the joker stands (TW-7)."""
        return state.joker and move.end == self._joker_field

    def brought(self, move: Move) -> Load:
        """Return who leaves the game when a wizard comes home, and scores for it."""
        unscored = {move.seat} if self._settings.joker_scores else {move.seat, JOKER}
        return tuple(robe for robe in move.load if robe not in unscored)

    def after(self, state: State, move: Move) -> Standing:
        """Return how the wizards stand after a legal move."""
        seat, end, load = move.seat, move.end, move.load
        wizards, joker = state.wizards, state.joker
        if end == START:
            return self._home(state, move)
        freed: Load = ()
        if joker and end == self._joker_field:
            load, joker = (*load, JOKER), False
        if caught := self.caught(state, move):
            for robe, wizard in caught:
                wizards = _changed(wizards, robe, wizard)
                load = (*load, robe)
                if self._settings.hand_over:  # TW-10
                    load += wizard.load
                else:
                    freed += wizard.load
            load = tuple(sorted(load))
        wizards = _changed(wizards, seat, (move.start, move.load), new(Wizard, (end, load)))
        for robe in freed:
            if robe == JOKER:
                joker = True
            else:
                wizards = _changed(wizards, robe, None, AT_HOME)
        return wizards, joker, state.taken

    def _home(self, state: State, move: Move) -> Standing:
        """Return how they stand with one back on its start, and own ones that are freed (TW-4)."""
        seat, taken = move.seat, list(state.taken)
        at_home = [AT_HOME] * (1 + move.load.count(seat))
        wizards = _changed(state.wizards, seat, (move.start, move.load), *at_home)
        taken[seat] = tuple(sorted((*taken[seat], *self.brought(move))))
        back = JOKER in move.load and self._settings.joker_returns  # TW-10
        return wizards, state.joker or back, tuple(taken)


def _has_room(move: Move, double: int, crowds: frozenset[int]) -> bool:
    """Tell whether fewer than two wizards remain where a move ends (TW-3, TW-7)."""
    end = move.end
    if end == move.start:
        return True
    return (end != double or end == START) and (end not in crowds or JOKER in move.load)


def _is_pair(camp: Camp) -> bool:
    """Tell whether two or more of a player's wizards are on its start."""
    return len(camp) > 1 and camp[1].place == START


def _changed(
    wizards: tuple[Camp, ...], robe: Robe, gone: tuple[int, Load] | None, *new: Wizard
) -> tuple[Camp, ...]:
    """Return the wizards with one of a player's gone, or none, and others new."""
    camp, camps = [*wizards[robe]], [*wizards]
    if gone is not None:
        camp.remove(gone)  # type: ignore[arg-type]  # a wizard equals the tuple of its parts
    camp += new
    if len(camp) > 1:
        camp.sort()
    camps[robe] = tuple(camp)
    return tuple(camps)
