"""The bench of the coach measures what it says."""

import json
import sys
from random import Random

import pytest

from companion.games.zapp_zerapp.solution import worth
from companion.games.zapp_zerapp.solution.table import PACKED, SHIPPED
from companion.system.text import Text

pytest.importorskip("numpy")

from research.bench import _coach_estimates, _coach_reports, _coach_tables, coach

DEMANDED = {
    *("residual_max", "regret_mean", "regret_max", "balance_max", "report_ms", "table_mb"),
    *("batch_vs_maedn", "advice_p95_ms"),
}


def test_the_last_line_is_one_json_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = dict.fromkeys(("residual_max", "regret_mean", "regret_max", "table_mb"), 0.0)
    monkeypatch.setattr(coach, "MATCHES", 100)
    monkeypatch.setattr(coach, "TURNS", 1)
    monkeypatch.setattr(coach, "REPORTS", 2)
    monkeypatch.setattr(_coach_tables, "figures", lambda *_: tables | {"advice_p95_ms": 1.0})
    monkeypatch.setattr(coach, "BOARDS", 1)
    monkeypatch.setattr(coach, "BOARD_MATCHES", 2)
    monkeypatch.setattr(sys, "argv", ["coach", "--json"])
    coach.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= DEMANDED
    assert found["batch_actions_per_s"] > 0
    assert found["balance_max"] <= 1e-9
    assert "estimate_off_four" in found


@pytest.mark.slow
def test_an_estimate_is_as_far_off_as_its_reader_is_told() -> None:
    for settings in _coach_estimates.COMPANIES.values():
        why = worth(settings).why
        assert isinstance(why, Text)
        points = 100 * _coach_estimates.off(settings, 24, 150, Random(2))
        told = why.values["off"]
        assert isinstance(told, int)
        assert told - 4 < points < told + 1.5


def test_tables_fit_into_the_wheel_and_advice_comes_at_once() -> None:
    size = float(sum(file.stat().st_size for file in SHIPPED.glob(f"*{PACKED}")))
    assert 4e6 < size < 6e6
    reports = _coach_reports.figures(2, 1)
    assert reports["reports_exact"] == 1
