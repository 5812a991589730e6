"""On a phone: a backup is saved with a passphrase, and restored; a report is read and saved."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.maintenance import backup as backups
from companion.maintenance.view import MaintenanceDetails, MaintenanceSnapshot
from companion.referee.commands import GiveUp
from companion.web.pairing_queue import WINDOW_S
from tests.browser.chromium import Complaints, OnScreen, Opener, Screen, box_of, until
from tests.browser.served import Serve, Served
from tests.maintenance.backup_files import QUICK
from tests.web.room import FakeRoom
from tests.web.test_care_page import Bare
from tests.web.test_workshop_page import CALIBRATION

WORDS = "Drei Fässer im Schnee"


def confirmed(page: Page, served: Served, part: str) -> None:
    """Tap a button, and hold that of a seat as the page then says."""
    page.locator(f"{part} [data-care]").tap()
    expect(page.locator("#told")).to_contain_text("three seconds")
    assert served.server.pairing.held("red")


def test_what_a_phone_saves_it_restores_and_comes_back_by_itself(
    phone: Opener,
    serve: Serve,
    complaints: Complaints,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    complaints.forgive("status of 403")
    complaints.forgive("ERR_")
    monkeypatch.setattr(backups, "SCRYPT", QUICK)
    served = serve(FakeRoom())
    assert served.folder is not None
    (served.folder / "people.json").write_text("as it was saved", "utf-8")
    page = served.open(phone("en-GB"), "/workshop", "table")
    page.locator("#care > summary").tap()
    page.locator("#care-backup > summary").tap()
    page.locator("#backup-words").fill(WORDS)
    page.locator("#backup-again").fill("Vier Fässer im Schnee")
    page.locator("#care-backup [data-care]").tap()
    expect(page.locator("#told")).to_contain_text("two different")
    page.locator("#backup-again").fill(WORDS)
    confirmed(page, served, "#care-backup")
    with page.expect_download() as downloaded:
        page.locator("#care-backup .made a").tap()
    file = tmp_path / downloaded.value.suggested_filename
    downloaded.value.save_as(file)
    (served.folder / "people.json").write_text("as it is now", "utf-8")

    page.locator("#care-restore > summary").tap()
    page.locator("#restore-file").set_input_files(file)
    page.locator("#restore-words").fill("Vier Fässer im Schnee")
    page.locator("#restore-unlock").tap()
    expect(page.locator("#told")).to_contain_text("does not fit")
    page.locator("#restore-words").fill(WORDS)
    page.locator("#restore-unlock").tap()
    expect(page.locator("#restore-holds")).to_contain_text("people")
    confirmed(page, served, "#care-restore")
    until(page, served.phones.restored.is_set)
    expect(page.locator("#told")).to_contain_text("begins anew")
    served.stop()
    assert backups.finish_restore(served.folder)
    assert (served.folder / "people.json").read_text("utf-8") == "as it was saved"
    served.begin()
    expect(page.locator("#told")).to_contain_text("It is restored.")


def test_a_second_tap_at_the_same_place_confirms_it(on: OnScreen, serve: Serve) -> None:
    """Nothing covers the button on a small phone, and it says itself that it waits for a tap."""
    served, page = serve(Bare()), on(Screen(360, 640, mobile=True))("en-GB")
    served.open(page, "/workshop#care-bundle", "table")
    page.locator("#care-bundle [data-care]").evaluate("one => one.scrollIntoView(false)")
    button = page.locator("#care-bundle [data-care]")
    box = box_of(button)
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*at)
    expect(button).to_have_text("Tap again: Show the report")
    expect(button).to_be_enabled()
    page.touchscreen.tap(*at)
    expect(page.locator("#care-bundle pre")).to_contain_text("## Doctor")
    expect(button).to_have_text("Show the report")


def test_what_is_not_tapped_again_in_time_is_tapped_anew(phone: Opener, serve: Serve) -> None:
    page = serve(Bare()).open(phone("en-GB"), "/workshop#care-bundle", "table")
    page.clock.install()
    button = page.locator("#care-bundle [data-care]")
    button.tap()
    expect(button).to_contain_text("Tap again")
    page.clock.fast_forward(1000 * int(WINDOW_S))
    expect(button).to_have_text("Show the report")


def test_what_waits_for_the_end_of_a_match_says_so_until_then(phone: Opener, serve: Serve) -> None:
    room = FakeRoom("red", "blue")
    served = serve(room)
    page = served.open(phone("en-GB"), "/workshop#care-restore", "table")
    waits, file = page.locator("#care-restore > .note"), page.locator("#restore-file")
    expect(waits).to_contain_text("give it up in Set-up")
    expect(file).to_be_disabled()
    expect(page.locator("#care-backup [data-care]")).to_be_enabled()
    room.workshop = MaintenanceSnapshot(1, opened=MaintenanceDetails((), (), CALIBRATION))
    room.wish(GiveUp())
    expect(waits).to_be_hidden()
    expect(file).to_be_enabled()


def test_care_leads_to_where_a_match_is_given_up(phone: Opener, serve: Serve) -> None:
    room = FakeRoom("red", "blue")
    served = serve(room)
    page = served.open(phone("en-GB"), "/workshop#care-restore", "table")
    page.locator("#care-restore").get_by_role("link", name="Set-up").click()
    page.get_by_role("button", name="Give it up").click()
    page.wait_for_url(f"{served.home}/")
    assert room.snapshot.over
    page.goto(f"{served.home}/workshop#care-restore")
    expect(page.locator("#restore-file")).to_be_enabled()


def test_a_report_is_read_before_it_is_saved(phone: Opener, serve: Serve, tmp_path: Path) -> None:
    served = serve(FakeRoom())
    page = served.open(phone("en-GB"), "/workshop#care-bundle", "table")  # which unfolds it
    confirmed(page, served, "#care-bundle")
    shown = page.locator("#care-bundle pre")
    expect(shown).to_contain_text("## Doctor")
    with page.expect_download() as downloaded:
        page.locator("#care-bundle .made a").tap()
    downloaded.value.save_as(tmp_path / "report.txt")
    text = (tmp_path / "report.txt").read_text("utf-8")
    assert text == shown.text_content()
    assert served.pin not in text
