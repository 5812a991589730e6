"""What the terminal shows so that phones find the table, and only there: address, PIN, QR code."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO
from typing import Final

import segno

from companion.phone.join_page import invitation_to
from companion.phone.keeping import write_private
from companion.phone.room import Phones
from companion.say import Text, say

PIN: Final = "phone.pin"


def greeting(phones: Phones, language: str) -> str:
    """Return what to show once phones can come; never to be logged, for it holds the PIN."""
    drawn = StringIO()
    segno.make(invitation_to(phones), error="l").terminal(drawn, border=2, compact=True)
    best, *others = (link.removeprefix("http://") for link in phones.here.links)
    lines = [
        Text("On a phone, open {address} and enter the PIN {pin}.", address=best, pin=_pin(phones))
    ]
    if others:
        lines.append(Text("If that does not work, try {others}.", others=tuple(others[:2])))
    if phones.hands is not None:
        here = f"http://localhost:{phones.here.port}/simulated"
        lines.append(Text("Play in a browser of this computer: {address}", address=here))
    lines.append(Text("Or scan this with the phone's camera; that lets it in at once:"))
    return "\n".join([*(say(line, language) for line in lines), drawn.getvalue().rstrip("\n")])


def announcement(phones: Phones, language: str) -> str:
    """Return what to write where it may be kept, such as a log: the PIN goes to a private file."""
    best = phones.here.links[0].removeprefix("http://")
    lines = [Text("On a phone, open {address}.", address=best)]
    if phones.folder is not None:
        file = phones.folder / PIN
        with suppress(OSError):
            write_private(file, f"{phones.pairing.pin}\n".encode())
            lines.append(Text("The PIN is in the file {file}, for its owner only.", file=file))
    return " ".join(say(line, language) for line in lines)


def _pin(phones: Phones) -> str:
    pin = phones.pairing.pin
    return f"{pin[:3]} {pin[3:]}"
