"""The contract of a page of the hall, by which it is registered: see `PAGES` in `server_app`.

    PAGE = HallPage(routes, "/evening", Text("Evening"), {"evening": View(live, personal=True)})

A live part is an element with `data-live="evening"` in the page's template; its newest HTML comes
by a stream whenever somebody calls `hall.changed("evening")`. A view's name may end in what it is
about: `changed("table-7")` has the view `table` make the part for "7".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from flask import Blueprint
from jinja2 import ChoiceLoader, Environment, PackageLoader
from markupsafe import Markup

from companion.hall import accounts, hall
from companion.system.text import Text
from companion.web.common import flask_app

Make = Callable[["hall.Hall", accounts.Visitor, str], str]
Has = Callable[["hall.Hall", str], bool]


@dataclass(frozen=True, slots=True)
class View:
    """How a live part is made: HTML of one element, for a visitor, of what its name ends in."""

    make: Make
    personal: bool = False  # whether it depends on who looks, and not only on the language
    urgent: bool = False  # whether it comes first, such as on a wall
    part: Make | None = None  # of a view of many parts: one of them, by its name
    # whether what its name ends in exists; most names end in nothing more
    has: Has = lambda _, about: not about


@dataclass(frozen=True, slots=True)
class Wall:
    """A picture that a director can put on a wall; `changed` of its name renews it there, too."""

    title: Text
    make: Make


@dataclass(frozen=True, slots=True)
class HallPage:
    """A page: its routes, how pages link to it, its live parts, its pictures for walls."""

    routes: Callable[[hall.Hall], Blueprint]
    path: str = ""
    title: Text | None = None  # None: no menu names it
    views: Mapping[str, View] = field(default_factory=dict)
    walls: Mapping[str, Wall] = field(default_factory=dict)


LOADER: Final = ChoiceLoader([PackageLoader("companion.hall"), PackageLoader("companion.web")])
PARTS: Final[Environment] = flask_app.environment(LOADER)


def part(template: str, values: dict[str, object]) -> Markup:
    """Return a part of a page, which other templates take as it is."""
    filled = PARTS.get_template(template).render(values)
    return Markup(filled)  # noqa: S704 - jinja has escaped the values
