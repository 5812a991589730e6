"""What pages show of a tournament: people by name and animal, seats by colour, standings."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from companion.core.plugin import PLUGINS, seats_of
from companion.hall import accounts, tournament_store
from companion.hall.hall import Hall
from companion.hall.tournament import proposals, refusals
from companion.hall.tournament.events import Chosen, Mode, TableAssignment
from companion.hall.tournament.limits import points, spread
from companion.hall.tournament.standings import BY, SHARED, Rating, standings
from companion.hall.tournament.tournament import Guest, Tournament, TournamentMatch
from companion.present import icons, page, viewer
from companion.referee.people.person import Animal, Person, isolated
from companion.system.errors import CompanionError
from companion.web.common import flask_app


@cache
def face(animal: Animal) -> Markup:
    """Return the picture of an animal, where the page has `drawings`."""
    return Markup('<svg class="animal" aria-hidden="true"><use href="#animal-{}"/></svg>').format(
        animal.value
    )


@cache
def drawings() -> Markup:
    """Return what a page needs once: all animals, hidden."""
    each = Markup(
        '<symbol id="animal-{}" viewBox="0 0 48 48">'
        '<path fill="currentColor" fill-rule="evenodd" d="{}"/></symbol>'
    )
    drawn = Markup("").join(each.format(animal.value, icons.SHAPES[animal]) for animal in Animal)
    return Markup('<svg class="unseen" aria-hidden="true">{}</svg>').format(drawn)


@dataclass(frozen=True, slots=True)
class SeatedGuest:
    person: str
    seat: str  # its colour; "" where the game is not installed here


def sittings(game: str, players: Sequence[str]) -> list[SeatedGuest]:
    seats = spread(seats_of(game), len(players)) if game in PLUGINS else ("",) * len(players)
    return [SeatedGuest(player, seat) for player, seat in zip(players, seats, strict=True)]


def parts(tournament: Tournament, visitor: accounts.Visitor) -> dict[str, Any]:
    reader, chosen = visitor.reader, tournament.chosen
    names = called(tournament.guests.values(), reader)
    some = any(match.result for match in tournament.matches)  # if not, all would be first
    ranks = standings(tournament) if some else ()
    game = chosen.game if chosen else ""
    return {
        "tournament": tournament,
        "called": lambda player: names.get(player, "?"),
        "face_of": lambda player: face(tournament.guests[player].animal),
        "game": reader.say(page.title_of(game)) if game in PLUGINS else game,
        "chosen": chosen,
        "sittings": lambda match: sittings(_game_of(tournament, match), match.players),
        "proposal": _proposal(tournament),
        "standings": ranks,
        "show_points": chosen is not None and chosen.mode is not Mode.KNOCK_OUT,
        "casual": chosen is not None and chosen.mode is Mode.CASUAL,
        "by": [BY[chosen.mode], SHARED] if chosen else [],
        "worth": _worth(chosen) if chosen and chosen.mode is not Mode.KNOCK_OUT else (),
        "shared": points((2, 1, 1))[0],
        "tenths": _tenths,
        "finished": [match for match in reversed(tournament.matches) if match.result],
        "resting": resting(tournament),
    } | flask_app.words(reader)


def resting(tournament: Tournament) -> tuple[str, ...]:
    """Return who is not playing while others are."""
    if not tournament.running or tournament.chosen is None:
        return ()
    return tournament.free if tournament.chosen.mode is Mode.CASUAL else tournament.rounds[-1].byes


def _worth(chosen: Chosen) -> tuple[tuple[int, ...], ...]:
    """Return for each number of players what each place brings."""
    return tuple(points((1,) * count) for count in range(chosen.most, chosen.fewest - 1, -1))


def called(people: Collection[Guest | Person], reader: viewer.Viewer) -> dict[str, str]:
    """Return how everybody is called, those of one name with their animals, too."""

    def plain(person: Guest | Person) -> str:
        return person.name or reader.name(person.animal)

    often = Counter(plain(person).casefold() for person in people)
    return {
        person.id: isolated(plain(person))
        if often[plain(person).casefold()] == 1 or not person.name
        else f"{isolated(plain(person))} ({reader.name(person.animal)})"
        for person in people
    }


def _game_of(tournament: Tournament, match: TournamentMatch | TableAssignment) -> str:
    if isinstance(match, TournamentMatch):
        return tournament.rounds[match.round].chosen.game
    return tournament.chosen.game if tournament.chosen else ""


def _proposal(tournament: Tournament) -> dict[str, Any] | None:
    """Return the proposed round, what it costs, and why it can no longer begin."""
    proposal = tournament.proposal
    if proposal is None:
        return None
    fault = None
    try:
        refusals.demand_sound(tournament, proposal)
    except CompanionError as why:
        fault = why
    return {
        "placings": proposal.placings,
        "byes": proposal.byes,
        "price": proposals.price(tournament, proposal),
        "fault": fault,
    }


def _tenths(tenths: int) -> int | float:
    """Return points as people read them.

    >>> _tenths(120), _tenths(105)
    (12, 10.5)
    """
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


@dataclass(frozen=True, slots=True)
class Rated:
    """Where somebody stands; several may share a place."""

    place: int
    person: Person
    rating: Rating


def tables(hall: Hall, reader: viewer.Viewer) -> list[tuple[str, list[Rated]]]:
    """Return the ranking for each rated game, of those who wanted to be remembered."""
    if not hall.ratings.on:
        return []
    games = ((reader.say(page.title_of(game)), _table(hall, game)) for game in PLUGINS)
    return [(title, table) for title, table in games if table]


def _table(hall: Hall, game: str) -> list[Rated]:
    ratings, regulars = hall.ratings.of(hall.tournament.now, game), hall.ratings.regulars
    people = [person for person in regulars.values() if person.id in ratings]
    people.sort(key=lambda person: -ratings[person.id].sure)
    sure = [ratings[person.id].sure for person in people]
    return [
        Rated(sure.index(sure[at]) + 1, person, ratings[person.id])
        for at, person in enumerate(people)
    ]


def absent(hall: Hall) -> list[Person]:
    """Return who is remembered from an earlier tournament and is not here, by name."""
    if not hall.ratings.on:
        return []
    guests = hall.tournament.now.guests
    absent = [person for person in hall.ratings.regulars.values() if person.id not in guests]
    return sorted(absent, key=lambda person: (person.name.casefold(), person.animal.value))


def known_as(hall: Hall, person: str) -> Person:
    """Return a guest as somebody to be remembered."""
    guest = hall.tournament.now.guests[person]
    return Person(guest.id, guest.animal, guest.name, kept=True)


def refresh(hall: Hall) -> None:
    """Update what is shown of people, also at their tables, if no event of the tournament does."""
    for view in (*tournament_store.VIEWS, *(f"table-{table.number}" for table in hall.tables)):
        hall.changed(view)


def come_again(hall: Hall, person: str) -> None:
    """Check somebody in who is remembered from an earlier tournament; CompanionError: nobody is."""
    known = hall.ratings.regulars.get(person) if hall.ratings.on else None
    if known is None:
        raise CompanionError("This person is no longer known here; check in again.")
    hall.tournament.check_in("", known=known)
    hall.ratings.know(known)  # of those who are known, the latest
