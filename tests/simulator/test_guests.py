"""Where several games bring guests, those of the game that is played sit at the table."""

from __future__ import annotations

from companion.referee.snapshot import Snapshot
from companion.simulator.guests import (
    GuestController,
    GuestPlugin,
    GuestSwitcher,
    NoGuests,
    visitors,
)
from companion.system.text import SeatName

NEVER = GuestPlugin(lambda *_: None)  # type: ignore[arg-type]
KNOWN = {"one": NEVER, "other": GuestPlugin(NEVER.follow)}


class Guests:
    """A party that only says when it is asked, and has enough once it has begun its games."""

    def __init__(self, begin: int, asked: list[tuple[Guests, int]]) -> None:
        self.guests, self.begin, self.asked = NoGuests(), begin, asked
        self.shakes_again = False

    def go(self, now: Snapshot, _decide: object) -> bool:
        self.asked.append((self, now.version))
        return self.begin > 0 or not now.over


class Evening:
    def __init__(self) -> None:
        self.came: list[Guests] = []
        self.asked: list[tuple[Guests, int]] = []
        self.whoever = GuestSwitcher(KNOWN, self._arrive, 2)

    def _arrive(self, found: GuestPlugin, begin: int) -> GuestController:
        assert found is [*KNOWN.values()][len(self.came)]
        self.came.append(Guests(begin, self.asked))
        return self.came[-1]

    def sees(self, version: int, game: str | None = None, *, over: bool = False) -> Guests:
        """Return who is asked what to do."""
        match = None if game is None else f"of {game}"
        self.whoever.go(Snapshot(version, match=match, game=game, over=over), lambda *_: None)
        return self.asked[-1][0]


def test_those_of_the_first_game_come_first_and_begin_it() -> None:
    evening = Evening()
    first = evening.sees(-1)
    assert evening.came == [first]
    assert first.begin == 2
    assert evening.sees(0, "one") is first


def test_those_of_another_game_take_their_seats_when_a_match_of_it_begins_and_begin_none() -> None:
    evening = Evening()
    first = evening.sees(0, "one")
    second = evening.sees(0, "other")
    assert second is not first
    assert second.begin == 0
    assert evening.sees(40, "other", over=True) is second
    assert evening.sees(0, "one") is first
    assert evening.sees(0, "other") is second
    assert len(evening.came) == 2


def test_where_a_game_without_guests_is_played_those_that_are_there_look_on() -> None:
    evening = Evening()
    evening.sees(0, "other")
    assert evening.sees(0, "blackmore") is evening.came[-1]
    assert evening.sees(-1) is evening.came[-1]


def test_a_person_keeps_the_seat_when_other_guests_come() -> None:
    evening = Evening()
    company = evening.whoever.guests
    assert company.make_room(SeatName.BLUE)
    first = evening.sees(0, "one")
    second = evening.sees(0, "other")
    assert company.wanted == company.away == {SeatName.BLUE}
    assert not first.guests.wanted
    assert second.guests.wanted == {SeatName.BLUE}
    company.fill(SeatName.BLUE)
    assert not second.guests.away


def test_a_game_that_is_installed_brings_guests() -> None:
    assert next(iter(visitors())) == "zapp-zerapp"
