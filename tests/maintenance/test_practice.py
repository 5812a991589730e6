"""A practice round: eight steps, each when it is its turn; and it counts for nothing."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.maintenance.practice import Practice, PracticeStep
from companion.maintenance.view import CalibrationShown, MaintenanceDetails, MaintenanceSnapshot
from companion.referee.commands import GiveUp, NewMatch
from companion.referee.events import HouseRules
from companion.referee.maintenance_commands import BeginPractice, NextMark, StopPractice
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import MeasuredTime
from tests.maintenance.benches import opened, wants
from tests.scenarios.refereed import Refereed
from tests.web.playing import do
from tests.web.room import FakeRoom, client

NOW = MeasuredTime(0, 0)
CALIBRATION = CalibrationShown(13, 13, None, (), ())


def table(folder: Path) -> Refereed:
    return Refereed(folder, guests=False).wait(4)


def test_hands_go_from_mark_to_mark_and_the_journal_knows_nothing_of_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        assert opened(evening).practice is None
        wants(evening, BeginPractice())
        marks = [opened(evening).practice]
        wants(evening, NextMark())  # the goal and the dice are only told
        wants(evening, NextMark())
        for event in (
            "compares 8 5 for 1.5",
            "puts back 5",
            "places 8",
            "flips 8",
            "",
            "",
            "peeks 3 to 110° for 1.2",
        ):
            if event:
                evening.people(f"red {event}").rest()
            else:
                wants(evening, NextMark())
            marks.append(opened(evening).practice)
        goal, _, _, place, *others = PracticeStep
        assert marks == [goal, place, place, *others]
        assert max(point.tilt_deg for point in opened(evening).caught) > 60
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


def test_a_program_that_was_stopped_goes_on_with_its_step_and_leaves_nothing_at_the_end(
    tmp_path: Path,
) -> None:
    with table(tmp_path) as evening:
        wants(evening, BeginPractice())
        wants(evening, NextMark())
        evening.cut_the_power(for_s=1)
        assert opened(evening).practice is PracticeStep.DICE
        wants(evening, NextMark())
        evening.people("red compares 8 5 for 1.5").rest()
        assert opened(evening).practice is PracticeStep.PLACE
        evening.cut_the_power(for_s=1)  # who knows where the barrels are now
        assert opened(evening).practice is PracticeStep.SHAKE
        wants(evening, StopPractice())
        assert not [*evening.plan.folder.glob("practice*")]
        evening.cut_the_power(for_s=1)
        assert opened(evening).practice is None
        assert not evening.table.matches()


def test_to_turn_an_open_barrel_back_is_no_peek() -> None:
    practice = Practice(PracticeStep.FLIP)
    for doing in (BarrelMotion.FLIPPED, BarrelMotion.LIFTED, BarrelMotion.TILTED):
        practice = practice.after(BarrelMoved(4, doing, NOW, sure=True))
    practice = replace(practice, step=PracticeStep.PEEK)
    for doing in (BarrelMotion.TILTED, BarrelMotion.STANDING, BarrelMotion.LIFTED):
        practice = practice.after(BarrelMoved(4, doing, NOW, sure=True))
        assert practice.step is PracticeStep.PEEK
    for doing in (BarrelMotion.TILTED, BarrelMotion.LIFTED):
        practice = practice.after(BarrelMoved(4, doing, NOW, sure=True))
    assert practice.step is PracticeStep.DONE


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
        number = {"en": "{} of 8", "de": "{} von 8"}[language].format(mark.number)
        assert (number in html) is (mark is not PracticeStep.DONE)
        assert 'id="doing-none"' not in html
        assert 'id="practise"' not in html


def test_who_has_played_here_is_no_newcomer_and_no_other_game_is_practised() -> None:
    room, details = FakeRoom(), MaintenanceDetails((), (), CALIBRATION)
    room.workshop = MaintenanceSnapshot(opened=details)
    phone = client(room, "red")
    assert "First time here?" in phone.get("/").text
    do(room, NewMatch(ZappZerapp.name, {"seats": ["red", "blue"]}, HouseRules()), GiveUp())
    assert "First time here?" not in phone.get("/").text
    assert "begin-practice" in phone.get("/").text
    do(room, NewMatch("trap-the-wizard", {"seats": ["red", "blue"]}, HouseRules()), GiveUp())
    practising = replace(details, practice=PracticeStep.SHAKE)
    room.workshop = MaintenanceSnapshot(opened=practising)
    assert PracticeStep.SHAKE.value not in unescape(phone.get("/").text)
