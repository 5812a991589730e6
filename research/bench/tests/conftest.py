"""The benches of pages are tried in the browser that the tests of pages start."""

from tests.browser.conftest import drawer as drawer  # noqa: PLC0414 - a fixture
