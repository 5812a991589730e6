"""Zapp Zerapp as it is studied: people who are made up shake its barrels."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from companion.core.game import Action
from companion.games.zapp_zerapp.listening_ai.listener import COME, somebody
from companion.games.zapp_zerapp.listening_ai.table import Step, Table
from companion.games.zapp_zerapp.rules import (
    Banished,
    MagicNumber,
    Moved,
    Roll,
    Say,
    Settings,
    View,
    ZappZerapp,
)
from companion.present.study_game import ByHand, StudiedAction, StudyGame, done_by
from companion.present.viewer import Viewer
from companion.system.text import Text


def play(game: ZappZerapp, players: Sequence[str], chance: Random) -> Iterator[Step]:
    """Play a match with people of these levels."""
    levels = zip(game.seats, players, strict=True)
    people = {seat: somebody(level, seat, game.settings, chance) for seat, level in levels}
    return Table(game, people, chance).play()


SUBJECT: Final = StudyGame(
    code="rounds",
    unit=Text("rounds"),
    span=MagicNumber,
    points=Text("apprentices in the city"),
    deeds=(
        StudiedAction("moves", Text("moves"), done_by(Moved)),
        StudiedAction("banished", Text("banished others"), done_by(Banished)),
        StudiedAction("sent_back", Text("was banished"), done_by(Banished, "pawn.colour")),
    ),
    by_hand=ByHand(tuple(COME), play),
)


def began(settings: Settings, reader: Viewer) -> Iterator[str]:
    """Yield by which rules people play, where those are not the usual ones."""
    if settings.profi:
        yield reader.say("Profi version: castle fields are take-along fields.")
    if settings.overlook:
        yield reader.say("An apprentice whose banishment is overlooked may stay.")
    if not settings.shuffle:
        yield reader.say("The barrels are not shuffled between rounds.")


def amended(wrong: Action, right: Action, reader: Viewer) -> str | None:
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


def stands(view: View, reader: Viewer) -> str:
    """Return which round it is, and its magic number."""
    line = reader.say("Round {round}", round=view.round)
    if not view.magic:
        return line
    return f"{line}, {reader.say('magic number {magic}', magic=view.magic)}"
