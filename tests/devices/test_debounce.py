"""Bouncing switches: whatever the edges do, each press and each release counts once."""

from hypothesis import given
from hypothesis import strategies as st

from companion.devices.debounce import (
    HELD_ON_US,
    LONG_US,
    SETTLE_US,
    Change,
    Debouncer,
    PressCounter,
)
from companion.sensing.observations import ButtonHeld, ButtonPressed


def run(edges: list[tuple[int, bool]], end_us: int, step_us: int) -> list[Change]:
    """Feed edges as a pump every so often would."""
    contact, found, left = Debouncer(), [], list(edges)
    for now_us in range(0, end_us, step_us):
        while left and left[0][0] <= now_us:
            found.append(contact.handle_level(*left.pop(0)))
        found.append(contact.tick(now_us))
    return [change for change in found if change]


def bouncing(at_us: int, closed: bool, gaps_us: list[int]) -> list[tuple[int, bool]]:
    edges = [(at_us, closed)]
    for gap_us in gaps_us:
        at_us += gap_us
        edges.append((at_us, not edges[-1][1]))
    if edges[-1][1] != closed:
        edges.append((at_us + 1, closed))
    return edges


GAPS = st.lists(st.integers(1, 2_000), max_size=9)


@given(
    st.integers(1_000, 40_000), st.integers(60_000, 2_000_000), GAPS, GAPS, st.integers(500, 10**6)
)
def test_one_press_makes_one_change_each_way_with_the_time_of_the_first_edge(
    at_us: int, held_us: int, down: list[int], up: list[int], step_us: int
) -> None:
    edges = bouncing(at_us, True, down) + bouncing(at_us + held_us, False, up)
    assert run(edges, at_us + held_us + 3 * 10**6, step_us) == [
        Change(True, at_us),
        Change(False, at_us + held_us),
    ]


def test_a_spike_is_not_a_press() -> None:
    assert not run([(1_000, True), (1_400, False)], 100_000, 1_000)


def test_a_press_begins_with_its_first_edge_also_after_a_spike() -> None:
    assert run([(1_000, True), (2_000, False), (500_000, True)], 600_000, 1_000) == [
        Change(True, 500_000)
    ]


def test_a_press_that_nobody_looked_at_meanwhile_is_not_lost() -> None:
    contact = Debouncer()
    assert contact.handle_level(0, True) is None
    assert contact.handle_level(100_000, False) == Change(True, 0)
    assert contact.tick(10**7) == Change(False, 100_000)


def test_a_short_press_is_told_at_the_release() -> None:
    counter = PressCounter("red")
    assert counter.handle_change(Change(True, 1_000)) == ()
    assert counter.tick(1_000 + LONG_US - 1) == ()
    assert counter.handle_change(Change(False, 301_000)) == (
        ButtonPressed("red", False, 1_000, 300_000),
    )


def test_a_long_press_is_told_once_and_while_it_is_held_and_then_that_it_is_over() -> None:
    counter = PressCounter("red")
    counter.handle_change(Change(True, 1_000))
    assert counter.due_us == 1_000 + LONG_US
    assert counter.tick(1_000 + LONG_US) == (ButtonPressed("red", True, 1_000, LONG_US),)
    assert counter.tick(2 * LONG_US) == ()
    assert counter.handle_change(Change(False, 2 * LONG_US)) == (ButtonHeld("red", False, 1_000),)
    assert counter.due_us is None


def test_that_a_button_is_held_on_is_told_once_and_while_it_is_held() -> None:
    counter = PressCounter("red")
    counter.handle_change(Change(True, 1_000))
    counter.tick(1_000 + LONG_US)
    assert counter.due_us == 1_000 + HELD_ON_US
    assert counter.tick(1_000 + HELD_ON_US) == (ButtonHeld("red", True, 1_000),)
    assert counter.tick(9 * HELD_ON_US) == ()
    assert counter.handle_change(Change(False, 9 * HELD_ON_US)) == ()


def test_what_happens_between_two_looks_is_told_as_it_was() -> None:
    for held_us, on in ((LONG_US, False), (HELD_ON_US, True)):
        counter = PressCounter("red")
        counter.handle_change(Change(True, 0))
        assert counter.handle_change(Change(False, held_us)) == (
            ButtonPressed("red", True, 0, held_us),
            ButtonHeld("red", on, 0),
        )
    counter.handle_change(Change(True, 0))
    assert counter.tick(HELD_ON_US) == (
        ButtonPressed("red", True, 0, HELD_ON_US),
        ButtonHeld("red", True, 0),
    )


def test_what_settles_takes_a_fiftieth_of_a_second() -> None:
    assert SETTLE_US == 20_000
