"""Waiting for a seat's button: one phone at each, by turns, and no address has all of them."""

import pytest

from companion.system.text import SEATS
from companion.web.pairing import Pairing
from companion.web.pairing_queue import (
    ASKS,
    AT_ONCE,
    MINUTE_S,
    WINDOW_S,
    PairingRefusal,
    PairingRefused,
)

GREEDY, HONEST = "192.168.7.66", "192.168.7.20"


class Asking:
    """A table at which phones ask for seats; time passes only here."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.pairing = Pairing(clock_s=lambda: self.now_s)

    def ask(self, seat: str, address: str = HONEST, known: str | None = None) -> str:
        """Ask for a seat as one who gets it, and return the phone's name."""
        phone = self.pairing.ask(address, seat, known)
        assert isinstance(phone, str), phone
        return phone

    def refused(self, seat: str, address: str = HONEST, known: str | None = None) -> PairingRefused:
        """Ask for a seat as one who does not get it."""
        refused = self.pairing.ask(address, seat, known)
        assert isinstance(refused, PairingRefused)
        return refused

    def press(self, seat: str) -> bool:
        return self.pairing.held(seat)


@pytest.fixture
def table() -> Asking:
    return Asking()


def test_only_one_phone_waits_for_a_button_at_a_time(table: Asking) -> None:
    first = table.ask("green")
    table.now_s += 10
    assert table.refused("green", "192.168.7.21") == PairingRefused(
        PairingRefusal.TAKEN, WINDOW_S - 10
    )
    assert table.ask("green", known=first) == first  # it may ask again
    table.now_s += WINDOW_S - 10
    second = table.ask("green", "192.168.7.21")
    assert second != first
    assert table.press("green")
    assert [table.pairing.role_of(one) for one in (first, second)] == [None, "green"]


def test_whoever_asks_again_waits_for_no_longer(table: Asking) -> None:
    phone = table.ask("green", GREEDY)
    for _ in range(5):
        table.now_s += WINDOW_S / 6
        assert table.ask("green", GREEDY, phone) == phone
    assert table.pairing.waits_s(phone) == pytest.approx(WINDOW_S / 6)


def test_where_others_were_refused_they_go_first(table: Asking) -> None:
    phone = table.ask("green", GREEDY)
    rest = table.refused("green")
    table.now_s += rest.rest_s
    assert table.refused("green", GREEDY, phone) == PairingRefused(PairingRefusal.TAKEN, WINDOW_S)
    assert table.refused("green", GREEDY).why is PairingRefusal.TAKEN  # nor as another phone
    honest = table.ask("green")
    assert table.press("green")
    assert table.pairing.role_of(honest) == "green"


def test_whoever_was_too_slow_asks_again_at_once_unless_another_wants_that_seat(
    table: Asking,
) -> None:
    phone = table.ask("green")
    table.now_s += WINDOW_S
    assert table.ask("green", known=phone) == phone
    assert table.press("green")


def test_addresses_that_take_turns_keep_nobody_from_a_button(table: Asking) -> None:
    """Two or more of them ask every three seconds, as soon as they may; one honest phone asks."""
    for greedy in (2, 3, 5):
        others = [f"10.0.{greedy}.{number}" for number in range(greedy)]
        phones: dict[str, str] = {}
        table.now_s += 10 * MINUTE_S
        begun_s, tries, due_s = table.now_s, 0, table.now_s + 5
        while due_s < begun_s + 10 * MINUTE_S:
            for other in others:
                asked = table.pairing.ask(other, "green", phones.get(other))
                if isinstance(asked, str):
                    phones[other] = asked
            if table.now_s >= due_s:
                tries += 1
                asked = table.pairing.ask(HONEST, "green", None)
                if isinstance(asked, str):
                    break
                due_s = table.now_s + asked.rest_s
            table.now_s += 3
        assert tries == 2  # it was told when to come back, and that was so
        assert table.now_s <= begun_s + greedy * WINDOW_S + 3
        assert table.press("green")
        assert isinstance(asked, str)
        assert table.pairing.role_of(asked) == "green"


