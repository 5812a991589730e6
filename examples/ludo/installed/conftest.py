"""The browser of the other tests."""

from tests.browser.conftest import complaints, drawer, phone, pytest_runtest_makereport, serve

__all__ = ["complaints", "drawer", "phone", "pytest_runtest_makereport", "serve"]
