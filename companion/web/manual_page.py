"""The manual: the rules, the table, its lights, and what helps."""

import logging
from typing import Final

from flask import Blueprint, render_template
from markupsafe import Markup

from companion.core.plugin import PLUGINS
from companion.present import icons
from companion.present.lights import example, legend
from companion.present.page import Page, pages_of_games
from companion.system.text import Text
from companion.web.common.flask_app import current_viewer
from companion.web.context import WebContext

LOG: Final = logging.getLogger(__name__)
YES, NO = Text("usually yes"), Text("usually no")


def pages(_: WebContext) -> Blueprint:
    """Return the manual; it says the same at every table."""
    manual = Blueprint("manual", __name__)

    @manual.get("/manual")
    def read() -> str:
        games = [(page, _chapter(page, game), game) for game, page in pages_of_games()]
        own = [chapter for chapter in games if chapter[0].chapter and chapter[0].chapter.sections]
        more = [chapter for chapter in games if chapter not in own]
        return render_template(
            "manual.html",
            own=own,
            more=more,
            usual=_usual,
            patterns=legend.PATTERNS,
            quarters=legend.QUARTERS,
            others=legend.OTHERS,
            scenes=example.examples(),
            apprentice=icons.apprentice,
        )

    return manual


def _chapter(page: Page, game: str) -> Markup:
    """Return what the manual says of a game; at least in one sentence."""
    if page.chapter is not None:
        try:
            html = render_template(
                page.chapter.template,
                apprentice=icons.apprentice,
                **page.chapter.parts(current_viewer()),
            )
            return Markup(html)  # noqa: S704 - jinja has escaped it
        except Exception:  # in a game of another package; the rest is read all the same
            LOG.exception("The chapter of the game %s is left out.", game)
    return Markup("<p>{}</p>").format(current_viewer().say(page.about) if page.about else "")


def _usual(game: str, page: Page) -> list[tuple[Text, Text]]:
    """Return what a table can decide of a game's rules, and how it is played if nobody does."""
    settings = PLUGINS[game].game.settings_type()
    agreed = [(option, getattr(settings, option.name)) for option in page.options]
    return [
        (option.said, dict(option.values)[value] if option.values else YES if value else NO)
        for option, value in agreed
    ]
