"""Past matches: which there were, each told again step by step, and what all came to.

It must not know the journal's files; of the match that is being played it shows what lies open.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from flask import Blueprint, abort, render_template, request

from companion.games.pages import GAME_PAGES, TITLES
from companion.games.zapp_zerapp.rules import Colour, State
from companion.outputs.web.incoming import DIGITS
from companion.outputs.web.reader import reader
from companion.outputs.web.room import Phones
from companion.present import plots
from companion.present.board_picture import Drawn, board_svg
from companion.present.past import Retelling, Statistics, statistics
from companion.present.past_story import sentences
from companion.present.reader import Reader
from companion.present.signs import SIGNS
from companion.referee.match import Match as Played

LISTED: Final = 200  # the newest matches; who wants older ones exports them


def pages(phones: Phones) -> Blueprint:
    """Return the pages about the past of this table."""
    history = Blueprint("history", __name__)

    @history.get("/history")
    def all_matches() -> str:
        listed = phones.room.matches()[:LISTED]
        found = phones.library.pasts(listed)
        total = statistics(found)
        return render_template(
            "history.html",
            matches=found,
            unread=len(listed) - len(found),
            signs=SIGNS,
            titles=TITLES,
            day=_day,
            total=total,
            plots=_plots(total, reader()) if total.lengths else None,
        )

    @history.get("/history/<match>")
    def one_match(match: str) -> str:
        listed = phones.library.find(match)
        if listed is None:
            abort(404)
        told = phones.library.opened(listed)
        shown = _shown(told, request.args.get("step", ""), reader())
        if "part" in request.args:
            return render_template("history_step.html", **shown)
        story = [sentences(step, reader()) for step in told.steps]
        return render_template(
            "history_match.html",
            told=told,
            signs=SIGNS,
            titles=TITLES,
            day=_day,
            story=story,
            **shown,
        )

    return history


def _shown(told: Retelling, wanted: str, by: Reader) -> dict[str, object]:
    """Return what a page shows of the step that somebody wants; else of the last one."""
    last = len(told.steps) - 1
    fits = wanted.isascii() and wanted.isdecimal() and len(wanted) <= DIGITS
    number = min(int(wanted), last) if fits else last
    if number < 0:
        return {"past": told.past, "number": None, "last": last}
    step = told.steps[number]
    stand = _stand(step.after, by)
    shown = {"past": told.past, "number": number, "last": last, "sentences": sentences(step, by)}
    return shown | stand


def _stand(match: Played, by: Reader) -> dict[str, object]:
    """Return how the board stands; nothing, where the game has none that is known here."""
    state, settings = match.state, match.game.settings
    if page := GAME_PAGES.get(match.game.name):
        view = match.game.view(state, None)
        return {"round": None, "board": page.picture(view, settings, match.happened, by)}
    if not isinstance(state, State):
        return {"round": None}
    drawn = Drawn(
        camps=[(Colour(seat), state.pawns[seat]) for seat in match.game.seats],
        happened=match.happened,
        magic=state.magic,
    )
    board = board_svg(settings.board, drawn, by)
    return {"round": state.round, "magic": state.magic, "board": board}


def _plots(total: Statistics, by: Reader) -> dict[str, object]:
    highest = max((count for counts in total.off.values() for count in counts.values()), default=0)
    played = [player for player in total.players if player.spells]
    return {
        "misses": {
            player.seat: plots.misses(
                total.off[player.seat],
                highest,
                player.seat.name.lower(),
                by.say(
                    "How far the barrels of {seat} were from the magic number.", seat=player.seat
                ),
            )
            for player in played
        },
        "pairs": plots.pairs(
            [
                plots.Bar(one.seat.name.lower(), by.name(one.seat), one.banished, one.sent_back)
                for one in played
            ],
            by.say("How often each has banished others, and was banished."),
        ),
        "lengths": plots.lengths(
            total.lengths, total.mean_rounds, by.say("How many rounds each match took.")
        ),
    }


def _day(at_ms: int, by: Reader) -> str:
    """Return a time as people write it, where the table is; '?' if no calendar has it."""
    try:
        at = datetime.fromtimestamp(at_ms / 1000, UTC).astimezone()
    except (OverflowError, ValueError, OSError):
        return "?"
    return by.say(
        "{year}-{month}-{day}, {time}",
        year=f"{at:%Y}",
        month=f"{at:%m}",
        day=f"{at:%d}",
        time=f"{at:%H:%M}",
    )
