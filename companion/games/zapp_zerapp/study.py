"""How studies play and count Zapp Zerapp: simulated people shake its barrels.

They are seated at no real table: whoever plays there has to shake barrels.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from companion.core import Text
from companion.core.plugin import Players
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai import listener, table
from companion.present.study_game import ByHand, StudiedAction, StudyGame, done_by

PLAYERS: Final = Players({}, listener.HOW, listener.EARLIER)


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
