"""What the terminal shows: how to get in, in words and as a picture that a camera reads."""

from io import StringIO
from pathlib import Path

import pytest
import segno

from companion.present.terminal import ERASE, TerminalScreen
from companion.web import pairing_store
from companion.web.common.addresses import OwnAddresses
from companion.web.join_page import announcement, greeting, invitation_to, pin_line
from companion.web.pairing import Pairing
from tests.web.room import PIN, client, phones


def test_it_names_the_address_the_pin_and_shows_the_invitation() -> None:
    whole = phones()
    shown = greeting(whole, "en")
    assert "http://192.168.7.5:8000" in shown
    assert f"{PIN[:3]} {PIN[3:]}" in shown
    assert "zapp.local:8000" in shown
    drawn = StringIO()
    segno.make(invitation_to(whole, whole.here.links[0]), error="l").terminal(
        drawn, border=2, compact=True
    )
    assert drawn.getvalue().rstrip("\n") in shown


def test_it_speaks_german_and_fits_a_small_terminal() -> None:
    lines = greeting(phones(), "de").split("\n")
    assert lines[0].startswith(
        "Am Handy: Scanne das mit der Kamera, oder öffne http://192.168.7.5:8000"
    )
    assert len(lines) <= 24


def test_without_a_network_no_phone_is_sent_to_localhost() -> None:
    alone = OwnAddresses(8000, tuple, "zapp", named=lambda: False)
    whole = phones(here=alone)
    for told in (greeting(whole, "en"), announcement(whole, "en")):
        assert told.startswith("This computer is in no network, so no phone finds it yet; connect")
        assert "In a browser on this computer, open http://localhost:8000" in told
        assert "On a phone" not in told
        assert "█" not in told
    here = "localhost:8000"
    page = client(whole).get("/join", headers={"Host": here, "Origin": f"http://{here}"}).text
    assert "no phone finds it yet" in page
    assert "qr.svg" not in page


def test_what_may_be_kept_names_no_pin_but_a_private_file(tmp_path: Path) -> None:
    told = announcement(phones(folder=tmp_path, pairing=Pairing(tmp_path, PIN)), "de")
    assert told.startswith(
        "Öffne auf einem Handy http://192.168.7.5:8000. Die PIN steht in der Datei "
    )
    assert PIN not in told.replace(" ", "")
    (file,) = tmp_path.iterdir()
    assert str(file) in told
    assert file.read_text() == f"{PIN}\n"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_pin_that_can_be_written_nowhere_is_told_of_and_where_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(gone))
    told = announcement(phones(folder=gone, pairing=Pairing(gone, PIN)), "en")
    assert told.startswith(
        "On a phone, open http://192.168.7.5:8000. The PIN cannot be saved (No such "
    )
    assert f"if there is a file {gone / pairing_store.PIN}, it contains an old one" in told
    assert PIN not in told


def test_a_second_table_of_a_folder_does_not_take_the_pin_there_for_its_own(tmp_path: Path) -> None:
    told = announcement(phones(folder=tmp_path), "en")
    assert f"Another table uses the folder {tmp_path};" in told


def test_without_any_folder_only_the_address_is_named() -> None:
    assert announcement(phones(), "en") == "On a phone, open http://192.168.7.5:8000."


def test_the_pin_stays_in_the_last_line_of_a_terminal_until_somebody_says_goodbye() -> None:
    line = pin_line(phones(), "en")
    assert line == "http://192.168.7.5:8000, PIN 271 828"
    screen = TerminalScreen(StringIO(), colour=True, footer=line)
    screen.line("Red moves.")
    screen.line("Blue moves.")
    screen.end("Goodbye!")
    assert isinstance(screen.out, StringIO)
    shown = screen.out.getvalue().split("\n")
    assert [one.rpartition(ERASE)[2] for one in shown] == [
        "Red moves.",
        "Blue moves.",
        "Goodbye!",
        "",
    ]
    assert [one.startswith(line) for one in shown] == [False, True, True, False]
