"""What a stopper says to its pad: when, how often, and as the host reads it."""

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import pytest

from companion.sensing.name_word import (
    EDGES,
    NAMES,
    TOUCHES,
    NameWord,
    WordDecoder,
    distances_us,
    name_of,
)
from hardware.emulated.bench import BARREL_G, KEY, Board, Script, nothing
from hardware.emulated.source import load

name_light = load("stopper.name_light")
BURST_US, LONGEST_US = 263, 24_300


def edges_us(at_us: int, pulses: tuple[int, ...]) -> list[int]:
    """Return when each burst begins."""
    begins, after_us = [], at_us
    for number, length_us in enumerate(pulses):
        if number % 2 == 0:
            begins.append(after_us)
        after_us += length_us
    return begins


def words(board: Board) -> list[tuple[int, NameWord]]:
    """Return what was said, as a pad's decoder reads it, and when that began, in ms."""
    decoder, read = WordDecoder(), list[tuple[int, NameWord]]()
    for at_us, pulses in board.shone:
        whole = [word for edge_us in edges_us(at_us, pulses) if (word := decoder.take(edge_us))]
        assert len(whole) == 1
        read.append((at_us // 1000, whole[0]))
    return read


def test_a_word_is_what_the_host_reads() -> None:
    rng = Random(1)
    for _ in range(2000):
        sent = NameWord(
            rng.randrange(NAMES), rng.random() < 0.5, rng.random() < 0.5, rng.randrange(TOUCHES)
        )
        pulses = name_light.pulses(sent.name, sent.stands, sent.weighs, sent.touch)
        edges = edges_us(0, pulses)
        assert len(pulses) == 2 * EDGES - 1
        assert len(pulses) <= 2 * 48  # what a channel holds, so that it can be sent at once
        assert set(pulses[::2]) == {BURST_US}
        assert [b - a for a, b in pairwise(edges)] == list(distances_us(sent))
        assert sum(pulses) < LONGEST_US


def test_both_sides_call_a_stopper_the_same() -> None:
    rng = Random(2)
    keys = [rng.randbytes(16) for _ in range(200)]
    assert [name_light.name_of(key) for key in keys] == [name_of(key) for key in keys]


def test_a_barrel_that_is_set_down_says_its_name_often_and_then_seldom() -> None:
    board = Board(Script().stand(6).hold(1).shake(1).hold(1).stand(10)).run()
    read = [(at_ms - 9000, word) for at_ms, word in words(board) if at_ms >= 9000]
    assert {word.name for _, word in read} == {name_of(KEY)}
    assert read[0][0] < 60
    fresh = [at_ms for at_ms, _ in read if at_ms < 400]
    assert 7 <= len(fresh) <= 10
    recent = [b - a for (a, _), (b, _) in pairwise(read) if 900 < a < 3000]
    assert all(240 <= apart <= 260 for apart in recent)
    late = [b - a for (a, _), (b, _) in pairwise(read) if a > 5000]
    assert all(990 <= apart <= 1010 for apart in late)
    assert len(set(recent)) > 1  # two on one pad do not meet each time
    assert all(word.stands and word.weighs for at_ms, word in read if at_ms > 120)
    assert not any(word.stands for at_ms, word in read if at_ms < 40)


def test_the_touch_is_that_of_the_newest_set() -> None:
    board = Board(Script().stand(4).hold(1).stand(3).hold(1).stand(3)).run()
    sets = [(at_ms, fields.event) for name, at_ms, fields in board.events() if name == "SET"]
    assert len(sets) == 2
    for at_ms, event in sets:
        touches = {w.touch for when_ms, w in words(board) if 150 < when_ms - at_ms < 2500}
        assert touches == {event & 3}
    assert {word.touch for at_ms, word in words(board) if at_ms < 4000} == {0}


@pytest.mark.parametrize("seed", range(1, 5))
def test_nothing_is_said_in_a_hand(seed: int) -> None:
    """Neither held, shaken or tilted, nor upside down: all the foot's load is its own."""
    script = Script().stand(4).hold(1).shake(3, 3).hold(1, 70).hold(1).hold(1, 180).hold(1)
    board = Board(script, seed).run()
    assert [at_ms for at_ms, _ in words(board) if at_ms > 4100] == []
    assert len(board.shone) > 5


ONE_G, FLOATS = 512, load("stopper.scale").FLOATS


def says(
    at_ms: list[int],
    *,
    weighs: bool = True,
    stands: bool = True,
    load: int = 4 * FLOATS,
    tilt_deg: float = 0.0,
    agitation_g: float = 0.0,
) -> bool:
    """Return whether a stopper says its name by the last of some times, as it feels all along."""
    shone = list[object]()
    lamp = name_light.NameLight(shone.append, KEY, b"\x01")
    motion = SimpleNamespace(
        tilt_cdeg=round(100 * tilt_deg),
        length=ONE_G,
        deviation=0,
        agitation=round(ONE_G * agitation_g) << 8,
    )
    scale = SimpleNamespace(standing=SimpleNamespace(on=stands), load=load)
    for now_ms in at_ms:
        lamp.look(now_ms, motion, scale, weighs)
    return bool(shone)


def test_with_a_cell_it_speaks_as_soon_as_its_foot_carries_it_upright_and_not_shaken() -> None:
    assert says([0])
    assert says([0], stands=False)  # its SET is not told yet
    assert not says([0], load=FLOATS // 2)
    assert not says([0, 200], tilt_deg=30.0)
    assert says([0], tilt_deg=20.0)
    assert not says([0, 200], stands=False, agitation_g=0.3)  # its own foot swings
    assert says([0], agitation_g=0.3)  # somebody kicks the table on which it stands


def test_without_a_cell_it_has_to_be_calm_for_a_while_first() -> None:
    assert not says([0, 25, 50], weighs=False)
    assert says([0, 25, 50, 75], weighs=False)
    assert not says([0, 25, 50, 75], weighs=False, tilt_deg=30.0)


def light(script: Script) -> Board:
    """Return the board of a stopper without a load cell after its script."""
    board = Board(script)
    del board.i2c.chips[0x2A]
    return board.run()


def test_without_a_cell_it_speaks_whenever_it_is_upright_and_calm() -> None:
    board = light(Script().stand(4).hold(1).shake(2, 2).hold(1, 60).stand(4))
    read = words(board)
    assert not any(word.weighs for at_ms, word in read if at_ms > 1000)
    assert all(word.stands for _, word in read)
    assert [at_ms for at_ms, _ in read if 5150 < at_ms < 8000] == []  # shaken, then tilted
    landed = [at_ms for at_ms, _ in read if at_ms >= 8000]
    assert landed[0] < 8000 + 600
    assert len([at_ms for at_ms in landed if at_ms < landed[0] + 400]) >= 7


def test_a_softly_set_one_is_heard_as_soon() -> None:
    script = Script().stand(3).hold(1)
    script.add(3, BARREL_G, 0.0, nothing)
    landed = [(at_ms, word) for at_ms, word in words(Board(script).run()) if at_ms >= 4000]
    standing = [at_ms for at_ms, word in landed if word.stands]
    assert standing[1] < 4000 + 220  # the second of two is what a host waits for
