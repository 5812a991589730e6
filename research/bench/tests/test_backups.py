"""The figures of a backup are of all that was played, and of nothing that was lost."""

from pathlib import Path

import pytest

from companion.maintenance import backup
from research.bench._backups import backup_figures


def test_it_says_what_a_backup_weighs_and_how_long_a_restore_takes() -> None:
    few, more = backup_figures(4), backup_figures(8)
    assert more["backup_matches"] == 8
    assert 1.5 * few["backup_kb"] < more["backup_kb"] < 3 * few["backup_kb"]
    assert more["restore_s"] >= 0


def test_what_is_not_restored_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    restores = backup.restore

    def loses(folder: Path, *more: object) -> object:
        done = restores(folder, *more)  # type: ignore[arg-type]
        next((folder / "journal").glob("*.jsonl")).unlink()
        return done

    monkeypatch.setattr(backup, "restore", loses)
    with pytest.raises(AssertionError, match="is not what was saved"):
        backup_figures(2)
