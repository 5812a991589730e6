"""Listens to whole matches: what the table says of all that happens, and what it leaves unsaid.

Everything goes the table's own way: wishes to a referee, its snapshots to the voice, which says the
sentences that a page says, too. A match can be read as it is heard:

    python -m tests.table.voice.listening de blackmore
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.core.codec import pack
from companion.core.game import TABLE, Action
from companion.core.notation import write
from companion.core.plugin import GAMES
from companion.present.viewer import Viewer
from companion.referee.commands import (
    Call,
    CommandBody,
    DoAction,
    GiveUp,
    NewMatch,
    RollForUs,
    Rule,
    Undo,
)
from companion.referee.events import HouseRules
from companion.system import config
from companion.system.text import seat_word
from companion.table.outputs.voice import VoiceOutput
from tests.web.room import FakeRoom

# Signs that a device skips or names, and units that it spells out: "3 s" is heard as "three ess".
UNHEARD: Final = re.compile(r"[<>=/|_{}\[\]()×→·#*~^]|\d (s|ms|g|min|h)\b|  ")
TURNS: Final = 600
EVERY: Final = 29  # events, after which people call a foul, rule on it, and take something back


@dataclass(frozen=True, slots=True)
class Heard:
    """What somebody did at the table, what happened by it, and what was said of it."""

    event: str
    happened: tuple[str, ...]
    said: tuple[str, ...]


class Ear:
    """Hears what the table says, at once."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, *, passing: bool = False) -> bool:  # noqa: ARG002 - nothing newer replaces it here
        """Hear a sentence."""
        self.said.append(text)
        return False

    def close(self) -> None:
        """Hear nothing more."""


class Listener:
    """Somebody who sees nothing, at a table at which people do what they may."""

    def __init__(self, game: str, language: str, seed: int) -> None:
        self.game, self.chance = game, Random(seed)
        self.room, self._ear = FakeRoom(), Ear()
        self._reader = Viewer(language)
        self._voice = VoiceOutput(config.VoiceConfig(language), speaker=self._ear)
        self.room.join(self._voice)
        self._voice.on_update(self.room.snapshot, ())
        self._voice.tick(0)

    def match(self) -> Iterator[Heard]:
        """Play a match by chance to its end, or until it was long enough; yield what is heard."""
        kind = GAMES[self.game]
        yield from self._does(NewMatch(self.game, pack(kind().settings), HouseRules()), "table")
        for turn in range(TURNS):
            if self.room.snapshot.over:
                break
            yield from self._turn()
            if turn % EVERY == EVERY - 1:
                yield from self._quarrel()
        if not self.room.snapshot.over:
            yield from self._does(GiveUp(), "table")

    def _turn(self) -> Iterator[Heard]:
        if heard := list(self._does(RollForUs(), "table")):
            yield from heard
            return
        choices = self._choices()
        for action in self.chance.sample(choices, len(choices)):
            by = "table" if action.seat == TABLE else seat_word(action.seat)
            if heard := list(self._does(DoAction(write(action)), by)):
                yield from heard
                return
        raise AssertionError(f"{self.game}: nobody can do anything")

    def _choices(self) -> list[Action]:
        now = self.room.snapshot
        found = {
            write(one): one
            for view in (now.view, *(own for _, own in now.seen))
            for one in view.choices
        }
        return [found[text] for text in sorted(found)]

    def _quarrel(self) -> Iterator[Heard]:
        """Have people call a foul, rule on it, and take both back with what was done before."""
        seat = self.room.snapshot.seats[0].colour
        yield from self._does(Call("snatched", seat), "table")
        if fouls := self.room.snapshot.fouls:
            yield from self._does(Rule(fouls[-1].raised.foul, upheld=False), "table")
            yield from self._does(Undo(), "table")
        yield from self._does(Undo(), "table")

    def _does(self, wish: CommandBody, by: str) -> Iterator[Heard]:
        """Do this, and yield what is heard of it; nothing, if it is refused."""
        before, self._ear.said = self.room.snapshot, []
        if self.room.wish(wish, by).refused is None:
            self._voice.tick(0)  # and then what stays
            now = self.room.snapshot
            goes_on = (
                bool(before.happened and now.happened) and before.happened[0] is now.happened[0]
            )
            new = now.happened[len(before.happened) if goes_on else 0 :]
            happened = tuple(self._reader.say(event) for event in new)
            yield Heard(getattr(wish, "text", type(wish).__name__), happened, tuple(self._ear.said))


def unspoken(game: str, language: str, seed: int) -> list[str]:
    """Return what somebody who only hears does not get to know of a match, or would not grasp."""
    found = []
    for heard in Listener(game, language, seed).match():
        found += [
            f"{heard.event}: not said: {one}" for one in heard.happened if one not in heard.said
        ]
        found += [f"{heard.event}: {one}" for one in heard.said if not one or UNHEARD.search(one)]
        if not heard.said:
            found.append(f"{heard.event}: nothing is said")
    return found


if __name__ == "__main__":
    for one in Listener(sys.argv[2], sys.argv[1], 1).match():
        print(f"[{one.event}] " + " | ".join(one.said))  # noqa: T201 - it is run to be read
