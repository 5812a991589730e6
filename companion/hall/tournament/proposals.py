"""Proposes the next round, and says what a seating costs, also after two people were swapped."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from companion.hall.tournament import limits, seating_search, standings
from companion.hall.tournament.events import Chosen, Mode, ProposedRound, TableAssignment
from companion.hall.tournament.tournament import MeetingHistory, Tournament, past
from companion.system.errors import CompanionError
from companion.system.text import Text

STRONGEST = 1000


def proposed(
    tournament: Tournament, seed: int, strength: Mapping[str, int] | None = None
) -> ProposedRound:
    """Return a round that could be played next; CompanionError: why there can be none now."""
    chosen = demand_choice(tournament)
    question = _question(tournament, chosen)
    rules = seating_rules(tournament, strength)
    groups: tuple[seating_search.Group, ...] = seating_search.search(question, rules, seed)
    if chosen.mode is Mode.POINTS:  # only there the same people play the next round
        groups = seating_search.farsighted(
            groups, rules, question, partial(_next_question, tournament, question)
        )
    free = [*tournament.free_tables, *(None for _ in groups)]
    playing = {player for group in groups for player in group}
    return ProposedRound(
        tuple(TableAssignment(table, group) for table, group in zip(free, groups, strict=False)),
        tuple(person for person in seatable(tournament) if person not in playing),
    )


def demand_choice(tournament: Tournament) -> Chosen:
    """Return what is played; CompanionError: nobody has said."""
    if tournament.chosen is None:
        raise CompanionError("Choose first which game is played, and how.")
    return tournament.chosen


def seatable(tournament: Tournament) -> tuple[str, ...]:
    """Return who has a place in the next round, or a bye."""
    if tournament.chosen and tournament.chosen.mode is Mode.KNOCK_OUT:
        return standings.still_in(tournament)
    return tournament.free


def _question(tournament: Tournament, chosen: Chosen) -> seating_search.SeatingProblem:
    running, people = tournament.running, seatable(tournament)
    if chosen.mode is not Mode.CASUAL and running:
        raise CompanionError(
            "{tables:#Table|Tables} {tables:and} {tables:#is|are} still playing; enter the "
            "{tables:#result|results} or cancel what will not be finished.",
            tables=tuple(match.table or Text("(none yet)") for match in running),
        )
    if not tournament.free_tables:
        raise CompanionError("No table is free; add one, or wait for one.")
    if chosen.mode is Mode.KNOCK_OUT and len(people) == 1 and tournament.rounds:
        raise CompanionError("{name} has won.", name=tournament.guests[people[0]].called)
    at_tables = _sizes(tournament, chosen, len(people))
    if not at_tables:
        raise CompanionError(
            "At least {fewest} are needed for a match, and {count} {count:#is|are} free; check "
            "more people in, or wait for a table.",
            fewest=chosen.fewest,
            count=len(people),
        )
    return _resting(tournament, chosen, people, at_tables)


def _sizes(tournament: Tournament, chosen: Chosen, people: int) -> tuple[int, ...]:
    if chosen.mode is not Mode.KNOCK_OUT:
        tables = len(tournament.free_tables)
        return limits.sizes(people, tables, chosen.fewest, chosen.most, chosen.wanted)
    if 2 <= people <= max(chosen.wanted, chosen.fewest):
        return (people,)  # the final
    return limits.sizes(people, people, chosen.fewest, chosen.most, chosen.wanted)


def _resting(
    tournament: Tournament, chosen: Chosen, people: tuple[str, ...], at_tables: tuple[int, ...]
) -> seating_search.SeatingProblem:
    """Return who must play and who may rest: fair turns come before every other rule."""
    if chosen.mode is Mode.CASUAL:  # whoever has waited longest sits next
        turn = {person: -tournament.guests[person].since for person in people}
    else:
        turn = tournament.byes()
    return _by_turn(people, at_tables, turn)


def _next_question(
    tournament: Tournament,
    question: seating_search.SeatingProblem,
    groups: Sequence[seating_search.Group],
) -> seating_search.SeatingProblem:
    """Return the question of the next round, if nobody comes or goes."""
    people, playing = seatable(tournament), {player for group in groups for player in group}
    byes = {person: had + (person not in playing) for person, had in tournament.byes().items()}
    return _by_turn(people, question.sizes, byes)


def _by_turn(
    people: tuple[str, ...], at_tables: tuple[int, ...], turn: Mapping[str, int]
) -> seating_search.SeatingProblem:
    rest = len(people) - sum(at_tables)
    if not rest:
        return seating_search.SeatingProblem(people, (), at_tables)
    last = sorted(turn[person] for person in people)[rest - 1]  # of those whose turn it is to rest
    return seating_search.SeatingProblem(
        tuple(person for person in people if turn[person] > last),
        tuple(person for person in people if turn[person] == last),
        at_tables,
    )


def seating_rules(
    tournament: Tournament, strength: Mapping[str, int] | None = None
) -> seating_search.SeatingRules:
    mode = tournament.chosen.mode if tournament.chosen else Mode.CASUAL
    if strength is None and mode is not Mode.CASUAL:
        tallies = standings.tally(tournament, tournament.rounds)
        strength = {person: min(STRONGEST, sums.points) for person, sums in tallies.items()}
    return seating_search.SeatingRules(
        past(tournament, Counter(strength or {})), apart=mode is Mode.KNOCK_OUT
    )


# --- by hand -----------------------------------------------------------------------------------


def swapped(tournament: Tournament, first: str, second: str) -> ProposedRound:
    """Return the proposal with two people in each other's places, or one of them resting."""
    proposal = tournament.proposal
    if proposal is None:
        raise CompanionError("There is no proposal to change; propose a round first.")
    people = {*proposal.byes, *(person for at in proposal.placings for person in at.players)}
    for person in (first, second):
        if person not in people:
            raise CompanionError("Only people of this proposal can be swapped; propose again.")
    change = {first: second, second: first}

    def put(group: seating_search.Group) -> seating_search.Group:
        return tuple(change.get(person, person) for person in group)

    return ProposedRound(
        tuple(replace(at, players=put(at.players)) for at in proposal.placings), put(proposal.byes)
    )


