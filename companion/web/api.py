"""The HTTP API, for the pages and for other clients: what is known, and commands.

`openapi.py` documents every route of it.
"""

import json
from collections.abc import Mapping
from functools import cache
from threading import BoundedSemaphore
from typing import Any, Final

from flask import Blueprint, Response, abort, request

from companion import core, journal
from companion.coach import text
from companion.core.plugin import GAMES, PLUGINS, players
from companion.journal.export import export_lines
from companion.present import api_schema, api_snapshot, command_json, fouls, viewer
from companion.present.history import PastMatch, Result
from companion.present.to_json import written
from companion.referee import barrel_game, commands, events, handlers
from companion.referee.snapshot import Snapshot
from companion.system.errors import CompanionError, RulesError, Stale
from companion.web import context, permissions, table_page
from companion.web.common import errors, request_guard
from companion.web.common.flask_app import current_viewer, json_answer
from companion.web.common.validation import LONGEST, bound, number
from companion.web.history_page import JSONL, attached, match_file

AT_ONCE: Final = 8  # wishes that wait for the table; a table that hangs must not hold all threads
LISTED: Final = 500  # matches in one answer
SKIPPED: Final = 1_000_000


def pages(site: context.WebContext) -> Blueprint:
    api = Blueprint("api", __name__, url_prefix="/api")
    _now(api, site)
    _commands(api, site)
    _matches(api, site)
    return api


def _now(api: Blueprint, site: context.WebContext) -> None:
    """Join what does not depend on earlier matches."""

    @cache
    def document() -> str:
        from companion.web import openapi  # noqa: PLC0415 - it loads the rules of every game

        return json.dumps(openapi.document(), separators=(",", ":"))

    @api.get("/snapshot")
    def snapshot() -> Response:
        return _tagged(api_snapshot.snapshot_json(site.room.snapshot, current_viewer()))

    @api.get("/workshop")
    def workshop() -> Response:
        return _tagged(written(site.room.workshop, current_viewer()))

    @api.get("/games")
    def games() -> Response:
        return _tagged(written(known_games(current_viewer()), current_viewer()))

    @api.get("/openapi.json")
    def openapi_json() -> Response:
        return _tagged(document())

    @api.post("/boards/check")
    def check_board() -> Response:
        data = request_guard.body()
        bound(data)
        try:
            board = _read_board(data)
        except RulesError as bad:
            faults = [current_viewer().say(fault) for fault in bad.faults or (bad,)]
            return json_answer(api_schema.BoardCheck(fine=False, board=None, faults=tuple(faults)))
        return json_answer(api_schema.BoardCheck(fine=True, board=core.pack(board), faults=()))


def _commands(api: Blueprint, site: context.WebContext) -> None:
    """Join the one route that changes something."""
    places = BoundedSemaphore(AT_ONCE)

    def commanded(
        who: viewer.Viewer, asked: command_json.CommandRequest, seen: Snapshot
    ) -> commands.Command:
        """Return the command, for the match that it was found to be about, with what it means.

        What this reader may not wish for is refused.
        """
        wish, match = asked.wish, asked.match
        put_right = seen.match is not None and isinstance(wish, commands.CorrectAction)
        entries = site.room.entries(str(seen.match)) if put_right else ()
        game = seen.game if match in (None, seen.match) else None
        acts = command_json.meanings(wish, game)  # in any game, where nobody knows which it is
        _demand(permissions.refusal(who, wish, acts, entries), seen.version)
        if match is None and isinstance(wish, command_json.SAYS):
            match = seen.match
        means = acts[0] if game is not None and acts else None
        return commands.Command(asked.request, wish, who.by, asked.version, match, means)

    @api.post("/commands")
    def command() -> Response:
        who, seen = current_viewer(), site.room.snapshot
        version = seen.version
        if not who.acts:  # then what it sends is not even read
            _demand(permissions.watches(), version)
        try:
            asked = command_json.command_request(request_guard.body())
        except (CompanionError, RulesError) as fault:
            raise errors.RequestError(400, "malformed", fault, version) from fault
        wanted = commanded(who, asked, seen)
        if isinstance(wanted.wish, commands.NewMatch):
            table_page.expect(wanted.wish.game)
        if not places.acquire(blocking=False):
            why = CompanionError("Too many requests at once; try again in a moment.")
            raise errors.RequestError(429, "too-many", why, version)
        try:
            answer = site.room.ask(wanted)
        finally:
            places.release()
        if answer is None:
            why = CompanionError(
                "The table does not answer; check whether its program is still running."
            )
            raise errors.RequestError(504, "no-answer", why, version)
        if isinstance(answer.refused, Stale):
            raise errors.RequestError(409, "stale", answer.refused, answer.version)
        if answer.refused is not None:
            raise errors.RequestError(422, "refused", answer.refused, answer.version)
        return json_answer(api_schema.CommandDone(answer.request, answer.version))


