"""The bare chip of the light board, against the figures of its data sheet (revision D, 2021)."""

import re

from hardware.tests import plan, render

PLAN = plan.load()
LEGS = 33  # the last is the pad below its belly
MOST_A = 0.035  # that a sink may draw
GAIN_V = 342  # a sink draws so many volts, divided by the resistor at ISET, with all set to full
ADDRESS = 0b01101_00  # with AD at ground


def driver() -> plan.Part:
    return PLAN.circuits["table"].parts["U5"]


def test_each_leg_has_one_pin() -> None:
    numbers = [n for role in driver().pins.values() for n in role.numbers]
    assert sorted(map(int, numbers)) == list(range(1, LEGS + 1))


def test_the_sinks_go_round_the_corner_and_the_switches_count_down() -> None:
    leg = {pin: role.numbers[0] for pin, role in driver().pins.items()}
    assert [leg[f"CS{n}"] for n in range(1, 13)] == [
        *("30", "31", "32"),
        *("1", "2", "3", "4", "5", "6", "7", "8", "10"),
    ]
    assert [int(leg[f"SW{n}"]) for n in range(1, 9)] == list(range(22, 14, -1))


def test_the_resistor_at_iset_asks_no_sink_for_more_than_it_may_draw() -> None:
    (kiloohms,) = re.findall(r"([0-9.]+) kΩ", PLAN.circuits["table"].parts["R5"].value)
    assert 0.030 < GAIN_V / (1000 * float(kiloohms)) <= MOST_A


def test_its_address_is_the_one_with_ad_at_ground() -> None:
    assert driver().address == ADDRESS
    ground = {str(leg) for leg in PLAN.circuits["table"].nets["GND"]}
    assert "U5.AD" in ground


def test_the_pictures_name_the_legs_for_whoever_solders() -> None:
    drawn = render.sources()
    for pin, role in driver().pins.items():
        if pin.startswith(("SW", "CS")) and role.does is not plan.Does.FREE:
            assert f">leg {role.numbers[0]}<" in drawn["lights.svg"]
        elif role.does is not plan.Does.FREE:
            assert f'"{pin} = leg {", ".join(role.numbers)}"' in drawn["light-board.yml"]
