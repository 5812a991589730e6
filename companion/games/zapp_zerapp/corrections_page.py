"""What can be put right of a match that is being played: rolls, numbers, and where pawns stand.

It must not tell what is sealed: rolls and numbers lie open once they are said.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from companion.games.zapp_zerapp import picture, rules
from companion.games.zapp_zerapp.places import Ring
from companion.journal import Entry
from companion.present.viewer import Viewer
from companion.referee import commands, replay, snapshot
from companion.referee.automation import companion_rolls

OFFERED: Final = 6  # the newest; who wants older ones takes back


@dataclass(frozen=True, slots=True)
class Earlier:
    """A roll or a number as it was entered or read, and what it may have been instead."""

    entry: int
    sentence: str
    text: str  # the action in the game's notation, up to its number
    number: int
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Standing:
    """One pawn and where it may stand instead."""

    id: str  # of its picture on the board
    nth: int
    step: int
    entry: int
    options: tuple[tuple[str, str, int], ...]  # in the notation, in words, and the step


def parts(
    now: snapshot.Snapshot,
    entries: Sequence[Entry],
    reader: Viewer,
    may: Callable[[commands.CommandBody], bool],
) -> dict[str, Any]:
    board = now.settings.board
    return {
        "earlier": earlier(entries, reader, may),
        "places": places(now.view, board, reader),
        "board": picture.board_svg(board, picture.Drawn(now.view.pawns), reader),
    }


def earlier(
    entries: Sequence[Entry], reader: Viewer, may: Callable[[commands.CommandBody], bool]
) -> tuple[Earlier, ...]:
    """Return the newest rolls and numbers that somebody may put right, the newest first."""
    corrections = (
        entry
        for entry in _earlier(entries, reader)
        if may(commands.CorrectAction(entry.entry, f"{entry.text}{entry.number}"))
    )
    return tuple(islice(corrections, OFFERED))


def _earlier(entries: Sequence[Entry], reader: Viewer) -> Iterator[Earlier]:
    steps, _ = replay.replay_steps(entries)
    if not steps:
        return
    match = steps[-1].after
    done = zip(match.acts, match.log.states, match.log.actions, strict=False)
    for entry, state, action in reversed(list(done)):
        events = match.game.explain(state, action)
        match action:
            case rules.Roll(magic) if not companion_rolls(match.house, match.game, state):
                yield Earlier(entry, reader.say(events[0]), "roll ", magic, range(2, 13))
            case rules.Say(seat, number):
                text = f"say {seat.name.lower()} "
                yield Earlier(
                    entry, reader.say(events[0]), text, number, range(1, rules.BARRELS + 1)
                )


def places(view: rules.View, ring: Ring, reader: Viewer) -> dict[str, tuple[Standing, ...]]:
    """Return where every pawn stands, by colour, as it can be chosen again."""
    return {
        colour.name.lower(): tuple(
            Standing(
                f"pawn-{colour.name.lower()}-{number}",
                number + 1,
                step,
                ring.entries[colour],
                _options(colour, reader),
            )
            for number, step in enumerate(camp)
        )
        for colour, camp in view.pawns
    }


def _options(colour: rules.Colour, reader: Viewer) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (str(rules.Pawn(colour, step)), reader.say(rules.place(step)), step)
        for step in range(rules.START, rules.CITY + 1)
    )