def test_whoever_is_behind_goes_on_waiting_if_the_first_does_not_come(table: Asking) -> None:
    table.ask("green", GREEDY)
    assert table.refused("green", "192.168.7.21").rest_s == WINDOW_S
    assert table.refused("green", "192.168.7.22").rest_s == 2 * WINDOW_S
    assert table.refused("green", "192.168.7.22").rest_s == 2 * WINDOW_S  # it has its place
    table.now_s += 2 * WINDOW_S
    assert table.refused("green", "192.168.7.21").rest_s == WINDOW_S  # its turn is over
    table.ask("green", "192.168.7.22")


def test_a_button_that_nobody_waits_for_any_more_is_free_at_once(table: Asking) -> None:
    phone = table.ask("green", GREEDY)
    rest = table.refused("green", "192.168.7.21")
    assert rest.rest_s == WINDOW_S
    table.now_s += 1
    table.ask("red", GREEDY, phone)  # so it wants green no longer
    table.ask("green", "192.168.7.21")
    table.pairing.leave_all()
    table.ask("green", "192.168.7.21")


def test_the_pin_lets_in_whoever_wants_the_button(table: Asking) -> None:
    table.ask("green", GREEDY)
    table.refused("green")
    phone = table.pairing.enter(HONEST, table.pairing.pin, "green")
    assert isinstance(phone, str)
    assert table.pairing.role_of(phone) == "green"


def test_a_turn_that_nobody_takes_is_over_soon(table: Asking) -> None:
    table.ask("green", GREEDY)
    table.refused("green")
    table.now_s += 2 * WINDOW_S
    table.ask("green", GREEDY)


def test_one_address_never_has_all_buttons(table: Asking) -> None:
    had = [table.pairing.ask(GREEDY, seat, None) for seat in SEATS[:4]]
    assert [isinstance(one, str) for one in had] == [True] * AT_ONCE + [False]
    assert table.refused(SEATS[3], GREEDY) == PairingRefused(PairingRefusal.OFTEN, WINDOW_S)
    table.ask(SEATS[3])


def test_one_address_that_asks_all_the_time_keeps_nobody_waiting_for_long(table: Asking) -> None:
    """It asks for every seat every second; another comes now and then, and tries as it is told."""
    phones: dict[str, str] = {}
    wanted = {seat: table.now_s + 40 + n for n, seat in enumerate(SEATS[:4])}
    begun_s, got = table.now_s, dict[str, float]()
    while len(got) < len(wanted) and table.now_s < begun_s + 600:
        for seat in SEATS[:4]:
            asked = table.pairing.ask(GREEDY, seat, phones.get(seat))
            if isinstance(asked, str):
                phones[seat] = asked
        for seat, at_s in wanted.items():
            if seat not in got and table.now_s >= at_s:
                asked = table.pairing.ask(f"192.168.7.{20 + SEATS.index(seat)}", seat, None)
                if isinstance(asked, str):
                    got[seat] = table.now_s
                    assert table.press(seat)
                    assert table.pairing.role_of(asked) == seat
                else:
                    wanted[seat] = table.now_s + asked.rest_s
        table.now_s += 1
    assert set(got) == set(SEATS[:4])
    assert max(got.values()) <= begun_s + 40 + 4 + WINDOW_S


def test_others_ask_for_nobody_elses_button_away(table: Asking) -> None:
    """A press that was meant for one phone never lets in another."""
    honest = table.ask("green")
    for number in range(50):
        table.refused("green", f"192.168.8.{number}")
    assert table.press("green")
    assert table.pairing.role_of(honest) == "green"


def test_a_household_behind_one_address_sits_down_one_after_another(table: Asking) -> None:
    for seat in SEATS:
        phone = table.ask(seat)
        table.now_s += 5
        assert table.press(seat)
        assert table.pairing.role_of(phone) == seat


def test_asking_over_and_over_is_limited_but_only_for_who_does_it(table: Asking) -> None:
    phone = table.ask("green", GREEDY)
    for _ in range(ASKS - 1):
        assert table.ask("green", GREEDY, phone) == phone
    assert table.refused("green", GREEDY, phone) == PairingRefused(PairingRefusal.OFTEN, MINUTE_S)
    for number in range(40):  # and so do many others
        for _ in range(ASKS + 1):
            table.pairing.ask(f"192.168.8.{number}", "red", None)
    table.ask("blue")
