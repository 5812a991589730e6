"""Pads that close before a barrel stands, and open after it was lifted: reflex sensors, and hands.

Nobody says which kind of pad a seat has. Whatever it is, nobody is named wrongly for sure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from companion.sensing.events import Placed, Taken
from companion.sensing.observations import ChoosingBegan, ChoosingEnded
from companion.sensing.pad_model import PADS, learned, remembered, usual
from tests.sensing.seats import COLOURS, Table, certain, nothing, placed_at, play

ROUND_MS, APART_MS, LOSS = 16_000.0, 150.0, 0.3
LATE_MS = dict(zip(COLOURS, (0.0, 35.0, 80.0, 120.0), strict=True))
Ahead = Callable[[Random, str], float]
KINDS: dict[str, Ahead] = {  # how long before SET the pad closes, in ms
    "switch": lambda rng, _: rng.gauss(-9.0, 12.0),
    "trimmed": lambda rng, _: rng.uniform(10.0, 150.0),
    "loose": lambda rng, _: rng.uniform(0.0, 400.0),
    "late": lambda rng, seat: -LATE_MS[seat] - rng.gauss(9.0, 10.0),
}


@dataclass(frozen=True)
class Deed:
    """Somebody set a barrel down, at a seat or back in the middle."""

    stopper: int
    seat: str | None
    at_ms: float


def rounds(
    kind: str, seed: int, count: int, apart_ms: float = APART_MS
) -> tuple[Table, list[Deed]]:
    """Return so many rounds: four place, two put back, and all nearly at once."""
    rng, table, done = Random(f"{kind} {seed}"), Table(), list[Deed]()
    for turn in range(count):
        begin_ms = 1000 + ROUND_MS * turn
        table.others.append((begin_ms, ChoosingBegan(COLOURS, round(1000 * begin_ms))))
        seats: list[str | None] = [*COLOURS, None, None]
        rng.shuffle(seats)
        deeds, at_ms = [], begin_ms + 3000
        for seat, stopper in zip(seats, rng.sample(range(1, 14), 6), strict=True):
            deeds.append(Deed(stopper, seat, at_ms))
            at_ms += apart_ms * rng.uniform(1.0, 2.0)
        for deed in deeds:
            table.lifted(deed.stopper, begin_ms + 500, deed.at_ms - begin_ms - 700)
            table.set_down(deed.stopper, deed.at_ms + rng.uniform(-3, 3))
            if deed.seat is not None:
                hover(table, deed.seat, begin_ms + 300, rng)
                table.pad(deed.seat, True, deed.at_ms - KINDS[kind](rng, deed.seat))
        table.others.append((at_ms + 2500, ChoosingEnded(round(1000 * (at_ms + 2500)))))
        take_back(table, deeds, at_ms + 3000, KINDS[kind], rng)
        done += deeds
        for stopper in range(1, 14):
            table.alive(stopper, begin_ms + ROUND_MS - 500 + stopper)
    return table, done


def hover(table: Table, seat: str, at_ms: float, rng: Random) -> None:
    """Now and then let a hand without a barrel be over a pad for a while."""
    if rng.random() < 0.3:
        at_ms += rng.uniform(0.0, 800.0)
        table.pad(seat, True, at_ms)
        table.pad(seat, False, at_ms + rng.uniform(60.0, 900.0))


def take_back(table: Table, deeds: list[Deed], at_ms: float, ahead: Ahead, rng: Random) -> None:
    """Let all lift what stands at their seats, nearly at once."""
    for deed in deeds:
        if deed.seat is not None:
            table.lifted(deed.stopper, at_ms, 900)
            table.pad(deed.seat, False, at_ms + abs(ahead(rng, deed.seat)))
            table.set_down(deed.stopper, at_ms + 1500)
            at_ms += APART_MS * rng.uniform(1.0, 2.0)


def outcomes(told: list[Placed | Taken], done: list[Deed]) -> tuple[int, int, list[str]]:
    """Return how many placings were known, how many asked, and where it was certain and wrong."""
    known, asked, wrong = 0, 0, list[str]()
    for deed in done:
        if deed.seat is None:
            continue
        near = [
            one
            for one in placed_at(told, deed.seat)
            if abs(one.moment.at_us / 1000 - deed.at_ms) < 2000
        ]
        sure = set(certain(near, deed.seat))
        known += sure == {deed.stopper}
        asked += not sure
        if sure - {deed.stopper}:
            wrong.append(f"{deed.seat}: {sure}, and it is {deed.stopper}, at {deed.at_ms}")
    return known, asked, wrong


def play_rounds(
    kind: str, seed: int, *, loss: float, apart_ms: float = APART_MS, count: int = 3, known: int = 0
) -> tuple[int, int, list[str]]:
    """Return what became of so many rounds, but for the first of them, which teach the pads."""
    table, done = rounds(kind, seed, count, apart_ms)
    rng = Random(seed)
    lost = (lambda _, packet: packet > 1 and rng.random() < loss) if loss else nothing
    _, told = play(table.seen(lost), done[-1].at_ms + 12_000)
    return outcomes(told, [deed for deed in done if deed.at_ms > 1000 + ROUND_MS * known])


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("loss", [0.0, LOSS])
@pytest.mark.parametrize("kind", KINDS)
def test_150_ms_apart_nobody_is_named_wrongly_for_sure_whatever_the_pads_are(
    kind: str, loss: float
) -> None:
    for seed in range(2):
        _, _, wrong = play_rounds(kind, seed, loss=loss)
        assert wrong == []


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("kind", "share"), [("switch", 0.9), ("trimmed", 0.8), ("late", 0.7)])
def test_most_are_known_without_asking_though_nobody_says_which_pads_they_are(
    kind: str, share: float
) -> None:
    found = [play_rounds(kind, seed, loss=0.0) for seed in range(2)]
    known, asked = (sum(column) for column in list(zip(*found, strict=True))[:2])
    assert known + asked == 24
    assert known >= share * (known + asked)


@pytest.mark.slow
def test_pads_that_are_late_each_in_its_own_way_are_learned_and_nobody_is_asked_any_more() -> None:
    """On the way there some are, as nobody knows better; none is named wrongly for sure."""
    found = [play_rounds("late", seed, loss=0.0, count=8, known=3) for seed in range(3)]
    assert [wrong for _, _, wrong in found] == [[], [], []]
    assert sum(known for known, _, _ in found) >= 0.98 * 60


@pytest.mark.slow
def test_learned_pads_tell_also_those_apart_that_are_set_down_within_40_to_80_ms() -> None:
    found = [
        play_rounds("late", seed, loss=0.0, apart_ms=40.0, count=8, known=3) for seed in range(3)
    ]
    assert [wrong for _, _, wrong in found] == [[], [], []]
    assert sum(known for known, _, _ in found) >= 0.8 * 60


def test_a_pad_that_closes_400_ms_before_its_barrel_is_known_if_nobody_else_sets_one_down() -> None:
    table = Table()
    table.lifted(4, 4000, 1300)
    table.pad("blue", True, 5000)
    table.set_down(4, 5400)
    table.all_alive(7000)
    told = table.tell()
    assert certain(told, "blue") == [4]
    assert abs(told[0].moment.at_us - 5_400_000) <= told[0].moment.doubt_us


def test_what_is_put_back_while_a_barrel_comes_near_its_pad_is_not_taken_for_it() -> None:
    table = Table()
    for stopper, at_ms in ((4, 5300), (9, 5010)):
        table.lifted(stopper, 4000, at_ms - 4100)
        table.set_down(stopper, at_ms)
    table.pad("blue", True, 5000)
    told = table.tell()
    assert certain(told, "blue") == []
    assert set(placed_at(told, "blue")[-1].candidates) == {4, 9}


def test_a_seat_that_turned_out_to_be_a_switch_is_believed_at_once() -> None:
    table = Table()
    table.placed("blue", 2, 5000)
    table.taken("blue", 2, 8000)
    for stopper, at_ms in ((4, 11_000), (9, 11_200)):
        table.lifted(stopper, 10_000, at_ms - 10_100)
        table.set_down(stopper, at_ms - 5)
    table.pad("blue", True, 11_000)
    assert certain(table.tell(), "blue") == [2, 4]


def test_a_hand_over_the_pad_while_another_puts_a_barrel_back_places_nothing() -> None:
    for held_ms in (100, 300, 500):
        table = Table()
        table.lifted(9, 4000, 900)
        table.set_down(9, 5050)
        table.pad("blue", True, 5000)
        table.pad("blue", False, 5000 + held_ms)
        assert table.tell() == []


def test_two_that_are_lifted_nearly_at_once_settle_who_stood_where_though_pads_open_late() -> None:
    table = Table()
    table.placed("blue", 4, 5000)
    table.placed("red", 5, 5008)
    table.ended(7000)
    for colour, stopper, at_ms in (("red", 5, 8000), ("blue", 4, 9000)):
        table.lifted(stopper, at_ms, 500)
        table.pad(colour, False, at_ms + 200)
        table.set_down(stopper, at_ms + 700)
    told = table.tell()
    assert (certain(told, "red"), certain(told, "blue")) == ([5], [4])


def test_what_people_say_teaches_the_kind_too() -> None:
    table = Table()
    for stopper, at_ms in ((4, 5300), (9, 5280)):
        table.lifted(stopper, 4000, at_ms - 4100)
        table.set_down(stopper, at_ms)
    table.pad("blue", True, 5000)
    table.settled("blue", 4, 7000)
    state, _ = play(table.seen(), 8000)
    assert sum(state.seats["blue"].kinds[-3:]) > 0.9


def test_no_kind_is_ever_given_up() -> None:
    kinds = usual(PADS)
    for _ in range(50):
        kinds = learned(remembered(kinds, PADS), [pad.fit(-8_000, -6_000, 0) for pad in PADS])
    late = [pad.late_ms for pad in PADS]
    assert sum(chance for chance, ms in zip(kinds, late, strict=True) if ms < 20) > 0.98
    for _ in range(4):
        kinds = learned(remembered(kinds, PADS), [pad.fit(-98_000, -96_000, 0) for pad in PADS])
    assert sum(chance for chance, ms in zip(kinds, late, strict=True) if 80 < ms < 115) > 0.9
