"""Whether everything that everybody may know of a match is said aloud: whole matches are heard.

What happens is taken from the snapshots themselves, and looked for in what a voice said meanwhile.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from typing import Final

from companion.core.plugin import GAMES
from companion.present.fouls import foul_sentence
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system import config
from companion.table.outputs.voice import VoiceOutput
from research.bench._pages_games import begun, next_with_barrels
from tests.browser.phases import MOST, next_of
from tests.web.playing import peek

PEEKS: Final = 5  # at Zapp Zerapp, one in so many steps


class Listener:
    """Hears what is said, and says nothing."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, text: str, *, passing: bool = False) -> bool:
        """Hear a sentence."""
        if not passing:
            self.heard.append(text)
        return False

    def close(self) -> None:
        """Hear no more."""


def unspoken(language: str, seeds: Iterable[int] = (1,)) -> Iterator[str]:
    """Yield what happened in a match of each game and was not said."""
    for game, seed in product(GAMES, seeds):
        for said in heard(game, language, seed):
            yield f"{game} {language}: {said}"


def heard(game: str, language: str, seed: int) -> Iterator[str]:
    """Play a match, and yield what happened in it and was not said."""
    room, role = begun(game)
    chance, listener, reader = Random(seed), Listener(), Viewer(language)
    voice = VoiceOutput(config.VoiceConfig(language), speaker=listener)
    room.join(voice)
    then = room.now
    for step in range(MOST):
        if room.now.over:
            return
        listener.heard.clear()
        by_barrels = role == "table"
        if by_barrels and step % PEEKS == 0:
            room.tell(peek(1))
        wish, by = (next_with_barrels(room, chance), role) if by_barrels else next_of(room, chance)
        answer = room.wish(wish, by=by)
        assert answer.refused is None, answer.refused
        yield from (one for one in _told(then, room.now, reader) if one not in listener.heard)
        then = room.now


def _told(then: Snapshot, now: Snapshot, reader: Viewer) -> Iterator[str]:
    goes_on = bool(then.happened and now.happened) and then.happened[0] is now.happened[0]
    for event in now.happened[len(then.happened) if goes_on else 0 :]:
        yield reader.say(event) or type(event).__name__
    for foul in now.fouls[len(then.fouls) :]:
        yield foul_sentence(foul, reader)
