"""How studies count a game of Via Magica, and its awards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core import Event, Seat, Text
from companion.games.via_magica import rules
from companion.present.awards import Award, Awards, most
from companion.present.study_game import StudiedAction, StudyGame, Whose, done_by


def _opened(hue: rules.Hue) -> Whose:
    def whose(event: Event) -> Seat | None:
        return event.seat if isinstance(event, rules.PortalOpened) and event.hue is hue else None

    return whose


SUBJECT: Final = StudyGame(
    code="rounds",
    unit=Text("rounds"),
    span=rules.AnimusCaught,
    points=Text("points"),
    counted=(
        StudiedAction("opened", Text("opened portals"), done_by(rules.PortalOpened)),
        StudiedAction("opened_yellow", Text("… yellow ones"), _opened(rules.Hue.YELLOW)),
        StudiedAction("opened_violet", Text("… violet ones"), _opened(rules.Hue.VIOLET)),
        StudiedAction("opened_blue", Text("… blue ones"), _opened(rules.Hue.BLUE)),
        StudiedAction("opened_green", Text("… green ones"), _opened(rules.Hue.GREEN)),
        StudiedAction("rewards", Text("claimed rewards"), done_by(rules.RewardClaimed)),
    ),
)


def earned_awards(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    opened, rewards, placed, shifted, jokers = (Counter[int]() for _ in range(5))
    for event in happened:
        match event:
            case rules.PortalOpened(seat):
                opened[seat] += 1
            case rules.RewardClaimed(seat):
                rewards[seat] += 1
            case rules.CrystalPlaced(seat):
                placed[seat] += 1
            case rules.CrystalShifted(seat):
                shifted[seat] += 1
            case rules.AnimusCaught(seat, animus):
                jokers[seat] += animus is rules.Animus.JOKER
            case _:
                pass
    yield most(Text("Master of portals"), Text("opened {count} {count:#portal|portals}"), opened)
    yield most(Text("Most honoured"), Text("{count} {count:#reward|rewards}"), rewards)
    yield most(
        Text("Hands full of crystals"), Text("placed {count} {count:#crystal|crystals}"), placed
    )
    yield most(Text("Lucky hand"), Text("caught the joker {count} {count:#time|times}"), jokers)
    yield most(Text("Never at rest"), Text("moved {count} {count:#crystal|crystals}"), shifted)


AWARDS: Final = Awards(earned_awards)
