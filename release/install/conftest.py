"""A Pi to install on: with a few files, as nothing depends on how many, or with all there are."""

from pathlib import Path

import pytest

from companion.cli.install import releases
from release.install.roots import Pi


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    """Return a Pi on which a version is a few files."""
    monkeypatch.setattr(releases, "PARTS", ("hardware/service", "run"))
    return Pi(tmp_path / "root")


@pytest.fixture
def whole_pi(tmp_path: Path) -> Pi:
    """Return a Pi on which a version is the whole program."""
    return Pi(tmp_path / "root")
