"""Error responses: every HTTP error as JSON or as a page, in the language of who reads it."""

import logging
from typing import Any, Final

from flask import Flask, Response, current_app, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.i18n.translate import Translatable
from companion.present.viewer import Viewer
from companion.system.errors import CompanionError, NoAnswer
from companion.system.text import Text

HEARD: Final = logging.getLogger(__name__)

FAULTS: Final[dict[int, tuple[str, Text]]] = {
    400: ("unreadable", Text("The companion does not understand this request.")),
    403: ("not-allowed", Text("This phone may not do that; pair it on the Join page.")),
    404: ("not-found", Text("There is no such page.")),
    405: ("wrong-method", Text("This cannot be done here.")),
    406: ("wrong-form", Text("The companion cannot answer in this format.")),
    409: ("conflict", Text("Somebody else was faster; look at what has changed.")),
    413: ("too-large", Text("This is more than the companion accepts at once.")),
    415: ("wrong-type", Text("The companion accepts only JSON here.")),
    421: (
        "wrong-name",
        Text("The companion does not go by this name; open it at an address that it shows."),
    ),
    429: ("too-many", Text("Too many tries. Wait a minute, then try again.")),
    500: ("broken", Text("Something broke in the companion. The match is safe; try again.")),
    503: ("busy", Text("Too many phones are following live; this one asks every few seconds.")),
}
FOREIGN: Final = ("foreign", Text("Another website tried to do this; nothing was done."))
NO_ORIGIN: Final = (
    "no-origin",
    Text(
        "A program has to say in the header Origin which address it posts to, such as "
        "http://rappelwacht.local:8000; nothing was done."
    ),
)
NO_ANSWER: Final = "no-answer"  # not that there is nothing: ask again
RETRY_S: Final = {429: 60, 503: 2}
AT_ONCE_S: Final = 1  # where a wish found all places taken


class RequestError(Exception):
    """A request that is answered with an error: a status, a code for programs, a sentence."""

    def __init__(
        self, status: int, code: str, why: Translatable, version: int | None = None
    ) -> None:
        super().__init__(str(why))
        self.status, self.code, self.why, self.version = status, code, why, version

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copy and pickle, whatever arguments its class takes."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Malformed(RequestError):
    """A request that is not as it must be."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(400, "malformed", CompanionError(template, **values))


def unsaved(fault: OSError) -> RequestError:
    """Return why what somebody chose stays as it was: the disk does not take it."""
    why = CompanionError(
        "This cannot be saved ({reason}); make room or repair the disk.",
        reason=fault.strerror or type(fault).__name__,
    )
    return RequestError(503, "unsaved", why)


def error_response(
    status: int,
    why: tuple[str, Translatable] | None = None,
    retry_s: int | None = None,
    version: int | None = None,
) -> Response:
    """Return what to answer: under /api as JSON, otherwise as a page, in the reader's language."""
    code, text = why or FAULTS[status]
    reader: Viewer = getattr(g, "reader", Viewer())
    if request.path.startswith("/api/"):
        seen = {} if version is None else {"version": version}
        answer = jsonify(error={"code": code, "sentence": reader.say(text)}, **seen)
    else:
        answer = current_app.make_response(render_template("fault.html", text=text))
    answer.status_code = status
    wait_s = RETRY_S.get(status) if retry_s is None else retry_s
    if wait_s is not None:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def register_handlers(app: Flask) -> None:
    """Answer everything that goes wrong with a sentence of ours."""

    @app.errorhandler(RequestError)
    def _refuse(error: RequestError) -> Response:
        rest_s = AT_ONCE_S if error.status == 429 else None
        return error_response(error.status, (error.code, error.why), rest_s, error.version)

    @app.errorhandler(NoAnswer)
    def _unknown(error: NoAnswer) -> Response:
        return error_response(503, (NO_ANSWER, error))

    @app.errorhandler(HTTPException)
    def _tell(error: HTTPException) -> Response:
        status = error.code or 500
        if error.response is not None:  # a page that knows better what to say
            return current_app.make_response(error.response)
        answer = error_response(status if status in FAULTS else 400 if status < 500 else 500)
        if error.code == 405:
            answer.headers["Allow"] = dict(error.get_headers()).get("Allow", "GET")
        return answer

    def log(where: Any) -> None:
        """Write down where it broke; by whom and with what it was asked could be a secret."""
        HEARD.error("A page failed: %s %s.", request.method, request.endpoint, exc_info=where)

    app.log_exception = log  # type: ignore[method-assign, assignment]
