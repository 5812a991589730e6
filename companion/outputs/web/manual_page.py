"""The manual: the rules, the table, its lights, and what helps."""

from __future__ import annotations

from flask import Blueprint, render_template
from markupsafe import Markup

from companion.frame.reader import reader
from companion.outputs.web.phones import Phones
from companion.present.lights.gallery import EXAMPLES
from companion.present.lights.meaning import OTHERS, PATTERNS, QUARTERS
from companion.present.page import Page
from companion.present.page import pages as pages_of_games


def pages(_: Phones) -> Blueprint:
    """Return the manual; it says the same at every table."""
    manual = Blueprint("manual", __name__)

    @manual.get("/manual")
    def read() -> str:
        games = [(page, _chapter(page), game) for game, page in pages_of_games()]
        own = [one for one in games if one[0].chapter and one[0].chapter.sections]
        more = [one for one in games if one not in own]
        return render_template(
            "manual.html",
            own=own,
            more=more,
            patterns=PATTERNS,
            quarters=QUARTERS,
            others=OTHERS,
            scenes=EXAMPLES,
        )

    return manual


def _chapter(page: Page) -> Markup:
    """Return what the manual says of a game; at least in one sentence."""
    if page.chapter is None:
        return Markup("<p>{}</p>").format(reader().say(page.about) if page.about else "")
    html = render_template(page.chapter.template, **page.chapter.parts(reader()))
    return Markup(html)  # noqa: S704 - jinja has escaped it
