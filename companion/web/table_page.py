"""The page of the table, which follows it live, and the page on which people put things right.

The live part is made without Flask, so that it can be made at any time, for whoever reads it.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from flask import Blueprint, make_response, redirect, render_template, request
from flask import Response as FlaskResponse
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.coach.hints import coaching
from companion.core import has_hands
from companion.core.plugin import GAMES, PLUGINS
from companion.maintenance.practice import COUNT, PracticeStep
from companion.maintenance.view import MaintenanceDetails
from companion.present import chart, command_json, fouls, to_json, viewer
from companion.present.headline import headline, label
from companion.present.lights.scenes import meanings
from companion.present.page import joining, page_of
from companion.referee import commands
from companion.referee.barrel_game import BarrelGame, BarrelRound, RoundPhase, barrels_of
from companion.referee.events import ChartPoint
from companion.referee.snapshot import Snapshot
from companion.system import errors
from companion.system.text import SEATS, SeatName, seat_word
from companion.web import cafe, care_page, context, match_cache, permissions, views
from companion.web.common import flask_app, request_guard
from companion.web.common.flask_app import current_viewer

BEFORE_MS: Final = 2000  # a look, from when on its chart shows how the barrel was held
TOLD: Final = 40  # of what happened last; where the companion plays for seats it may be much


def page_parts(now: Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    """Return all that the page consists of; its game may tell some of it otherwise."""
    page = None if now.match is None else page_of(now.game)
    brought = page.parts(now, reader) if page else {}
    seats = page.seats(now, reader) if page else joining(now, reader)
    ended = now.outcome
    return {
        "now": now,
        "page": page,
        "phase": _phase(now),
        "headline": headline(now, reader),
        "aloud": headline(now, replace(reader.as_all(), role=None)),  # where this phone speaks
        "seats": seats,
        "winners": [seat_word(seat) for seat in ended.winners] if ended else [],
        "points": {seat_word(seat): points for seat, points in ended.scores} if ended else {},
        "mine": any(seat.yours and seat.turn for seat in seats),  # this phone is waited for
        "happened": [
            reader.say(event)
            for event in now.happened[-TOLD:]
            if page is None or not isinstance(event, page.quiet)
        ]
        + [
            fouls.insisted(dispute, reader)
            for dispute in now.insisted
            if dispute.entry == now.acted
        ],
        "undoes": list(_undoes(now, reader)),
        "offered": list(_offered(now, reader)),
        "lights": list(meanings(now)),
        "coaching": coaching(now, reader),
        "troubles": [to_json.sentence(trouble, reader) for trouble in now.troubles],
        "asked_back": fouls.disputed_claims(now, reader),
        "insisted": fouls.noted(now, reader),
        "noted": brought["noted"] if "noted" in brought else _noted(now, reader),
        **flask_app.words(reader),
        **brought,
    }


def _phase(now: Snapshot) -> str:
    if now.match is None:
        return "none"
    return "over" if now.over else "game"


def _noted(now: Snapshot, reader: viewer.Viewer) -> list[fouls.FoulCard]:
    """Return the fouls that nobody has to rule on, of a game whose page says nothing of rounds."""
    return [foul for foul in fouls.cards(now, 0, reader) if not foul.open]


def _undoes(now: Snapshot, reader: viewer.Viewer) -> Iterator[str]:
    """Yield what taking back would undo; nothing, if only that something was put right."""
    for event in now.undoes:
        yield reader.say(event)
    if now.unrules is not None:
        yield fouls.foul_sentence(now.unrules, reader)
    elif now.over and not now.undoes:
        yield reader.say("The match was given up.")


def _offered(now: Snapshot, reader: viewer.Viewer) -> Iterator[tuple[str, str]]:
    """Yield which seat's button has brought up what, to be confirmed there."""
    for seat in now.seats:
        if seat.lit is not None:
            offer = seat.offers[seat.lit]
            yield seat.colour, label(offer.wish, reader, offer.preview, now.game)


