"""What tests of rules need of tests/options.py, which takes long to import."""

import pytest

from tests.slow import MARK, left_out


def pytest_configure(config: pytest.Config) -> None:
    """Know the marker of slow tests."""
    config.addinivalue_line("markers", MARK)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave slow tests out."""
    left = left_out(items)
    items[:] = [item for item in items if item not in left]


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether everything is to be tested, however long it takes."""
    return False


@pytest.fixture(scope="session")
def rewrite_golden() -> bool:
    """Whether what is recorded shall be recorded anew."""
    return False
