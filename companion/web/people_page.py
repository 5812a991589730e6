"""The people page: who sits where, by name and animal, and how both are erased again.

A phone of a seat says who sits there, the one in the middle says it of every seat; whoever only
watches reads no list of those whom the table knows.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from companion.present import history, viewer
from companion.present.api_schema import PeopleTold, PersonKnown, PersonNow
from companion.referee.people.person import (
    ANIMALS,
    EAR_WORDS,
    LETTERS,
    MOST,
    OTHERS,
    Animal,
    Person,
)
from companion.referee.people.person import LONGEST as LONGEST_NAME
from companion.referee.people.store import KeptPeople
from companion.system.errors import CompanionError
from companion.system.text import SEATS, SeatName, seat_word
from companion.web import table_page
from companion.web.common import flask_app
from companion.web.common.errors import RequestError
from companion.web.common.validation import TRUTH, Schema, body_of_acting, record
from companion.web.context import WebContext

SEAT: Final[Schema] = {"enum": [*SEATS]}
WORD: Final[Schema] = {"type": "string", "maxLength": MOST}
SITS: Final = record(
    {"person": WORD, "name": WORD, "animal": {"enum": [*ANIMALS]}, "kept": TRUTH}, seat=SEAT
)
LEAVES: Final = record(seat=SEAT)
LENDS: Final = record(seat=SEAT, hands={"enum": [*SEATS, OTHERS]})
HEARS: Final = record(seat=SEAT, word={"enum": [*EAR_WORDS]})
FORGETS: Final = record({"person": WORD, "all": TRUTH})


def pages(site: WebContext) -> Blueprint:
    """Return the page on which people say who they are, and its routes."""
    blueprint, people = Blueprint("people", __name__), site.people

    @blueprint.get("/people")
    def who_sits_there() -> str | BaseResponse:
        by = flask_app.current_viewer()
        seat = by.seat or request.args.get("seat", "")
        if not by.acts or seat not in SEATS:
            return redirect("/join")
        wanted = request.args.get("next", site.home)
        here = {other.id: at for at, other in people.now.people}
        taken = {other.animal for at, other in people.now.people if at != seat}
        person = people.now.at(seat)
        free = [animal for animal in Animal if animal not in taken]
        return render_template(
            "people.html",
            seat=seat,
            person=person,
            next=wanted if flask_app.is_local(wanted) else site.home,
            known=[
                other
                for other in people.known
                if other.id not in here and other.animal not in taken
            ],
            known_all=people.known,
            animals=[(animal, animal in taken) for animal in Animal],
            chosen=person.animal if person else free[0],
            shakes=None if site.hands else people.now.hands_of(seat),
            others=(*(other for other in SEATS if other != seat), OTHERS),
            most=LONGEST_NAME,
            letters=LETTERS,
        )

    @blueprint.get("/api/people")
    def who() -> Response:
        return _told(site)

    @blueprint.post("/api/people")
    def sit() -> Response:
        asked = body_of_acting(SITS)
        try:
            people.sit(
                _own(asked["seat"]),
                asked.get("name"),
                ANIMALS.get(asked.get("animal", "")),
                kept=asked.get("kept"),
                known=asked.get("person"),
            )
        except CompanionError as fault:
            raise RequestError(422, "refused", fault) from fault
        return _told(site)

    _join_hands(blueprint, site)

    @blueprint.post("/api/people/leave")
    def leave() -> Response:
        people.leave(_own(body_of_acting(LEAVES)["seat"]))
        return _told(site)

    @blueprint.post("/api/people/forget")
    def forget() -> Response:
        asked, role = body_of_acting(FORGETS), flask_app.current_viewer().role
        own = people.now.at(role or "")
        person = asked.get("person", "")
        if role != viewer.TABLE and (own is None or own.id != person or asked.get("all")):
            abort(403)
        if asked.get("all"):
            people.forget_all()
        else:
            people.forget(person)
        return _told(site)

    return blueprint


def _join_hands(blueprint: Blueprint, site: WebContext) -> None:
    """Join how somebody at the table shakes and places for a seat far away."""
    people = site.people

    @blueprint.post("/api/people/hands")
    def lend() -> Response:
        asked = body_of_acting(LENDS)
        people.lend_hands(_own(asked["seat"]), asked["hands"])
        return _told(site)

    @blueprint.post("/api/people/ear")
    def hear() -> Response:
        asked, now = body_of_acting(HEARS), site.room.snapshot
        seat = _own(asked["seat"])
        moment = table_page.ear_moment(site, now)
        waits = moment is not None and seat in table_page.choosing_seats(now)
        if people.now.hands_of(seat) == seat or not waits:
            why = CompanionError("Nobody shakes a barrel for this seat now.")
            raise RequestError(409, "refused", why)
        people.say_by_ear(seat, asked["word"], moment)
        return _told(site)


def _told(site: WebContext) -> Response:
    """Return who sits where and, to those who act, whom else the table knows."""
    people, who = site.people, flask_app.current_viewer()
    known = people.known if who.acts else ()
    people_told = PeopleTold(
        tuple(
            PersonNow(SeatName[seat.upper()], person.name, person.animal)
            for seat, person in people.now.people
        ),
        tuple(PersonKnown(person.id, person.name, person.animal, person.kept) for person in known),
    )
    answer = flask_app.json_answer(people_told)
    answer.vary.update(("Accept-Language", "Cookie"))
    return answer


def _own(seat: str) -> str:
    """Return a seat; 403: it is another phone's."""
    if not flask_app.current_viewer().may_act_for(seat):
        abort(403)
    return seat


@dataclass(frozen=True, slots=True)
class Record:
    """One person: matches that were played to their end, and those among them that were won."""

    person: Person
    played: int
    won: int


def records(matches: Sequence[history.PastMatch], people: KeptPeople) -> list[Record]:
    """Return the record of everybody who is known, those with most matches first."""
    played, won = Counter[str](), Counter[str]()
    for match in matches:
        if match.result is not history.Result.WON:
            continue
        for seat, person in people.in_match(match.id).people:
            played[person.id] += seat in map(seat_word, match.seats)
            won[person.id] += seat in map(seat_word, match.winners)
    rows = [
        Record(person, played[person.id], won[person.id])
        for person in people.known
        if played[person.id]
    ]
    return sorted(rows, key=lambda row: (-row.played, -row.won))
