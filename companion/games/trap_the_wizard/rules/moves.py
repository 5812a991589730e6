"""How wizards move: who may end where, whom that captures, and what a return home brings."""

from functools import lru_cache
from typing import Final, NamedTuple

from companion.games.trap_the_wizard.rules.board import PLAYERS, START, Robe
from companion.games.trap_the_wizard.rules.model import (
    SIDES,
    Camp,
    Load,
    Move,
    Settings,
    State,
    Wizard,
    new,
)

Path = tuple[int, ...]  # the fields that a wizard comes to; START at the end of a way home
NOBODY: Final[frozenset[int]] = frozenset()


class Ways:
    """The ways on one board under one set of rules."""

    def __init__(self, settings: Settings) -> None:
        self._joined = settings.board.neighbours()
        self._homes = settings.board.homes
        self._turn_back = settings.turn_back
        self._home_exact = settings.home_exact
        self.paths = lru_cache(maxsize=100_000)(self._paths)
        self.ends = lru_cache(maxsize=100_000)(self._ends)

    def _paths(
        self, seat: Robe, place: int, points: int, blocked: frozenset[int] = NOBODY
    ) -> dict[int, Path]:
        """Return a path to every place where the points can end, `blocked` fields not passed.

        START is among them, with its shortest path, if the way home is not too long.
        """
        door, ends = self._homes[seat], dict[int, Path]()
        walks: dict[tuple[int, int], Path] = {(place, START): ()}  # by field and the one before
        for used in range(points):
            longer: dict[tuple[int, int], Path] = {}
            for (field, before), path in walks.items():
                if path and field in blocked:
                    continue
                if field == door and place != START and used + 1 in self._home_at(points):
                    ends.setdefault(START, (*path, START))  # TW-10: a rest may be left over
                for to in (door,) if field == START else self._joined[field]:
                    if to != before or self._turn_back:  # TW-10
                        longer.setdefault((to, field), (*path, to))
            walks = longer
        for (field, _), path in walks.items():
            ends.setdefault(field, path)
        return ends

    def _ends(
        self, seat: Robe, place: int, points: int, home: bool, blocked: frozenset[int] = NOBODY
    ) -> tuple[int, ...]:
        """Return the places where the points can end, ascending; START only for who may go home."""
        paths = self.paths(seat, place, points, blocked)
        return tuple(sorted(end for end in paths if end != START or home))

    def _home_at(self, points: int) -> range:
        """Return how many points the way home may take."""
        return range(points if self._home_exact else 1, points + 1)


JOKER: Final = Robe.JOKER
AT_HOME: Final = Wizard(START)
FULL: Final = 2  # TW-3
MOST_OFFERS: Final = 2_000  # that are remembered, of a player and a number of points


Standing = tuple[tuple[Camp, ...], bool, tuple[Load, ...]]  # wizards, joker, taken
Offer = tuple[Move, ...]


class Catch(NamedTuple):
    """A wizard that a move captures, with what it holds itself."""

    robe: Robe
    wizard: Wizard


