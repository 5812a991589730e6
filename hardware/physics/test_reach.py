"""A person's hands from other threads: the table's own thread does what they ask for."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import current_thread

import pytest

from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.present.simulated_hands import HandAct, HandActRequest, Hands, Where
from companion.simulator.live import live as living
from companion.simulator.live.live import Live
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.thread_proxy import ThreadProxy
from companion.system.errors import CompanionError
from companion.system.text import SeatName

SPEED = 8.0


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    one = Live(tmp_path, 1, SPEED)
    yield one
    if one._thread.is_alive():
        one.__exit__(None, None, None)


def hands_of(live: Live) -> Hands:
    guests = Guests(live.table.world, Random(1), (SeatName.RED, SeatName.BLUE))
    return ThreadProxy(live, PlayerHands(live.table, guests, SeatName.RED))


def test_everything_hands_can_do_is_carried_out_at_the_table(live: Live) -> None:
    hands = hands_of(live)
    live.__enter__()
    asked = [
        HandActRequest(HandAct.LIFT, 2),
        HandActRequest(HandAct.SHAKE, 2, for_s=0.5),
        HandActRequest(HandAct.COMPARE, 2, 7),
        HandActRequest(HandAct.PEEK, 7, for_s=0.5),
        HandActRequest(HandAct.PLACE, 2),
        HandActRequest(HandAct.FLIP, 2),
        HandActRequest(HandAct.PRESS, for_s=0.2),
        HandActRequest(HandAct.PUT_BACK, 2),
        HandActRequest(HandAct.PUT_BACK, 7),
    ]
    for act in asked:
        while hands.table().busy_ms:
            live.carry_out(lambda: None)
        hands.do(act)
    while hands.table().busy_ms:
        live.carry_out(lambda: None)
    assert {one.where for one in hands.table().barrels} == {Where.PLATEAU}
    hands.do(HandActRequest(HandAct.LEAVE))
    assert hands.table().sitting.value == "guest"


def test_what_hands_cannot_do_is_raised_in_the_thread_that_asked(live: Live) -> None:
    hands = hands_of(live)
    live.__enter__()
    with pytest.raises(CompanionError, match="no barrel 99"):
        hands.do(HandActRequest(HandAct.LIFT, 99))
    assert live.fault is None


def test_many_threads_are_answered_by_the_one_thread_of_the_table(live: Live) -> None:
    live.__enter__()
    with ThreadPoolExecutor(16) as pool:
        names = set(pool.map(lambda _: live.carry_out(lambda: current_thread().name), range(200)))
    assert names == {"simulated table"}


def test_a_table_that_does_not_answer_is_told_and_does_it_not_later_either(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(living, "ANSWER_S", 0.01)
    done: list[int] = []
    with pytest.raises(CompanionError, match="does not answer"):
        live.carry_out(lambda: done.append(1))  # nobody lets its time pass yet
    live.run_errands()
    assert done == []
    live.close()