def price(tournament: Tournament, proposal: ProposedRound) -> tuple[Text, ...]:
    """Return in sentences what a proposal costs, the weightiest first; nothing for the best one."""
    groups = [at.players for at in proposal.placings]
    seen = past(tournament)
    return (
        *_repeats(tournament, groups, seen),
        *_rests(tournament, proposal),
        *_seats(groups, seen),
    )


def _repeats(
    tournament: Tournament, groups: list[seating_search.Group], seen: MeetingHistory
) -> list[Text]:
    return [
        Text(
            "{one} and {other} have met before."
            if seen.met[player, other] == 1
            else "{one} and {other} have met {count} times before.",
            one=tournament.guests[player].called,
            other=tournament.guests[other].called,
            count=seen.met[player, other],
        )
        for group in groups
        for player, other in combinations(group, 2)
        if seen.met[player, other]
    ]


def _rests(tournament: Tournament, proposal: ProposedRound) -> list[Text]:
    had = tournament.byes()
    playing = [had[player] for at in proposal.placings for player in at.players]
    return [
        Text(
            "{name} has a bye, though others have had fewer.", name=tournament.guests[person].called
        )
        for person in proposal.byes
        if playing and had[person] > min(playing)
    ]


def _seats(groups: list[seating_search.Group], seen: MeetingHistory) -> list[Text]:
    worse = sum(
        _seat_cost(group, seen) > _seat_cost(seating_search.seated(group, seen), seen)
        for group in groups
    )
    if not worse:
        return []
    return [
        Text(
            "At {count} {count:#table|tables}, the seats could be shared out more fairly.",
            count=worse,
        )
    ]


def _seat_cost(group: seating_search.Group, seen: MeetingHistory) -> int:
    return sum(seen.sat[player, place] for place, player in enumerate(group))
