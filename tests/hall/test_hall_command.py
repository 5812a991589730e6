"""What `hall` refuses before it starts anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.__main__ import main


@pytest.mark.parametrize("option", ["--password", "--authority"])
def test_what_is_for_another_broker_needs_one(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hall", "--folder", str(tmp_path / "hall"), option, "secret.txt"]
    assert main(["--language", "en", *words]) == 2
    assert "--broker" in capsys.readouterr().err
    assert not (tmp_path / "hall").exists()
