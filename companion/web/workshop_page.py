"""The workshop: enrolling barrels, trying every part, and how all of it is, in plain words.

It must not know sensors nor the match; while one is played it shows only how all is in general.
"""

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, jsonify, redirect, render_template
from markupsafe import Markup

from companion import __version__
from companion.maintenance import bundle as bundles
from companion.maintenance import view
from companion.maintenance.checks import computer, network, stoppers
from companion.maintenance.checks.result import (
    FINE,
    SEE_TO,
    CheckResult,
    CheckText,
    severity,
    translated,
)
from companion.present import viewer
from companion.present.lights.canvas import COLOURS
from companion.present.to_json import sentence, without_folders
from companion.referee import maintenance_commands
from companion.referee.people.person import NOBODY
from companion.system import config, logs, paths, text
from companion.web import care_page, context, views, workshop_text
from companion.web.common import validation
from companion.web.common.flask_app import current_viewer

FRESH_S: Final = 10  # looking at the computer may be slow, and it changes slowly


def pages(site: context.WebContext) -> Blueprint:
    workshop = Blueprint("workshop", __name__)
    computer_now = _computer_of(site)

    def findings(by: viewer.Viewer) -> tuple[CheckText, ...]:
        results = (*computer_now(), *site.https.checks(), *_table(site))
        return tuple(_told(result, by) for result in results)

    @workshop.get("/workshop")
    def show() -> str:
        by = current_viewer()
        return render_template(
            "workshop.html",
            version=__version__,
            findings=findings(by),
            care=care_page.page_parts(site),
            live=Markup(live(site, by)),  # noqa: S704 - escaped where it is made
        )

    @workshop.get("/workshop/doctor.json")
    def doctor() -> Response:
        checks = [asdict(check) for check in findings(current_viewer())]
        return Response(json.dumps({"findings": checks}), mimetype="application/json")

    @workshop.post("/api/care/bundle")
    def report() -> Response:
        """Return a report for those who help, to be read before it is sent."""
        validation.body_of_acting(validation.record())
        care_page.demand_confirmed(site, "bundle")
        opened, signs = site.room.workshop.opened, {FINE: "  ", SEE_TO: "! "}
        checks = findings(current_viewer())
        lines = [signs.get(check.mark, "? ") + check.told for check in checks]
        facts = bundles.TableFacts(
            site.folder or Path(),
            paths.wiring_file(None) if site.hands is None else None,
            "\n".join(lines),
            bundles.link(map(asdict, () if opened is None else opened.stoppers)),
            logs.recent(),
            site.pairing.pin,
            _names(site),
        )
        return jsonify(text=bundles.report(facts, os.urandom(16)))

    return workshop


def _names(site: context.WebContext) -> tuple[str, ...]:
    """Return what people and this table are called, whether or not a file has it."""
    people = (*site.people.known, *(person for _, person in site.people.now.people))
    called = site.first_run.now.name if site.first_run else ""
    table = site.room.workshop.hall.table or ""
    wifi = () if site.own_wifi is None else (site.own_wifi.name, site.own_wifi.key)
    return tuple(filter(None, (called, table, *wifi, *(person.name for person in people))))


def live(site: context.WebContext, by: viewer.Viewer) -> str:
    by = by.as_all(NOBODY)  # parts are called by the colours on the board
    return views.part("workshop_live.html", {"home": site.home, **_shown(site, by)})


def _told(result: CheckResult, by: viewer.Viewer) -> CheckText:
    return translated(replace(result, condition=without_folders(result.condition)), by.say)


