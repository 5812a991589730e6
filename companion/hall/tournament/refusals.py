"""Errors of a tournament: what cannot be done, each with what to do instead."""

from collections import Counter

from companion.hall.tournament import events, proposals, standings
from companion.hall.tournament.events import Mode, Places, ProposedRound, TournamentEvent
from companion.hall.tournament.tournament import Guest, Tournament, TournamentMatch
from companion.referee.people.person import proper_name
from companion.system.errors import CompanionError

LONGEST_TABLE = 20
GUESTS = 1_000  # in a tournament, including those who have left


def demand(tournament: Tournament, event: TournamentEvent) -> None:  # noqa: C901, PLR0912 - a case for each event
    """Refuse an event that makes no sense."""
    match event:
        case events.CheckedIn():
            _newcomer(tournament, event)
        case events.Left(person):
            guest = known_guest(tournament, person)
            if not guest.here:
                raise CompanionError(
                    "{name} has already left; there is nothing to do.", name=guest.called
                )
        case events.CameBack(person):
            guest = known_guest(tournament, person)
            if guest.here:
                raise CompanionError(
                    "{name} is already here; there is nothing to do.", name=guest.called
                )
        case events.TableAdded(table):
            _new_table(tournament, table)
        case events.TableBroke(table) | events.TableMended(table):
            _table(tournament, table, whole=isinstance(event, events.TableBroke))
        case events.Chosen():
            _choice(tournament, event)
        case events.ProposedRound():
            demand_sound(tournament, event)
        case events.Begun():
            if tournament.proposal is None:
                raise CompanionError("No round has been proposed; propose one first.")
            demand_sound(tournament, tournament.proposal)
        case events.ResultEntered(number, places):
            _result(tournament, match_of(tournament, number), places, anew=True)
        case events.ResultCorrected(number, places):
            _result(tournament, match_of(tournament, number), places, anew=False)
        case events.MatchCancelled(number):
            if match_of(tournament, number).over:
                raise CompanionError("This match is over; correct its result instead.")
        case events.RoundCancelled(number):
            if not any(not match.over for match in tournament.of_round(number)):
                raise CompanionError("This round is over; correct its results instead.")


def known_guest(tournament: Tournament, person: str) -> Guest:
    """Return a guest; CompanionError: nobody knows who that is."""
    if person not in tournament.guests:
        raise CompanionError("Nobody here knows this person; check in first.")
    return tournament.guests[person]


def match_of(tournament: Tournament, number: int) -> TournamentMatch:
    """Return a match; CompanionError: there is none with that number."""
    if not 0 <= number < len(tournament.matches):
        raise CompanionError("There is no such match; choose one from the list.")
    return tournament.matches[number]


def _newcomer(tournament: Tournament, event: events.CheckedIn) -> None:
    name = proper_name(event.name)
    if name != event.name or event.person in tournament.guests:
        raise CompanionError("Part of this check-in is missing; type the name again.")
    if len(tournament.guests) >= GUESTS:
        raise CompanionError(
            "{count} people have checked in, and that is the limit; the director can begin "
            "another evening.",
            count=GUESTS,
        )
    for guest in tournament.guests.values():
        if (guest.name.casefold(), guest.animal) == (name.casefold(), event.animal):
            raise CompanionError(
                "{name} with this animal is already here; choose another animal, or add a letter.",
                name=guest.called,
            )


def _new_table(tournament: Tournament, table: str) -> None:
    if not table.strip() or len(table) > LONGEST_TABLE or not table.isprintable():
        raise CompanionError(
            "A table needs a short name, such as 7; {most} letters at most.", most=LONGEST_TABLE
        )
    if table in tournament.tables:
        raise CompanionError("There is already a table {table}; choose another name.", table=table)


def _table(tournament: Tournament, table: str, *, whole: bool) -> None:
    if table not in tournament.tables:
        raise CompanionError("There is no table {table}; add it first.", table=table)
    if tournament.tables[table] is not whole:
        raise CompanionError(
            "Table {table} is marked as broken; there is nothing to do."
            if whole
            else "Table {table} works; there is nothing to do.",
            table=table,
        )


def _choice(tournament: Tournament, event: events.Chosen) -> None:
    if not 2 <= event.fewest <= event.wanted <= event.most:
        raise CompanionError(
            "{fewest} to {most} people play this game; choose a number in that range.",
            fewest=event.fewest,
            most=event.most,
        )
    if not 1 <= event.go_on < event.most:
        raise CompanionError("Some players of a table must go on, but not all; choose 1 or 2.")
    if tournament.running and tournament.chosen and event.mode is not tournament.chosen.mode:
        raise CompanionError(
            "Matches are still being played; enter their results or cancel them, then choose again."
        )


# --- proposals ---------------------------------------------------------------------------------


def demand_sound(tournament: Tournament, proposal: ProposedRound) -> None:
    """Refuse a round that cannot be played now: somebody left, came, or plays; a table broke."""
    chosen = proposals.demand_choice(tournament)
    people = Counter(player for at in proposal.placings for player in at.players)
    people.update(proposal.byes)
    wanted, names = {*proposals.seatable(tournament)}, tournament.guests
    twice = [player for player, count in people.items() if count > 1]
    if twice:
        raise CompanionError(
            "{name} would sit in two places at once; propose again.", name=names[twice[0]].called
        )
    for person in people:
        guest = known_guest(tournament, person)
        if person not in wanted:
            raise CompanionError(
                "{name} cannot play now, having left, being out or playing already; propose again.",
                name=guest.called,
            )
    if chosen.mode is not Mode.CASUAL and tournament.running:
        raise CompanionError(
            "Matches are still being played; enter their results or cancel them first."
        )
    for person in wanted:
        # where play is casual, whoever came just waits
        if person not in people and chosen.mode is not Mode.CASUAL:
            raise CompanionError(
                "{name} has no place in this proposal; propose again.", name=names[person].called
            )
    _tables(tournament, proposal)
    for at in proposal.placings:
        if not 2 <= len(at.players) <= chosen.most:
            raise CompanionError(
                "{count} cannot play this game; it takes {fewest} to {most}.",
                count=len(at.players),
                fewest=chosen.fewest,
                most=chosen.most,
            )


def _tables(tournament: Tournament, proposal: ProposedRound) -> None:
    tables = [at.table for at in proposal.placings if at.table is not None]
    if not proposal.placings:
        raise CompanionError("Nobody would play in this round; propose again.")
    for table in tables:
        if table not in tournament.free_tables or tables.count(table) > 1:
            raise CompanionError("Table {table} is not free; propose again.", table=table)


# --- results -----------------------------------------------------------------------------------


def _result(tournament: Tournament, match: TournamentMatch, places: Places, *, anew: bool) -> None:
    if match.cancelled:
        raise CompanionError("This match was cancelled and has no result; play it again.")
    if anew and match.places is not None:
        raise CompanionError("There is already a result; correct that.")
    if not anew and match.result is None:
        raise CompanionError("There is no result to correct yet; enter it.")
    named = [player for place in places for player in place]
    if sorted(named) != sorted(match.players) or not all(places):
        raise CompanionError(
            "A result needs a place for each of {players}.",
            players=tuple(tournament.guests[player].called for player in match.players),
        )
    if tournament.rounds[match.round].chosen.mode is Mode.KNOCK_OUT:
        sharing = standings.undecided(places, standings.count_going_on(tournament, match))
        if sharing:
            raise CompanionError(
                "{players:and} share the place that decides who goes on; play it out or draw lots, "
                "then enter who came in ahead.",
                players=tuple(tournament.guests[player].called for player in sharing),
            )
