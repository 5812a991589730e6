"""Evenings for tests: how to have people, tables and results in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.hall.tournament import events
from companion.hall.tournament.events import Begun, Mode, ResultEntered, TournamentEvent
from companion.hall.tournament.proposals import proposed
from companion.hall.tournament.refusals import done
from companion.hall.tournament.tournament import Tournament
from companion.referee.people.person import Animal


def opened(
    people: int, tables: int, mode: Mode = Mode.POINTS, wanted: int = 4, go_on: int = 2
) -> list[TournamentEvent]:
    """Return how an evening opens for people named p0, p1, ... at tables 1, 2, ..."""
    return [
        *(events.CheckedIn(f"p{at}", f"Person {at}", Animal.FOX) for at in range(people)),
        *(events.TableAdded(str(at + 1)) for at in range(tables)),
        events.Chosen("a game", mode, 2, 4, wanted, go_on),
    ]


def all_done(evening: Tournament, several: Sequence[TournamentEvent]) -> Tournament:
    """Return the evening after deeds, none of which may be refused."""
    for deed in several:
        evening = done(evening, deed)
    return evening


def begun(evening: Tournament, seed: int = 0) -> Tournament:
    """Return the evening with the round begun that is proposed."""
    return all_done(evening, [proposed(evening, seed), Begun()])


def in_order(players: Sequence[str]) -> events.Places:
    """Return a result without equals."""
    return tuple((one,) for one in players)


def played(evening: Tournament, chance: Random) -> Tournament:
    """Return the evening with everything that runs played to the end by chance."""
    for match in evening.running:
        order = [*match.players]
        chance.shuffle(order)
        evening = done(evening, ResultEntered(match.id, in_order(order)))
    return evening
