"""Who may act: by the PIN or a seat's button, never by guessing, and never again once let go."""

import json
from pathlib import Path

import pytest

from companion.present.viewer import TABLE
from companion.system import private_files
from companion.web import pairing_store
from companion.web.pairing import PHONES, Pairing
from companion.web.pairing_queue import WINDOW_S, PairingRefusal, PairingRefused

PIN = "271828"
HERE = "192.168.7.20"


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairing(clock: Clock) -> Pairing:
    return Pairing(pin=PIN, clock_s=clock)


def name(phone: str | PairingRefused) -> str:
    """Return the name of a phone that was not refused."""
    assert isinstance(phone, str)
    return phone


def test_a_pin_has_six_digits_and_is_another_at_each_start() -> None:
    pins = {Pairing().pin for _ in range(20)}
    assert len(pins) > 15
    assert all(len(pin) == 6 and pin.isdecimal() for pin in pins)


def test_whoever_knows_the_pin_acts_for_the_seat_it_names(pairing: Pairing) -> None:
    phone = name(pairing.enter(HERE, PIN, "red"))
    assert pairing.role_of(phone) == "red"
    assert pairing.role_of(name(pairing.enter(HERE, PIN, TABLE))) == TABLE


@pytest.mark.parametrize(
    "pin", ["271829", "", "27182", "2718288", "２７１８２８", "\ud800", "271828\n"]
)
def test_any_other_pin_lets_nobody_in(pairing: Pairing, pin: str) -> None:
    assert pairing.enter(HERE, pin, TABLE) == PairingRefused(PairingRefusal.WRONG)


def test_names_that_were_never_given_are_nobody(pairing: Pairing) -> None:
    for nobody in (None, "", "red", "\ud800", "x" * 5000):
        assert pairing.role_of(nobody) is None


def test_guessing_never_locks_out_who_is_in_nor_the_buttons(pairing: Pairing) -> None:
    phone = name(pairing.enter(HERE, PIN, "red"))
    for address in range(200):
        pairing.enter(f"10.0.0.{address}", "000000", TABLE)
    assert pairing.role_of(name(phone)) == "red"
    waiting = name(pairing.ask(HERE, "blue", None))
    assert pairing.held("blue")
    assert pairing.role_of(waiting) == "blue"


def test_a_press_of_the_seats_button_lets_in_who_asked(pairing: Pairing, clock: Clock) -> None:
    phone = name(pairing.ask(HERE, "green", None))
    assert pairing.role_of(phone) is None
    assert pairing.waits_s(phone) == WINDOW_S
    clock.now_s += WINDOW_S - 1
    assert not pairing.held("red")  # of another seat: that is for the referee
    assert pairing.held("green")
    assert pairing.role_of(phone) == "green"
    assert pairing.waits_s(phone) == 0
    assert not pairing.held("green")  # the next is for the referee again


def test_after_half_a_minute_a_press_is_a_press_again(pairing: Pairing, clock: Clock) -> None:
    phone = name(pairing.ask(HERE, "green", None))
    clock.now_s += WINDOW_S
    assert not pairing.held("green")
    assert pairing.role_of(phone) is None
    assert pairing.waits_s(phone) == 0


def test_a_phone_waits_for_one_button_only(pairing: Pairing) -> None:
    phone = name(pairing.ask(HERE, "green", None))
    assert pairing.ask(HERE, "red", phone) == phone
    assert not pairing.held("green")
    assert pairing.held("red")
    assert pairing.role_of(phone) == "red"


def test_a_phone_of_the_whole_table_becomes_a_seats_own_at_once(pairing: Pairing) -> None:
    phone = name(pairing.enter(HERE, PIN, TABLE))
    assert pairing.ask(HERE, "blue", phone) == phone
    assert pairing.role_of(phone) == "blue"
    assert pairing.ask(HERE, "red", phone) == phone  # but a seat's own has to wait for the button
    assert pairing.role_of(phone) == "blue"


def test_a_phone_that_was_let_go_stays_out_whatever_it_kept(pairing: Pairing) -> None:
    one, other = name(pairing.enter(HERE, PIN, "red")), name(pairing.enter(HERE, PIN, TABLE))
    pairing.leave(one)
    assert (pairing.role_of(one), pairing.role_of(other)) == (None, TABLE)
    waiting = name(pairing.ask(HERE, "red", None))
    pairing.leave(waiting)
    assert not pairing.held("red")
    pairing.leave_all()
    assert pairing.role_of(other) is None
    pairing.leave(None)  # of somebody who never was in


def test_more_phones_than_any_table_has_make_the_oldest_go(pairing: Pairing) -> None:
    phones = [name(pairing.enter(HERE, PIN, "red")) for _ in range(PHONES + 1)]
    assert pairing.role_of(phones[0]) is None
    assert all(pairing.role_of(phone) == "red" for phone in phones[1:])


# --- what is kept -----------------------------------------------------------------------------


def test_a_restart_knows_its_phones_but_has_another_pin(tmp_path: Path) -> None:
    before = Pairing(tmp_path)
    phone = name(before.enter(HERE, before.pin, "red"))
    after = Pairing(tmp_path)
    assert after.role_of(phone) == "red"
    assert after.cookie == before.cookie
    after.leave_all()
    assert Pairing(tmp_path).role_of(phone) is None


def test_a_table_from_a_card_keeps_the_pin_that_was_told_for_it(tmp_path: Path) -> None:
    chosen = tmp_path / pairing_store.CARD_PIN
    private_files.write(chosen, b"314159\n")
    assert [Pairing(tmp_path).pin for _ in range(2)] == ["314159"] * 2
    assert Pairing(tmp_path).kept.of_card
    chosen.chmod(0o644)  # others could have read it
    assert Pairing(tmp_path).pin != "314159"
    assert not Pairing(tmp_path).kept.of_card
    chosen.unlink()
    assert Pairing(tmp_path).pin != "314159"


def test_what_a_button_let_in_is_written_when_its_phone_looks(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    phone = name(pairing.ask(HERE, "red", None))
    pairing.held("red")  # the table's thread, which waits for no disk
    assert not (tmp_path / pairing_store.PHONES).exists()
    pairing.keep()
    assert Pairing(tmp_path).role_of(phone) == "red"


def test_only_its_own_file_holds_the_pin(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    pairing.enter(HERE, pairing.pin, "red")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [pairing_store.PIN, pairing_store.PHONES]
    for file in files:
        assert (pairing.pin.encode() in file.read_bytes()) == (file.name == pairing_store.PIN)


def test_no_file_holds_what_a_phone_is_let_in_by(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    phone = name(pairing.enter(HERE, pairing.pin, "red"))
    kept = (tmp_path / pairing_store.PHONES).read_text()
    assert phone not in kept
    for mark in json.loads(kept):
        assert Pairing(tmp_path).role_of(mark) is None


def test_a_disk_that_fails_keeps_nobody_from_playing(tmp_path: Path) -> None:
    gone = tmp_path / "gone"  # a folder that is not there takes no file
    pairing = Pairing(gone)
    phone = name(pairing.enter(HERE, pairing.pin, "red"))
    assert pairing.role_of(phone) == "red"
    gone.mkdir()
    pairing.keep()  # it is tried again
    assert Pairing(gone).role_of(phone) == "red"


def test_the_tables_of_one_computer_have_cookies_of_their_own(tmp_path: Path) -> None:
    tables = [Pairing(tmp_path / "one"), Pairing(tmp_path / "other"), Pairing(), Pairing()]
    assert len({table.cookie for table in tables}) == len(tables)
    assert Pairing(tmp_path / "one").cookie == tables[0].cookie
