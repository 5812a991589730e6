"""Scripts of the simulated table: what they say, and what is said about bad ones."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.simulator.hand_params import ScriptVigour
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.world import World
from companion.system.errors import BadScript, Busy, OutOfReach
from companion.system.text import SeatName
from rappelwacht_research.faults import ScriptFault
from rappelwacht_research.mishaps import Mishap
from rappelwacht_research.scene import SceneLine, arrange
from rappelwacht_research.script_reader import BOUNDS, FAULTS, WORDS, read


def what(text: str) -> ScriptAct | ScriptFault:
    (line,) = read(text)
    return line.what


def test_times_are_from_the_beginning_or_from_the_line_before_or_when_all_is_done() -> None:
    lines = read("# an evening\n2.5 blue lifts 7\n\n+0.4 Blue  shakes 7 gently for 1.2 # so\nkick")
    assert lines == (
        SceneLine(2, ScriptAct(Verb.LIFT, SeatName.BLUE, (7,)), at_s=2.5),
        SceneLine(
            4,
            ScriptAct(Verb.SHAKE, SeatName.BLUE, (7,), vigour=ScriptVigour.GENTLY, for_s=1.2),
            later_s=0.4,
        ),
        SceneLine(5, ScriptAct(Verb.KICK)),
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("blue peeks 7 for 0.6", ScriptAct(Verb.PEEK, SeatName.BLUE, (7,), for_s=0.6)),
        (
            "blue peeks 7 to 95° for 1",
            ScriptAct(Verb.PEEK, SeatName.BLUE, (7,), for_s=1, to_deg=95),
        ),
        ("red compares 3 5", ScriptAct(Verb.COMPARE, SeatName.RED, (3, 5))),
        ("red hands 3 to green", ScriptAct(Verb.HAND_OVER, SeatName.RED, (3,), SeatName.GREEN)),
        ("red places 3", ScriptAct(Verb.PLACE, SeatName.RED, (3,))),
        ("red puts back 3", ScriptAct(Verb.PUT_BACK, SeatName.RED, (3,))),
        ("yellow drops 13 from 30 cm", ScriptAct(Verb.DROP, SeatName.YELLOW, (13,), from_cm=30)),
        ("red topples 7", ScriptAct(Mishap.TOPPLE, SeatName.RED, (7,))),
        ("red lays 7", ScriptAct(Mishap.LAY, SeatName.RED, (7,))),
        ("red trundles 7 for 2", ScriptAct(Mishap.TRUNDLE, SeatName.RED, (7,), for_s=2)),
        ("green presses for 0.8", ScriptAct(Verb.PRESS, SeatName.GREEN, for_s=0.8)),
        ("green presses", ScriptAct(Verb.PRESS, SeatName.GREEN)),
        ("all flip", ScriptAct(Verb.FLIP_ALL)),
        ("green rolls 12", ScriptAct(Verb.ROLL, SeatName.GREEN, magic=12)),
        ("fault loss 30%", ScriptFault("loss", amount=0.3)),
        ("fault reboot 7", ScriptFault("reboot", 7)),
        ("fault flat 4", ScriptFault("flat", 4)),
        ("fault stuck 5 accelerometer", ScriptFault("stuck", 5, "accelerometer")),
        ("fault saturated 5 cell", ScriptFault("saturated", 5, "cell")),
        ("fault bus 5 for 2", ScriptFault("bus", 5, for_s=2)),
        ("fault drift 5 -200 ppm", ScriptFault("drift", 5, amount=-200)),
        ("fault unplug", ScriptFault("unplug")),
        ("fault unplug for 3", ScriptFault("unplug", for_s=3)),
        ("fault garbage 200 bytes", ScriptFault("garbage", amount=200)),
        ("fault absent lights", ScriptFault("absent", part="lights")),
    ],
)
def test_what_can_be_said(text: str, meant: ScriptAct | ScriptFault) -> None:
    assert what(text) == meant


def test_every_example_in_an_error_is_right() -> None:
    for _, example in WORDS.values():
        for words in example.split(", or "):
            assert isinstance(what(f"red {words}"), ScriptAct)
    for _, example in FAULTS.values():
        assert isinstance(what(example), ScriptFault)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kick\nblue lifts 14", "line 2: there is no barrel 14; barrels are 1 to 13."),
        ("pink lifts 4", "line 1: 'pink' is not a seat; begin with red, green, blue, yellow, kick"),
        ("red hands 4 to pink", "line 1: 'pink' is not a seat"),
        ("red eats 4", "line 1: 'eats' is not something to do; write one of lifts, shakes"),
        ("red", "line 1: '' is not something to do"),
        ("red rolls 13", "line 1: '13' does not belong here; write, for example: red rolls 9"),
        (
            "red shakes 4 gentle",
            "line 1: '4 gentle' does not belong here; write, for example: red shakes 7",
        ),
        ("fault fire", "line 1: there is no fault 'fire'; write one of loss"),
        ("fault", "line 1: there is no fault ''"),
        (
            "fault loss lots",
            "line 1: 'lots' does not belong here; write, for example: fault loss 30%",
        ),
        ("fault flat 99", "line 1: there is no barrel 99"),
        ("3 kick\n2 kick", r"line 2: 2.0 s is before 3.0 s; write a later time, or \+2.0."),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadScript, match=sentence):
        read(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("21601 kick", "line 1: 21601 is too small or too large; write 0 to 21600 s."),
        (f"+{'9' * 90} kick", "line 1: 9{40}… is too small or too large; write 0 to 21600 s."),
        ("blue shakes 7 for 0", "line 1: 0 is too small or too large; write 0.05 to 300 s."),
        ("blue shakes 7 for 1000000", "line 1: 1000000 is too .* write 0.05 to 300 s."),
        ("blue peeks 7 to 99999999999 deg", "line 1: 99999999999 .* write 0 to 180°."),
        ("blue tips 7 to 181", "line 1: 181 is too small or too large; write 0 to 180°."),
        ("blue drops 7 from 0 cm", "line 1: 0 is too small or too large; write 1 to 200 cm."),
        ("fault loss 300%", "line 1: 300 is too small or too large; write 0 to 100 %."),
        ("fault drift 5 -1000000 ppm", "line 1: -1000000 .* write -20000 to 20000 ppm."),
        ("fault garbage 99999999999999 bytes", "line 1: 99999999999999 .* 1 to 100000 bytes."),
        ("fault garbage 0 bytes", "line 1: 0 is too small or too large; write 1 to 100000 bytes."),
        ("fault unplug for 3601", "line 1: 3601 is too small or too large; write 0 to 3600 s."),
        (f"blue lifts {'1' * 180}", "line 1: there is no barrel 1{40}…; barrels are 1 to 13."),
        ("9" * 5000, "line 1: this line is too long; write at most 200 characters."),
        ("kick\n" * 5001, "line 5001: a script has at most 5000 lines; split it in two."),
        ("blue lifts ٣", "line 1: '٣' does not belong here; write, for example: blue lifts 7"),
        ("٣ kick", "line 1: '٣' is not a seat"),
        ("\0", "line 1: '\0' is not a seat"),
        ("blue compares 3 3", "line 1: '3 3' does not belong here"),
    ],
)
def test_every_number_has_its_bounds(text: str, sentence: str) -> None:
    with pytest.raises(BadScript, match=sentence):
        read(text)


def test_bounds_themselves_are_fine_and_remarks_may_be_long() -> None:
    for least_or_most in ("least", "most"):
        fits = {name: f"{getattr(bounds, least_or_most):g}" for name, bounds in BOUNDS.items()}
        assert read(f"blue peeks 7 to {fits['to_deg']}° for {fits['for_s']} s")
        assert read(f"blue drops 7 from {fits['from_cm']} cm")
        assert read(f"fault drift 7 {fits['ppm']} ppm")
        assert read(f"fault garbage {fits['bytes']} bytes")
        assert read(f"fault reorder {fits['%']}%")
        assert read(f"fault silent for {fits['fault_s']}")
        assert read(f"{fits['time']} kick  # {'so ' * 500}")
    assert what("blue lifts 0000007") == what("blue lifts 7")


NUMBERS = st.one_of(
    st.integers(-3, 15).map(str),
    st.sampled_from(["0.0", "0.06", "1.5", "90", "999", "1e9", "٣", "7" * 400, "-1", "nan", "inf"]),
)
EXAMPLES = [
    *(f"blue {words}" for _, said in WORDS.values() for words in said.split(", or ")),
    *(said for _, said in FAULTS.values()),
    *("kick", "all flip", "3 red lifts 7", "+0.4 green peeks 3 to 90° for 1"),
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Draw a right line with words dropped, doubled or changed for others and for numbers."""
    words = draw(st.sampled_from(EXAMPLES)).split(" ")
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(words) - 1)) if words else 0
        other = draw(st.one_of(NUMBERS, st.sampled_from(" ".join(EXAMPLES).split()), st.text("°%")))
        words[at : at + draw(st.integers(0, 2))] = [other] * draw(st.integers(0, 2))
    if draw(st.booleans()):
        seat = draw(st.sampled_from(["red", "green", "yellow"]))
        words = [seat if word == "blue" else word for word in words]
    return " ".join(words)


SCRIPTS = st.one_of(
    st.text(max_size=300),
    st.lists(mutated(), max_size=1).map("\n".join),
    st.lists(st.sampled_from(EXAMPLES), max_size=6).map("\n".join),
    st.lists(mutated(), max_size=6).map("\n".join),
)


@given(SCRIPTS)
@settings(deadline=None, max_examples=300)
def test_whatever_is_written_is_done_or_refused_in_a_sentence(text: str) -> None:
    try:
        lines = read(text)
        if sum(getattr(line.what, "for_s", None) or 0 for line in lines) < 20:
            world = World(Random(1))
            arrange(world, lines)
            for barrel in world.barrels.values():
                barrel.load_g(world.now_free_us // 2)
    except (BadScript, OutOfReach, Busy) as refused:
        assert len(str(refused)) < 300  # noqa: PT017 - any other exception fails by itself
