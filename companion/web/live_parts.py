"""Loads and renders Jinja templates: the pages' own, and those in the folders of games.

Live parts of pages are made without Flask, as a stream makes them when no request is under way. A
game's template is named after it: `<game>/table.html` lies in that game's folder `templates`.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    PackageLoader,
    StrictUndefined,
    TemplateNotFound,
)

from companion.core.plugin import PLUGINS

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


LOADER: Final = ChoiceLoader([PackageLoader("companion.web"), GameTemplateLoader()])
PARTS: Final = Environment(
    loader=LOADER, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
)


def ready(game: str) -> None:
    """Compile the templates of a game before it is shown, so that no phone waits at its start."""
    for name in _in(PLUGINS[game].package).list_templates():
        PARTS.get_template(f"{game}/{name}")
    for name in _in("companion.web").list_templates():
        if name.startswith("table_"):  # what every game's stands on
            PARTS.get_template(name)


def part(template: str, values: dict[str, object]) -> str:
    return PARTS.get_template(template).render(values)
