"""Makes the live parts of pages without Flask: a stream makes them when no request is under way.

It must not know what a part shows.
"""

from __future__ import annotations

from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

PARTS: Final = Environment(
    loader=PackageLoader("companion.outputs.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def part(template: str, values: dict[str, object]) -> str:
    """Return a part of a page."""
    return PARTS.get_template(template).render(values)
