"""Phones whose batches come wrong, late, twice or from another time: their own table's loss alone.

Whatever arrives, nobody is accused who has not turned a barrel up, and no other barrel is named;
no number leaves before the phone was turned up, nor one without its foul.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.present.simulated_hands import PhoneFelt
from companion.simulator.traits import HONEST
from companion.web.simulated_page import LARGEST_FELT
from rappelwacht_research.phone_motions import USUAL, recorded
from tests.scenarios.permuted import HANDLED
from tests.scenarios.test_phone_barrel import BATCH_MS, LISTENS, LOOKS, Handled, Rows, numbers

Odd = Callable[[Rows, int, Random], list[Rows]]
UP_MS = 4_500  # until then, whoever plays LOOKS has not turned it up


def _shifted(rows: Rows, by_ms: float) -> Rows:
    return [(at_ms + by_ms, felt) for at_ms, felt in rows]


ODD: dict[str, Odd] = {
    "backwards": lambda rows, _, __: [rows[::-1]],
    "shuffled": lambda rows, _, rng: [sorted(rows, key=lambda _: rng.random())],
    "twice": lambda rows, _, __: [rows, rows],
    "and what was before once more": lambda rows, _, __: [rows, _shifted(rows, -BATCH_MS)],
    "of 1970": lambda rows, number, __: [_shifted(rows, -rows[0][0] if number % 5 == 0 else 0.0)],
    "of the future": lambda rows, number, __: [
        _shifted(rows, LARGEST_FELT / 2 if number % 7 == 3 else 0.0)
    ],
    "all at one moment": lambda rows, _, __: [[(rows[0][0], felt) for _, felt in rows]],
    "by a clock that jumps": lambda rows, _, rng: [_shifted(rows, 60.0 * rng.random())],
    "by a clock that runs fast": lambda rows, _, __: [[(1.05 * at, felt) for at, felt in rows]],
    "every third lost": lambda rows, number, __: [] if number % 3 == 2 else [rows],
    "every other lost": lambda rows, number, __: [] if number % 2 else [rows],
    "huge once in a while": lambda rows, _, rng: [
        [
            (at, (LARGEST_FELT, -LARGEST_FELT, LARGEST_FELT) if rng.random() < 0.02 else felt)
            for at, felt in rows
        ]
    ],
    "of nothing but one sample": lambda rows, _, __: [rows[:1]],
}


def _plays(evening: Handled, script: str, odd: Odd, seed: int) -> list[tuple[float, PhoneFelt]]:
    """Move a phone as a script says, but tell of it oddly; return what came of it, and when."""
    rng, answers = Random(seed), list[tuple[float, PhoneFelt]]()
    for number, (now_ms, batch) in enumerate(evening.batches(recorded(script, seed))):
        answers += [(now_ms, evening.tells(told)) for told in odd(batch, number, rng)]
    evening.wait(3)
    return answers


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ODD)
def test_who_listens_is_never_accused_however_told(tmp_path: Path, name: str, seed: int) -> None:
    with Handled(tmp_path, seed, traits=HONEST) as evening:
        answers = _plays(evening, LISTENS, ODD[name], seed)
        assert numbers([felt for _, felt in answers]) == {None}
        assert evening.fouls == []


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ODD)
def test_who_looks_reads_nothing_without_a_foul(tmp_path: Path, name: str, seed: int) -> None:
    with Handled(tmp_path, seed, traits=HONEST) as evening:
        answers = _plays(evening, LOOKS, ODD[name], seed)
        assert numbers([felt for _, felt in answers]) <= {None, HANDLED}
        read_ms = [at_ms for at_ms, felt in answers if felt.number is not None]
        assert not read_ms or (min(read_ms) > UP_MS and evening.fouls)
        assert {foul.raised.seat for foul in evening.now.fouls} <= {None, "blue"}


def test_a_phone_turned_up_side_down_from_the_start_is_no_barrel_yet(tmp_path: Path) -> None:
    """Whoever has calibrated it the wrong way round holds the screen up, as it says, and waits."""
    with Handled(tmp_path, traits=HONEST) as evening:
        rows = recorded("0.1 blue lifts 7\nblue carries 7 for 2", 1)
        turned = [(at, (felt[0], -felt[1], -felt[2])) for at, felt in rows]
        answers = [evening.tells(batch, USUAL) for _, batch in evening.batches(turned)]
        assert {answer.pose.name for answer in answers} == {"WAITING"}
        assert evening.now.fouls == ()
