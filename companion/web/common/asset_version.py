"""The version of pages, scripts and styles, so that a page that is older than them notices.

An upgrade changes it, a restart does not. Pages ask for files of their own version, which browsers
keep for as long as they like: the next version asks for others.
"""

import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final

from flask import Blueprint, Response, abort, request

import companion.present
from companion.core.plugin import PLUGINS
from companion.present.page import page_of, pages_of_games

HEADER: Final = "Rappelwacht-Build"  # of every answer, as act.js knows it
HERE: Final = Path(__file__).parent.parent
PAGES: Final = (HERE, HERE.parent / "hall")


_READING: Final = Lock()


def build() -> str:
    """Return the mark of all that pages are made of: code, templates, scripts and styles.

    Whoever asks first reads all of it; others wait meanwhile instead of reading it, too.
    """
    with _READING:
        return _read()


@cache
def _read() -> str:
    specs = (find_spec(plugin.package) for plugin in PLUGINS.values())
    games = (
        Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ()
    )
    return digest_of(*PAGES, Path(companion.present.__file__).parent, *games)


def digest_of(*folders: Path) -> str:
    digest = blake2b(digest_size=9)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


NAMED: Final = re.compile(rb'((?:src|href)="|url\(")(/(?:static|look|games)/[\w./-]+)"')
FOREVER: Final = "public, max-age=31536000, immutable"
ASKED: Final = "v"  # the version that an address asks for


def with_version(text: bytes) -> bytes:
    """Return a page or a style sheet that asks for files of this version."""
    return NAMED.sub(rb'\1\2?v=%s"' % build().encode(), text)


def is_asked_for() -> bool:
    """Tell whether the request that is being answered asks for this version of a file."""
    return request.args.get(ASKED) == build()


def games() -> list[str]:
    return [game for game, page in pages_of_games() if page.styles]


def pages() -> Blueprint:
    """Return the route of the style sheets; browsers keep them as they keep static files."""
    styles = Blueprint("styles", __name__)

    @styles.get("/games/<game>.css")
    def style(game: str) -> Response:
        page = page_of(game)
        if page is None or not page.styles:
            abort(404)
        text = (files(PLUGINS[game].package) / page.styles).read_text("utf-8")
        answer = Response(text, mimetype="text/css")
        answer.cache_control.no_cache = True
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    return styles
