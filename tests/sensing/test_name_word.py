"""The infrared word: what edges come to, however late, lost or strange they are."""

from dataclasses import replace
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing import name_word
from companion.sensing.name_word import EDGES, NAMES, OFF_US, TOUCHES, NameWord, name_of, word_of

PAUSE_US = 25_000
LATE, LOST, STRAY = 0.05, 0.005, 0.01  # shares of edges, as an interrupt's tail and lamps have it


def read(edges: list[int]) -> list[NameWord]:
    """Return the words in some edges."""
    decoder = name_word.WordDecoder()
    return [word for at_us in edges if (word := decoder.take(at_us))]


def edges_of(word: NameWord, at_us: int = PAUSE_US) -> list[int]:
    """Return when its bursts begin."""
    return [at_us, *(at_us + far_us for far_us in accumulate(name_word.distances_us(word)))]


def some_word(rng: Random) -> NameWord:
    """Return any word."""
    touch, flags = rng.randrange(TOUCHES), rng.randrange(4)
    return NameWord(rng.randrange(NAMES), bool(flags & 1), bool(flags & 2), touch)


WORDS = st.builds(
    NameWord, st.integers(0, NAMES - 1), st.booleans(), st.booleans(), st.integers(0, TOUCHES - 1)
)


@given(WORDS)
def test_a_word_is_read_as_it_was_said(word: NameWord) -> None:
    edges = edges_of(word)
    assert len(edges) == EDGES
    assert edges[-1] - edges[0] <= name_word.WORD_US
    assert read(edges) == [word]
    assert word_of(word.bits) == word


@given(WORDS, st.integers(0, EDGES - 1), st.integers(1 - OFF_US, OFF_US - 1))
def test_an_edge_may_err_by_a_quarter_of_a_bit(word: NameWord, which: int, off_us: int) -> None:
    edges = edges_of(word)
    edges[which] += off_us
    assert read(edges) == [word]


@given(WORDS, st.integers(1, EDGES - 1), st.integers(1, name_word.STRAY_US - 1))
def test_an_edge_soon_after_another_is_a_stray(word: NameWord, which: int, after_us: int) -> None:
    edges = edges_of(word)
    assert read(sorted([*edges, edges[which - 1] + after_us])) == [word]


@given(WORDS, st.lists(st.integers(1, 60_000), max_size=100))
def test_whatever_came_before_a_pause_a_word_is_read(word: NameWord, noise: list[int]) -> None:
    before = list(accumulate(noise))
    edges = edges_of(word, (before[-1] if before else 0) + 2000)
    assert read(before + edges)[-1] == word


def test_every_flipped_bit_is_found() -> None:
    word = NameWord(0xABC, True, True, 1)
    for first in range(24):
        for other in range(first, 24):
            flips = 1 << first | 1 << other
            assert word_of(word.bits ^ flips) is None


def damaged(word: NameWord, rng: Random) -> list[int]:
    """Return its edges as a busy Pi and a bright room have them: the kernel's stamps are late."""
    edges = []
    for at_us in edges_of(word):
        late_us = rng.expovariate(1 / 120) if rng.random() < LATE else rng.expovariate(1 / 12)
        if rng.random() >= LOST:
            edges.append(at_us + round(late_us))
        if rng.random() < STRAY:
            edges.append(at_us + rng.randrange(900))
    return sorted(edges)


def test_damaged_words_name_nobody_else(full: bool) -> None:
    """At one table there are thirteen names; a word of any other is nobody's."""
    rng, right, strange = Random(7), 0, 0
    names = [name_of(rng.randbytes(16)) for _ in range(13)]
    times = 1_000_000 if full else 20_000
    for _ in range(times):
        sent = replace(some_word(rng), name=names[rng.randrange(13)])
        for word in read(damaged(sent, rng)):
            right += word == sent
            strange += word != sent
            assert word.name == sent.name or word.name not in names
    assert strange <= 10 * times / 1_000_000  # the check alone lets hardly any through
    assert 0.5 * times < right < times  # it was damaged, and is not thrown away for nothing


def test_a_lost_edge_in_two_words_costs_one(full: bool) -> None:
    rng = Random(8)
    for _ in range(2000 if full else 200):
        first, second = some_word(rng), some_word(rng)
        edges = edges_of(first)
        edges.pop(rng.randrange(EDGES))
        assert read(edges + edges_of(second, edges[-1] + PAUSE_US)) == [second]


def test_a_name_follows_from_the_key_alone() -> None:
    keys = [Random(seed).randbytes(16) for seed in range(3000)]
    names = [name_of(key) for key in keys]
    assert names == [name_of(key) for key in keys]
    assert max(names.count(name) for name in set(names)) < 7  # they are spread evenly
    assert min(names) < 20
    assert max(names) > NAMES - 20


@pytest.mark.parametrize("bits", [0, 0xFFFFFF])
def test_neither_silence_nor_light_is_a_word(bits: int) -> None:
    assert word_of(bits) is None
