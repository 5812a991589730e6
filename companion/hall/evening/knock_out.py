"""Who is still in a knock-out: it follows from the results alone, even after a correction.

Whoever lost to somebody who should not have been in that match lost to nobody: those are left out
when it is counted who goes on. Whoever was wrongly out is in again, and plays in the next round.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.hall.evening.evening import Evening, Match, Round


def entrants(evening: Evening) -> tuple[str, ...]:
    """Return who is or was in the present knock-out, or would be if it began."""
    rounds = rounds_of_contest(evening)
    if not rounds:
        return evening.here
    players = (one for match in evening.of_round(rounds[0].id) for one in match.players)
    return (*players, *rounds[0].byes)


def rounds_of_contest(evening: Evening) -> tuple[Round, ...]:
    """Return the rounds that count together with what is played now."""
    return tuple(
        one for one in evening.rounds if one.contest == evening.contest and not one.cancelled
    )


def still_in(evening: Evening) -> tuple[str, ...]:
    """Return who has not been beaten and is here, even while matches of this round run."""
    out = beaten(evening)
    return tuple(one for one in entrants(evening) if one not in out and evening.guests[one].here)


def beaten(evening: Evening) -> dict[str, int]:
    """Return who is out, and in which round they were beaten or had left."""
    inside, out = {*entrants(evening)}, dict[str, int]()
    for round_ in rounds_of_contest(evening):
        gone = inside & round_.absent
        for match in evening.of_round(round_.id):
            order = [one for place in match.result or () for one in place if one in inside]
            gone.update(order[go_on(evening, match) :])
        out |= dict.fromkeys(gone, round_.id)
        inside -= gone
    return out


def go_on(evening: Evening, match: Match) -> int:
    """Return how many of a match go on: fewer than play it, and of a final nobody but the first."""
    round_ = evening.rounds[match.round]
    if len(evening.of_round(match.round)) == 1 and not round_.byes:
        return 1
    return max(1, min(round_.chosen.go_on, len(match.players) - 1))


def undecided(places: Collection[tuple[str, ...]], most: int) -> tuple[str, ...]:
    """Return those who share the place that decides who goes on.

    >>> undecided((("a",), ("b", "c")), 2), undecided((("a", "b"), ("c",)), 2)
    (('b', 'c'), ())
    """
    ahead = 0
    for place in places:
        if ahead < most < ahead + len(place):
            return place
        ahead += len(place)
    return ()
