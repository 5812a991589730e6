"""The browser of the other tests."""

from tests.browser.conftest import complaints, drawer, phone, serve

__all__ = ["complaints", "drawer", "phone", "serve"]
