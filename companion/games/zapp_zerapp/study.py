"""Zapp Zerapp as it is studied: people who are made up shake its barrels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from companion.games.zapp_zerapp.rules import Banished, MagicNumber, Moved, ZappZerapp
from companion.games.zapp_zerapp.shaking.levels import COME, somebody
from companion.games.zapp_zerapp.shaking.table import Step, Table
from companion.players.levels import RANDOM
from companion.present.subject import ByHand, Chunk, Deed, Subject, done_by
from companion.text import Text


def play(game: ZappZerapp, players: Sequence[str], chance: Random) -> Iterator[Step]:
    """Play a match with people of these levels."""
    levels = zip(game.seats, players, strict=True)
    people = {seat: somebody(level, seat, game.settings, chance) for seat, level in levels}
    return Table(game, people, chance).play()


def bulk(
    game: ZappZerapp, players: Sequence[str], matches: int, seed: int
) -> Sequence[Chunk] | None:
    """Return random matches of the base game to be played in lockstep, where numpy is there."""
    if {*players} != {RANDOM}:
        return None
    try:
        from companion.games.zapp_zerapp.lockstep import chunks  # noqa: PLC0415 - an optional library
    except ImportError:
        return None
    return chunks(game.settings, matches, seed)


SUBJECT: Final = Subject(
    code="rounds",
    unit=Text("rounds"),
    span=MagicNumber,
    points=Text("apprentices in the city"),
    deeds=(
        Deed("moves", Text("moves"), done_by(Moved)),
        Deed("banished", Text("banished others"), done_by(Banished)),
        Deed("sent_back", Text("was banished"), done_by(Banished, "pawn.colour")),
    ),
    by_hand=ByHand(tuple(COME), play),
    bulk=bulk,
)
