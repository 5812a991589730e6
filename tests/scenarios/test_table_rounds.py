"""Rounds at a whole table: by hands, by commands, by buttons alone, mixed, and taken back."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.core.codec import pack
from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    Banished,
    Colour,
    Phase,
    Settings,
    TakenAlong,
    View,
    Won,
    ZappZerapp,
)
from companion.referee.commands import CommandBody, DoAction, GiveUp, NewMatch, RollForUs, Undo
from companion.referee.events import HouseRules
from companion.system.text import SeatName
from tests.scenarios.refereed import Refereed

PLACE = """red lifts 8
+0 blue lifts 4
red shakes 8 for 0.6
+0 blue shakes 4 for 0.6
red places 8
blue places 4
"""
CLEAR = "red puts back 8\nblue puts back 4\n"


def table(folder: Path) -> Refereed:
    return Refereed(folder, guests=False)


def test_hands_play_a_round_and_commands_roll_and_move(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.begins("red", "blue")
        evening.says("red", "roll 9")
        evening.people(PLACE).rest()
        assert (evening.view.phase, evening.placed) == (Phase.FLIP, {"red", "blue"})
        assert evening.numbers == {}
        evening.people("all flip").rest()
        assert evening.numbers == {"red": 8, "blue": 4}
        assert evening.view.order == (Colour.RED, Colour.BLUE)
        evening.says("red", "move red start")
        evening.says("blue", "move blue start")
        evening.people(CLEAR).rest()
        assert (evening.view.round, evening.view.phase) == (2, Phase.ROLL)
        assert (evening.now.fouls, evening.troubles) == ((), [])


@pytest.mark.slow
def test_buttons_alone_play_a_round(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.wait(1)
        evening.press("red", "blue", "green").press("green")  # who changes their mind
        assert set(evening.now.joining) == {"red", "blue"}
        evening.press("blue", long=True)
        assert evening.view.phase is Phase.ROLL
        evening.chooses("red", "roll 9")
        evening.people(PLACE).rest().people("all flip").rest()
        assert evening.view.phase.value == "move"
        evening.chooses("red", "move red start").chooses("blue", "move blue start")
        assert (evening.view.round, evening.decided) == (2, [])


def test_buttons_alone_play_a_round_where_no_sensor_works(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.breaks("absent", part="hub").wait(1)
        evening.press("red", "blue").press("red", long=True)
        evening.chooses("blue", RollForUs())
        magic = evening.view.magic
        assert 2 <= magic <= 12
        evening.chooses("blue", "place blue").chooses("red", "place red")
        evening.chooses("red", "flip")
        assert evening.view.phase is Phase.SAY
        evening.chooses("blue", "say blue 2").chooses("red", "say red 1")
        evening.chooses("blue", "move blue start").chooses("red", "move red start")
        assert (evening.view.round, evening.view.phase.value) == (2, "roll")
        evening.chooses("red", Undo())
        assert (evening.view.round, evening.view.phase.value) == (1, "move")


def test_hands_buttons_and_commands_in_one_round(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.wait(3.5).press("red", "blue").press("red", long=True)
        evening.says("a phone", RollForUs())
        evening.people("red lifts 8\nred places 8").rest()
        evening.chooses("blue", "place blue")
        assert evening.placed == {"red"}  # no sensor has seen a barrel there
        evening.press("blue", long=True)  # confirmed once more
        assert evening.view.phase is Phase.FLIP
        evening.insists("red", "flip")
        assert (evening.view.phase, evening.numbers) == (Phase.SAY, {"red": 8})
        evening.chooses("blue", "say blue 3").press("blue", long=True)
        assert evening.numbers == {"red": 8, "blue": 3}


def test_two_who_confirm_at_once_are_both_understood_once(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.wait(1).press("red", "blue").press("red", "blue", long=True)
        assert evening.now.version == 0  # one match and not two
        evening.brings_up("red", "roll 5").brings_up("blue", "roll 11")
        evening.press("red", "blue", long=True)
        assert (evening.view.phase, evening.view.magic) == (Phase.PLACE, 5)
        assert evening.now.version == 1


def test_whoever_presses_while_another_confirms_gets_nothing_they_did_not_see(
    tmp_path: Path,
) -> None:
    with table(tmp_path) as evening:
        evening.wait(1).press("red", "blue").press("red", long=True)
        evening.says("red", "roll 9")
        for colour in ("red", "blue"):
            evening.insists(colour, f"place {colour}")
        evening.insists("red", "flip")
        evening.brings_up("blue", "say blue 9")
        evening.insists("red", "say red 9")  # so that 9 is not offered any more
        assert evening.lit("blue") is None
        evening.press("blue", long=True)
        assert evening.numbers == {"red": 9}
        assert evening.lit("blue") is not None  # a second long press would confirm it


def works(evening: Refereed, *texts: str) -> None:
    for text in texts:
        refused = evening.insists("red", text).refused
        assert refused is None, f"{text}: {refused}"


def play_on(evening: Refereed, enough: Callable[[], bool], seed: int = 1) -> None:
    """Play by commands whatever is offered, and rather what takes somebody along."""
    rng = Random(seed)
    for _ in range(3000):
        if enough():
            return
        view = evening.view
        match view.phase:
            case Phase.ROLL:
                assert evening.says("red", RollForUs()).refused is None
            case Phase.SAY:
                seat = next(one for one in view.placed if one not in dict(view.numbers))
                free = {*range(1, 14)} - {number for _, number in view.numbers}
                works(evening, f"say {seat.name.lower()} {rng.choice(sorted(free))}")
            case Phase.FLIP:
                works(evening, "flip")
            case _:
                colour = Colour(view.turns[0]).name.lower()
                texts = [
                    offer.text for offer in evening.offers(colour) if isinstance(offer, DoAction)
                ]
                rare = [text for text in texts if "take" in text]
                works(evening, rng.choice(rare or texts))
    raise AssertionError("this never ends")


def offered(evening: Refereed, kind: type[Event]) -> tuple[str, CommandBody] | None:
    """Return who is offered something that brings that about, and what."""
    for seat in evening.now.seats:
        for offer in seat.offers:
            kinds = {type(one) for one in offer.preview}
            if kind in kinds and Won not in kinds:
                return seat.colour, offer.wish
    return None


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("cut", [False, True], ids=["at-once", "after-a-power-cut"])
@pytest.mark.parametrize(("kind", "profi"), [(Banished, False), (TakenAlong, True)])
def test_what_happened_to_other_pawns_is_taken_back_too(
    tmp_path: Path, kind: type[Event], profi: bool, cut: bool
) -> None:
    with table(tmp_path) as evening:
        settings = pack(Settings(seats=tuple(Colour), profi=profi))
        evening.wait(1).says("red", NewMatch(ZappZerapp.name, settings, HouseRules()))
        play_on(evening, lambda: offered(evening, kind) is not None)
        before, chosen = evening.view, offered(evening, kind)
        assert chosen is not None
        evening.chooses(*chosen)
        assert any(isinstance(event, kind) for event in evening.now.happened)
        after = evening.view
        if cut:
            evening.cut_the_power().wait(0.1)
            assert evening.view == after
        evening.chooses("green", Undo())
        assert evening.view == before
        evening.chooses(*chosen)
        assert evening.view == after


def test_the_end_of_a_game_is_taken_back_and_then_the_next_one_begins(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.begins("red", "green")
        last: list[View] = []

        def won() -> bool:
            if not evening.now.over:
                last[:] = [evening.view]
            return evening.now.over

        play_on(evening, won)
        first, end = evening.now.match, evening.view
        assert end.winner is not None
        evening.chooses("green", Undo())
        assert (evening.view, evening.now.over) == (last[0], False)
        play_on(evening, won)
        evening.press("red").press("red", long=True)
        assert (evening.now.match != first, evening.view.round) == (True, 1)
        evening.cut_the_power()
        assert (evening.now.match != first, evening.view.phase) == (True, Phase.ROLL)


@pytest.mark.slow
def test_guests_play_two_games_one_after_the_other(tmp_path: Path, full: bool) -> None:
    """With --full: whole games by hands; else the second begins where the first is given up."""
    with Refereed(tmp_path, seed=4, seats=2, games=2) as evening:
        evening.until_phase(Phase.PLACE)
        if not full:
            assert evening.says("red", GiveUp()).refused is None
        first = evening.now.match
        evening.until(lambda: evening.now.match != first, 20_000.0 if full else 100.0)
        evening.until_phase(Phase.MOVE)
        assert_true_numbers(evening)


def assert_true_numbers(evening: Refereed) -> None:
    """What is shown must be what lies at that seat, whoever found it out."""
    for colour, number in evening.view.numbers:
        assert evening.guests.guests[SeatName(colour)].placed == number
