"""The set-up page: who plays, by which rules, on which board. It must not know how one plays.

The page is one form. Whenever something is changed the server reads it again and sends back what
it makes of it: the ring as it is painted, what is wrong, and the button that begins the match.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.phone.reader import reader
from companion.phone.room import Phones
from companion.phone.setup_shown import BRUSHES, checked, presets, proposed
from companion.phone.table_shown import words
from companion.referee.deeds import Cost
from companion.rules.zapp_zerapp import Colour


def pages(phones: Phones) -> Blueprint:
    """Return the set-up page, and the part of it that is made anew with every change."""
    setup = Blueprint("setup", __name__)

    @setup.get("/setup")
    def the_setup() -> str:
        who, now = reader(), phones.room.snapshot
        wanted = proposed(now)
        return render_template(
            "setup.html",
            wanted=wanted,
            presets=presets(who),
            brushes=BRUSHES,
            colours=tuple(Colour),
            costs=tuple(Cost),
            checked=checked(wanted, now, who),
            **words(who),
        )

    @setup.get("/setup/checked")
    def what_is_chosen() -> str:
        who, now = reader(), phones.room.snapshot
        wanted = proposed(now, request.args)
        return render_template(
            "setup_checked.html", checked=checked(wanted, now, who), **words(who)
        )

    return setup
