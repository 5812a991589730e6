"""What happened last at a table is told as far as its journal goes, however that came to be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.hall import fold as folding
from companion.hall.fold import Fold
from companion.hall.recent import TOLD, Recent
from companion.hall.store import Store
from companion.hall_link.payloads import Deed, Events
from companion.present.reader import Reader
from tests.hall.matches import moments
from tests.hall.tables import deeds, played

READERS = (Reader("en"), Reader("de"))


@pytest.fixture
def fold(tmp_path: Path) -> Iterator[Fold]:
    store = Store(tmp_path / "hall.sqlite3", folding.SCHEMA)
    yield Fold(store, "here")
    store.close()


def take(fold: Fold, match: str, some: list[Deed]) -> None:
    fold.take("attic", Events(match, some[0].number, tuple(some), "here"))
    fold._store.write(lambda _: None)


def test_step_by_step_the_same_is_told_as_at_once(fold: Fold) -> None:
    recent, some = Recent(fold), deeds(played(60))
    long = 0
    for number, one in enumerate(some):
        take(fold, "m", [one])
        reader = READERS[number % 7 == 0]
        told = recent.told("attic", "m", reader)
        assert told == Recent(fold).told("attic", "m", reader)
        long = max(long, len(told))
    assert long == TOLD


def test_a_journal_that_was_put_right_and_the_next_match_are_told_anew(fold: Fold) -> None:
    recent, some, others = Recent(fold), deeds(played(30)), deeds(played(30, seed=2))
    take(fold, "m", some)
    before = [recent.told("attic", "m", one) for one in READERS]
    right = next(n for n in range(30) if some[n].body != others[n].body)
    take(fold, "m", others[right:])
    after = [recent.told("attic", "m", one) for one in READERS]
    assert after == [Recent(fold).told("attic", "m", one) for one in READERS]
    assert after != before
    take(fold, "n", some[:1])
    assert recent.told("attic", "n", READERS[0]) == Recent(fold).told("attic", "n", READERS[0])
    assert recent.told("attic", "none", READERS[0]) == []


def test_what_nobody_sees_is_not_told(fold: Fold) -> None:
    some = deeds([*moments("m", "blackmore", Random(1), 33)])  # the deal, among others
    take(fold, "m", some)
    told = Recent(fold).told("attic", "m", READERS[0])
    assert len(told) == TOLD
    assert not any("has made an entry" in one for one in told)
