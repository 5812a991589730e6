"""The manual: the rules, the table, its lights, and what helps."""

import logging
from typing import Final

from flask import Blueprint, render_template
from markupsafe import Markup

from companion.core.plugin import PLUGINS
from companion.maintenance.practice import PHASES
from companion.present.lights import example, legend
from companion.present.page import Chapter, Page, page_of, pages_of_games
from companion.system.text import Text
from companion.web.common.flask_app import current_viewer
from companion.web.context import WebContext

LOG: Final = logging.getLogger(__name__)
YES, NO = Text("usually yes"), Text("usually no")


def pages(site: WebContext) -> Blueprint:
    """Return the manual, which says the same at every table, and what of it fits this moment."""
    manual = Blueprint("manual", __name__)

    @manual.get("/rules")
    def read_now() -> str:
        now = site.room.snapshot
        game = now.game if now.match is not None else next(iter(PLUGINS))
        opened = site.room.workshop.opened
        page, phase = page_of(game), getattr(getattr(now.view, "phase", None), "value", "none")
        if now.match is None and opened is not None and opened.practice is not None:
            phase = PHASES[opened.practice]
        chapter = None if page is None else page.chapter
        if chapter is not None and chapter.rules:
            phase = "over" if now.over else phase
            return _drawn(chapter.rules, chapter, phase=phase)
        return render_template("rules_unknown.html", page=page)

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
        )

    return manual


def _chapter(page: Page, game: str) -> Markup:
    """Return what the manual says of a game; at least in one sentence."""
    if page.chapter is not None:
        try:
            html = _drawn(page.chapter.template, page.chapter)
            return Markup(html)  # noqa: S704 - jinja has escaped it
        except Exception:  # in a game of another package; the rest is read all the same
            LOG.exception("The chapter of the game %s is left out.", game)
    return Markup("<p>{}</p>").format(current_viewer().say(page.about) if page.about else "")


def _drawn(template: str, chapter: Chapter, **values: object) -> str:
    parts = chapter.parts(current_viewer())
    return render_template(template, **values, **parts)


def _usual(game: str, page: Page) -> list[tuple[Text, Text]]:
    """Return what a table can decide of a game's rules, and how it is played if nobody does."""
    settings = PLUGINS[game].game.settings_type()
    agreed = [(option, getattr(settings, option.name)) for option in page.options]
    return [
        (option.said, dict(option.values)[value] if option.values else YES if value else NO)
        for option, value in agreed
    ]
