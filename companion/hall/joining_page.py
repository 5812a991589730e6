"""The page on which a table is let into the hall: a name, then a code for the table's computer."""

import segno
from flask import Blueprint, Response, abort, current_app, redirect, render_template, request

from companion.hall import page, table_parts
from companion.hall.broker import OtherBroker
from companion.hall.hall import Hall
from companion.mqtt import accounts, join_code, signing, topics
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web.common.errors import RequestError


def routes(hall: Hall) -> Blueprint:
    blueprint = Blueprint("joining", __name__)

    @blueprint.get("/joining")
    def joining() -> str:
        hall.accounts.demand_sign_in()
        known, broker = hall.tables.secrets(), hall.broker
        return render_template(
            "joining.html",
            tables=[table for table in hall.tables if table.name in known],
            broker=broker,
            folder=broker.folder if isinstance(broker, OtherBroker) else None,
            host=hall.here.hosts[0],
            home=accounts.HOME,
            update=table_parts.update,
        )

    @blueprint.post("/joining")
    def join() -> Response:
        hall.accounts.demand_director()
        name = request.form.get("name", "").strip().lower()
        if not topics.is_name(name) or name in accounts.RESERVED:
            why = CompanionError(
                "'{name}' cannot be the name of a table; use lower-case letters, digits and "
                "hyphens, at most 32.",
                name=name[:40],
            )
            raise RequestError(400, "no-name", why)
        if hall.tables.secret(name) is None:
            hall.join_table(name, signing.new_secret())
        return current_app.make_response(redirect(f"/joining/{name}", 303))

    @blueprint.post("/joining/<name>")
    def anew(name: str) -> Response:
        """Make a new code, the only one to let the table in: somebody else may know the old."""
        hall.accounts.demand_director()
        if hall.tables.secret(name) is None:
            abort(404)
        hall.join_table(name, signing.new_secret())
        return current_app.make_response(redirect(f"/joining/{name}", 303))

    @blueprint.get("/joining/<name>")
    def code(name: str) -> str:
        hall.accounts.demand_sign_in()
        table, text = hall.tables.named(name), hall.code(name)
        if table is None or text is None:
            abort(404)
        picture = segno.make(text, error="l").svg_data_uri(scale=4, light="#fff")
        authority = None if hall.broker is None else hall.broker.authority
        known_by = join_code.fingerprint(authority)
        return render_template(
            "joining_code.html", table=table, code=text, picture=picture, mark=known_by
        )

    @blueprint.get("/authority.pem")
    def authority() -> Response:
        """Return the authority that programs speaking to the broker trust; it is not secret."""
        text = None if hall.broker is None else hall.broker.authority
        if text is None:
            abort(404)
        return Response(text, mimetype="application/x-pem-file")

    return blueprint


PAGE = page.HallPage(routes, "/joining", Text("Tables"))
