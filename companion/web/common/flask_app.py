"""The Flask app of tables and halls: lazy routes, cookies, language, words of templates.

Werkzeug compiles two functions for each route that build its address, which is most of what making
an app takes. Our pages write their addresses out, so hardly any of them is ever called.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Final

from flask import Flask, Response, abort, g, redirect, request
from jinja2 import BaseLoader, Environment, StrictUndefined
from werkzeug.http import dump_cookie
from werkzeug.routing import Rule

from companion.i18n.translate import LANGUAGES, spoken
from companion.present import icons, to_json
from companion.present.viewer import Viewer
from companion.referee.people.person import Seating
from companion.system.text import SeatName, Text, seat_word
from companion.web.common import asset_version


class _Route(Rule):
    """A route whose address can be built once somebody asks for it."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)

        def build(route: Rule, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


class LazyFlask(Flask):
    """An app with such routes, whose templates leave no empty lines."""

    url_rule_class = _Route
    jinja_options = {"trim_blocks": True, "lstrip_blocks": True}  # noqa: RUF012 - Flask declares it like this


# --- templates ------------------------------------------------------------------------------------

WORDS: Final[dict[str, Any]] = {  # that every template knows
    "animal": icons.animal_svg,
    "apprentice": icons.apprentice,
    "crown": icons.CROWN_SVG,
    "face_svg": icons.face_svg,
    "seat_word": seat_word,
    "sign": icons.sign_svg,
    "signs": icons.SIGNS,
    "who": lambda word: SeatName[word.upper()],
}


def words(reader: Viewer) -> dict[str, Any]:
    """Return what every template is written with for one reader."""
    return {
        "reader": reader,
        "say": reader.say,
        "name": reader.name,
        "face": lambda seat: icons.face_svg(seat, reader),
    }


def environment(loader: BaseLoader, more: dict[str, Any] | None = None) -> Environment:
    """Return what makes live parts of pages, when no request is under way, too."""
    made = Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.globals |= WORDS | (more or {})
    return made


# --- cookies --------------------------------------------------------------------------------------


KEPT_S: Final = 400 * 24 * 3600  # longer than browsers allow
BY_HTTPS: Final = "__Host-"  # browsers let nobody who calls by http see or replace such a cookie


def cookie(name: str) -> str | None:
    """Return what a phone keeps; by https also what it was given at the plain page.

    Both have names of their own: browsers refuse one by http that would replace one by https.
    """
    kept = request.cookies.get(BY_HTTPS + name) if request.is_secure else None
    return request.cookies.get(name) if kept is None else kept


def set_cookie(answer: Response, name: str, value: str) -> Response:
    """Set a cookie, out of reach of scripts and of other sites."""
    return _set(answer, BY_HTTPS * request.is_secure + name, value, KEPT_S)


def delete_cookie(answer: Response, name: str) -> Response:
    """Delete a cookie."""
    for kept in (name, BY_HTTPS + name) if request.is_secure else (name,):
        _set(answer, kept, "", 0)
    return answer


def _set(answer: Response, name: str, value: str, for_s: int) -> Response:
    written = dump_cookie(
        name,
        value,
        max_age=for_s,
        sync_expires=False,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )
    answer.headers.add("Set-Cookie", written)
    return answer


def hashed(name: str) -> str:
    """Return what is known of the name that a phone keeps, and does not lead back to it."""
    return sha256(name.encode(errors="replace")).hexdigest()


def link_pages(
    app: Flask,
    pages: Sequence[tuple[str, Text]],
    more: Callable[[], dict[str, object]] = dict,
) -> None:
    """Give templates the links to all pages, the first being home, and the build."""

    @app.context_processor
    def _links() -> dict[str, object]:
        here = f"/{request.path.split('/')[1]}"
        links = [{"path": path, "template": text, "here": path == here} for path, text in pages]
        look = {"build": asset_version.build(), "styled": asset_version.games()}
        return {"home": pages[0][0], "links": links, **look, **more()}


def json_answer(record: object) -> Response:
    """Return a record as JSON, in the words of whoever asks."""
    return Response(to_json.written(record, current_viewer()), mimetype="application/json")


LANGUAGE: Final = "language"  # the cookie of who switched to another


def current_viewer() -> Viewer:
    """Return who sent the request that is being answered."""
    known: Viewer = g.reader
    return known


def identify_viewers(
    app: Flask, role_of: Callable[[], str | None], seating: Callable[[], Seating]
) -> None:
    """Give each request its viewer, and templates the viewer's language."""
    app.jinja_env.globals |= WORDS

    @app.before_request
    def _remember() -> None:
        g.reader = Viewer(_language(), role_of(), seating())

    @app.context_processor
    def _speak() -> dict[str, object]:
        spoken_here = sorted(LANGUAGES.values(), key=lambda language: language.own_name)
        return {"languages": spoken_here, **words(getattr(g, "reader", Viewer()))}

    @app.post("/language")
    def language() -> Response:
        """Speak another language to this phone, and go back to where it was."""
        chosen, back = request.form.get("language"), request.form.get("back", "/")
        if chosen not in LANGUAGES:
            abort(400)
        gone_back = app.make_response(redirect(back if is_local(back) else "/", 303))
        return set_cookie(gone_back, LANGUAGE, chosen)


def is_local(path: str) -> bool:
    r"""Tell whether this leads to a page of ours, however a browser may read it.

    >>> [is_local(path) for path in ("/join", "//evil", "/\\evil", "http://evil", "/\tx")]
    [True, False, False, False, False]
    """
    return path[:1] == "/" and path[1:2] not in ("/", "\\") and path.isprintable()


def _language() -> str:
    """Return the language that somebody switched to, or the one that the phone asks for."""
    chosen = cookie(LANGUAGE) or ""
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES) or spoken({})
