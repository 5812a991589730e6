"""How studies count a game of Blackmore, and its awards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core import Event, Text
from companion.games.blackmore.rules import SUIT_SIZE, TrickWon, TrumpLaid
from companion.present.awards import Award, Awards, most
from companion.present.study_game import StudiedAction, StudyGame, done_by

SUBJECT: Final = StudyGame(
    code="tricks",
    unit=Text("tricks"),
    span=TrickWon,
    points=Text("points"),
    counted=(
        StudiedAction("tricks", Text("won tricks"), done_by(TrickWon)),
        StudiedAction("trumps", Text("changed the trump"), done_by(TrumpLaid)),
    ),
)


def earned_awards(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    richest, tricks, turned, nines = (Counter[int]() for _ in range(4))
    for event in happened:
        match event:
            case TrickWon(seat, _, points, trick):
                richest[seat] = max(richest[seat], points)
                tricks[seat] += 1
                nines[seat] += sum(throw.card.value == SUIT_SIZE for throw in trick)
            case TrumpLaid(seat):
                turned[seat] += 1
            case _:
                pass
    yield most(Text("Fattest trick"), Text("{count} {count:#point|points} at once"), richest)
    yield most(Text("Most tricks"), Text("won {count} {count:#trick|tricks}"), tricks)
    yield most(Text("Hand at the wheel"), Text("turned it {count} {count:#time|times}"), turned)
    yield most(Text("Collector of nines"), Text("won {count} of them"), nines)


AWARDS: Final = Awards(earned_awards)