def _computer_of(site: context.WebContext) -> Callable[[], tuple[CheckResult, ...]]:
    """Return what tells how the computer is; it looks again only now and then."""
    nothing = config.TableWiring()  # whether the parts may be used, they say themselves

    @lru_cache(maxsize=1)
    def look(_: int) -> tuple[CheckResult, ...]:
        checked = computer.check_computer(nothing, site.folder or Path())
        results = [result for result in checked if result.check != "groups"]
        return (*results, network.check_name(site.here.addresses, socket.gethostname()))

    return lambda: look(int(time.monotonic() // FRESH_S))


def _table(site: context.WebContext) -> Iterator[CheckResult]:
    """Yield how the parts are, what the hub runs and, while no match is played, the stoppers."""
    shown = site.room.workshop
    yield from stoppers.judge_parts(shown.parts)
    if shown.opened is not None and shown.stoppers:
        yield from stoppers.judge_stoppers(shown.opened.stoppers, shown.hub_firmware)
    elif shown.hub_firmware is not None:
        yield from stoppers.boards((), shown.hub_firmware)


def _shown(site: context.WebContext, by: viewer.Viewer) -> dict[str, object]:
    shown = site.room.workshop
    values: dict[str, object] = {
        "reader": by,
        "say": by.say,
        "name": by.name,
        "shown": shown,
        "there": site.room.snapshot.parts,
        "parts": [(severity(condition), sentence(condition, by)) for condition in shown.parts],
        "hall_way": shown.hall.way and sentence(shown.hall.way, by),
        "words": workshop_text,
        "wishes": maintenance_commands,
        "wanted": workshop_text.wanted,
    }
    if shown.opened is None:
        return values
    told_of = stoppers.boards(shown.opened.stoppers, shown.hub_firmware)
    return (
        values | _opened(shown.opened, by) | {"firmware": [_told(result, by) for result in told_of]}
    )


def _opened(opened: view.MaintenanceDetails, by: viewer.Viewer) -> dict[str, object]:
    tried = {seat.colour: seat for seat in opened.seats}
    values: dict[str, object] = {
        "opened": opened,
        "weighing": sum(stopper.weighs for stopper in opened.stoppers),
        "seats": [
            (text.SeatName(seat), tried.get(text.SEATS[seat], view.SeatTried(text.SEATS[seat])))
            for seat in COLOURS
        ],
        "lights": workshop_text.lights(by),
        "trails": workshop_text.trails(opened, by),
        "facts": [sentence(fact, by) for fact in opened.calibration.facts],
    }
    enrolment = opened.enrolment
    if enrolment is not None:
        values |= {
            "enrolment": enrolment,
            "next": sentence(enrolment.next, by),
            "places": workshop_text.standing(enrolment, opened.stoppers),
            "keys": workshop_text.keys(enrolment),
            "done": enrolment.next in workshop_text.DONE,
        }
    measuring = opened.measuring
    if measuring is not None:
        values |= {
            "measuring": measuring,
            "asked": sentence(measuring.asked, by),
            "hint": measuring.hint and sentence(measuring.hint, by),
            "last": measuring.last and sentence(measuring.last, by),
        }
    return values


def measured_pages(site: context.WebContext) -> Blueprint:
    """Return the page, and the file."""
    measured = Blueprint("measured", __name__)

    @measured.get("/workshop/measured")
    def show() -> str | Response:
        opened, by = site.room.workshop.opened, current_viewer()
        if opened is None or opened.measured is None:
            return _to_the_workshop()
        table = opened.measured
        return render_template(
            "measured.html",
            found=table,
            shares=workshop_text.shares(table, by),
            plots=workshop_text.measured_plots(table, by),
            proposal=workshop_text.proposal(table, by),
            spread=workshop_text.spread(table, by),
        )

    @measured.get("/workshop/measured.link.gz")
    def recording() -> Response:
        if site.room.workshop.opened is None or not current_viewer().acts:
            return _to_the_workshop()
        data = site.room.recording()
        if data is None:
            return _to_the_workshop()
        name = {"Content-Disposition": 'attachment; filename="measured.link.gz"'}
        return Response(data, mimetype="application/gzip", headers=name)

    return measured


def _to_the_workshop() -> Response:
    answer = redirect("/workshop#measure")
    assert isinstance(answer, Response)
    return answer