LOG: Final = logging.getLogger(__name__)
SHOWN: Final = ("awards", "lights", "moments", "page")  # what a page is made of, of a game
ALONE: Final[Mapping[str, object]] = MappingProxyType(  # nobody asks for a seat, or shares one
    {"asked_for": (), "shared": (), "crossed": (), "recorded": False, "moments": (), "awards": ()}
    | {"cafe": cafe.CafeOptions()}
    | {"practice": None, "practised": False, "may_practise": False, "coached": False}
    | {"newcomer": False, "care": None, "ears": ()}
)


def live(site: context.WebContext, reader: viewer.Viewer) -> str:
    """Return the live part of the page, as this reader sees it now.

    A game of another package whose page fails goes on by plain buttons.
    """
    game = site.room.snapshot.game
    try:
        return _live(site, reader)
    except Exception:
        if game is None or game not in PLUGINS or not PLUGINS[game].do_without(*SHOWN):
            raise
        LOG.exception("The game %s goes on with plain buttons.", game)
        return _live(site, reader)


def _live(site: context.WebContext, reader: viewer.Viewer) -> str:
    snapshot, pairing = site.room.snapshot, site.pairing
    around: dict[str, object] = {
        **ALONE,
        "asked_for": pairing.asked,
        "care": care_page.ACTS.get(pairing.confirming or ""),
        "recorded": site.room.recorded,
        "cafe": site.cafe.now,
        "moments": site.recent.moments(snapshot, reader),
        "awards": site.library.awards(snapshot),
        "coached": match_cache.coach_offers(snapshot),
        "ears": tuple(_ears(site, snapshot, reader)),
    }
    if (opened := site.room.workshop.opened) is not None:
        around |= {"may_practise": True, "practised": opened.practised}
        around["newcomer"] = newcomer(site)
        if opened.practice is not None and lesson_of(snapshot) is not None:
            around |= _practising(snapshot, opened, opened.practice, reader)
    if match_with_hands(snapshot) is not None:
        crossed = [tuple(SeatName[seat.upper()] for seat in seats) for seats in pairing.crossed]
        around |= {"shared": pairing.shared, "crossed": crossed}
    return rendered_page(snapshot, reader, around)


@dataclass(frozen=True, slots=True)
class EarCard:
    """A seat far away that still listens, and whoever shakes for it."""

    seat: SeatName
    hands: SeatName | None  # None: somebody who does not play
    listens: bool  # on this phone
    word: str  # what it said last: "keep", "back" or nothing


def _ears(site: context.WebContext, now: Snapshot, reader: viewer.Viewer) -> Iterator[EarCard]:
    """Yield what a phone is told of those: nothing that any sensor of a barrel has felt."""
    moment = ear_moment(site, now)
    for seat, hands in site.people.now.hands if moment else ():
        listens = reader.seat == seat
        concerned = listens or (reader.acts and reader.seat in (None, hands))
        if concerned and seat in choosing_seats(now):
            word = site.people.now.said_by_ear(seat, moment)
            name = SeatName[hands.upper()] if hands in SEATS else None
            yield EarCard(SeatName[seat.upper()], name, listens, word)


def ear_moment(site: context.WebContext, now: Snapshot) -> object:
    """Return the round in which barrels are chosen by hand now; None: they are not."""
    game = barrels_of(now.game)
    if site.hands is not None or game is None or now.match is None or now.over:
        return None
    at = game.at(now.view, now.settings)
    return (now.match, at.round) if at.phase is RoundPhase.PLACE else None


def choosing_seats(now: Snapshot) -> tuple[str, ...]:
    """Return the seats that have no barrel yet, where barrels are chosen."""
    game = barrels_of(now.game)
    at = game.at(now.view, now.settings) if game else BarrelRound()
    done = {seat_word(seat) for seat in (*at.placed, *at.out)}
    return tuple(seat.colour for seat in now.seats if seat.colour not in done)


