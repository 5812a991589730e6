"""The browser that the tests of pages start is started here, too, with all their fixtures."""

from tests.browser.conftest import brisk as brisk  # noqa: PLC0414 - a fixture, as are all of these
from tests.browser.conftest import complaints as complaints  # noqa: PLC0414
from tests.browser.conftest import desk as desk  # noqa: PLC0414
from tests.browser.conftest import drawer as drawer  # noqa: PLC0414
from tests.browser.conftest import phone as phone  # noqa: PLC0414
from tests.browser.conftest import serve as serve  # noqa: PLC0414
from tests.browser.failures import pytest_runtest_makereport as pytest_runtest_makereport  # noqa: PLC0414 - a hook
