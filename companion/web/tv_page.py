"""The page for a television: what everybody may see, large, without a tap, and nothing else.

A television is a reader without a role, so it has no hand and no PIN; a view of it bears its
language in its name (`tv-de`), because nobody switches that with a remote control.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from flask import Blueprint, render_template, request
from markupsafe import Markup

from companion.i18n.translate import LANGUAGES
from companion.present import history, icons, viewer
from companion.present.fouls import cards
from companion.present.page import page_of
from companion.referee.snapshot import Snapshot
from companion.system import errors
from companion.web import context, table_page, wifi_page
from companion.web import views as live_views
from companion.web.common.errors import RequestError
from companion.web.common.flask_app import current_viewer, words

VIEWS: Final[Mapping[str, str]] = {f"tv-{code}": code for code in LANGUAGES}
LOOKED_BACK: Final = 5  # matches, for one that was won


def pages(site: context.WebContext) -> Blueprint:
    television = Blueprint("tv", __name__)

    @television.get("/tv")
    def show() -> str:
        overlay = "overlay" in request.args
        if overlay and not site.cafe.now.overlay:
            why = errors.CompanionError(
                "The picture for streams is switched off; switch it on under Set-up, For cafés."
            )
            raise RequestError(404, "not-on", why)
        asked = request.args.get("language")
        code = asked if asked in LANGUAGES else current_viewer().language
        who = replace(current_viewer(), language=code, role=None)
        shown = Markup(live(code, site, who))  # noqa: S704 - jinja has escaped it
        game = site.room.snapshot.game
        values = words(who) | {"own_name": LANGUAGES[code].own_name}
        return render_template("tv.html", live=shown, game=game, overlay=overlay, **values)

    return television


def live(code: str, site: context.WebContext, who: viewer.Viewer) -> str:
    """Return the live part in one language, for whoever reads: the same for all."""
    now = site.room.snapshot
    by = replace(who, language=code, role=None)
    return live_views.part(
        "tv_live.html",
        {
            **page_parts(now, by),
            "view_name": f"tv-{code}",
            "recorded": site.room.recorded,
            "cafe": site.cafe.now,
            "moments": site.recent.moments(now, by),
            "awards": site.library.awards(now),
            "address": site.here.links[0].removeprefix("http://"),
            "wifi": site.own_wifi.name if site.own_wifi and wifi_page.is_open(site) else "",
            "last": _last(site, by) if now.match is None else "",
        },
    )


def views() -> dict[str, Any]:
    return {name: partial(live, code) for name, code in VIEWS.items()}


def page_parts(now: Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    values = table_page.page_parts(now, reader)
    page = page_of(now.game) if now.match is not None else None
    drawn = page and (page.wall or page.picture)
    picture = drawn(now.view, now.settings, now.happened, reader) if drawn else ""
    progress = page.progress(now.view, now.settings, reader) if page and not now.over else ""
    number = getattr(now.view, "round", 0)  # as in a game without any
    fouls = [foul.sentence for foul in cards(now, number, reader) if foul.open]
    return {
        **values,
        "picture": picture,
        "apprentice_svg": icons.apprentice_svg,
        "progress": progress,
        "foul": fouls[-1] if fouls else None,
        "banner": (values["happened"] or [*map(reader.say, now.happened)] or [""])[-1],
    }


def _last(site: context.WebContext, by: viewer.Viewer) -> str:
    """Return who won the newest match that was won; nothing, if there is none, or nobody knows."""
    try:
        listed = site.room.matches()[:LOOKED_BACK]
        read = (past for match in listed for past in site.library.pasts((match,)))
        won = next((past for past in read if past.result is history.Result.WON), None)
    except errors.NoAnswer:
        return ""
    if won is None:
        return ""
    then = by.as_all(site.people.in_match(won.id))
    return then.say("Last time: {winners:and} {winners:#has|have} won.", winners=won.winners)
