"""What holds at every seat whatever is lost: nobody is named for sure who is not there."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.sensing.events import Placed
from companion.sensing.observations import NameRead, PadChanged, StopperMessage
from tests.sensing.seats import CERTAIN, COLOURS, Table, Told, certain, placed_at, play

APART_MS = 150


@dataclass(frozen=True)
class Act:
    """A barrel is set down, at a seat or back in the middle."""

    stopper: int
    seat: str | None
    at_ms: int
    off_ms: int  # how much earlier than the pad the SET is dated


@st.composite
def acts(draw: st.DrawFn, least_apart_ms: int) -> list[Act]:
    """Return who sets down what: each barrel and each seat once, some barrels in the middle."""
    stoppers = draw(st.permutations(range(1, 14)))
    seats: list[str | None] = list(draw(st.permutations(COLOURS)))
    seats = seats[: draw(st.integers(1, 4))] + [None] * draw(st.integers(0, 3))
    at_ms, found = 5000, list[Act]()
    for stopper, seat in zip(stoppers, draw(st.permutations(seats)), strict=False):
        found.append(Act(stopper, seat, at_ms, draw(st.integers(-20, 40))))
        at_ms += draw(st.integers(least_apart_ms, least_apart_ms + 200))
    return found


def table_of(done: list[Act], silent: frozenset[int] = frozenset()) -> Table:
    table = Table(silent=silent)
    for act in done:
        table.lifted(act.stopper, act.at_ms - 1500, 1400)
        table.set_down(act.stopper, act.at_ms - act.off_ms)
        if act.seat is not None:
            table.says(act.seat, act.stopper, act.at_ms)
            table.pad(act.seat, True, act.at_ms)
    return table


def wrong(told: Told, done: list[Act], silent: frozenset[int]) -> list[str]:
    """Return where somebody was certain and wrong."""
    found = []
    for act in done:
        truth = None if act.stopper in silent else act.stopper
        if act.seat is not None and set(certain(told, act.seat)) - {truth}:
            found.append(f"{act.seat}: {certain(told, act.seat)}, and it is {truth}")
    empty = set(COLOURS) - {act.seat for act in done}
    return found + [colour for colour in empty if certain(told, colour)]


EXAMPLES = settings().max_examples  # far more with --full
masks = st.binary(min_size=50, max_size=50)  # 400 bits, drawn at once: far quicker than one by one


def forgets(mask: bytes) -> Callable[[int, int], bool]:
    """Return which packets are lost; the first one of each, long before, is heard."""

    def lost(stopper: int, packet: int) -> bool:
        byte, bit = divmod((stopper * 31 + packet) % (8 * len(mask)), 8)
        return packet > 1 and bool(mask[byte] >> bit & 1)

    return lost


silents = st.frozensets(st.integers(1, 13), max_size=3)


@settings(deadline=None)
@given(acts(APART_MS), masks, silents, st.frozensets(st.integers(0, 3)))
def test_whatever_is_lost_nobody_is_named_wrongly_for_sure(
    done: list[Act], mask: bytes, silent: frozenset[int], deaf: frozenset[int]
) -> None:
    table = table_of(done, silent)
    table.all_alive(9000)
    kept = [
        other
        for number, other in enumerate(table.others[1:])
        if number not in deaf and not (forgets(mask)(0, number) and isinstance(other[1], NameRead))
    ]
    table.others = [table.others[0], *kept]
    assert wrong(table.tell(forgets(mask)), done, silent) == []


@settings(deadline=None, max_examples=EXAMPLES // 2)
@given(acts(0), masks)
def test_without_names_nobody_is_named_for_sure(done: list[Act], mask: bytes) -> None:
    table = table_of(done)
    table.others = [other for other in table.others if not isinstance(other[1], NameRead)]
    news = table.tell(forgets(mask))
    assert [colour for colour in COLOURS if certain(news, colour)] == []


@settings(deadline=None, max_examples=EXAMPLES // 2)
@given(acts(0))
def test_all_that_say_their_names_are_known_however_close_they_come(done: list[Act]) -> None:
    news = table_of(done).tell()
    for act in done:
        if act.seat is not None:
            assert certain(news, act.seat) == [act.stopper]


@settings(deadline=None, max_examples=EXAMPLES // 3)
@given(
    acts(0),
    masks,
    st.sampled_from(COLOURS),
    st.integers(-1, 13).filter(bool),
    st.integers(4000, 9000),
)
def test_people_are_believed(
    done: list[Act], mask: bytes, colour: str, stopper: int, at_ms: int
) -> None:
    late = all(act.at_ms + 300 < at_ms or act.at_ms - 1600 > at_ms for act in done)
    assume(late or (stopper != -1 and all(act.stopper != stopper for act in done)))
    assume(all(act.seat != colour or act.at_ms + 300 < at_ms for act in done))
    table = table_of([act for act in done if act.stopper != stopper or act.at_ms < at_ms])
    table.settled(colour, stopper, at_ms)
    told = table.tell(forgets(mask))
    named = None if stopper < 0 else stopper
    last = placed_at(told, colour)[-1]
    assert (last.stopper, last.confidence) == (named, 1.0)
    assert not [one for one in told[told.index(last) :] if one.seat == colour and one is not last]
    for other in set(COLOURS) - {colour}:
        after = [one for one in told[told.index(last) :] if one.seat == other]
        assert named is None or all(
            one.stopper != named for one in after if isinstance(one, Placed)
        )


@pytest.mark.slow
@settings(deadline=None, max_examples=EXAMPLES // 3)
@given(acts(0), masks, st.permutations(range(1, 14)))
def test_stoppers_numbers_mean_nothing(done: list[Act], mask: bytes, names: list[int]) -> None:
    seen = table_of(done).seen(forgets(mask))
    other = [
        (
            at_ms,
            replace(one, stopper=names[one.stopper - 1])
            if isinstance(one, StopperMessage | NameRead)
            else one,
        )
        for at_ms, one in seen
    ]
    told, renamed = play(seen, 30_000)[1], play(other, 30_000)[1]
    assert [one.seat for one in told] == [one.seat for one in renamed]
    for one, two in zip(told, renamed, strict=True):
        if isinstance(one, Placed) and isinstance(two, Placed):
            assert abs(one.confidence - two.confidence) < 1e-6
            assert {names[who - 1] for who in one.candidates} == set(two.candidates)
            if one.confidence >= CERTAIN and one.stopper is not None:
                assert two.stopper == names[one.stopper - 1]


@settings(deadline=None, max_examples=min(EXAMPLES // 4, 50))  # each tick judges all seats again
@given(acts(0), masks, st.integers(397, 1500))
def test_any_pace_of_ticks_is_the_same(done: list[Act], mask: bytes, every_ms: int) -> None:
    seen = table_of(done).seen(forgets(mask))
    ticks = [
        (float(at), PadChanged("nobody", False, at * 1000)) for at in range(1, 12_000, every_ms)
    ]
    often = sorted([*seen, *ticks], key=lambda one: one[0])
    told, again = (play(given, 30_000)[1] for given in (seen, often))
    assert told == again
