"""Which phone a seat's button may let in."""

from __future__ import annotations

from typing import Final

from flask import request

from companion.frame.reader import reader
from companion.outputs.web.phones import Phones

PASSED_ON: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")  # words of a proxy


def may_press(phones: Phones) -> bool:
    """Tell whether a button should let in the phone whose request is being answered.

    Who presses a real one is at the table. One that is simulated proves it only of a browser of
    this computer; any other phone needs the PIN first. What a proxy says counts only against it.
    """
    if phones.hands is None or reader().acts:
        return True
    passed_on = any(name in request.headers for name in PASSED_ON)
    return not passed_on and phones.here.ours(request.remote_addr or "")
