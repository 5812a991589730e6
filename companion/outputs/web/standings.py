"""How those whom the table remembers decide and hear, over all matches that the coach can judge.

It is worked out again from the journal for whoever asks: with a person all of it is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.coach.evenings import Played, Standing, standing
from companion.journal import Match
from companion.outputs.web.phones import Phones
from companion.people.person import Person
from companion.text import SeatName


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """Somebody, and what the matches came to."""

    person: Person
    standing: Standing


def standings(phones: Phones, matches: Sequence[Match]) -> tuple[list[PersonStanding], int]:
    """Return everybody who is known and was judged, and how many matches are still to be read."""
    pasts = {one.id: one for one in phones.library.pasts(matches)}
    known = {match: pasts[match.id] for match in matches if match.id in pasts}
    known = {match: past for match, past in known.items() if not past.coached}
    judged, left = phones.reports.played(known)
    found: dict[str, list[Played]] = {}
    for match in reversed(matches):  # the oldest first
        if match not in judged:
            continue
        for seat, person in phones.people.in_match(match.id).people:
            if (one := judged[match].get(SeatName[seat.upper()])) is not None:
                found.setdefault(person.id, []).append(one)
    people = [
        PersonStanding(person, stand)
        for person in phones.people.known
        if (stand := standing(found.get(person.id, []))) is not None
    ]
    people.sort(key=lambda one: -one.standing.matches)
    return people, left + len(matches) - len(pasts)
