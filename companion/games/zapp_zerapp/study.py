"""Zapp Zerapp as it is studied: people who are made up shake its barrels."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from companion.core import Action, Text
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai import listener, table
from companion.present.study_game import ByHand, StudiedAction, StudyGame, done_by
from companion.present.viewer import Viewer


def play(game: rules.ZappZerapp, players: Sequence[str], chance: Random) -> Iterator[table.Step]:
    """Play a match with people of these levels."""
    levels = zip(game.seats, players, strict=True)
    people = {seat: listener.somebody(level, seat, game.settings, chance) for seat, level in levels}
    return table.Table(game, people, chance).play()


SUBJECT: Final = StudyGame(
    code="rounds",
    unit=Text("rounds"),
    span=rules.MagicNumber,
    points=Text("apprentices in the city"),
    counted=(
        StudiedAction("moves", Text("moves"), done_by(rules.Moved)),
        StudiedAction("banished", Text("banished others"), done_by(rules.Banished)),
        StudiedAction("sent_back", Text("was banished"), done_by(rules.Banished, "pawn.colour")),
    ),
    by_hand=ByHand(tuple(listener.COME), play),
)


def began(settings: rules.Settings, reader: Viewer) -> Iterator[str]:
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
        case rules.Roll(former), rules.Roll(now):
            return reader.say(
                "Corrected: the magic number was {now}, not {former}.", now=now, former=former
            )
        case rules.Say(seat, former), rules.Say(_, now):
            return reader.say(
                "Corrected: {seat} showed {now}, not {former}.", seat=seat, now=now, former=former
            )
    return None


def progress(view: rules.View, reader: Viewer) -> str:
    """Return which round it is, and its magic number."""
    line = reader.say("Round {round}", round=view.round)
    if not view.magic:
        return line
    return f"{line}, {reader.say('magic number {magic}', magic=view.magic)}"
