"""The page Evening: check in by phone, see where you sit next and with whom, and how all stand."""

from typing import Final

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion.hall import accounts, tournament_parts
from companion.hall.hall import Hall
from companion.hall.page import HallPage, View, Wall, part
from companion.hall.tournament.events import CameBack, Left, TournamentEvent
from companion.referee.people.person import ANIMALS, LETTERS, LONGEST, Animal
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web.common import errors, rate_limit, validation

CHECK_IN: Final = validation.record({"name": validation.WORD, "animal": validation.WORD})
NEWCOMERS: Final = (40, 10.0)  # from one address at once, then one in this many seconds


def routes(hall: Hall) -> Blueprint:
    blueprint = Blueprint("evening", __name__)
    pace = rate_limit.RateLimit(*NEWCOMERS)

    @blueprint.get("/evening")
    def page() -> str:
        visitor = hall.accounts.visitor()
        return render_template(
            "tournament.html",
            live=live(hall, visitor),
            inside=visitor.player in hall.tournament.now.guests,
            again=hall.ratings.regulars.get(visitor.player or "") if hall.ratings.on else None,
            animals=Animal,
            drawings=tournament_parts.drawings(),
            most=LONGEST,
            letters=LETTERS,
        )

    @blueprint.post("/api/check-in")
    def check_in() -> Response:
        wanted = validation.body(CHECK_IN)
        _demand_new(hall)
        if rest_s := pace.rest_s(request.remote_addr or ""):
            why = CompanionError(
                "Many people have just checked in from here; try again in {count} s, or tell the "
                "director your name.",
                count=round(rest_s) or 1,
            )
            raise errors.RequestError(429, "too-many", why)
        animal = ANIMALS.get(wanted.get("animal", ""))
        person = hall.tournament.check_in(wanted.get("name", ""), animal)
        return hall.accounts.remember(jsonify(person=person), hall.accounts.sign_in(person))

    @blueprint.post("/api/evening/leave")
    def leave() -> Response:
        return _own(hall, Left)

    @blueprint.post("/api/evening/back")
    def back() -> Response:
        return _own(hall, CameBack)

    @blueprint.post("/api/evening/forget")
    def forget() -> Response:
        regular = (person := hall.accounts.role() or "") in hall.ratings.regulars
        if not regular or person in hall.tournament.now.guests:
            person = signed_in(hall)
            if hall.tournament.now.guests[person].here:
                hall.tournament.do(Left(person))
            hall.tournament.forget(person)
        hall.ratings.forget(person)
        tournament_parts.refresh(hall)
        return hall.accounts.leave(current_app.make_response(jsonify(done=True)))

    _join_regulars(blueprint, hall)
    return blueprint


def _demand_new(hall: Hall) -> None:
    """Refuse anybody who has already checked in on this phone, or directs."""
    visitor = hall.accounts.visitor()
    guest = hall.tournament.now.guests.get(visitor.player or "")
    if guest is not None:
        why = CompanionError(
            (
                "{name} has checked in on this phone; somebody else can use it only once "
                "{name} has left and is erased."
            ),
            name=guest.called,
        )
        raise errors.RequestError(409, "in-already", why)
    if visitor.directs:
        why = CompanionError("This phone directs the hall; enter names on the Director page.")
        raise errors.RequestError(409, "directs", why)


def _own(hall: Hall, event: type[Left | CameBack]) -> Response:
    done: TournamentEvent = event(signed_in(hall))
    hall.tournament.do(done)
    return jsonify(done=True)


def signed_in(hall: Hall) -> str:
    """Return whose phone this is; 403: nobody's."""
    person = hall.accounts.visitor().player
    if person is None or person not in hall.tournament.now.guests:
        why = CompanionError("Nobody has checked in on this phone; check in first.")
        raise errors.RequestError(403, "not-in", why)
    return person


def live(hall: Hall, visitor: accounts.Visitor, _: str = "") -> str:
    """Return what everybody sees and, for those who checked in, what is theirs."""
    tournament, me = hall.tournament.now, visitor.player
    mine = next((match for match in tournament.running if me in match.still), None)
    own = tournament.guests.get(me or "")
    values = tournament_parts.parts(tournament, visitor) | {"me": own, "mine": mine}
    values |= {
        "rates": hall.ratings.on,
        "kept": me in hall.ratings.regulars,
        "ratings": tournament_parts.tables(hall, visitor.reader),
        "called_ones": tournament_parts.called(hall.ratings.regulars.values(), visitor.reader),
        "drawn": tournament_parts.face,
    }
    return part("tournament_live.html", values)


def seats(hall: Hall, visitor: accounts.Visitor, _: str) -> str:
    """Return who plays where, and who is next, for a wall."""
    return part("wall_seats.html", tournament_parts.parts(hall.tournament.now, visitor))


def standings(hall: Hall, visitor: accounts.Visitor, _: str) -> str:
    return part("wall_standings.html", tournament_parts.parts(hall.tournament.now, visitor))


PAGE = HallPage(
    routes,
    "/evening",
    Text("Evening"),
    {"evening": View(live, personal=True)},
    {
        "evening": Wall(Text("Who plays next where"), seats),
        "standings": Wall(Text("Standings"), standings),
    },
)


def _join_regulars(blueprint: Blueprint, hall: Hall) -> None:
    """Join what those may ask for who want to be remembered."""

    @blueprint.post("/api/evening/again")
    def again() -> Response:
        tournament_parts.come_again(hall, hall.accounts.role() or "")
        return jsonify(done=True)

    @blueprint.post("/api/evening/known")
    def known() -> Response:
        person = signed_in(hall)
        if not hall.ratings.on:
            why = CompanionError("This hall keeps no ratings; the director can switch them on.")
            raise errors.RequestError(409, "no-ratings", why)
        hall.ratings.know(tournament_parts.known_as(hall, person))
        tournament_parts.refresh(hall)
        return jsonify(done=True)

    @blueprint.post("/api/evening/unknown")
    def unknown() -> Response:
        hall.ratings.forget(signed_in(hall))
        tournament_parts.refresh(hall)
        return jsonify(done=True)
