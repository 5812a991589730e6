"""The bench of listeners finds what is betrayed, and nothing where nothing is."""

import json
import multiprocessing
import sys
from random import Random
from typing import Any, Self

import pytest

from companion.referee.events import ChartPoint, FoulRaised
from research.bench import listener
from tests.scenarios.permuted import Told

TABLES = 130


def told(percent: int, at_us: int, chance: Random) -> list[Told]:
    """Return two findings and two placings, of which one figure is given."""
    points = tuple(
        ChartPoint(at_ms, 5 * chance.randrange(20), 250 * chance.randrange(2), stands=False)
        for at_ms in range(-300, 900, 100)
    )
    fouls = tuple(
        FoulRaised(number, "peek", "foul", None, 100 * chance.randrange(9), percent, points)
        for number in (1, 2)
    )
    return [Told(at_us, (), fouls), Told(at_us + chance.randrange(999), ("BLUE",), fouls)]


def tables(leaks: int) -> list[tuple[int, list[Told], list[Told]]]:
    chance = Random(1)
    found = []
    for place in range(TABLES):
        number = place % 13 + 1
        one, other = (told(50 + leaks * n, 5_000, chance) for n in (number, 14 - number))
        found.append((number, one, other))
    return found


def test_a_listener_who_is_told_the_number_guesses_it() -> None:
    assert listener.report(tables(leaks=3))["guessed_right"] > 0.9


def test_a_listener_who_is_told_nothing_guesses_by_chance() -> None:
    found = listener.report(tables(leaks=0))
    low, high = found["guessed_right_interval"]
    assert low < found["chance"] < high
    assert found["percent_moved_most"] == 0
    assert listener.report(tables(leaks=3))["percent_moved_most"] == 36


@pytest.mark.slow
def test_it_plays_tables_and_says_what_it_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One table is played for truth, and the others are taken to be like it."""
    played = listener.play(1, exact=False)
    number, one, other = played
    assert number in listener.NUMBERS
    assert all(sum(foul.times for foul in told[-1].fouls) == 2 for told in (one, other))

    class Pool:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def imap(self, _: object, seeds: range) -> list[Any]:
            return [(1 + seed % 13, one, other) for seed in seeds]

    class Context:
        def Pool(self, *_: object, **__: object) -> Pool:  # noqa: N802 - as the library calls it
            return Pool()

    monkeypatch.setattr(multiprocessing, "get_context", lambda _: Context())
    monkeypatch.setattr(sys, "argv", ["listener", "--json", "--tables", "26"])
    listener.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["tables"] == 26
    assert found["charts"] == 26  # both looks are on one card
    assert found["length_moved_most_ms"] <= 100
