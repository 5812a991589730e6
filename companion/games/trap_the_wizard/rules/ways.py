"""Where a wizard can get to with a number of points, whoever stands at the end.

A walk is worked out field by field and remembered: for one board there are few questions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from companion.games.trap_the_wizard.rules.board import START, Robe
from companion.games.trap_the_wizard.rules.state import Settings

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
