"""The bench of the link looks after its table as a live one is looked after."""

import random

from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.simulator.live.parts import PUMP_US
from rappelwacht_research.rounds import rounds
from research.bench.link import table_of

ROUND_US = 120_000_000


def test_light_that_was_shone_does_not_pile_up_in_a_long_evening() -> None:
    with table_of(1) as evening:
        table = evening.table
        table.go_on(rounds(Guests(table.world, random.Random(1))))
        evening.play(ROUND_US)
        old = table.light_path.edges(table.now_us - 2 * PUMP_US)
    assert evening.listening.frames > 1000
    assert old == []