def newcomer(site: context.WebContext) -> bool:
    """Return whether nobody has ever played here, as far as anybody knows."""
    try:
        return not site.room.matches()
    except errors.NoAnswer:
        return False


def lesson_of(now: Snapshot) -> str | None:
    """Return the game that can be practised: one with barrels, unless another lies on the table."""
    known = [game for game in PLUGINS if PLUGINS[game].part(BarrelGame)]
    if now.match is None:
        return next(iter(known), None)
    return now.game if now.game in known else None


def _practising(
    now: Snapshot, opened: MaintenanceDetails, step: PracticeStep, reader: viewer.Viewer
) -> dict[str, object]:
    """Return how the page looks in a practice round: as in a round, but for what it asks."""
    asked = reader.say(step.template)
    trail = opened.caught if step is PracticeStep.DONE else ()
    tilted = (point.at_ms for point in trail if point.tilt_deg >= chart.READABLE_DEG)
    from_ms = next(tilted, 0) - BEFORE_MS
    points = [
        ChartPoint(point.at_ms - from_ms, point.tilt_deg, point.deviation_permille, point.stands)
        for point in trail
        if point.at_ms >= from_ms
    ]
    values: dict[str, object] = {"practice": step, "headline": asked, "aloud": asked}
    values |= {
        "steps": COUNT,
        "lesson": lesson_of(now),
        "caught": chart.evidence_svg(points, reader),
    }
    if step.by_hand:
        values["phase"] = "flip" if step is PracticeStep.FLIP else "place"
    return values


def rendered_page(
    now: Snapshot, reader: viewer.Viewer, around: Mapping[str, object] = ALONE
) -> str:
    """Return it for any snapshot, with what else there is to tell of phones and the table."""
    values = page_parts(now, reader)
    page = values["page"]
    template = page.template if page else "table_live.html"
    return views.part(template, {**values, **around})


def expect(game: str) -> None:
    """Load all that a game's first view takes."""
    page = page_of(game)
    if page is not None and page.template.startswith(f"{game}/"):  # else it brings none of its own
        views.compile_templates(game)


def match_with_hands(now: Snapshot) -> str | None:
    """Return the match in which phones show what nobody else may see; None: they do not."""
    if now.over or now.game is None or not has_hands(GAMES[now.game], now.settings):
        return None
    return now.match


def with_etag(page: str) -> FlaskResponse:
    """Return a page that whoever only watches gets again only if something on it is new."""
    answer = make_response(page)
    if current_viewer().role is None:  # others see what is theirs alone: no phone keeps that
        answer.cache_control.no_cache = True
        answer.cache_control.private = True
        answer.vary.update(("Cookie", "Accept-Language"))
        answer.add_etag()
        answer.make_conditional(request)
    return answer


def pages(site: context.WebContext) -> Blueprint:
    """Return the pages about the match that is being played."""
    table = Blueprint("table", __name__)

    @table.get("/")
    def the_table() -> str | Response:
        asked = "start" in request.args or request_guard.from_here()  # as an app, or right here
        if asked and site.home != "/":
            return redirect(site.home)
        game, html = site.room.snapshot.game, live(site, current_viewer())
        shown = Markup(html)  # noqa: S704 - jinja has escaped it
        return with_etag(
            render_template("table.html", live=shown, seen=views.etag_of(html), game=game)
        )

    @table.get("/right")
    def put_right() -> str | Response:
        now, who = site.room.snapshot, current_viewer()
        page = page_of(now.game)
        if now.match is None or now.over or not who.acts or page is None or page.right is None:
            return redirect(site.home)

        def may(wish: commands.CommandBody) -> bool:
            return permissions.refusal(who, wish, command_json.meanings(wish, now.game)) is None

        parts = page.right.parts(now, site.room.entries(now.match), who, may)
        return render_template(page.right.template, now=now, **parts)

    return table
