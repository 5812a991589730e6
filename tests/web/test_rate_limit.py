"""Guessing a PIN: hopeless with any number of addresses, and nobody else notices."""

from collections.abc import Callable

import pytest

from companion.web.common.rate_limit import (
    DAY_S,
    GUESSERS,
    KNOWN,
    NEIGHBOURS,
    PAUSE_S,
    TRIES,
    PinRateLimit,
)
from companion.web.pairing import Pairing
from companion.web.pairing_queue import PairingRefusal, PairingRefused

HOUR_S = 3600.0
LATE = 60  # tries an hour, of all who have had theirs
PIN = "271828"
HERE = "192.168.7.20"


class Guessing:
    """A table whose PIN is guessed; time passes only here."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.pairing = Pairing(pin=PIN, clock_s=lambda: self.now_s)

    def wrong(self, address: str) -> bool:
        """Enter a wrong PIN; whether it was looked at."""
        answer = self.pairing.enter(address, "000000", "red")
        assert isinstance(answer, PairingRefused)
        return answer.why is PairingRefusal.WRONG

    def right(self, address: str) -> bool:
        """Enter the right one; whether it let somebody in."""
        return isinstance(self.pairing.enter(address, PIN, "red"), str)

    def rest_s(self, address: str) -> float:
        answer = self.pairing.enter(address, "000000", "red")
        assert isinstance(answer, PairingRefused)
        assert answer.why is PairingRefusal.OFTEN
        return answer.rest_s


@pytest.fixture
def table() -> Guessing:
    return Guessing()


def four(number: int) -> str:
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def test_five_wrong_pins_then_even_the_right_one_waits_a_minute(table: Guessing) -> None:
    assert [table.wrong(HERE) for _ in range(TRIES)] == [True] * TRIES
    assert table.rest_s(HERE) == PAUSE_S
    assert not table.right(HERE)
    table.now_s += PAUSE_S
    assert table.right(HERE)


def test_each_further_wrong_pin_makes_the_pause_twice_as_long(table: Guessing) -> None:
    for _ in range(TRIES - 1):
        table.wrong(HERE)
    for doubled in range(6):
        assert table.wrong(HERE)
        assert table.rest_s(HERE) == PAUSE_S * 2**doubled
        table.now_s += PAUSE_S * 2**doubled


def test_whoever_knows_the_pin_after_all_has_all_tries_again(table: Guessing) -> None:
    """Behind one address a household mistypes every now and then, for years."""
    for _ in range(100):
        assert all(table.wrong(HERE) for _ in range(TRIES - 1))
        assert table.right(HERE)


def test_a_household_behind_one_address_that_mistypes_is_forgiven_after_a_day(
    table: Guessing,
) -> None:
    for _ in range(20):
        table.wrong(HERE)
        table.now_s += DAY_S / 3
    assert table.right(HERE)


@pytest.mark.parametrize("guessers", [1, 4, 20, 253, GUESSERS - 1])
def test_the_right_pin_gets_in_whatever_others_guess(table: Guessing, guessers: int) -> None:
    for _ in range(TRIES + 3):
        for number in range(guessers):
            table.wrong(four(number))
    assert table.right(HERE)
    assert table.right("::ffff:192.168.7.21")
    assert table.right("2001:db8::7:20")


def test_who_mistypes_while_others_guess_has_all_tries_too(table: Guessing) -> None:
    for _ in range(TRIES + 3):
        for number in range(253):
            table.wrong(four(number))
    assert all(table.wrong(HERE) for _ in range(TRIES - 1))
    assert table.right(HERE)


@pytest.mark.parametrize("days", [1, 7])
def test_one_address_has_few_tries_a_day(table: Guessing, days: int) -> None:
    looked_at = 0
    for _ in range(days * 24 * 60):
        looked_at += table.wrong(HERE)
        table.now_s += 60
    assert looked_at <= 16 * days


def test_a_homes_addresses_together_have_a_hopeless_number_of_tries() -> None:
    """Each of 253 guesses for four days, as often as it may."""
    guesses, looked_at, days = PinRateLimit(), 0, 4
    now_s = 0.0
    for _ in range(days * 24 * 4):
        for number in range(253):
            if not guesses.rest_s(four(number), now_s):
                guesses.count(four(number), now_s)
                looked_at += 1
        now_s += HOUR_S / 4
    assert looked_at <= 253 * TRIES + LATE * days * 24
    assert looked_at < 10**6 / 120


def test_any_number_of_addresses_has_a_hundredth_of_all_tries_at_once() -> None:
    guesses, looked_at = PinRateLimit(), 0
    for number in range(GUESSERS * 3):
        for _ in range(TRIES + 1):
            if not guesses.rest_s(four(number), 0.0):
                guesses.count(four(number), 0.0)
                looked_at += 1
    assert looked_at <= GUESSERS * TRIES + LATE
    assert looked_at <= 10**6 / 99


def test_a_network_of_version_6_is_one_guesser_once_many_of_it_guess(table: Guessing) -> None:
    looked_at = sum(table.wrong(f"2001:db8::{number:x}") for number in range(1, 5000))
    assert looked_at <= NEIGHBOURS + TRIES
    assert not table.right("2001:db8::ffff:1")  # of the same network
    assert table.right("2001:db8:0:1::1")
    assert table.right(HERE)


def test_a_few_of_a_network_of_version_6_keep_out_nobody_of_it(table: Guessing) -> None:
    for _ in range(TRIES + 1):
        for number in range(1, 5):
            table.wrong(f"fe80::{number}%wlan0")
    assert not table.right("fe80::1%wlan0")
    assert table.right("fe80::20%wlan0")


def test_version_4_in_version_6_is_the_same_guesser(table: Guessing) -> None:
    for number in range(TRIES):
        assert table.wrong(HERE if number % 2 else f"::ffff:{HERE}")
    assert not table.right(HERE)
    assert not table.right(f"::ffff:{HERE}")


# --- who is kept out, and for how long ------------------------------------------------------------


def six(number: int) -> str:
    return f"fe80::{number:x}%wlan0"


def guess_on(table: Guessing, hours: int, address: Callable[[int], str]) -> int:
    """Guess from another address every ten seconds; how often it was looked at."""
    looked_at = 0
    for number in range(hours * 360):
        looked_at += table.wrong(address(number))
        table.now_s += 10
    return looked_at


def test_a_network_that_guesses_for_a_day_shuts_the_pin_for_a_minute_and_no_longer(
    table: Guessing,
) -> None:
    looked_at = guess_on(table, 24, lambda number: six(1000 + number))
    assert looked_at <= NEIGHBOURS + TRIES + LATE * 24 + 1
    assert guess_on(table, 1, lambda number: six(50_000 + number)) <= LATE + 1
    assert table.wrong(six(1)) or table.rest_s(six(1)) <= PAUSE_S
    table.now_s += PAUSE_S
    assert table.right(six(2))


def test_many_addresses_leave_one_try_a_minute_and_not_none_for_an_hour(table: Guessing) -> None:
    for number in range(GUESSERS):
        table.wrong(four(number))
    guess_on(table, 1, lambda number: four(GUESSERS + number))
    for number in range(LATE):  # as much at once as there is
        table.wrong(four(5 * GUESSERS + number))
    table.now_s += PAUSE_S
    assert table.right(HERE)


@pytest.mark.parametrize(("address", "guesser"), [(HERE, four), (six(1), six)])
def test_whoever_entered_the_right_pin_before_is_heard_whatever_others_do(
    table: Guessing, address: str, guesser: Callable[[int], str]
) -> None:
    assert table.right(address)
    for number in range(2, GUESSERS + 100):
        table.wrong(guesser(number))
    assert not table.right(guesser(GUESSERS * 2))
    assert all(table.wrong(address) for _ in range(TRIES - 1))
    assert table.right(address)


def test_a_phone_that_is_in_is_heard_from_wherever_others_guess(table: Guessing) -> None:
    known = table.pairing.enter(HERE, PIN, "red")
    assert isinstance(known, str)
    for _ in range(TRIES + 1):
        table.wrong(six(1))
    assert not table.right(six(1))
    assert isinstance(table.pairing.enter(six(1), PIN, "table", known), str)


def test_a_phone_that_is_in_has_no_more_tries_than_an_address(table: Guessing) -> None:
    known = table.pairing.enter(HERE, PIN, "red")
    assert isinstance(known, str)
    answers = [table.pairing.enter(six(n), "000000", "red", known) for n in range(TRIES * 3)]
    whys = [answer.why for answer in answers if isinstance(answer, PairingRefused)]
    assert whys == [PairingRefusal.WRONG] * TRIES + [PairingRefusal.OFTEN] * TRIES * 2


def test_whoever_knew_the_pin_is_not_remembered_for_ever() -> None:
    guesses = PinRateLimit()
    for number in range(KNOWN * 2):
        guesses.forget(four(number))
    assert len(guesses._known) == KNOWN
