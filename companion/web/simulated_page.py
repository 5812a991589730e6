"""The page on which people play at the simulated table, and the routes of their hands.

Each phone has the hands of its own seat; one that has none is offered a seat that is free. What an
act answers - knocks, and a number that the eye reads - are perceptions in the simulated world,
which belong to whoever plays at that seat: no other answer of this page, nor of the companion,
depends on stones before the flip.
"""

import time
from collections.abc import Callable, Mapping
from math import ceil, inf
from threading import Lock
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request
from markupsafe import Markup

from companion.present import icons, simulated_hands
from companion.present.lights.canvas import COLOURS
from companion.present.simulated_hands import LEAST_S, HandAct, HandActRequest, ShakeVigour
from companion.present.viewer import Viewer
from companion.sensing.settings import BARRELS
from companion.system import codec, errors, format_names, text
from companion.web import table_page, views
from companion.web.common import flask_app, rate_limit, request_guard, validation
from companion.web.common.errors import error_response
from companion.web.common.validation import Schema, record
from companion.web.context import WebContext


def may_press(site: WebContext) -> bool:
    """Tell whether a button should let in the phone whose request is being answered.

    Who presses a real one is at the table. One that is simulated proves it only of a browser of
    this computer; any other phone needs the PIN first. What a proxy says counts only against it.
    """
    return site.hands is None or flask_app.current_viewer().acts or request_guard.from_here()


FRESH_S: Final = 0.1  # so old may be what a phone sees; all phones of a seat share one look
STAY_S: Final = 1.0  # how often the table hears that the phone of a seat is still here
SEATS: Final = tuple(map(text.seat_word, COLOURS))  # those with a place for a barrel
LEFT_OUT: Final = "{seat} does not play in this match, but can play in the next one."
AT_ANY_TIME: Final = (HandAct.PRESS, HandAct.SIT, HandAct.LEAVE)
BATCHES: Final = (100, 0.02)  # of motion at once from one address, then one in so many seconds
LETTERS: Final = "ABCDEFGHIJKLM"  # what people call the places of the plateau


