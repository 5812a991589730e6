"""Whoever solves a ring types what the README says."""

from pathlib import Path

import pytest

from examples.readme.lines import Command, of

pytest.importorskip("numpy")

from companion.cli.main import main
from rappelwacht_research import sweeps


@pytest.mark.parametrize("command", of("solve"), ids=str)
def test_a_ring_is_solved_into_a_file_that_is_named(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its sweeps take minutes, so they are left out; the solver's own tests make them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sweeps, "Sweep", lambda *_: lambda values, _: values)
    monkeypatch.setattr(sweeps, "ways", lambda *_: None)
    _, *words = command.text.split()
    assert main(words) == 0
    (file,) = (tmp_path / "rappelwacht" / "solved").iterdir()
    assert str(file) in capsys.readouterr().out
