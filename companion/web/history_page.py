"""The history of past matches: a list, each replayed step by step, and statistics.

It must not know the journal's files; of the match that is being played it shows what lies open.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

from flask import Blueprint, abort, render_template, request
from markupsafe import Markup

from companion.present import viewer
from companion.present.history import PastMatch, Result, Retelling, pace, sentences
from companion.present.page import page_of, pages_of_games, titles
from companion.referee.match import Match
from companion.referee.people.person import NOBODY
from companion.system.text import Text
from companion.web import context, people_page
from companion.web.common import validation
from companion.web.common.flask_app import current_viewer, words
from companion.web.match_cache import has_coach

JSONL: Final = "application/jsonl"  # of a match as a file
LISTED: Final = 200  # the newest matches; who wants older ones exports them


def pages(site: context.WebContext) -> Blueprint:
    """Return the pages about the past of this table."""
    history = Blueprint("history", __name__)

    @history.get("/history")
    def all_matches() -> str:
        listed = site.room.matches()[:LISTED]
        pasts = site.library.pasts(listed, patient="more" in request.args)
        return render_template(
            "history.html",
            matches=pasts,
            unread=len(listed) - len(pasts),
            readers={
                past.id: current_viewer().as_all(site.people.in_match(past.id)) for past in pasts
            },
            titles=titles(),
            day=day,
            statistics=_statistics(pasts),
            records=people_page.records(pasts, site.people),
            coached=any(past.result is Result.WON and has_coach(past.game) for past in pasts),
        )

    @history.get("/history/<match>")
    def one_match(match: str) -> str:
        listed = site.library.find(match)
        if listed is None:
            abort(404)
        retelling = site.library.opened(listed)
        who = current_viewer().as_all(site.people.in_match(match))
        shown = {"by": who, **words(who)} | _shown(retelling, request.args.get("step", ""), who)
        if "part" in request.args:
            return render_template("history_step.html", **shown)
        story = [(sentences(step, who), pace(step)) for step in retelling.steps]
        return render_template(
            "history_match.html",
            told=retelling,
            titles=titles(),
            day=day,
            story=story,
            left_out=_left_out(retelling.past.game),
            bg_stats=site.cafe.now.bg_stats and retelling.past.result is Result.WON,
            coached=retelling.past.result is Result.WON and has_coach(retelling.past.game),
            **shown,
        )

    return history


def _shown(retelling: Retelling, wanted: str, by: viewer.Viewer) -> dict[str, object]:
    """Return what a page shows of the step that somebody wants, or else of the last one."""
    last = len(retelling.steps) - 1
    fits = wanted.isascii() and wanted.isdecimal() and len(wanted) <= validation.DIGITS
    number = min(int(wanted), last) if fits else last
    if number < 0:
        return {"past": retelling.past, "number": None, "last": last}
    step = retelling.steps[number]
    stand = _stand(step.after, by)
    shown = {
        "past": retelling.past,
        "number": number,
        "last": last,
        "sentences": sentences(step, by),
    }
    return shown | stand


def _stand(match: Match, by: viewer.Viewer) -> dict[str, object]:
    """Return how the board stands; nothing, where the game has none that is known here."""
    page = page_of(match.game.name)
    if page is None:
        return {"stands": ""}
    view = match.game.view(match.state, None)
    return {
        "progress": page.progress(view, match.game.settings, by),
        "board": page.picture(view, match.game.settings, match.happened, by),
    }


def _left_out(game: str) -> Text | None:
    page = page_of(game)
    return page.story.left_out if page and page.story else None


def _statistics(matches: Sequence[PastMatch]) -> list[Markup]:
    """Return what the finished matches of each game came to, where it has statistics."""
    pieces, by = [], current_viewer().as_all(NOBODY)  # of all who ever sat at a seat
    for game, page in pages_of_games():
        tallies = [match.tally for match in matches if match.counts and match.game == game]
        if page.statistics and tallies:
            parts = page.statistics.parts(tallies[::-1], by)
            html = render_template(page.statistics.template, by=by, **words(by), **parts)
            pieces.append(Markup(html))  # noqa: S704 - jinja has escaped it
    return pieces


def day(at_ms: int, by: viewer.Viewer) -> str:
    """Return a time as people write it, where the table is; '?' if no calendar has it."""
    if (at := _local_time(at_ms)) is None:
        return "?"
    return by.say(
        "{year}-{month}-{day}, {time}",
        year=f"{at:%Y}",
        month=f"{at:%m}",
        day=f"{at:%d}",
        time=f"{at:%H:%M}",
    )


def _local_time(at_ms: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone()
    except (OverflowError, ValueError, OSError):  # no calendar has it
        return None


UNSAFE: Final = re.compile(r"[^\w-]+")  # some system takes it for a folder, a wildcard, an end
LONGEST: Final = 80


def match_file(past: PastMatch, reader: viewer.Viewer, end: str = ".jsonl") -> str:
    """Return a name that says which match it is, and that every system can keep."""
    reader = reader.as_all(NOBODY)  # who gets the file need not know who played
    at = _local_time(past.at_ms)
    words = " ".join((past.game or "match", f"{at:%Y-%m-%d}" if at else "", _ended(past, reader)))
    return UNSAFE.sub(" ", words)[:LONGEST].strip() + end


def attached(name: str) -> str:
    r"""Return the header by which a browser saves an answer under a name.

    >>> attached("Grün gewinnt.jsonl")
    'attachment; filename="Grun gewinnt.jsonl"; filename*=UTF-8\'\'Gr%C3%BCn%20gewinnt.jsonl'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"


def _ended(past: PastMatch, reader: viewer.Viewer) -> str:
    if past.result is Result.WON:
        return reader.say("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=past.winners)
    return reader.say("Given up") if past.result is Result.GIVEN_UP else ""
