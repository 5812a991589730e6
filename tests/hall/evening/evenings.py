"""Evenings for tests: how to have people, tables and results in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.hall.evening import deeds
from companion.hall.evening.deeds import Begun, Deed, Mode, ResultEntered
from companion.hall.evening.evening import Evening
from companion.hall.evening.proposals import proposed
from companion.hall.evening.refusals import done
from companion.people.person import Animal


def opened(
    people: int, tables: int, mode: Mode = Mode.POINTS, wanted: int = 4, go_on: int = 2
) -> list[Deed]:
    """Return how an evening opens for people named p0, p1, ... at tables 1, 2, ..."""
    return [
        *(deeds.CheckedIn(f"p{at}", f"Person {at}", Animal.FOX) for at in range(people)),
        *(deeds.TableAdded(str(at + 1)) for at in range(tables)),
        deeds.Chosen("a game", mode, 2, 4, wanted, go_on),
    ]


def all_done(evening: Evening, several: Sequence[Deed]) -> Evening:
    """Return the evening after deeds, none of which may be refused."""
    for deed in several:
        evening = done(evening, deed)
    return evening


def begun(evening: Evening, seed: int = 0) -> Evening:
    """Return the evening with the round begun that is proposed."""
    return all_done(evening, [proposed(evening, seed), Begun()])


def in_order(players: Sequence[str]) -> deeds.Places:
    """Return a result without equals."""
    return tuple((one,) for one in players)


def played(evening: Evening, chance: Random) -> Evening:
    """Return the evening with everything that runs played to the end by chance."""
    for match in evening.running:
        order = [*match.players]
        chance.shuffle(order)
        evening = done(evening, ResultEntered(match.id, in_order(order)))
    return evening
