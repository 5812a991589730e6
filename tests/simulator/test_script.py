"""Scripts of the simulated table: what they say, and what is said about bad ones."""

from __future__ import annotations

import pytest

from companion.rules.zapp_zerapp import Colour
from companion.simulator.habits import Vigour
from companion.simulator.script import FAULTS, WORDS, Act, BadScript, Fault, Line, Verb, read


def what(text: str) -> Act | Fault:
    (line,) = read(text)
    return line.what


def test_times_are_from_the_beginning_or_from_the_line_before_or_when_all_is_done() -> None:
    lines = read("# an evening\n2.5 blue lifts 7\n\n+0.4 Blue  shakes 7 gently for 1.2 # so\nkick")
    assert lines == (
        Line(2, Act(Verb.LIFT, Colour.BLUE, (7,)), at_s=2.5),
        Line(4, Act(Verb.SHAKE, Colour.BLUE, (7,), vigour=Vigour.GENTLY, for_s=1.2), later_s=0.4),
        Line(5, Act(Verb.KICK)),
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("blue peeks 7 for 0.6", Act(Verb.PEEK, Colour.BLUE, (7,), for_s=0.6)),
        ("blue peeks 7 to 95° for 1", Act(Verb.PEEK, Colour.BLUE, (7,), for_s=1, to_deg=95)),
        ("red compares 3 5", Act(Verb.COMPARE, Colour.RED, (3, 5))),
        ("red hands 3 to green", Act(Verb.HAND_OVER, Colour.RED, (3,), Colour.GREEN)),
        ("red places 3", Act(Verb.PLACE, Colour.RED, (3,))),
        ("red puts back 3", Act(Verb.PUT_BACK, Colour.RED, (3,))),
        ("yellow drops 13 from 30 cm", Act(Verb.DROP, Colour.YELLOW, (13,), from_cm=30)),
        ("green presses for 0.8", Act(Verb.PRESS, Colour.GREEN, for_s=0.8)),
        ("green presses", Act(Verb.PRESS, Colour.GREEN)),
        ("all flip", Act(Verb.FLIP_ALL)),
        ("green rolls 12", Act(Verb.ROLL, Colour.GREEN, magic=12)),
        ("fault loss 30%", Fault("loss", amount=0.3)),
        ("fault reboot 7", Fault("reboot", 7)),
        ("fault flat 4", Fault("flat", 4)),
        ("fault stuck 5 accelerometer", Fault("stuck", 5, "accelerometer")),
        ("fault saturated 5 cell", Fault("saturated", 5, "cell")),
        ("fault bus 5 for 2", Fault("bus", 5, for_s=2)),
        ("fault drift 5 -200 ppm", Fault("drift", 5, amount=-200)),
        ("fault unplug", Fault("unplug")),
        ("fault unplug for 3", Fault("unplug", for_s=3)),
        ("fault garbage 200 bytes", Fault("garbage", amount=200)),
        ("fault absent lights", Fault("absent", part="lights")),
    ],
)
def test_what_can_be_said(text: str, meant: Act | Fault) -> None:
    assert what(text) == meant


def test_every_example_in_an_error_is_right() -> None:
    for _, example in WORDS.values():
        for words in example.split(", or "):
            assert isinstance(what(f"red {words}"), Act)
    for _, example in FAULTS.values():
        assert isinstance(what(example), Fault)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kick\nblue lifts 14", "line 2: there is no barrel 14; barrels are 1 to 13."),
        ("pink lifts 4", "line 1: 'pink' is no seat; begin with red, green, blue, yellow, kick"),
        ("red hands 4 to pink", "line 1: 'pink' is no seat"),
        ("red eats 4", "line 1: nobody can 'eats'; write one of lifts, shakes"),
        ("red", "line 1: nobody can ''"),
        ("red rolls 13", "line 1: '13' does not fit here; write for example: red rolls 9"),
        (
            "red shakes 4 gentle",
            "line 1: '4 gentle' does not fit here; write for example: red shakes 7",
        ),
        ("fault fire", "line 1: there is no fault 'fire'; write one of loss"),
        ("fault", "line 1: there is no fault ''"),
        ("fault loss lots", "line 1: 'lots' does not fit here; write for example: fault loss 30%"),
        ("fault flat 99", "line 1: there is no barrel 99"),
        ("3 kick\n2 kick", r"line 2: 2.0 s lies before 3.0 s; write a later time, or \+2.0."),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadScript, match=sentence):
        read(text)
