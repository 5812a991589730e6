"""Two people at a refereed table who know what they do, and never let themselves be held up."""

from pathlib import Path

from companion.games.zapp_zerapp.rules import Colour, Phase
from companion.i18n.translate import say
from companion.system.text import SeatName, Text
from tests.scenarios.refereed import Refereed

TRUE = {"red": 8, "blue": 4}


def begun(folder: Path) -> Refereed:
    return Refereed(folder, guests=False).begins("red", "blue")


def bring_to(evening: Refereed, phase: Phase, *, already: bool = False) -> None:
    """Play a round by hands up to a phase; in PLACE red has placed, in SAY one must be read.

    That red has placed may be so already.
    """
    if phase is Phase.ROLL:
        return
    if not already:
        assert evening.says("red", "roll 9").refused is None
        evening.people("red lifts 8\nred shakes 8 for 0.5\nred places 8").rest()
    if phase is Phase.PLACE:
        return
    if phase is Phase.SAY:
        evening.insists("blue", "place blue")
    else:
        evening.people("blue lifts 4\nblue shakes 4 for 0.5\nblue places 4").rest()
    if phase is Phase.FLIP:
        return
    if phase is Phase.SAY:
        evening.insists("red", "flip")
    else:
        evening.people("all flip").rest()
    assert evening.view.phase is phase


def finish(evening: Refereed) -> None:
    """Go on with hands; where the referee does not notice what they did, people say so."""
    for _ in range(20):
        check(evening.wait(0.1))
        match evening.view.phase:
            case Phase.ROLL:
                if evening.view.round > 1:
                    return
                evening.says("red", "roll 9")
            case Phase.PLACE:
                place_all(evening)
            case Phase.FLIP:
                evening.people("all flip").rest(2)
                if evening.view.phase is Phase.FLIP:
                    evening.insists("red", "flip")
            case Phase.SAY:
                for colour, number in TRUE.items() - evening.numbers.items():
                    evening.insists(colour, f"say {colour} {number}")
            case Phase.MOVE:
                colour = Colour(evening.view.turns[0]).name.lower()
                evening.says(colour, f"move {colour} start")
    raise AssertionError(f"the round does not end: {evening.view}")


def place_all(evening: Refereed) -> None:
    for colour, number in TRUE.items():
        if evening.sim.world.on_pad(seat(evening, colour)) != number:
            evening.people(f"{colour} lifts {number}\n{colour} places {number}").rest(2)
        if colour not in evening.placed:
            evening.insists(colour, f"place {colour}")


def seat(evening: Refereed, colour: str) -> SeatName:
    return next(seat for seat in evening.sim.world.seats if seat.name.lower() == colour)


def check(evening: Refereed) -> None:
    """No number is wrong, and every trouble is a sentence in its own language."""
    assert evening.numbers.items() <= TRUE.items()
    for trouble in evening.now.troubles:
        text = Text(trouble.state.template, **trouble.values)
        assert say(text, "de") != say(text, "en")
