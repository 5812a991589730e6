"""What a match came to: each game counts its own, and fouls are counted alike in all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from companion.core.kit import KITS
from companion.format_names import format_name
from companion.referee.match import Foul, Match

FOUL: Final = (
    "foul"  # the weight of what somebody was told; warnings and what was withdrawn are not
)


@dataclass(frozen=True, slots=True)
class Summing:
    """How a game sums a match up, in a record of its own, at any moment."""

    part: ClassVar[str] = "summary"

    of: Callable[[Match], Any]


@format_name("Fouls")
@dataclass(frozen=True, slots=True)
class Fouls:
    """Fouls of one kind at one seat; what is neither upheld nor dismissed was left open."""

    code: str
    seat: str | None  # None: nobody knows whose
    raised: int
    upheld: int
    dismissed: int


def summary(match: Match) -> Any:
    """Return what a match came to so far; None: its game does not say."""
    summing = KITS[match.game.name].part(Summing)
    return None if summing is None else summing.of(match)


def counted_fouls(fouls: Iterable[Foul]) -> tuple[Fouls, ...]:
    """Return how the table ruled, by code and seat, in the order of raising."""
    kinds: dict[tuple[str, str | None], list[Foul]] = {}
    for foul in fouls:
        if foul.raised.weight == FOUL or foul.upheld is not None:
            kinds.setdefault((foul.raised.code, foul.seat), []).append(foul)
    return tuple(
        Fouls(
            code,
            seat,
            len(found),
            sum(foul.upheld is True for foul in found),
            sum(foul.upheld is False for foul in found),
        )
        for (code, seat), found in kinds.items()
    )
