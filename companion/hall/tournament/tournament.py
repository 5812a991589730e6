"""A tournament as its events have made it, and what each event makes of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import combinations

from companion.hall.tournament import events
from companion.referee.people.person import Animal


@dataclass(frozen=True, slots=True)
class Guest:
    id: str
    name: str
    animal: Animal
    here: bool
    since: int  # since when this guest has waited: how many events had freed somebody before
    credit: int = 0  # byes credited, because others had them before this guest came

    @property
    def called(self) -> str | Animal:
        return self.name or self.animal


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """What is or was played at one table."""

    id: int
    round: int
    table: str | None  # None: the players wait for one
    players: tuple[str, ...]  # in the order of their seats
    places: events.Places | None = None  # as somebody entered them
    left: tuple[str, ...] = ()  # those who left before the end
    cancelled: bool = False

    @property
    def still(self) -> tuple[str, ...]:
        """Return who has not left."""
        return tuple(player for player in self.players if player not in self.left)

    @property
    def over(self) -> bool:
        """Whether nobody plays it any more: also when only one is left."""
        return self.cancelled or self.places is not None or len(self.still) < 2

    @property
    def result(self) -> events.Places | None:
        """Return how it ended; whoever is left alone has won, unless somebody says otherwise."""
        if self.places is not None or self.cancelled or len(self.still) != 1:
            return self.places
        return self.still, *((player,) for player in reversed(self.left))


@dataclass(frozen=True, slots=True)
class Round:
    id: int
    contest: int
    chosen: events.Chosen
    byes: tuple[str, ...]
    absent: frozenset[str]  # who had left when it began
    before: tuple[events.LastMatch, ...] = ()  # what its tables had played last
    cancelled: bool = False  # before there was any result: it does not count


@dataclass(frozen=True, slots=True)
class Tournament:
    guests: Mapping[str, Guest] = field(default_factory=dict)  # in the order in which they came
    tables: Mapping[str, bool] = field(default_factory=dict)  # by name: is it whole?
    chosen: events.Chosen | None = None
    contest: int = 0  # rises with each new mode; each has standings of its own
    proposal: events.ProposedRound | None = None
    rounds: tuple[Round, ...] = ()
    matches: tuple[TournamentMatch, ...] = ()
    freed: int = 0  # events so far after which somebody began to wait

    @property
    def here(self) -> tuple[str, ...]:
        """Return who has not left."""
        return tuple(guest.id for guest in self.guests.values() if guest.here)

    @property
    def running(self) -> tuple[TournamentMatch, ...]:
        return tuple(match for match in self.matches if not match.over)

    @property
    def free(self) -> tuple[str, ...]:
        """Return who is here and not playing."""
        busy = {player for match in self.running for player in match.still}
        return tuple(guest for guest in self.here if guest not in busy)

    @property
    def free_tables(self) -> tuple[str, ...]:
        """Return the whole tables at which nobody plays."""
        taken = {match.table for match in self.running}
        return tuple(name for name, whole in self.tables.items() if whole and name not in taken)

    @property
    def played(self) -> tuple[TournamentMatch, ...]:
        """Return every match that counts, including those that still run."""
        return tuple(match for match in self.matches if not match.cancelled)

    def of_round(self, number: int) -> tuple[TournamentMatch, ...]:
        return tuple(match for match in self.matches if match.round == number)

    def byes(self) -> dict[str, int]:
        """Return how often each guest had a bye."""
        had = {guest.id: guest.credit for guest in self.guests.values()}
        for round_ in self.rounds:
            for guest in () if round_.cancelled else round_.byes:
                had[guest] += 1
        return had


def replay(
    all_events: Iterable[events.TournamentEvent], tournament: Tournament | None = None
) -> Tournament:
    return reduce(apply, all_events, tournament or Tournament())


def apply(tournament: Tournament, event: events.TournamentEvent) -> Tournament:
    """Return the tournament after an event that was not refused."""
    then = _applied(tournament, event)
    if then.matches != tournament.matches or then.tables != tournament.tables:
        then = _at_tables(then)
    if isinstance(event, events.ResultCorrected):  # nobody begins to wait because of that
        return then
    return _waiting(tournament, then)


def _applied(tournament: Tournament, event: events.TournamentEvent) -> Tournament:
    match event:
        case events.CheckedIn(person, name, animal):
            guest = Guest(person, name, animal, here=True, since=0, credit=_fewest_byes(tournament))
            return _with(tournament, guest)
        case events.Left(person):
            then = _with(tournament, replace(tournament.guests[person], here=False))
            return _each(then, lambda match: _leaving(match, person))
        case events.CameBack(person):
            return _back(tournament, person)
        case events.TableAdded(table) | events.TableMended(table):
            return replace(tournament, tables={**tournament.tables, table: True})
        case events.TableBroke(table):
            then = replace(tournament, tables={**tournament.tables, table: False})
            return _each(then, lambda match: _away(match, table))
        case events.Chosen():
            new = tournament.chosen is not None and event.mode is not tournament.chosen.mode
            contest = tournament.contest + new
            return replace(tournament, chosen=event, contest=contest, proposal=None)
        case events.ProposedRound():
            return replace(tournament, proposal=event)
        case events.Begun(before):
            return _begun(tournament, before)
        case events.ResultEntered(number, places) | events.ResultCorrected(number, places):
            return _each(
                tournament,
                lambda match: replace(match, places=places) if match.id == number else match,
            )
        case events.MatchCancelled(number):
            then = _each(tournament, lambda match: _cancelled(match, match.id == number))
            return _without_empty_rounds(then)
        case events.RoundCancelled(number):
            then = _each(tournament, lambda match: _cancelled(match, match.round == number))
            return _without_empty_rounds(then)
    raise TypeError(f"{event} is not an event of a tournament")


def _begun(tournament: Tournament, before: tuple[events.LastMatch, ...]) -> Tournament:
    proposal, chosen = tournament.proposal, tournament.chosen
    assert proposal is not None
    assert chosen is not None
    number, first = len(tournament.rounds), len(tournament.matches)
    absent = frozenset(tournament.guests) - {*tournament.here}
    matches = tuple(
        TournamentMatch(first + place, number, placing.table, placing.players)
        for place, placing in enumerate(proposal.placings)
    )
    round_ = Round(number, tournament.contest, chosen, proposal.byes, absent, before)
    return replace(
        tournament,
        rounds=(*tournament.rounds, round_),
        matches=tournament.matches + matches,
        proposal=None,
    )


def _back(tournament: Tournament, person: str) -> Tournament:
    guest = tournament.guests[person]
    least = _fewest_byes(tournament)
    missing = max(0, least - tournament.byes()[person])
    then = _with(tournament, replace(guest, here=True, credit=guest.credit + missing))
    return _each(then, lambda match: match if match.over else _returned(match, person))


def _fewest_byes(tournament: Tournament) -> int:
    """Return how many byes a newcomer is credited with: as few as anybody here has had."""
    had = tournament.byes()
    return min((had[guest] for guest in tournament.here), default=0)


def _with(tournament: Tournament, guest: Guest) -> Tournament:
    return replace(tournament, guests={**tournament.guests, guest.id: guest})


def _each(
    tournament: Tournament, change: Callable[[TournamentMatch], TournamentMatch]
) -> Tournament:
    return replace(tournament, matches=tuple(map(change, tournament.matches)))


def _leaving(match: TournamentMatch, person: str) -> TournamentMatch:
    if match.over or person not in match.players:
        return match
    return replace(match, left=(*match.left, person))


def _returned(match: TournamentMatch, person: str) -> TournamentMatch:
    return replace(match, left=tuple(player for player in match.left if player != person))


def _away(match: TournamentMatch, table: str) -> TournamentMatch:
    return replace(match, table=None) if match.table == table and not match.over else match


def _cancelled(match: TournamentMatch, named: bool) -> TournamentMatch:
    return replace(match, cancelled=True) if named and not match.over else match


def _without_empty_rounds(tournament: Tournament) -> Tournament:
    """Return it with every round ignored whose matches were all cancelled."""
    rounds = tuple(
        replace(round_, cancelled=all(match.cancelled for match in tournament.of_round(round_.id)))
        for round_ in tournament.rounds
    )
    return replace(tournament, rounds=rounds)


def _at_tables(tournament: Tournament) -> Tournament:
    """Return it with those who wait for a table seated at the next free ones."""
    free = iter(tournament.free_tables)
    matches = tuple(
        match if match.over or match.table is not None else replace(match, table=next(free, None))
        for match in tournament.matches
    )
    return replace(tournament, matches=matches)


def _waiting(before: Tournament, then: Tournament) -> Tournament:
    """Return it with everybody whom this event freed waiting from now on."""
    fresh = {*then.free} - {*before.free}
    if not fresh:
        return then
    guests = {
        guest.id: replace(guest, since=then.freed + 1) if guest.id in fresh else guest
        for guest in then.guests.values()
    }
    return replace(then, guests=guests, freed=then.freed + 1)


@dataclass(frozen=True, slots=True)
class MeetingHistory:
    """Who met whom how often, and who sat where; only what counts, including what still runs."""

    met: Counter[tuple[str, str]] = field(default_factory=Counter)  # both ways round
    games: Counter[str] = field(default_factory=Counter)
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)  # as first, second, ... in turn
    strength: Counter[str] = field(default_factory=Counter)


def past(tournament: Tournament, strength: Counter[str] | None = None) -> MeetingHistory:
    """Return it; `strength` says who is how good."""
    history = MeetingHistory(strength=strength or Counter())
    for match in tournament.played:
        history.games.update(match.players)
        history.sat.update((player, place) for place, player in enumerate(match.players))
        for player, other in combinations(match.players, 2):
            history.met[player, other] += 1
            history.met[other, player] += 1
    return history
