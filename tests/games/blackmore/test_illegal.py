"""Whatever is not allowed is refused with a sentence that says why and what would be right."""

import pytest

from companion.games.blackmore.rules import Blackmore, Keep, Phase, State
from companion.i18n.translate import say
from companion.system.errors import Illegal
from tests.games.blackmore.tables import BLUE, deal, do, game
from tests.games.golden import check_refusals

TABLE = game(3)
START = TABLE.start()
TURNING = START._replace(phase=Phase.TURN, queue=())
PLAYING = deal(TABLE, "blue:4", "red:1", "red:2", "red:3")
MOMENTS = {
    "turning": TURNING,
    "turning the last card": TURNING._replace(unseen=(False,) * 54),
    "playing": PLAYING,
    "changing": do(TABLE, PLAYING, "play red red:1", "play green red:2", "play blue red:3"),
    "over": START._replace(phase=Phase.OVER, queue=()),
}


def moment(heading: str) -> tuple[Blackmore, State]:
    """Return the start for all other headings."""
    return game(3, by_hand=heading == "by hand"), MOMENTS.get(heading, START)


def test_each_refusal_says_why_and_what_is_right(rewrite_golden: bool) -> None:
    check_refusals(__file__, moment, rewrite=rewrite_golden)


def test_people_read_names_of_seats() -> None:
    with pytest.raises(Illegal) as refused:
        TABLE.apply(PLAYING, Keep(BLUE))
    assert ("blue" in str(refused.value), "Blue" in say(refused.value)) == (True, True)
    assert "Blau" in say(refused.value, "de")
