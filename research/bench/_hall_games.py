"""What tables of a bench say, written as JSON before it is played: the hall is what is measured."""

from dataclasses import dataclass
from random import Random
from typing import Final

from companion.core.plugin import GAMES
from companion.mqtt.payloads import JournalLine, to_json
from companion.present.mqtt_state import journal_lines, state_of
from companion.referee.replay import replay_steps
from tests.hall.matches import moments

LONGEST: Final = 120  # events of a match; then the next begins
KINDS: Final = 6  # matches that are played, over and over, under names of their own
MATCH, AT_MS = "the-match", 1_234_567_890_123  # what differs between two that play the same


@dataclass(frozen=True, slots=True)
class Step:
    """An event, and how the table stands after it; both as JSON, too."""

    deed: JournalLine
    said: str
    state: str


Game = list[Step]


def games(chance: Random) -> list[Game]:
    """Return matches, step by step; only games of which all lies open at once."""
    found: list[Game] = []
    for number in range(KINDS):
        game = sorted(GAMES)[number % len(GAMES)]
        played = [*moments(MATCH, game, chance, LONGEST)]
        steps, _ = replay_steps([one.entry for one in played])
        found.append(
            [
                Step(
                    event,
                    to_json(event),
                    to_json(state_of(one.snapshot, at_ms=AT_MS, simulated=True)),
                )
                for one, event in zip(played, journal_lines(steps), strict=False)
            ]
        )
    return [game for game in found if len(game) > 10]
