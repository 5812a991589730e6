"""A code that two computers have: the first stays, the second keeps away, and nothing is lost."""

from pathlib import Path

import pytest

from companion.hall import director_page
from companion.hall.accounts import DIRECTOR, Visitor
from companion.hall.server_app import HallServer
from companion.hall.tables import REFUSED_S, DuplicateTables
from companion.mqtt.client import ConnectionStatus
from companion.present.viewer import Viewer
from companion.table.outputs import mqtt_publisher
from tests.hall.tables import Table, equal, had, played
from tests.mqtt.broker import Broker, wait_until


def test_only_who_comes_back_after_another_shows_that_both_are_there() -> None:
    now_s = [0.0]
    rivals = DuplicateTables(lambda: now_s[0])
    for mark in ("monday", "tuesday", "tuesday", "wednesday"):  # one table, begun each day
        assert not rivals.comes("attic", mark)
    assert not rivals.comes("cellar", "monday")
    assert not rivals.comes("attic", "copy")
    assert rivals.comes("attic", "wednesday")
    assert rivals.refused("attic") == ("copy",)
    assert rivals.refused("cellar") == ()
    assert not rivals.comes("attic", "copy")
    assert not rivals.comes("attic", "wednesday")
    assert not rivals.forgiven()
    now_s[0] += REFUSED_S + 1
    assert rivals.forgiven() == ["attic"]
    assert rivals.refused("attic") == ()
    assert not rivals.comes("attic", "copy")  # the first one is perhaps gone
    assert rivals.comes("attic", "wednesday")


def test_the_second_of_a_code_keeps_away_and_is_told_whole_by_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt_publisher, "AWAY_S", 1.0)
    with Broker(tmp_path) as broker, HallServer(tmp_path / "hall") as hall:
        hall.follow(broker.of("hall"))
        first = Table("attic", broker.of("attic"), quiet_s=2.0)
        before, match, others = (played(9, name) for name in ("before", "m", "other"))
        for moment in before + match[:3]:
            first.do(moment.entry.match, moment)
        equal(hall, first)
        second = Table("attic", broker.of("attic"), quiet_s=2.0)
        for moment in others:
            second.do("other", moment)
        wait_until(lambda: (table := hall.tables.named("attic")) and table.rivalled)
        wait_until(lambda: second.speaker.client.reach is ConnectionStatus.SECOND)
        director = director_page.live(hall, Visitor(Viewer(), DIRECTOR))
        assert "table 1, attic" in director
        for moment in match[3:]:
            first.do("m", moment)
        equal(hall, first)  # and nothing of the other
        second.off()
        own = Table("cellar", broker.of("cellar"))
        own.moments = second.moments
        own.speaker.put(others[-1].snapshot)
        equal(hall, first, own)
        assert len(had(hall, "cellar")) == len(others)
        first.off()
        own.off()
