"""Break the rules on purpose, one at a time: the tests of the rules must notice every time.

What kills a mutant is a failed test, not a file that cannot be imported. So a test that asserts
nothing is found out.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS as ZAPP_ZERAPP
from tests.mutants.mutants import Mutant
from tests.mutants.mutants_blackmore import BLACKMORE
from tests.mutants.mutants_trap_the_wizard import TRAP_THE_WIZARD
from tests.mutants.mutants_via_magica import VIA_MAGICA
from tests.mutants.trial import run_tests, source_of, text_of

MUTANTS = (*ZAPP_ZERAPP, *BLACKMORE, *VIA_MAGICA, *TRAP_THE_WIZARD)
PASSED, FAILED = 0, 1  # pytest's exit codes; 2 and more: the tests could not run

PARAMETERS = pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
ALL_KILLERS = sorted({file for mutant in MUTANTS for file in mutant.killers})


@pytest.mark.slow
def test_all_pass_without_a_mutant(tmp_path: Path) -> None:
    ran = run_tests(None, ALL_KILLERS, tmp_path)  # so whatever fails below, fails for a mutant
    assert ran.code == PASSED, f"the tests fail without a mutant:\n{ran.said}"


@pytest.mark.slow
@PARAMETERS
def test_the_text_to_replace_occurs_once(mutant: Mutant) -> None:
    count = text_of(source_of(mutant)).count(mutant.old)
    assert count == 1, (
        f"{mutant.file}: break {mutant.breaks} anew, for the text is gone or twice there"
    )
    assert mutant.old != mutant.new


@pytest.mark.slow(but=6)
@PARAMETERS
def test_a_test_fails_when(mutant: Mutant, tmp_path: Path) -> None:
    ran = run_tests(mutant, mutant.killers, tmp_path)
    if ran.code == PASSED:  # its likely killers overlook it; but perhaps somebody does not
        ran = run_tests(mutant, ALL_KILLERS, tmp_path)
    assert ran.code == FAILED, f"{mutant.breaks} can be broken unnoticed:\n{ran.said[-2000:]}"
    assert "\nFAILED " in ran.said
    assert "\nERROR " not in ran.said


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
    ran = run_tests(None, [str(slow)], tmp_path)
    assert ran.code == PASSED, ran.said


def test_names_tell_mutants_apart() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
