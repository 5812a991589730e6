"""The page on which people correct a match: rolls, numbers, and where pawns stand.

It must not tell what is sealed: rolls and numbers lie open once they are said.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from companion.games.zapp_zerapp import picture, rules
from companion.games.zapp_zerapp.places import Ring
from companion.journal import Entry
from companion.present.viewer import Viewer
from companion.referee import commands, replay, snapshot
from companion.referee.automation import companion_rolls

OFFERED: Final = 6  # the newest; who wants older ones takes back


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
) -> list[dict[str, Any]]:
    """Return the newest rolls and numbers that somebody may put right, the newest first."""
    corrections = (
        earlier
        for earlier in _earlier(entries, reader)
        if may(commands.CorrectAction(earlier["entry"], f"{earlier['text']}{earlier['number']}"))
    )
    return [*islice(corrections, OFFERED)]


def _earlier(entries: Sequence[Entry], reader: Viewer) -> Iterator[dict[str, Any]]:
    """Yield each roll and number as it was entered or read, and what it may have been instead."""
    steps, _ = replay.replay_steps(entries)
    if not steps:
        return
    match = steps[-1].after
    done = zip(match.acts, match.log.states, match.log.actions, strict=False)
    for entry, state, action in reversed(list(done)):
        match action:
            case rules.Roll(number) if not companion_rolls(match.house, match.game, state):
                text, numbers = "roll ", rules.SUMS
            case rules.Say(seat, number):
                text, numbers = f"say {seat.name.lower()} ", rules.NUMBERS
            case _:
                continue
        sentence = reader.say(match.game.explain(state, action)[0])
        if isinstance(action, rules.Say):  # as many are alike
            sentence = reader.say(
                "Round {round} · {sentence}", round=state.round, sentence=sentence
            )
        yield {
            "entry": entry,
            "sentence": sentence,
            "text": text,  # the action in the game's notation, up to its number
            "number": number,
            "numbers": numbers,
        }


def places(view: rules.View, ring: Ring, reader: Viewer) -> dict[str, list[dict[str, Any]]]:
    """Return where every pawn stands, by colour, as it can be chosen again."""
    return {
        colour.name.lower(): [
            {
                "id": f"pawn-{colour.name.lower()}-{number}",  # of its picture on the board
                "nth": number + 1,
                "step": step,
                "entry": ring.entries[colour],
                "options": _options(colour, reader),
            }
            for number, step in enumerate(camp)
        ]
        for colour, camp in view.pawns
    }


def _options(colour: rules.Colour, reader: Viewer) -> tuple[tuple[str, str, int], ...]:
    """Return where a pawn may stand: in the notation, in words, and the step."""
    return tuple(
        (str(rules.Pawn(colour, step)), reader.say(rules.place(step)), step)
        for step in range(rules.START, rules.CITY + 1)
    )
