"""Jobs: folders of tests beside what they test, which are run when that changes, and by --full.

./run test --changed                  # what the change can touch, jobs included
./run test --jobs                     # all jobs, and nothing else
./run test --jobs --changed=REVISION  # of the jobs, what has changed since that revision
./run test research/bench             # one of them

At the end it is said which jobs were not run.
"""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
JOBS: Final = {  # folder: what is tested there
    "examples": "what READMEs tell people to type, and games of other packages",
    "release": "the door, CI, wheels, installing, translators' files, all pages in all sizes",
    "hardware/tests": "boards, models and guides",
    "hardware/evening": "the evening of the readme",
    "hardware/flash": "flashing boards",
    "hardware/physics": "physics of the simulated table",
    "hardware/emulated": "firmware on emulated boards",
    "hardware/kernel": "a real kernel",
    "hardware/arm": "emulated processors",
    "hardware/debian": "a fresh Debian",
    "research/bench": "benches",
    "research/mutants": "mutants",
    "research/package_tests": "studies and solver",
}


class Jobs:
    """Chooses the folders if nobody names any, and tells which jobs were left out."""

    def __init__(self, config: pytest.Config) -> None:
        self._tests = Counter[str]()
        jobs = config.getoption("--jobs")
        if config.args_source is pytest.Config.ArgsSource.ARGS:
            if jobs:
                raise pytest.UsageError("--jobs stands alone; or name their folders instead.")
            return
        if jobs:
            config.args = [*JOBS]
        elif config.getoption("--full") or config.getoption("--changed") is not None:
            config.args = [*config.args, *JOBS]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was run."""
        self._tests[job_of(report.nodeid)] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Call it a success if a change touches nothing."""
        nothing = pytest.ExitCode.NO_TESTS_COLLECTED
        if session.config.getoption("--changed") is not None and session.exitstatus == nothing:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which jobs nobody asked for, or no change touches."""
        if terminalreporter.config.args_source is pytest.Config.ArgsSource.ARGS:
            return
        left = [f"{job} ({what})" for job, what in JOBS.items() if not self._tests[job]]
        if left:
            terminalreporter.write_line(f"Jobs that were not run: {', '.join(left)}")


def job_of(nodeid: str) -> str:
    """Return the job that a test belongs to, or nothing.

    >>> job_of("research/bench/tests/test_rules.py::test_x"), job_of("tests/test_play.py::test_x")
    ('research/bench', '')
    """
    return next((job for job in JOBS if nodeid.startswith(f"{job}/")), "")