class TableWatcher:
    """Looks at the table for all phones of a seat, however many and often they ask."""

    def __init__(
        self, hands: simulated_hands.Hands, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._hands, self._clock_s = hands, clock_s
        self._seen: tuple[float, simulated_hands.SightOfTable] | None = None
        self._looks, self._stay_s = Lock(), -inf

    def stay(self) -> None:
        """Note that the phone of the seat looks: whoever only watches keeps no guest away."""
        if (now_s := self._clock_s()) >= self._stay_s:
            self._stay_s = now_s + STAY_S
            self._hands.stay()

    def look(self) -> simulated_hands.SightOfTable:
        """Return what is seen; who comes while another looks gets what was seen before."""
        seen = self._seen
        if seen is not None and (
            self._clock_s() < seen[0] + FRESH_S or not self._looks.acquire(blocking=False)
        ):
            return seen[1]
        if seen is None:
            self._looks.acquire()
        try:
            now_s, sight = self._clock_s(), self._hands.table()
            self._seen = now_s, sight
        finally:
            self._looks.release()
        return sight

    def blink(self) -> None:
        """Look again the next time."""
        self._seen = None


def pages(site: WebContext) -> Blueprint:
    """Return the page and its routes; nothing of it exists where nobody plays by hands."""
    simulated = Blueprint("simulated", __name__)
    if site.hands:
        _join(simulated, site, site.hands)
    return simulated


class SeatFinder:
    """Finds the seat whose hands a phone has."""

    def __init__(self, site: WebContext, hands: Mapping[str, simulated_hands.Hands]) -> None:
        self._site = site
        self.eyes = {seat: TableWatcher(hands[seat]) for seat in hands}

    def seat_of(self, who: Viewer) -> str:
        """Return a phone's own seat, or else one that it could take."""
        if who.seat is not None and who.seat in self.eyes:
            return who.seat
        seats = [seat for seat in self.eyes if not self.left_out(seat)] or [*self.eyes]
        free = [seat for seat in seats if not self._site.pairing.in_use(seat)] or seats
        if who.acts:
            return free[0]
        return next((seat for seat in free if _is_free(self.eyes[seat].look())), free[0])

    def look(self, who: Viewer) -> simulated_hands.SightOfTable:
        """Return what a phone sees of its seat, or of one that it could take."""
        seat = self.seat_of(who)
        if who.may_act_for(seat) and (who.seat or not self._site.pairing.in_use(seat)):
            self.eyes[seat].stay()
        return self.eyes[seat].look()

    def left_out(self, seat: str) -> bool:
        """Return whether a match is played without that seat."""
        now = self._site.room.snapshot
        goes_on = now.match is not None and not now.over
        return goes_on and seat not in {place.colour for place in now.seats}


def _join(
    simulated: Blueprint, site: WebContext, hands: Mapping[str, simulated_hands.Hands]
) -> None:
    seats = SeatFinder(site, hands)
    _join_motion(simulated, site, hands, seats)

    @simulated.errorhandler(errors.CompanionError)
    def impossible(why: errors.CompanionError) -> Response:
        if request.method == "POST":
            return error_response(422, ("refused", why))
        # Only a table that has ended cannot be looked at:
        return error_response(504, ("no-answer", why))

    @simulated.get("/simulated")
    def the_page() -> Response:
        who = flask_app.current_viewer()
        seat = seats.seat_of(who)
        sight = seats.look(who)
        known = site.people.now.at(seat) is not None or site.pairing.in_use(seat)
        html = table_page.live(site, who)
        page = render_template(
            "simulated.html",
            live=Markup(html),  # noqa: S704 - jinja has escaped it
            seen=views.etag_of(html),
            game=site.room.snapshot.game,
            seat=seat,
            plays=who.may_act_for(seat) and not seats.left_out(seat),
            left_out=seats.left_out(seat),
            may_sit=may_press(site),
            begins=_may_begin(site),
            newcomer=table_page.newcomer(site),
            sits_there=known and not _is_free(sight),
            seats=SEATS,
            letters=LETTERS,
            signs={text.seat_word(colour): icons.SIGNS[colour] for colour in COLOURS},
        )
        return table_page.with_etag(page)

    @simulated.get("/api/simulated/table")
    def table() -> Response:
        sight = seats.look(flask_app.current_viewer())
        sitting = [seat.colour for seat in site.room.snapshot.seats]
        shown = tuple(seat for seat in SEATS if seat in (*sitting, sight.seat))
        return flask_app.json_answer(SimulatedTableView(shown, sight))

    @simulated.post("/api/simulated/act")
    def act() -> Response:
        who = flask_app.current_viewer()
        seat = seats.seat_of(who)
        plays = who.may_act_for(seat)
        waits = site.pairing.waits_for(site.pairing.phone())  # the seat whose button lets it in
        pressing = waits in hands and may_press(site)
        if not plays and not pressing:  # then what it sends is not even read
            abort(403)
        wanted = parse_hand_act(request_guard.body())
        if wanted.act is HandAct.PRESS and waits is not None and pressing:
            seat = waits
        elif not plays:
            abort(403)
        elif seats.left_out(seat) and wanted.act not in AT_ANY_TIME:
            raise errors.CompanionError(LEFT_OUT, seat=text.SeatName[seat.upper()])
        felt = hands[seat].do(wanted)
        for eye in seats.eyes.values():
            eye.blink()
        return flask_app.json_answer(felt)


def _join_motion(
    simulated: Blueprint,
    site: WebContext,
    hands: Mapping[str, simulated_hands.Hands],
    seats: SeatFinder,
) -> None:
    pace = rate_limit.RateLimit(*BATCHES)

    @simulated.post("/api/simulated/motion")
    def motion() -> Response:
        who, phone = flask_app.current_viewer(), site.pairing.phone()
        seat = seats.seat_of(who)
        if phone is None or not who.may_act_for(seat):
            abort(403)
        if (rest_s := pace.rest_s(request.remote_addr or "")) > 0:
            return error_response(429, retry_s=ceil(rest_s))
        asked = validation.body(MOTION)
        samples = samples_of(asked, str(hash(phone)))  # no secret goes further
        return flask_app.json_answer(hands[seat].follow(asked["barrel"], samples))


def _may_begin(site: WebContext) -> bool:
    """Return whether guests would begin a match, and wait to hear that nobody practises first."""
    opened = site.room.workshop.opened
    return site.room.snapshot.match is None and opened is not None and not opened.practised


def _is_free(sight: simulated_hands.SightOfTable) -> bool:
    return sight.sitting is simulated_hands.SittingPlayer.GUEST


# --- what it takes and sends ----------------------------------------------------------------------

MOST_S: Final = 3.0
SAMPLES: Final = 64  # of a phone's motion, at once: half a second of the quickest sensor
LARGEST_FELT: Final = 1e10  # a clock's milliseconds since the page was opened, or any force

BARREL: Final = validation.integer(0, BARRELS - 1)
SECONDS: Final[Schema] = {"type": "number", "minimum": LEAST_S, "maximum": MOST_S}
SHAKEN: Final[Schema] = {"enum": [*codec.members(ShakeVigour)]}
NEEDS: Final[Mapping[HandAct, Schema]] = {
    HandAct.LIFT: {"barrel": BARREL},
    HandAct.PUT_BACK: {"barrel": BARREL},
    HandAct.PLACE: {"barrel": BARREL},
    HandAct.FLIP: {"barrel": BARREL},
    HandAct.SHAKE: {"barrel": BARREL, "for_s": SECONDS, "vigour": SHAKEN},
    HandAct.COMPARE: {"barrel": BARREL, "other": BARREL},
    HandAct.PEEK: {"barrel": BARREL, "for_s": SECONDS},
    HandAct.PRESS: {"for_s": SECONDS},
    HandAct.SIT: {},
    HandAct.LEAVE: {},
}
ACTS: Final[Mapping[str, Schema]] = {
    word: record(act={"const": word}, **NEEDS[act]) for word, act in codec.members(HandAct).items()
}


def numbers(count: int) -> Schema:
    """Return the schema of so many numbers of a phone's motion."""
    each = {"type": "number", "minimum": -LARGEST_FELT, "maximum": LARGEST_FELT}
    return {"type": "array", "items": each, "minItems": count, "maxItems": count}


MOTION: Final = record(
    barrel=BARREL,
    down=numbers(3),
    up=numbers(3),
    felt={"type": "array", "items": numbers(4), "minItems": 1, "maxItems": SAMPLES},
    flips=validation.TRUTH,
)


@format_names.record("Look")
class SimulatedTableView:
    """The simulated table as everybody sees it, and who sits there, clockwise."""

    seats: tuple[str, ...]
    sight: simulated_hands.SightOfTable


def parse_hand_act(data: dict[str, Any]) -> HandActRequest:
    """Return the act that JSON carried, strictly.

    >>> parse_hand_act({"act": "shake", "barrel": 3, "for_s": 0.5, "vigour": "wildly"}).vigour
    <ShakeVigour.WILDLY: 'wildly'>
    """
    validation.check(data.get("act"), {"enum": [*ACTS]}, "act")
    validation.check_record(data, ACTS[data["act"]])
    given = {**data, "act": codec.members(HandAct)[data["act"]]}
    if "vigour" in data:
        given["vigour"] = codec.members(ShakeVigour)[data["vigour"]]
    return HandActRequest(**given)


def samples_of(data: Mapping[str, Any], phone: str) -> simulated_hands.PhoneSamples:
    """Return what a phone felt, as its request says.

    >>> lying = {"down": [0, 0, -9.8], "up": [0, 0, 9.8]}
    >>> samples_of({"felt": [[12.5, 0, 0, -9.8]], "flips": False, **lying}, "p").felt
    ((0, 0, -9.8),)
    """
    down, up = data["down"], data["up"]
    return simulated_hands.PhoneSamples(
        phone,
        (down[0], down[1], down[2]),
        (up[0], up[1], up[2]),
        tuple(row[0] for row in data["felt"]),
        tuple((row[1], row[2], row[3]) for row in data["felt"]),
        data["flips"],
    )
