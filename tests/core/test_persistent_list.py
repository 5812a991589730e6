"""Sequences that grow are like tuples, whoever shares what with whom."""

import gc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.persistent_list import PersistentList

STEPS = st.lists(st.tuples(st.integers(0, 30), st.integers(-3, 30), st.integers()), max_size=30)


@given(STEPS)
def test_whatever_grows_from_whatever_is_like_a_tuple(steps: list[tuple[int, int, int]]) -> None:
    made: list[tuple[PersistentList[int], tuple[int, ...]]] = [(PersistentList(), ())]
    for which, cut, item in steps:
        grown, like = made[which % len(made)]
        made.append((grown.plus(item), (*like, item)))
        if 0 <= cut <= len(like):
            made.append((grown.first(cut), like[:cut]))
    for grown, like in made:
        assert tuple(grown) == like == grown
        assert (len(grown), hash(grown), bool(grown)) == (len(like), hash(like), bool(like))
        assert (grown[1:-1], grown[::-2]) == (like[1:-1], like[::-2])
        assert [grown[at] for at in range(-len(like), len(like))] == [*like, *like]
        for other, like_other in made:
            assert (grown == other) is (like == like_other)


def test_outside_there_is_nothing() -> None:
    short = PersistentList([1, 2, 3]).first(2)
    assert short[-1] == 2
    for index in (2, -3):
        with pytest.raises(IndexError):
            short[index]
    assert short != [1, 2]
    assert repr(short) == "PersistentList([1, 2])"


def test_what_has_grown_is_not_copied() -> None:
    one = PersistentList([1])
    assert PersistentList.from_items(one) is one
    assert items_of(one.plus(2).plus(3)) is items_of(one)
    assert items_of(one.plus(4)) is not items_of(one)  # somebody else has added before


def items_of(grown: PersistentList[Any]) -> list[Any]:
    """Return the list in which its items are kept."""
    return next(kept for kept in gc.get_referents(grown) if isinstance(kept, list))
