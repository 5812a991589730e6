"""The bench of the radio: events are counted until they are heard, and told as a table."""

import pytest

from research.bench import radio
from research.bench.handlings import SITES


@pytest.mark.parametrize("site", ["home", "bad-build"])
def test_events_of_a_few_evenings_are_heard_and_the_bad_build_is_late(site: str) -> None:
    waits = [wait for seed in range(6) for wait in radio.heard((site, seed, 40))]
    found = radio.of_events(waits)
    assert found["events"] == 240
    assert 1 <= found["events_p50_ms"] < 10
    if site == "home":
        assert found["events_given_up"] == 0.0
        assert found["events_p99_ms"] < 200
    else:
        assert found["events_p99_ms"] > 500
    assert waits[:40] == radio.heard((site, 0, 40))


def test_with_a_second_hub_a_bad_build_loses_fewer() -> None:
    lost = [
        sum(wait is None for seed in range(12) for wait in radio.heard((site, seed, 60)))
        for site in ("bad-build", "bad-build-two-hubs")
    ]
    assert lost[0] > 1.2 * lost[1] > 0


def test_the_table_has_a_column_for_each_site() -> None:
    figures = radio.of_events([2.0, 3.0, None, 700.0])
    rows = radio.table(dict.fromkeys(SITES, figures)).splitlines()
    assert all(row.count("|") == 2 + len(SITES) for row in rows)
    assert rows[2].startswith("| events: half are heard within | 3 ms |")
    assert rows[5].startswith("| … never | 25 % |")
    assert rows[-1] == "| … missed " + "| – " * len(SITES) + "|"
