"""Whoever hands a study out types what the README says."""

import json

import pytest

from companion.cli.main import main
from examples.readme.lines import Command, of

distributed = pytest.importorskip("distributed")


@pytest.mark.parametrize("command", of("a cluster"), ids=str)
def test_a_study_is_handed_out(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    """It is played by one worker here, and only ten times."""
    with distributed.LocalCluster(
        n_workers=1, processes=False, dashboard_address=None
    ) as cluster:  # all in this process
        line = command.text.replace("ADDRESS", cluster.scheduler_address)
        _, *words = line.replace("--games 100000", "--games 10").split()
        assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 10
