"""Tournaments for tests: how to have people, tables and results in a line each."""

from collections.abc import Sequence
from random import Random

from companion.hall.tournament import events
from companion.hall.tournament.events import Begun, Mode, ResultEntered, TournamentEvent
from companion.hall.tournament.proposals import proposed
from companion.hall.tournament.refusals import demand
from companion.hall.tournament.tournament import Tournament, apply
from companion.referee.people.person import Animal


def apply_checked(tournament: Tournament, event: TournamentEvent) -> Tournament:
    """Return the tournament after an event; CompanionError: why it is impossible."""
    demand(tournament, event)
    return apply(tournament, event)


def opened(
    people: int, tables: int, mode: Mode = Mode.POINTS, wanted: int = 4, go_on: int = 2
) -> list[TournamentEvent]:
    """Return how a tournament opens for people named p0, p1, ... at tables 1, 2, ..."""
    return [
        *(events.CheckedIn(f"p{at}", f"Person {at}", Animal.FOX) for at in range(people)),
        *(events.TableAdded(str(at + 1)) for at in range(tables)),
        events.Chosen("a game", mode, 2, 4, wanted, go_on),
    ]


def all_done(tournament: Tournament, several: Sequence[TournamentEvent]) -> Tournament:
    """Return the tournament after events, none of which may be refused."""
    for event in several:
        tournament = apply_checked(tournament, event)
    return tournament


def begun(tournament: Tournament, seed: int = 0) -> Tournament:
    """Return the tournament with the round begun that is proposed."""
    return all_done(tournament, [proposed(tournament, seed), Begun()])


def in_order(players: Sequence[str]) -> events.Places:
    """Return a result without equals."""
    return tuple((one,) for one in players)


def played(tournament: Tournament, chance: Random) -> Tournament:
    """Return the tournament with everything that runs played to the end by chance."""
    for match in tournament.running:
        order = [*match.players]
        chance.shuffle(order)
        tournament = apply_checked(tournament, ResultEntered(match.id, in_order(order)))
    return tournament
