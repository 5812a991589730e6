"""How long it takes to seat 64 people, and how well it is done, round after round."""

import time
from itertools import combinations
from random import Random
from typing import Any, Final

from companion.hall.tournament.events import (
    Begun,
    CheckedIn,
    Chosen,
    Mode,
    ResultEntered,
    TableAdded,
    TournamentEvent,
)
from companion.hall.tournament.proposals import proposed
from companion.hall.tournament.tournament import Tournament, apply, past, replay
from companion.referee.people.person import Animal

PEOPLE, TABLES, ROUNDS = 64, 16, 8
GAME: Final = "a game"


def seating() -> dict[str, Any]:
    """Return the longest that a round took, and how many met somebody again in all rounds."""
    people: list[TournamentEvent] = [
        CheckedIn(f"{n}", f"Person {n}", Animal.FOX) for n in range(PEOPLE)
    ]
    tables: list[TournamentEvent] = [TableAdded(f"{n + 1}") for n in range(TABLES)]
    evening = replay([*people, *tables, Chosen(GAME, Mode.POINTS, 2, 4, 4)], Tournament())
    chance, longest_s, reckoned_s, repeats = Random(64), 0.0, 0.0, 0
    for seed in range(ROUNDS):
        begun_s, before_s = time.perf_counter(), time.process_time()
        proposal = proposed(evening, seed)
        longest_s = max(longest_s, time.perf_counter() - begun_s)
        reckoned_s = max(reckoned_s, time.process_time() - before_s)
        met = past(evening).met
        for at in proposal.placings:
            repeats += sum(met[pair] for pair in combinations(at.players, 2))
        evening = replay([proposal, Begun()], evening)
        for match in evening.running:
            order = [*match.players]
            chance.shuffle(order)
            evening = apply(evening, ResultEntered(match.id, tuple((one,) for one in order)))
    found = {"seat_64_s": round(longest_s, 2), "seat_64_cpu_s": round(reckoned_s, 2)}
    return found | {"seat_64_repeats": repeats}
