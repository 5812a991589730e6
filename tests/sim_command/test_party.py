"""Guests at a simulated table keep to what the table has agreed on."""

from __future__ import annotations

from pathlib import Path

from companion.referee.commands import NewMatch, RollForUs
from companion.referee.deeds import House, Roller
from companion.rules.packing import pack
from companion.rules.zapp_zerapp import Colour, Phase, Settings, ZappZerapp
from tests.scenarios.refereed import Refereed


def test_where_the_companion_rolls_guests_have_it_roll_and_shake_for_that_number(
    tmp_path: Path,
) -> None:
    settings = Settings((Colour.RED, Colour.GREEN))
    with Refereed(tmp_path, seats=2, games=0, guests=False) as evening:
        wish = NewMatch(ZappZerapp.name, pack(settings), House(roller=Roller.COMPANION))
        assert evening.wait(3.5).says("red", wish).refused is None
        evening.playing = True
        evening.until_phase(Phase.PLACE)
        assert [wish for _, wish in evening.decided[1:]] == [RollForUs()]
        evening.until(lambda: len(evening.placed) == 2)
