"""The same round at tables whose barrels hold other stones: what leaves before the flip.

Hands do as a script says, so that nobody chooses by what a barrel sounds like.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion.games.zapp_zerapp.rules import Phase
from companion.i18n.translate import LANGUAGES
from companion.present.api_snapshot import snapshot_json
from companion.present.viewer import Viewer
from companion.referee.events import FoulRaised
from companion.referee.snapshot import Snapshot
from tests.scenarios.refereed import Refereed

HANDLED: Final = 7  # the barrel that is shaken, looked at and placed
ROUND: Final = """
blue shakes 7 for 1.5
blue peeks 7 to 95° for 0.8
blue shakes 7 for 1
blue peeks 7 to 80° for 0.7
blue places 7
red places 3
"""
STILL_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Told:
    """What the table told at one time, in microseconds since the hands began."""

    at_us: int
    placed: tuple[str, ...]
    fouls: tuple[FoulRaised, ...]
    rest: str = ""  # all else that the API tells, in both languages


def swapped(number: int) -> dict[int, int]:
    """Return which barrel's stones each holds, if the one that is handled holds so many.

    >>> swapped(3)
    {7: 3, 3: 7}
    """
    return {HANDLED: number, number: HANDLED}


def round_of(folder: Path, seed: int, stones: Mapping[int, int]) -> list[Told]:
    """Play the round at a table with these stones, and labels that are right, up to the flip."""
    with Refereed(folder, seed, guests=False, labels=stones, stones=stones) as evening:
        evening.begins("red", "blue")
        assert evening.says("red", "roll 9").refused is None
        begun, begun_us = len(evening.shown), evening.sim.now_us
        evening.people(ROUND).rest(STILL_S)
        assert evening.view.phase in {Phase.PLACE, Phase.FLIP}
        assert not evening.numbers
        return [
            Told(
                one.at_us - begun_us,
                tuple(colour.name for colour in one.view.placed),
                tuple(foul.raised for foul in one.fouls),
                _rest(one),
            )
            for one in evening.shown[begun:]
        ]


def _rest(now: Snapshot) -> str:
    """Return all that the API tells, but for the match's name and the charts of fouls."""
    told = [json.loads(snapshot_json(replace(now, match=""), Viewer(one))) for one in LANGUAGES]
    for event in told:
        for foul in event["fouls"]:
            foul["evidence"] = len(foul["evidence"]) > 1
    return json.dumps(told)
