"""Break the rules on purpose, one lie at a time: the tests of the rules must notice.

What kills a mutant is a failed test, or one that never ends, not a file that cannot be imported. So
a test that asserts nothing is found out. A few lies change nothing that anybody could see (`<` and
`<=` of what is never equal): therefore a share of all that are drawn has to be noticed. To see what
becomes of each:

    python -m research.mutants.test_mutants zapp_zerapp 40
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from research.mutants.mutations import ROOT, Mutant, drawn
from research.mutants.trial import UNBORN, run_tests

PASSED, FAILED = 0, 1  # pytest's exit codes
GAMES: Final = ("blackmore", "trap_the_wizard", "via_magica", "zapp_zerapp")
SHARED: Final = (Path("tests/core/test_contract.py"), Path("tests/games/test_golden.py"))
NOTICED: Final = 0.85  # of the lies of a game
FEW, MANY = 6, 60


def files_of(game: str) -> list[Path]:
    """Return the tests of a game's rules, those of single facts first: they are quick."""
    found = (ROOT / "tests/games" / game).glob("test_*.py")
    names = {file.relative_to(ROOT) for file in found}
    return [*sorted(names, key=lambda file: ("facts" not in file.name, file)), *SHARED]


def rules_of(game: str) -> Path:
    """Return where they lie."""
    return Path("companion/games", game, "rules")


def survivors(game: str, count: int, scratch: Path) -> Iterator[tuple[Mutant, bool | None]]:
    """Try mutants of a game; whether each survives, None: it cannot even be imported."""
    for mutant in drawn(rules_of(game), count, seed=1):
        ran = run_tests(mutant, files_of(game), scratch)
        yield mutant, None if ran.code == UNBORN else ran.code == PASSED


def test_a_lie_is_noticed_and_the_truth_is_not(tmp_path: Path) -> None:
    facts, lies = files_of("blackmore")[:1], drawn(rules_of("blackmore"), FEW, seed=1)
    assert run_tests(lies[0].taken_back(), facts, tmp_path).code == PASSED
    assert FAILED in {run_tests(lie, facts, tmp_path).code for lie in lies}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_without_a_lie_nothing_is_noticed(game: str, tmp_path: Path) -> None:
    [mutant] = drawn(rules_of(game), 1, seed=1)
    ran = run_tests(mutant.taken_back(), files_of(game), tmp_path)
    assert ran.code == PASSED, ran.said  # or what is said below to be noticed proves nothing


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_lies_about_the_rules_are_noticed(game: str, tmp_path: Path) -> None:
    tried = [one for one in survivors(game, MANY, tmp_path) if one[1] is not None]
    left = [str(mutant) for mutant, survives in tried if survives]
    assert len(tried) > MANY * 2 / 3
    assert len(left) <= len(tried) * (1 - NOTICED), "\n".join(left)


SLOW = """
from time import monotonic
from hypothesis import given, strategies as st

@given(st.none())
def test_slow(_):
    end_s = monotonic() + 0.3
    while monotonic() < end_s:
        pass
"""


def test_a_slow_computer_breaks_no_rule(tmp_path: Path) -> None:
    slow = tmp_path / "test_slow.py"
    slow.write_text(SLOW, "utf-8")
    ran = run_tests(None, [slow], tmp_path)
    assert ran.code == PASSED, ran.said


if __name__ == "__main__":
    with TemporaryDirectory() as kept:
        for each, lives in survivors(sys.argv[1], int(sys.argv[2]), Path(kept)):
            print({True: "LIVES", False: "dies", None: "unborn"}[lives], each, flush=True)  # noqa: T201 - it is run to be read
