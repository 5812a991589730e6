"""The bench of arrival measures what it says, with a few matches and, with --full, a release."""

import json
import os
import sys
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.system.errors import CompanionError
from research.bench import arrival

DEMANDED = (
    *("first_page_s", "steps_to_first_page", "offline", "backup_kb", "restore_s"),
    *("update_s", "rollback_s", "deb_kb", "card_zip_mb"),
)


def test_a_card_takes_four_steps_by_its_own_list() -> None:
    assert arrival.steps((arrival.ROOT / arrival.GUIDE).read_text("utf-8")) == 4


def test_its_journal_holds_whole_matches_of_four_that_somebody_has_won(tmp_path: Path) -> None:
    arrival.lay(tmp_path / "journal", 3)
    journal = Journal(tmp_path / "journal")
    try:
        assert (len(journal.matches()), journal.unfinished()) == (3, ())
        assert len(journal.entries(journal.matches()[0].id)) > 100
    finally:
        journal.close()


def test_where_no_release_can_be_made_all_else_is_measured_and_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_network(_: Path) -> tuple[Path, Path]:
        raise CompanionError("no network")

    monkeypatch.setattr(arrival, "make", no_network)
    monkeypatch.setattr(sys, "argv", ["arrival", "--json", "--matches", "3"])
    arrival.main()
    found = json.loads(capsys.readouterr().out)
    assert found.keys() >= {*DEMANDED}
    assert found["matches"] == 3
    assert found["backup_kb"] > 10
    assert found["restore_s"] is not None
    missing = {name for name in DEMANDED if found[name] is None}
    assert (
        missing
        == found["why"].keys()
        == {*DEMANDED}
        - {
            *("backup_kb", "restore_s", "steps_to_first_page"),
        }
    )
    assert found["why"]["deb_kb"] == "no release was made: no network"


def test_only_who_may_take_the_network_away_says_that_it_goes_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert arrival.arrive(tmp_path / "card.zip", tmp_path) == (
        None,
        "only root may take the network away",
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may take the network away")
def test_what_is_no_card_is_not_called_offline(tmp_path: Path) -> None:
    (tmp_path / "card.zip").write_bytes(b"no card")
    (tmp_path / "root").mkdir()
    offline, why = arrival.arrive(tmp_path / "card.zip", tmp_path / "root")
    assert (offline, why) == (False, "it could not be installed without a network")


@pytest.mark.slow  # it makes a release, and installs it twice
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may take the network away")
def test_a_card_is_installed_without_a_network_goes_on_and_back() -> None:
    found = arrival.measure(5)
    if found["deb_kb"] is None:
        pytest.skip(found["why"]["deb_kb"])
    assert found["offline"] is True
    assert found["card_zip_mb"] <= 40
    assert found["update_s"] > 0
    assert 0 < found["rollback_s"] < 60
