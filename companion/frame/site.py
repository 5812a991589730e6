"""The app of Flask that tables and halls serve, which compiles nothing before it is needed.

Werkzeug compiles two functions for each route that build its address, which is most of what making
an app takes. Our pages write their addresses out, so hardly any of them is ever called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flask import Flask
from werkzeug.routing import Rule


class _Route(Rule):
    """A route whose address can be built once somebody asks for it."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)

        def build(route: Rule, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


class Site(Flask):
    """An app with such routes, whose templates leave no empty lines."""

    url_rule_class = _Route
    jinja_options = {"trim_blocks": True, "lstrip_blocks": True}  # noqa: RUF012 - Flask declares it like this