def _matches(api: Blueprint, site: context.WebContext) -> None:
    """Join what the journal tells, as far as it lies open."""

    def listed(name: str) -> journal.ListedMatch:
        if (match := site.library.find(name)) is not None:
            return match
        why = CompanionError("There is no match '{match}' in the journal.", match=name[:LONGEST])
        raise errors.RequestError(404, "not-found", why)

    @api.get("/matches")
    def matches() -> Response:
        limit, skip = number("limit", 1, LISTED, 100), number("skip", 0, SKIPPED, 0)
        listed_matches = site.room.matches()
        some = tuple(map(api_snapshot.listed_record, listed_matches[skip : skip + limit]))
        return _tagged(
            written(api_schema.Matches(some, skip + limit < len(listed_matches)), current_viewer())
        )

    @api.get("/matches/<match>")
    def one_match(match: str) -> Response:
        known = listed(match)
        who = current_viewer().as_all(site.people.in_match(known.id))
        return _tagged(
            written(api_snapshot.match_record(known, site.library.opened(known), who), who)
        )

    @api.get("/matches/<match>/coach")
    def coach(match: str) -> Response:
        known = listed(match)
        coached = site.library.report_on(known)
        if coached is None:
            why = CompanionError(
                "The coach has nothing to say about this match: it is not won, or its game has no "
                "coach."
            )
            raise errors.RequestError(404, "not-found", why)
        who = current_viewer().as_all(site.people.in_match(known.id))
        report = text.report_record(coached.log, coached.coach, coached.report, who)
        return _tagged(written(report, who))

    @api.get("/matches/<match>/export")
    def export(match: str) -> Response:
        known = listed(match)
        entries = site.room.entries(known.id)
        answer = Response("".join(export_lines(api_snapshot.open_entries(entries))), mimetype=JSONL)
        (past,) = site.library.pasts((known,)) or (
            PastMatch(known.id, known.first.at_ms, Result.UNFINISHED),
        )
        who = current_viewer().as_all(site.people.in_match(known.id))
        answer.headers["Content-Disposition"] = attached(match_file(past, who))
        return answer


def known_games(who: viewer.Viewer) -> api_schema.GamesAnswer:
    """Return what a new match is made of, and which fouls people can call."""
    games = tuple(
        api_schema.GameKnown(
            name,
            core.pack(kind.settings_type()),
            tuple(
                api_schema.NamedBoard(title, core.pack(board))
                for title, board in _boards(name).items()
            ),
            tuple(players(name)),
        )
        for name, kind in GAMES.items()
    )
    return api_schema.GamesAnswer(
        games,
        events.USUAL_HOUSE,
        tuple(api_schema.FoulKnown(foul, fouls.foul_word(foul, who)) for foul in handlers.CALLED),
    )


def _boards(game: str) -> Mapping[str, Any]:
    barrels = barrel_game.barrels_of(game)
    return barrels.boards if barrels else {}


def _read_board(data: dict[str, Any]) -> Any:
    """Return a board as the first game reads it for which boards can be painted."""
    games = filter(None, map(barrel_game.barrels_of, PLUGINS))
    read = next((barrels.read_board for barrels in games if barrels.read_board), None)
    return abort(404) if read is None else read(data)


# --- what goes out --------------------------------------------------------------------------------


def _demand(refusal: errors.RequestError | None, version: int) -> None:
    if refusal is not None:
        refusal.version = version
        raise refusal


def _tagged(text: str) -> Response:
    """Return an answer that is sent only to whoever has not got it yet."""
    answer = Response(text, mimetype="application/json")
    answer.add_etag()
    answer.vary.update(("Accept-Language", "Cookie"))
    answer.make_conditional(request)
    return answer
