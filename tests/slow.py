"""Leaves out what is slow and seldom fails unless --full is given, and says in one line what.

pytestmark = pytest.mark.slow         # all of it only with --full
@pytest.mark.slow(but=8)              # without it, eight of the test's cases
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import pytest

MARK = "slow(but=0): run only with --full, but for that many cases of a test"
LONG_S = 60  # what takes less is not told of


class SlowTests:
    """Chooses what is tested, and tells what was not, or with --full how long each part took."""

    def __init__(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", MARK)
        self._full = bool(config.getoption("--full"))
        self._left_out = Counter[str]()
        self._took_s = defaultdict[str, float](float)

    @pytest.hookimpl(trylast=True)  # whoever else chooses has chosen
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave slow tests out."""
        if self._full:
            return
        left = left_out(items)
        self._left_out = Counter(part(item.nodeid) for item in left)
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
        if hasattr(config, "workeroutput"):  # one of several processes: another tells
            config.workeroutput["left_out"] = dict(self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear of a process what it has left out; all of them leave out the same."""
        self._left_out = Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the time."""
        self._took_s[part(report.nodeid)] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out; or which parts took long, all processes together."""
        if self._left_out:
            parts = ", ".join(f"{name} {count}" for name, count in self._left_out.most_common())
            terminalreporter.write_line(f"Slow tests, only with --full: {parts}")
        if self._full:
            long = sorted((-s, name) for name, s in self._took_s.items() if s >= LONG_S)
            parts = ", ".join(f"{name} {-s / 60:.0f}" for s, name in long)
            terminalreporter.write_line(f"Minutes that the slow parts took: {parts or 'none'}")


def left_out(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return what is slow; the cases of a test that stay are spread evenly."""
    slow = defaultdict[str, list[pytest.Item]](list)
    stay = dict[str, int]()
    for item in items:
        if mark := item.get_closest_marker("slow"):
            test, _, _ = item.nodeid.partition("[")
            slow[test].append(item)
            stay[test] = mark.kwargs.get("but", 0)
    found = set[pytest.Item]()
    for test, cases in slow.items():
        few = {len(cases) * place // stay[test] for place in range(stay[test])}
        found |= {case for place, case in enumerate(cases) if place not in few}
    return found


def part(nodeid: str) -> str:
    """Return the folder of tests, or the file, that a test is in.

    >>> part("tests/games/blackmore/test_facts.py::test_bm_1"), part("tests/test_play.py::test_x")
    ('games', 'test_play')
    """
    file, _, _ = nodeid.partition("::")
    folder, _, rest = file.partition("/")
    return (rest or folder).partition("/")[0].removesuffix(".py")
