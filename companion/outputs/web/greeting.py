"""What the terminal shows so that phones find the table, and only there: address, PIN, QR code."""

from __future__ import annotations

from io import StringIO

import segno

from companion.frame.addresses import NO_NETWORK
from companion.outputs.web import kept_phones
from companion.outputs.web.join_page import invitation_to
from companion.outputs.web.phones import Phones
from companion.say import say
from companion.text import Text


def greeting(phones: Phones, language: str) -> str:
    """Return what to show once phones can come; never log it, because it contains the PIN."""
    best, *others = (link.removeprefix("http://") for link in phones.here.links)
    lines = []
    if phones.hands is not None:
        here = f"http://localhost:{phones.here.port}/simulated"
        lines.append(Text("Play in a browser on this computer: {address}", address=here))
    if phones.here.alone:
        lines.append(NO_NETWORK)
        lines.append(
            Text(
                "In a browser on this computer, open {address} and enter the PIN {pin}.",
                address=best,
                pin=_pin(phones),
            )
        )
        return "\n".join(say(line, language) for line in lines)
    drawn = StringIO()
    segno.make(invitation_to(phones), error="l").terminal(drawn, border=2, compact=True)
    lines.append(
        Text(
            "On a phone, scan this with the camera, or open {address} and enter the PIN {pin}.",
            address=best,
            pin=_pin(phones),
        )
    )
    if others:
        lines.append(Text("If that does not work, try {others}.", others=tuple(others[:2])))
    return "\n".join([*(say(line, language) for line in lines), drawn.getvalue().rstrip("\n")])


def announcement(phones: Phones, language: str) -> str:
    """Return what to write where it may be kept, such as a log: never the PIN, but where it is."""
    best, kept = phones.here.links[0].removeprefix("http://"), phones.pairing.kept
    lines = [Text("On a phone, open {address}.", address=best)]
    if phones.here.alone:
        lines = [NO_NETWORK, Text("In a browser on this computer, open {address}.", address=best)]
    if kept.pin_file is not None:
        lines.append(Text("The PIN is in the file {file}, for its owner only.", file=kept.pin_file))
    elif kept.pin_fault:
        lines.append(
            Text(
                "The PIN cannot be saved ({reason}); if there is a file {file}, it contains an "
                "old one. A table that is started in a terminal shows its PIN there.",
                reason=kept.pin_fault,
                file=phones.folder and phones.folder / kept_phones.PIN,
            )
        )
    elif phones.folder is not None:
        lines.append(
            Text(
                "Another table uses the folder {folder}; the PIN there is not for this one. Stop "
                "that table, or give this one its own folder.",
                folder=phones.folder,
            )
        )
    return " ".join(say(line, language) for line in lines)


def _pin(phones: Phones) -> str:
    pin = phones.pairing.pin
    return f"{pin[:3]} {pin[3:]}"
