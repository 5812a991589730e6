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


@pytest.mark.parametrize("broker", [":1883", "broker:0", "broker:99999", "::1"])
def test_what_names_no_broker_is_refused(
    broker: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hall", "--folder", str(tmp_path / "hall"), "--broker", broker]
    assert main(["--language", "en", *words]) == 2
    assert "is no broker; write a name or an address" in capsys.readouterr().err
