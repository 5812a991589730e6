"""Actions that the rules refuse, each with the sentence that says why and what is right.

In refusals.txt a heading names a moment of tables.py, and what is done from there on.
"""

import pytest

from companion.games.zapp_zerapp.rules import State, ZappZerapp
from tests.games.golden import check_refusals
from tests.games.zapp_zerapp import tables
from tests.games.zapp_zerapp.tables import Moment, moving, naming, profi


def test_each_refusal_says_why_and_what_is_right(rewrite_golden: bool) -> None:
    check_refusals(__file__, moment, rewrite=rewrite_golden)


def moment(heading: str) -> tuple[ZappZerapp, State]:
    name, *done = heading.split(" / ")
    table = getattr(tables, "rolling" if name == "settings" else name)().do(*done)
    return table.game, table.state


@pytest.mark.parametrize(
    ("moment", "short", "long"),
    [
        (moving, "move", "move red 4"),
        (moving, "MOVE  Red", "move red 4"),
        (profi, "move red 3", "move red 3 take none"),
        (naming, "move red 9", "move red 9 take none banish none"),
        (naming, "move red 3 banish blue:17", "move red 3 banish blue:17 take none"),
    ],
)
def test_one_may_leave_out_what_is_not_a_choice(moment: Moment, short: str, long: str) -> None:
    assert moment().do(short) == moment().do(long)
