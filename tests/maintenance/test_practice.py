"""A practice round: four marks, each when it is its turn; and it counts for nothing."""

import re
from html import unescape
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.maintenance.measuring_steps import PracticeStep
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.referee.commands import NewMatch
from companion.referee.events import HouseRules
from companion.referee.maintenance_commands import BeginPractice, NextMark, StopPractice
from tests.maintenance.benches import opened, wants
from tests.scenarios.refereed import Refereed
from tests.web.room import FakeRoom, client

CALIBRATION = CalibrationShown(13, 13, None, (), ())


def table(folder: Path) -> Refereed:
    return Refereed(folder, guests=False).wait(4)


def test_hands_go_from_mark_to_mark_and_the_journal_knows_nothing_of_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        assert opened(evening).practice is None
        wants(evening, BeginPractice())
        marks = [opened(evening).practice]
        for event in ("lifts 8", "shakes 8 for 1.5", "places 8", "flips 8"):
            evening.people(f"red {event}").rest()
            marks.append(opened(evening).practice)
        assert marks == [*PracticeStep]
        wants(evening, StopPractice())
        assert (opened(evening).practice, opened(evening).practised) == (None, True)
        assert evening.now.match is None
        assert not evening.table.matches()


def test_every_mark_can_be_passed_over_where_no_sensor_tells(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        wants(evening, BeginPractice())
        for mark in PracticeStep:
            assert opened(evening).practice is mark
            wants(evening, NextMark())
        assert opened(evening).practice is None


def test_a_match_that_begins_ends_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        wants(evening, BeginPractice())
        settings = pack(Settings((Colour.RED, Colour.BLUE)))
        assert (
            evening.says("red", NewMatch(ZappZerapp.name, settings, HouseRules())).refused is None
        )
        evening.wait(0.5)
        assert evening.table.workshop.opened is None
        assert wants(evening, BeginPractice()).refused is not None


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_offers_it_to_who_sits_there_and_shows_one_mark_at_a_time(language: str) -> None:
    room = FakeRoom()
    phone, watcher = client(room, "red", language), client(room, None, language)

    def shows(mark: PracticeStep | None) -> str:
        room.workshop = MaintenanceSnapshot(
            opened=MaintenanceDetails((), (), CALIBRATION, practice=mark)
        )
        return phone.get("/").text

    assert 'id="practise"' in shows(None)
    assert 'id="practise"' not in watcher.get("/").text
    for mark in PracticeStep:
        html = shows(mark)
        (headline,) = re.findall(r'<h1 id="headline"[^>]*>([^<]+)</h1>', html)
        assert (unescape(headline) == mark.value) is (language == "en")
        assert 'id="doing-none"' not in html
        assert 'id="practise"' not in html
