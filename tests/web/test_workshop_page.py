"""The workshop's page: what to do, what each part is like, and that it is closed in a match."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest

from companion.journal import JournalState
from companion.maintenance.stopper_status import ENOUGH_PERCENT, TrailPoint
from companion.maintenance.updates import Stage, UpdateShown
from companion.maintenance.view import (
    CalibrationShown,
    EnrolmentShown,
    HallShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    SeatTried,
    StopperShown,
    Taring,
    Version,
)
from companion.mqtt.client import ConnectionStatus
from companion.present.command_json import from_json
from companion.present.viewer import Viewer
from companion.referee import maintenance_commands
from companion.referee.faults import STOPPER_FAULT
from companion.sensing.enrolment import Guess, Next
from companion.sensing.events import BarrelMotion
from companion.sensing.stopper_faults import StopperFault
from companion.system.status import Condition
from companion.web.workshop_page import live
from companion.web.workshop_text import EnrolmentProgress, lights, standing, trails
from tests.web.room import FakeRoom, client, phones

VERSIONS = (Version(2, "2026-11-21T20:15:00Z"), Version(1, "2026-11-01T19:00:00Z"))
CALIBRATION = CalibrationShown(12, 13, 2, VERSIONS, ())
STOPPER = StopperShown(1, 0, 90, -55, "0.2.0", BarrelMotion.STANDING)
STOPPERS = tuple(replace(STOPPER, number=number) for number in range(1, 14))
PARTS = (Condition(JournalState.FULL, 0, {"file": "journal.sqlite3"}),)
LIFT = EnrolmentShown(False, 13, (2, 5), Next.LIFT, (2, 5))
GUESSES = (Guess(7, 0.62), Guess(8, 0.38))
READ = EnrolmentShown(False, 13, (), Next.READ, (5, 8), GUESSES)


def room(enrolment: EnrolmentShown | None = None, **others: object) -> FakeRoom:
    """Return a room whose workshop is open."""
    found = FakeRoom()
    values: dict[str, object] = {
        "stoppers": STOPPERS,
        "seats": (SeatTried("red", True, 2, 1),),
        "calibration": CALIBRATION,
        "enrolment": enrolment,
    }
    opened = MaintenanceDetails(**values | others)  # type: ignore[arg-type]
    found.workshop = MaintenanceSnapshot(1, PARTS, 13, 12, 44, True, opened)
    return found


def page(at: FakeRoom, role: str | None = "table", language: str = "en") -> str:
    answer = client(at, role, language).get("/workshop")
    assert answer.status_code == 200
    return unescape(answer.text)


def wanted(html: str) -> list[object]:
    """Return what the buttons of a page wish for, as the table takes it."""
    return [from_json(json.loads(text)) for text in re.findall(r'data-wish="(\{.*?\})"', html)]


def test_while_a_match_is_played_it_is_closed_and_says_why_but_tells_how_all_is() -> None:
    at = FakeRoom("red", "blue")
    at.workshop = MaintenanceSnapshot(1, PARTS, 13, 12, 44, True, None)
    html = page(at)
    assert "During a match, nothing is measured or tried here." in html
    assert "closed" not in html.replace('id="closed"', "")  # for all else is shown
    assert "Yes: all batteries will last for the evening." in html
    assert "The disk with the folder" in html
    assert "Doctor" in html
    assert not wanted(html)
    assert "Stopper" not in html.replace("Stoppers", "")


def test_the_doctor_says_the_same_on_the_page_and_to_programs_of_this_computer() -> None:
    at = room()
    low = (replace(STOPPERS[0], battery_percent=5), *STOPPERS[1:])
    assert at.workshop.opened is not None
    at.workshop = replace(at.workshop, opened=replace(at.workshop.opened, stoppers=low))
    german = client(at, None, "de").get("/workshop/doctor.json").get_json()["findings"]
    ill = [one["told"] for one in german if one["mark"] == "see-to"]
    assert "Der Akku von Stopfen 1 reicht nicht für einen Abend; lade ihn." in ill
    assert any(one.startswith("Die Speicherkarte") or "mit dem Ordner" in one for one in ill)
    html = page(at, None, "de")
    assert all(one["told"] in html for one in german)
    assert f"{len(ill)} Sachen zu erledigen." in html


def test_while_a_match_is_played_the_doctor_knows_of_no_single_stopper() -> None:
    at = FakeRoom("red", "blue")
    at.workshop = MaintenanceSnapshot(1, PARTS, 13, 12, 44, True, None)
    told = client(at, None, "en").get("/workshop/doctor.json").get_json()["findings"]
    assert {"python", "disk", "parts"} <= {one["check"] for one in told}
    assert not {"stoppers", "batteries", "firmware"} & {one["check"] for one in told}


def test_a_table_without_stoppers_says_so_and_offers_what_it_has() -> None:
    at = FakeRoom()
    calibration = CalibrationShown(0, 0, None, (), ())
    at.workshop = MaintenanceSnapshot(
        1, (), 0, 0, None, None, MaintenanceDetails((), (), calibration)
    )
    html = page(at)
    assert "This table has no smart stoppers" in html
    assert 'id="enrol"' not in html
    assert 'id="lights"' in html


def test_whoever_only_watches_sees_all_and_can_change_nothing() -> None:
    for enrolment in (None, LIFT, READ):
        html = page(room(enrolment), role=None)
        assert not wanted(html)
        assert "You are watching." in html
        assert 'id="stopper-13"' in html


def test_a_part_that_is_not_well_is_marked_and_says_what_to_do() -> None:
    html = page(room(), language="de")
    assert re.search(r'<li class="see-to">Der Speicher mit dem Ordner .* ist voll', html)


@pytest.mark.parametrize(
    ("percent", "enough", "said"),
    [
        (None, None, "No battery has reported yet."),
        (80, True, "Yes: all batteries will last for the evening."),
        (12, False, "No: charge before you play."),
    ],
)
def test_it_says_whether_the_batteries_last_for_tonight(
    percent: int | None, enough: bool | None, said: str
) -> None:
    at = room()
    at.workshop = replace(at.workshop, weakest_percent=percent, enough_tonight=enough)
    html = page(at)
    assert said in html
    assert ("The weakest battery has" in html) is (percent is not None)


def test_enrolling_begins_with_one_button() -> None:
    html = page(room())
    assert "12 of 13 barrels are known." in html
    assert maintenance_commands.BeginEnrolling() in wanted(html)
    assert maintenance_commands.BeginWeighingEmpty() in wanted(html)
    assert maintenance_commands.SaveEnrolling() not in wanted(html)


def test_enrolling_shows_what_to_do_next_and_how_far_all_thirteen_are() -> None:
    html = page(room(LIFT))
    assert Next.LIFT.value in html
    assert "11 of 13 are ready" in html
    assert re.findall(r'id="barrel-(\d+)" class="barrel wanted', html) == ["2", "5"]
    assert html.count('class="barrel ready') == 11
    assert 'id="number"' not in html
    assert maintenance_commands.StopEnrolling() in wanted(html)


def test_the_panel_stays_where_it_was_tapped_when_enrolling_begins() -> None:
    def order(html: str) -> list[str]:
        return re.findall(r'<section class="card[^"]*" id="([a-z]+)"', html)

    assert "enrol" in order(page(room()))
    assert order(page(room(LIFT))) == order(page(room()))


def test_a_barrel_in_the_hand_is_seen_in_the_grid() -> None:
    lifted = tuple(
        replace(one, doing=BarrelMotion.LIFTED) if one.number == 2 else one for one in STOPPERS
    )
    html = page(room(LIFT, stoppers=lifted))
    grid = html[html.index('<ol class="barrels">') : html.index("</ol>")]
    assert 'class="barrel wanted up"' in grid
    assert grid.count("in the hand") == 1


def test_a_number_is_asked_for_only_when_weights_do_not_tell_with_the_likeliest_first() -> None:
    html = page(room(READ))
    assert "The number under the barrel with stopper 5" in html
    read = [one for one in wanted(html) if isinstance(one, maintenance_commands.ReadNumber)]
    assert [one.number for one in read] == [7, 8, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13]
    assert {(one.stopper, one.counted) for one in read} == {(5, False)}
    assert [html.count(f"<small>{percent} %</small>") for percent in (62, 38)] == [1, 1]


def test_no_guess_is_wholly_certain() -> None:
    html = page(room(replace(READ, guesses=(Guess(7, 0.9999), Guess(8, 0.0001)))))
    assert "<small>99 %</small>" in html
    assert "100 %</small>" not in html


def test_whoever_is_asked_to_count_the_stones_says_so_with_the_number() -> None:
    html = page(room(EnrolmentShown(False, 13, (5,), Next.UNFIT, (5,))))
    read = [one for one in wanted(html) if isinstance(one, maintenance_commands.ReadNumber)]
    assert len(read) == 13
    assert all(one.counted for one in read)


def test_whoever_enters_numbers_by_hand_taps_one_under_the_barrel_that_is_in_the_hand() -> None:
    assert maintenance_commands.BeginReading() in wanted(page(room()))
    html = page(room(EnrolmentShown(False, 13, (), Next.ENTER, (5, 8))))
    assert Next.ENTER.value in html
    assert "The number under the barrel with stopper 5" in html
    read = [one for one in wanted(html) if isinstance(one, maintenance_commands.ReadNumber)]
    assert [(one.stopper, one.number) for one in read] == [(5, number) for number in range(1, 14)]
    assert html.count("which number?") == 2


def test_cells_that_nobody_calibrated_are_told_with_the_cure() -> None:
    raw = tuple(replace(one, calibrated=one.number > 2) for one in STOPPERS)
    some = replace(CALIBRATION, calibrated=11)
    html = page(room(stoppers=raw, calibration=some))
    assert "11 of 13 load cells are calibrated. Without that a weight may be wrong" in html
    assert html.count("load cell not calibrated") == 2
    assert 'id="known-grams"' in html
    assert maintenance_commands.BeginWeighingKnown(0) in wanted(html)
    well = page(room(calibration=replace(CALIBRATION, calibrated=13)))
    assert 'id="uncalibrated"' not in well
    never_empty = page(room(calibration=CalibrationShown(0, 0, None, (), ())))
    assert 'id="known-grams"' not in never_empty
    assert "First weigh the barrels empty." in never_empty


def test_stoppers_without_a_load_cell_are_a_kind_of_their_own() -> None:
    none = tuple(replace(one, weighs=False, calibrated=False) for one in STOPPERS)
    html = page(room(stoppers=none))
    assert html.count("without a load cell") >= 13
    assert "not calibrated" not in html
    assert 'id="known"' not in html
    assert maintenance_commands.BeginReading() in wanted(html)


def test_what_is_found_out_is_saved_by_one_button_and_not_before() -> None:
    done = EnrolmentShown(False, 13, (), Next.DONE, ())
    assert maintenance_commands.SaveEnrolling() in wanted(page(room(done)))
    tared = EnrolmentShown(True, 13, (), Taring.DONE, ())
    assert maintenance_commands.SaveEnrolling() in wanted(page(room(tared)))
    gained = EnrolmentShown(True, 13, (), Taring.LOADED, ())
    assert maintenance_commands.SaveEnrolling() in wanted(page(room(gained)))
    for other in (LIFT, READ):
        assert maintenance_commands.SaveEnrolling() not in wanted(page(room(other)))


def test_whoever_takes_no_part_is_set_aside() -> None:
    some = EnrolmentShown(False, 2, (3,), Next.LIFT, (3,))
    places = standing(some, STOPPERS)
    assert places[3] is EnrolmentProgress.WANTED
    assert places[1] is EnrolmentProgress.ASIDE


def test_an_earlier_calibration_can_be_used_again() -> None:
    html = page(room())
    assert [one for one in wanted(html) if isinstance(one, maintenance_commands.RollBack)] == [
        maintenance_commands.RollBack(1)
    ]
    assert "saved 2026-11-21, 20:15" in html


def test_each_stopper_says_how_it_is_and_what_helps() -> None:
    ailing = replace(
        STOPPER,
        battery_percent=ENOUGH_PERCENT - 1,
        rssi_dbm=-85,
        heard_ago_s=40,
        suspect=True,
        ailments=(Condition(STOPPER_FAULT(StopperFault.BATTERY_LOW.value), 0, {"stopper": 1}),),
    )
    html = page(room(stoppers=(ailing, replace(STOPPER, number=2, heard_ago_s=None))))
    said = "stands, battery 29 %, hardly heard, last heard 40 s ago"
    assert said in html
    assert "The battery of stopper 1 is nearly empty; charge it." in html
    assert "did not weigh what it should" in html
    assert "not heard yet" in html


def test_an_old_firmware_is_named_with_its_boards_on_the_page_and_by_the_doctor() -> None:
    old = (STOPPER, replace(STOPPER, number=2, firmware="0.0.9"))
    at = room(stoppers=old)
    at.workshop = replace(at.workshop, hub_firmware="0.0.8")
    card = page(at).split('id="firmware"')[1].split("</ul>")[0]
    told = client(at, None, "en").get("/workshop/doctor.json").get_json()["findings"]
    sentences = [one["told"] for one in told if one["check"] == "firmware"]
    assert len(sentences) == 2
    assert sentences[0].startswith("Stopper 2 does not run firmware")
    assert sentences[1].startswith("The hub runs firmware 0.0.8, and")
    assert all(one in card for one in sentences)
    at.workshop = replace(at.workshop, opened=None)  # now a match is played
    told = client(at, None, "en").get("/workshop/doctor.json").get_json()["findings"]
    assert [one["told"] for one in told if one["check"] == "firmware"] == sentences[1:]


def test_whoever_runs_an_older_firmware_is_updated_by_a_button_and_shows_how_far_it_is() -> None:
    html = page(room(outdated=(2,)))
    assert "update-stoppers" in html
    assert "update-stoppers" not in page(room(outdated=(2,)), None)
    sent = (UpdateShown(1, Stage.DONE, 100), UpdateShown(2, Stage.SENDING, 40))
    html = page(room(outdated=(2,), updates=sent), language="de")
    assert "stop-updating" in html
    assert "update-stoppers" not in html
    assert "hat die neue Firmware" in html
    assert 'value="40"' in html


def test_every_light_of_the_board_has_a_key_where_it_lies() -> None:
    rows = lights(Viewer())
    found = [key.light for row in rows for key in row if key.light is not None]
    assert sorted(found) == list(range(32))
    assert [key.light for key in rows[0]] == list(range(7))
    assert [row[0].light for row in rows] == [0, 23, 22, 21, 20, 19, 18]
    tried = [
        one.light for one in wanted(page(room())) if isinstance(one, maintenance_commands.TryLight)
    ]
    assert {*tried} == {*range(32), None}


def test_what_is_tried_now_is_marked_and_can_be_ended() -> None:
    assert maintenance_commands.StopTrying() not in wanted(page(room()))
    for trying, marked in ((5, 1), ("all", 33), ("red", 1)):
        html = page(room(trying=trying))
        assert html.split("<main")[1].count('aria-pressed="true"') == marked
        assert maintenance_commands.StopTrying() in wanted(html)


def test_pads_and_buttons_show_what_was_noticed_at_all_four_seats() -> None:
    html = page(room(), language="de")
    assert "Pad: da steht etwas" in html
    assert "Knopf: 2-mal kurz, 1-mal lang" in html
    assert 'data-presses="3"' in html
    assert html.count("Pad: leer") == 3
    assert maintenance_commands.TrySeatLight("yellow") in wanted(html)


def test_plots_are_drawn_of_the_three_that_moved_last() -> None:
    moving = tuple(
        replace(one, trail=(TrailPoint(one.number * 100, 70, 30, True),)) for one in STOPPERS
    )
    opened = MaintenanceDetails(moving, (), CALIBRATION)
    assert list(trails(opened, Viewer())) == [11, 12, 13]
    html = page(room(stoppers=moving))
    assert html.count('class="plot trail"') == 3
    assert "How stopper 13 was held: last tilted 70°." in html


def test_the_live_part_is_made_without_a_request_and_the_same_for_the_same() -> None:
    at = phones(room(READ))
    assert live(at, Viewer("de", "table")) == live(at, Viewer("de", "table"))
    assert live(at, Viewer("de")).startswith('<section data-live="workshop"')


def test_elements_that_stay_have_names_of_their_own() -> None:
    for enrolment in (None, LIFT, READ):
        names = re.findall(r'\sid="([^"]+)"', page(room(enrolment)))
        assert len(names) == len(set(names))


def test_no_style_and_no_script_stands_in_the_page() -> None:
    html = page(room(READ))
    assert not re.search(r"\sstyle=|\son\w+=|<script(?! src)", html)


@pytest.mark.parametrize("joined", [True, False])
def test_a_hall_is_joined_and_left_by_whoever_may_act_while_no_match_is_played(
    joined: bool,
) -> None:
    way = Condition(ConnectionStatus.JOINED, 0, {"host": "192.168.7.9", "port": 8883})
    found = room()
    hall = HallShown("attic", way, "AB12 34CD") if joined else HallShown()
    found.workshop = replace(found.workshop, hall=hall)
    acts, watches = client(phones(found), "table"), client(phones(found))
    page, watched = (unescape(one.get("/workshop").text) for one in (acts, watches))
    wish, none = ("leave-hall", "join-hall") if joined else ("join-hall", "leave-hall")
    assert f'"kind": "{wish}"' in page
    assert none not in page
    assert "-hall" not in "".join(re.findall(r'data-wish="[^"]*', watched))
    for text in ("192.168.7.9", "attic", "AB12 34CD"):
        assert (text in page) is (text in watched) is joined
    found.workshop = replace(found.workshop, opened=None)  # a match is played
    page = unescape(acts.get("/workshop").text)
    assert "-hall" not in "".join(re.findall(r'data-wish="[^"]*', page))


def test_an_open_line_and_a_hall_of_the_configuration_are_told() -> None:
    found = room()
    lost = Condition(
        ConnectionStatus.UNREACHABLE, 0, {"host": "h", "port": 1, "reason": "no route"}
    )
    found.workshop = replace(found.workshop, hall=HallShown("attic", lost, None, fixed=True))
    page = unescape(client(phones(found), "table").get("/workshop").text)
    assert "does not answer (no route); check that its computer is switched on" in page
    assert "not encrypted" in page
    assert "under [hall]" in page
    assert "leave-hall" not in page
