"""Where MicroPython cannot be fetched, the tests that need it are skipped: none of them fails."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.emulated import micropython

ROOT = Path(__file__).parent.parent.parent
NEEDING = (
    "hardware/emulated/test_air.py::test_it_does_the_same_under_micropython",
    "hardware/emulated/test_micropython.py",
    "hardware/emulated/test_wire.py::test_the_golden_vectors_are_the_same_on_the_boards",
    "hardware/flash/test_flash.py::test_what_is_run_on_a_board_runs_under_micropython",
    "hardware/emulated/test_round.py",
)
TESTED = """
import sys
from pathlib import Path
import pytest
import pytest

from hardware.emulated import micropython

micropython.KEPT = Path(sys.argv[1])
real = micropython.tool
micropython.tool = lambda name: "false" if name == "npm" else real(name)
sys.exit(pytest.main(["-q", "-rfE", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


@pytest.mark.slow
def test_all_that_needs_micropython_is_skipped_without_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TESTED, str(tmp_path), *NEEDING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    skipped = re.search(r"(\d+) skipped", done.stdout)
    assert skipped, done.stdout
    assert int(skipped[1]) > 2 * len(micropython.BUILDS)
