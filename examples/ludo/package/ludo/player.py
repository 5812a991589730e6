"""Somebody who plays Ludo, and how matches are studied."""

from random import Random
from typing import Any, Final

from companion.core import Action, Options, Players, Seat, Text, at_random
from companion.present.study_game import StudiedAction, StudyGame, done_by
from ludo.rules import Beaten, Thrown


def _foremost(_settings: Any, _view: Any, _seat: Seat, options: Options, _: Random) -> Action:
    """Return the move of whoever has come farthest."""
    return max(options, key=lambda move: getattr(move, "step", 0))


PLAYERS: Final = Players(
    {"foremost": _foremost, "random": at_random}, earlier={"greedy": "foremost"}
)
SUBJECT: Final = StudyGame(
    code="throws",
    unit=Text("throws of the die"),
    span=Thrown,
    points=Text("pawns at home"),
    counted=(StudiedAction("beaten", Text("sent others back"), done_by(Beaten)),),
)
