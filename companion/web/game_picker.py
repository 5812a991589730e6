"""Shows the games as boxes on a shelf: a picture, how many can play, from which age, how long.

The picture is the game's own, as a document by itself: a page may have those of all games in it.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from flask import Blueprint, Response, abort, request

from companion.core.plugin import GAMES, PLUGINS, seats_of
from companion.i18n.translate import LANGUAGES
from companion.present.page import Page, page_of, pages_of_games
from companion.present.viewer import Viewer
from companion.referee.people.person import NOBODY
from companion.system.text import Text
from companion.web import context
from companion.web.common.flask_app import current_viewer

LOG: Final = logging.getLogger(__name__)
XMLNS: Final = 'xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Tile:
    game: str
    title: Text
    facts: tuple[str, ...]
    pictured: bool


def tiles(who: Viewer) -> Iterator[Tile]:
    """Yield all games, in the order in which people choose."""
    for game, page in pages_of_games():
        yield Tile(game, page.title, tuple(_facts(game, page, who)), bool(box_svg(game, "en")))


def _facts(game: str, page: Page, who: Viewer) -> Iterator[str]:
    most, box = len(seats_of(game)), page.box
    if box.fewest == most:
        yield who.say("{most} players", most=most)
    else:
        yield who.say("{fewest}–{most} players", fewest=box.fewest, most=most)
    if box.age is not None:
        yield who.say("age {age} and up", age=box.age)
    if box.minutes is not None:
        yield who.say("{minutes} min", minutes=box.minutes)


@cache
def box_svg(game: str, language: str) -> str:
    """Return the picture of a game as a document; nothing, where it has none."""
    page = page_of(game)
    if page is None:
        return ""
    by = Viewer(language, seating=NOBODY)
    try:
        drawn = page.box.picture(by) if page.box.picture else _begun(game, page, by)
        style = _style(game, page)
    except Exception:  # in a game of another package; others are set up all the same
        LOG.exception("The game %s has no picture on its box.", game)
        return ""
    if not drawn.startswith("<svg "):
        return ""
    head, _, rest = drawn.removeprefix("<svg ").partition(">")
    return f"<svg {XMLNS} {head}><style><![CDATA[{style}]]></style>{rest}"


def _begun(game: str, page: Page, by: Viewer) -> str:
    rules = GAMES[game]()
    return str(page.picture(rules.view(rules.start(), None), rules.settings, (), by))


def _style(game: str, page: Page) -> str:
    """Return the colours that all pages share, and how the game's own things look."""
    static = files("companion.web") / "static"
    colours = (static / "theme.css").read_text("utf-8").partition(":root")
    seats = (static / "style.css").read_text("utf-8").partition("*, *::before")[0]
    own = (files(PLUGINS[game].package) / page.styles).read_text("utf-8") if page.styles else ""
    return "".join(colours[1:]) + seats + "text { font-family: sans-serif }" + own


def pages(_: context.WebContext) -> Blueprint:
    blueprint = Blueprint("boxes", __name__)

    @blueprint.get("/games/<game>.svg")
    def picture(game: str) -> Response:
        language = request.args.get("language", current_viewer().language)
        if game not in PLUGINS or language not in LANGUAGES or not box_svg(game, language):
            abort(404)
        answer = Response(box_svg(game, language), mimetype="image/svg+xml")
        answer.cache_control.no_cache = True
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    return blueprint
