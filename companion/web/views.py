"""The live views of a table: each by its name, who may see what of it, and how it is rendered.

Live parts of pages are made without Flask, as a stream makes them when no request is under way. A
game's template is named after it: `<game>/table.html` lies in that game's folder `templates`.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from flask import request
from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, TemplateNotFound

from companion.core import pack
from companion.core.plugin import PLUGINS
from companion.present import command_json, fouls, icons
from companion.present.page import title_of
from companion.present.viewer import Viewer
from companion.referee import commands, maintenance_commands
from companion.web.common import fanout, flask_app
from companion.web.common.live import mark_of
from companion.web.context import WebContext

View = Callable[[WebContext, Viewer], str]
WORKSHOP: Final = "workshop"  # the one view that may be new though the snapshot is the same


class TableViews:
    """The live views by their names; any thread may call this."""

    def __init__(self, site: WebContext, views: Mapping[str, View]) -> None:
        self._site, self._views = site, views

    def __contains__(self, name: str) -> bool:
        return name in self._views

    def is_urgent(self, name: str) -> bool:
        """Tell that every view comes first: there is but one table."""
        return name in self._views

    def viewer(self, name: str) -> fanout.StreamViewer:
        """Return who sent the request that is being answered.

        Their phone may be let in, or go, while they follow.
        """
        pairing, language = self._site.pairing, flask_app.current_viewer().language
        phone = pairing.phone()
        return fanout.StreamViewer(
            lambda: (name, language, pairing.role_of(phone) or ""),
            lambda: pairing.role_of(phone) is not None,
            request.remote_addr or "",
        )

    def version(self, topic: fanout.Topic) -> object:
        """Return what is equal as long as a topic looks the same."""
        room, pairing = self._site.room, self._site.pairing
        opened = room.workshop.opened
        practice = opened and (opened.practice, opened.practised, opened.caught)
        paired = pairing.asked, pairing.shared, practice, pairing.crossed
        workshop = room.workshop if topic[0] == WORKSHOP else None
        return room.snapshot, paired, self._site.people.now, self._site.cafe.now, workshop

    def text(self, topic: fanout.Topic, part: str = fanout.WHOLE) -> str:  # noqa: ARG002 - views have no parts
        name, language, role = topic
        return self._views[name](self._site, Viewer(language, role or None, self._site.people.now))


def fragment(live: View) -> View:
    """Return a live part's HTML as what is sent of it."""
    return lambda site, who: _sent(live(site, who))


def etag_of(html: str) -> str:
    """Return by what a page recognises a live part that it was made with."""
    return mark_of(_sent(html))


def _sent(html: str) -> str:
    return json.dumps({"html": html})


# --- templates ------------------------------------------------------------------------------------

Source = tuple[str, str | None, Callable[[], bool] | None]


class GameTemplateLoader(BaseLoader):
    """Finds the templates of whichever games are installed."""

    def get_source(self, environment: Environment, template: str) -> Source:
        """Return a template's text, and where it comes from."""
        game, _, name = template.partition("/")
        if not name or game not in PLUGINS:
            raise TemplateNotFound(template)
        return _in(PLUGINS[game].package).get_source(environment, name)


@cache
def _in(package: str) -> PackageLoader:
    return PackageLoader(package)


def as_attribute(wish: commands.CommandBody) -> str:
    """Return a wish as an element keeps it until it is tapped."""
    return json.dumps(command_json.to_json(wish), ensure_ascii=False)


WORDS: Final[dict[str, Any]] = {  # that the templates of a table know besides
    "act": lambda text: as_attribute(commands.DoAction(text)),
    "commands": commands,
    "foul_word": fouls.foul_word,
    "maintenance_commands": maintenance_commands,
    "pack": pack,
    "pawns_svg": icons.pawns_svg,
    "RollForUs": commands.RollForUs,  # pages of other packages may say this, too
    "state_svg": icons.state_svg,
    "title_of": title_of,
    "wish": as_attribute,
}
LOADER: Final = ChoiceLoader([PackageLoader("companion.web"), GameTemplateLoader()])
PARTS: Final[Environment] = flask_app.environment(LOADER, WORDS)


def compile_templates(game: str) -> None:
    """Compile the templates of a game before it is shown, so that no phone waits at its start."""
    for name in _in(PLUGINS[game].package).list_templates():
        PARTS.get_template(f"{game}/{name}")
    for name in _in("companion.web").list_templates():
        if name.startswith("table_"):  # what every game's stands on
            PARTS.get_template(name)


def part(template: str, values: dict[str, object]) -> str:
    return PARTS.get_template(template).render(values)
