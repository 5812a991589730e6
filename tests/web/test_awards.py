"""Awards at the end of a match are true, the same each time, and hurt nobody."""

import pytest

from companion.games.zapp_zerapp.rules import Banished, Colour, MagicNumber, Moved, Pawn, Shown
from companion.games.zapp_zerapp.summary import earned_awards
from companion.present.awards import awards, most
from companion.present.viewer import Viewer
from companion.referee.commands import Undo
from companion.system.text import SeatName, Text
from tests.web.playing import do, page, won
from tests.web.test_animations import GOLDEN, matches

TITLE, FACT = Text("Most sixes"), Text("{count} sixes")


def test_whoever_has_most_is_honoured_and_two_may_share_it() -> None:
    award = most(TITLE, FACT, {0: 3, 1: 5, 2: 5})
    assert award is not None
    assert award.seats == (SeatName.GREEN, SeatName.BLUE)
    assert Viewer().say(award.fact) == "5 sixes"


@pytest.mark.parametrize("counts", [{}, {0: 0, 1: 0}, {0: 2, 1: 2, 2: 2}])
def test_what_nobody_or_everybody_has_is_not_an_award(counts: dict[int, int]) -> None:
    assert most(TITLE, FACT, counts) is None


@pytest.mark.parametrize("game", GOLDEN)
def test_every_game_honours_three_times_at_most_and_tells_why_in_both_languages(game: str) -> None:
    found = {match: awards(match) for match in matches(game)}
    assert any(len(one) == 3 for one in found.values())
    for match, honours in found.items():
        assert awards(match) == honours
        assert 1 <= len(honours) <= 3
        assert len({one.title for one in honours}) == len(honours)
        for award in honours:
            assert {*award.seats} <= {SeatName(seat) for seat in match.game.seats}
            for language in ("en", "de"):
                assert Viewer(language).say(award.title)
                assert "{" not in Viewer(language).say(award.fact)


def test_figures_are_those_of_the_match() -> None:
    red, blue = Colour.RED, Colour.BLUE
    happened = (
        MagicNumber(1, 7),
        Shown(red, 7, works=True),
        Shown(blue, 9, works=False),
        Moved(red, 3, 10, ()),
        Banished(red, Pawn(blue, 4), 5),
        Moved(blue, 0, 9, ()),
    )
    said = {
        Viewer().say(award.title): (award.seats, Viewer().say(award.fact))
        for award in earned_awards(happened)
        if award is not None
    }
    assert said == {
        "Best shaker": ((SeatName.RED,), "1 of 1 spell worked"),
        "Great banisher": ((SeatName.RED,), "sent 1 pawn back"),
        "Longest march": ((SeatName.BLUE,), "9 fields on foot"),
        "Bull's eye": ((SeatName.RED,), "1 time exactly the magic number"),
        "Never gives up": ((SeatName.BLUE,), "set out again 1 time"),
    }


def test_the_page_of_a_match_that_is_won_offers_the_rematch_before_anything_else() -> None:
    room = won()
    html = page(room, "red")
    assert html.index("Another match, the same way") < html.index("Choose again")
    assert html.index("Choose again") < html.index('id="honours"')
    assert "Best shaker" in html
    do(room, Undo())
    assert "Best shaker" not in page(room, "red")
