"""The browser that the tests of pages start is started here, too."""

from tests.browser.conftest import complaints as complaints  # noqa: PLC0414 - a fixture
from tests.browser.conftest import drawer as drawer  # noqa: PLC0414 - a fixture
from tests.browser.conftest import serve as serve  # noqa: PLC0414 - a fixture