class Moves:
    """The moves on one board under one set of rules."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._ways = Ways(settings)
        self._special = frozenset(settings.board.special)
        self._joker_field = settings.board.joker
        self._spares = settings.joker_spares
        self._offers: list[list[dict[Wizard, Offer]]] = [  # by player and points
            [{} for _ in range(SIDES + 1)] for _ in PLAYERS
        ]
        # Wizards asked about last, where they stand, and whether each is alone there.
        self._stood: tuple[tuple[Camp, ...], list[int], bool] = (), [], True

    def legal(
        self, wizards: tuple[Camp, ...], seat: Robe, points: int, rest: bool
    ) -> tuple[Move, ...]:
        """Return the moves of a player; a rest is for another wizard than the one come home."""
        offers, camp = self._offers[seat][points], wizards[seat]
        places, alone = self._places(wizards)
        moves: Offer = ()
        for wizard in camp if alone else dict.fromkeys(camp):  # equal ones are the same choice
            if rest and wizard.place == START and not _is_pair(camp):  # TW-5
                continue
            moves += offers.get(wizard) or self._offer(wizards, seat, wizard, points)
        if self._spares:
            moves += self._sparing(wizards, moves)
        if alone:
            return moves
        return tuple([m for m in moves if places.count(m.end) < FULL or self._has_room(m, camp)])

    def _places(self, wizards: tuple[Camp, ...]) -> tuple[list[int], bool]:
        """Return the place of every wizard, and whether each is alone: often known since a move."""
        asked, places, alone = self._stood
        if asked is not wizards:
            places = [wizard[0] for camp in wizards for wizard in camp]
            alone = len({*places}) == len(places)
            self._stood = wizards, places, alone
        return places, alone

    def _offer(self, wizards: tuple[Camp, ...], seat: Robe, wizard: Wizard, points: int) -> Offer:
        """Return where a wizard could go if nobody stood there; remember it, if nobody blocks."""
        blocked = self._blocked(wizards, wizard.place)
        offer = self._make_offers(seat, wizard, points, blocked)
        if not blocked:
            offers = self._offers[seat][points]
            if len(offers) >= MOST_OFFERS:
                offers.clear()
            offers[wizard] = offer
        return offer

    def _blocked(self, wizards: tuple[Camp, ...], start: int) -> frozenset[int]:
        """Return the fields that whoever walks from there may not pass over: usually none (TW-10).

        It does not stand in its own way, where it may turn back.
        """
        if self.settings.pass_over:
            return NOBODY
        standing = [wizard.place for camp in wizards for wizard in camp]
        return frozenset([place for place in standing if standing.count(place) > (place == start)])

    def _make_offers(
        self, seat: Robe, wizard: Wizard, points: int, blocked: frozenset[int]
    ) -> tuple[Move, ...]:
        """Return where a wizard could go if nobody stood there; START only with opponents."""
        place, load = wizard
        home = bool({*load} - {seat, JOKER})  # TW-4
        ends = self._ways.ends(seat, place, points, home, blocked)
        return tuple([Move(seat, place, end, load) for end in ends])

    def _sparing(self, wizards: tuple[Camp, ...], offers: Offer) -> Offer:
        """Return the moves with which the joker's holder shares a special field instead (TW-7).

        Beside it there is room for one alone.
        """
        shared: Offer = ()
        for seat, start, end, load in [(m.seat, m.start, m.end, m.load) for m in offers]:
            if JOKER in load and end in self._special:
                there = [PLAYERS[r] for r, camp in enumerate(wizards) for w in camp if w[0] == end]
                if start == end:
                    there.remove(seat)
                if len(there) == 1 and seat not in there:
                    shared += (Move(seat, start, end, load, tuple(there)),)
        return shared

    def _has_room(self, move: Move, camp: Camp) -> bool:
        """Tell whether a move may end on a place where two or more wizards stand (TW-3)."""
        end = move.end
        if end in {START, move.start}:
            return True
        if [wizard.place for wizard in camp].count(end) == FULL:
            return False
        return end not in self._special or JOKER in move.load  # TW-2, TW-7: they are captured

    def path(self, state: State, move: Move) -> Path:
        """Return the places that a legal move comes to, in order."""
        blocked = self._blocked(state.wizards, move.start)
        return self._ways.paths(move.seat, move.start, state.points, blocked)[move.end]

    def reach(self, state: State, move: Move) -> frozenset[int]:
        """Return where a wizard could end if nobody stood there, for whoever asks why it cannot."""
        blocked = self._blocked(state.wizards, move.start)
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
        if move.spare:
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
        unscored = {move.seat} if self.settings.joker_scores else {move.seat, JOKER}
        return tuple(robe for robe in move.load if robe not in unscored)

    def after(self, state: State, move: Move) -> Standing:
        start, end, load = move.start, move.end, move.load
        if end == START:
            return self._home(state, move)
        wizards, joker = state.wizards, state.joker
        places, alone = self._places(wizards)
        if joker and end == self._joker_field:
            load, joker = (*load, JOKER), False
        if end in places and (caught := self.caught(state, move)):
            wizards, load, freed = self._captured(wizards, load, caught)
            joker = joker or JOKER in freed
        wizards = _changed(wizards, move.seat, (start, move.load), new(Wizard, (end, load)))
        if alone and end not in places:
            self._stood = wizards, [end if place == start else place for place in places], True
        return wizards, joker, state.taken

    def _captured(
        self, wizards: tuple[Camp, ...], load: Load, caught: list[Catch]
    ) -> tuple[tuple[Camp, ...], Load, Load]:
        """Return the wizards that remain, what the captor holds, and who is freed (TW-10)."""
        freed: Load = ()
        for robe, wizard in caught:
            wizards = _changed(wizards, robe, wizard)
            load = (*load, robe)
            if self.settings.hand_over:
                load += wizard.load
            else:
                freed += wizard.load
        for robe in freed:
            if robe != JOKER:
                wizards = _changed(wizards, robe, None, AT_HOME)
        return wizards, tuple(sorted(load)), freed

    def _home(self, state: State, move: Move) -> Standing:
        """Return how they stand with one back on its start, and own ones that are freed (TW-4)."""
        seat, taken = move.seat, list(state.taken)
        at_home = [AT_HOME] * (1 + move.load.count(seat))
        wizards = _changed(state.wizards, seat, (move.start, move.load), *at_home)
        taken[seat] = tuple(sorted((*taken[seat], *self.brought(move))))
        back = JOKER in move.load and self.settings.joker_returns  # TW-10
        return wizards, state.joker or back, tuple(taken)


def _is_pair(camp: Camp) -> bool:
    """Tell whether two or more of a player's wizards are on its start."""
    return len(camp) > 1 and camp[1].place == START


def _changed(
    wizards: tuple[Camp, ...], robe: Robe, gone: tuple[int, Load] | None, *new: Wizard
) -> tuple[Camp, ...]:
    """Return the wizards with one of a player's gone, or none, and others new."""
    camps, camp = [*wizards], [*wizards[robe]]
    if gone is not None:
        camp.remove(gone)  # type: ignore[arg-type]  # a wizard equals the tuple of its parts
    if camp:
        camp += new
        camp.sort()
        new = tuple(camp)
    camps[robe] = new
    return tuple(camps)
