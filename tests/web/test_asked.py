"""What the headline asks for is marked in the page, for whoever measures whether it can be seen."""

import pytest

from tests.web.playing import page
from tests.web.running import RUNNING

BOARD = 'id="mountain" data-asked="move"'  # the headline speaks of it, whoever reads


@pytest.mark.parametrize("state", RUNNING)
def test_who_may_act_is_asked_for_something_that_bears_a_mark(state: str) -> None:
    role, made = RUNNING[state]
    room = made()
    assert " data-asked" in page(room, role).replace(BOARD, "")
    assert " data-asked" not in page(room, None).replace(BOARD, "")


def test_of_several_fouls_the_newest_is_asked_about() -> None:
    _, made = RUNNING["zapp-zerapp-foul"]
    html = page(made())
    assert html.count('class="card foul"') > 1
    assert html.count('class="ruling" data-asked') == 1
