"""What pages looked like when a test failed is kept until it succeeds."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest

from release.browsers.test_chromium import DECENT, show
from tests.browser import failures
from tests.browser.chromium import Drawer, Opener


def reported(item: object, when: str, *, failed: bool) -> list[tuple[str, str]]:
    """Tell the hook how a part of a test ended; return what it adds to that."""
    report = SimpleNamespace(failed=failed, sections=list[tuple[str, str]]())
    hook: Any = failures.pytest_runtest_makereport(item, SimpleNamespace(when=when))  # type: ignore[arg-type]
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(report)
    sections: list[tuple[str, str]] = report.sections
    return sections


def test_what_a_page_looked_like_is_kept_until_its_test_succeeds(
    phone: Opener,
    drawer: Drawer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    folder = tmp_path / "kept"
    monkeypatch.setattr(failures, "FOLDER", folder)
    name = "tests/browser/test_tv.py::test_x[a]"
    item = SimpleNamespace(nodeid=name, funcargs={"drawer": drawer})
    show(phone("en-GB"), DECENT)
    assert reported(item, "call", failed=False) == []
    ((_, told),) = reported(item, "call", failed=True)
    assert str(folder / "test_tv-test_x-a") in told
    assert (folder / "test_tv-test_x-a" / "page-0-0.png").stat().st_size > 1000
    traced = bool(pytestconfig.getoption("--full"))
    assert ("show-trace" in told) is traced
    if traced:
        with ZipFile(folder / "test_tv-test_x-a" / "page-0.zip") as trace:
            assert b'"H1"' in trace.read("trace.trace")  # the page, to be looked at
    drawer.put_back()  # it goes on without a trace
    assert reported(item, "setup", failed=False) == []
    assert not folder.exists()
