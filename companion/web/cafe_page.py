"""The page on which a café switches on what it wants, and matches as BG Stats takes them."""

import time

from flask import Blueprint, abort, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.journal import ListedMatch
from companion.present.history import Result
from companion.system.errors import CompanionError
from companion.web import cafe, context, history_page
from companion.web.common import errors, flask_app

SWITCHES = ("overlay", "bg_stats")


def pages(site: context.WebContext) -> Blueprint:
    blueprint = Blueprint("cafe", __name__)

    @blueprint.get("/setup/cafe")
    def show() -> str:
        return render_template(
            "cafe.html",
            chosen=site.cafe.now,
            turns=cafe.TURN_S,
            breaks=cafe.BREAK_MIN,
            address=site.here.links[0],
        )

    @blueprint.post("/setup/cafe")
    def choose() -> AnyResponse:
        if not flask_app.current_viewer().acts:
            abort(403)
        known = {"turn_s", "break_min", *SWITCHES}
        if unknown := request.form.keys() - known:
            raise errors.Malformed(
                "'{where}' has no place in this request.", where=min(unknown)[:40]
            )
        before, break_min = site.cafe.now, _one_of("break_min", cafe.BREAK_MIN)
        same = break_min == before.break_min
        options = cafe.CafeOptions(
            _one_of("turn_s", cafe.TURN_S),
            break_min,
            before.since_ms if same else time.time_ns() // 1_000_000,
            *(request.form.get(name, "") == "on" for name in SWITCHES),
        )
        try:
            site.cafe.choose(options)
        except OSError as fault:
            raise errors.unsaved(fault) from fault
        return redirect("/setup/cafe", 303)

    @blueprint.get("/history/<match>/bg-stats")
    def play(match: str) -> AnyResponse:
        listed = site.library.find(match)
        if listed is None:
            abort(404)
        if not site.cafe.now.bg_stats:
            raise errors.RequestError(
                404, "not-on", CompanionError("Switch this on in the set-up first.")
            )
        (past,) = site.library.pasts((listed,)) or (None,)
        if past is None or past.result is not Result.WON:
            why = CompanionError("BG Stats takes only matches that were won.")
            raise errors.RequestError(409, "refused", why)
        known = _play(site, listed)
        if "open" in request.args:
            return redirect(cafe.bg_stats_link(known), 303)
        answer = jsonify(known)
        answer.headers["Content-Disposition"] = history_page.attached(
            history_page.match_file(past, flask_app.current_viewer(), ".json")
        )
        return answer

    return blueprint


def _one_of(name: str, values: tuple[int, ...]) -> int:
    given = request.form.get(name, "0")
    if given not in map(str, values):
        raise errors.Malformed("'{where}' must be one of {words}.", where=name, words=values)
    return int(given)


def _play(site: context.WebContext, listed: ListedMatch) -> dict[str, object]:
    retelling = site.library.opened(listed)
    last = retelling.steps[-1].after
    outcome = last.game.outcome(last.state)
    scores = dict(outcome.scores) if outcome else {}
    people = site.people.in_match(listed.id)
    past = retelling.past
    return cafe.bg_stats_play(past, scores, listed.last.at_ms, people, flask_app.current_viewer())
