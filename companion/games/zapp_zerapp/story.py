"""What is told of a past match of Zapp Zerapp beyond what happened in it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action
from companion.games.zapp_zerapp.rules import Roll, Say, Settings, View
from companion.present.reader import Reader


def began(settings: Settings, reader: Reader) -> Iterator[str]:
    """Yield by which rules people play, where those are not the usual ones."""
    if settings.profi:
        yield reader.say("Profi version: castle fields are take-along fields.")
    if settings.overlook:
        yield reader.say("An apprentice whose banishment is overlooked may stay.")
    if not settings.shuffle:
        yield reader.say("The barrels are not shuffled between rounds.")


def amended(wrong: Action, right: Action, reader: Reader) -> str | None:
    """Return what was put right; None: it needs no sentence of its own."""
    match wrong, right:
        case Roll(former), Roll(now):
            return reader.say(
                "Corrected: the magic number was {now}, not {former}.", now=now, former=former
            )
        case Say(seat, former), Say(_, now):
            return reader.say(
                "Corrected: {seat} showed {now}, not {former}.", seat=seat, now=now, former=former
            )
    return None


def stands(view: View, reader: Reader) -> str:
    """Return which round it is, and its magic number."""
    said = reader.say("Round {round}", round=view.round)
    if not view.magic:
        return said
    return f"{said}, {reader.say('magic number {magic}', magic=view.magic)}"
