"""Fills the templates of live parts, without Flask: they change while no request is under way."""

from __future__ import annotations

from typing import Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

LOADER: Final = ChoiceLoader(
    [PackageLoader("companion.hall"), PackageLoader("companion.outputs.web")]
)
PARTS: Final = Environment(
    loader=LOADER,
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def part(template: str, values: dict[str, object]) -> Markup:
    """Return a part of a page, which other templates take as it is."""
    filled = PARTS.get_template(template).render(values)
    return Markup(filled)  # noqa: S704 - jinja has escaped the values
