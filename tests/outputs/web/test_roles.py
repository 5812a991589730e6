"""Who may wish for what."""

from __future__ import annotations

import pytest

from companion.present.command_json import WISHES, meanings
from companion.present.viewer import ROLES, TABLE, Reader
from companion.referee.commands import (
    Accept,
    Act,
    Call,
    ChooseAnew,
    Decline,
    GiveUp,
    Insist,
    NewMatch,
    PutRight,
    RollForUs,
    Rule,
    Settle,
    TakeBack,
    Wish,
    Withdraw,
)
from companion.referee.events import House
from companion.referee.maintenance_commands import BeginEnrolling, TryBuzzer
from companion.system.text import SEATS
from companion.web.permissions import Refusal, refusal

SHARED: tuple[Wish, ...] = (
    Act("roll 8"),
    Act("flip"),
    Act("correct pawns red:2,red:9,red:start"),
    Insist("flip"),
    Act("jump"),  # the table will say what is wrong with it
    RollForUs(),
    TakeBack(),
    PutRight(3, "roll 9"),
    Rule(1, upheld=True),
    Call("snatched", "blue"),
    NewMatch("zapp-zerapp", {}, House()),
    ChooseAnew(),
    GiveUp(),
    Accept("r1"),
    Decline("r1"),
    BeginEnrolling(),
    TryBuzzer(),
)
OF_RED: tuple[Wish, ...] = (
    Act("place red"),
    Act("PLACE  Red"),
    Act("putback red"),
    Act("say red 4"),
    Act("sitout red"),
    Act("move red start"),
    Act("move red 4 take blue:10"),
    Insist("place red"),
    Insist("say red 4"),
    Withdraw("place red"),
    PutRight(3, "say red 9"),
    Settle("red", None),
)
SEALED: tuple[Wish, ...] = (
    Act("place red 6"),
    Insist("place red 6"),
    PutRight(3, "place red 6"),
)


def judged(reader: Reader, wish: Wish, game: str | None = None) -> Refusal | None:
    return refusal(reader, wish, meanings(wish, game))


@pytest.mark.parametrize("wish", [*SHARED, *OF_RED, *SEALED], ids=str)
def test_whoever_only_watches_may_change_nothing(wish: Wish) -> None:
    found = judged(Reader(), wish)
    assert found is not None
    assert (found.status, found.code) == (403, "not-paired")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("wish", SHARED, ids=str)
def test_what_the_table_does_together_every_phone_may_do(wish: Wish, role: str) -> None:
    assert judged(Reader(role=role), wish) is None


@pytest.mark.parametrize("wish", OF_RED, ids=str)
def test_what_is_a_seats_only_that_seat_and_the_tables_phone_may_do(wish: Wish) -> None:
    for role in ("red", TABLE):
        assert judged(Reader(role=role), wish) is None
    for role in set(SEATS) - {"red"}:
        found = judged(Reader("de", role), wish)
        assert found is not None
        assert (found.status, found.code) == (403, "not-your-seat")
        assert "anderer Platz" in Reader("de").say(found.why)


@pytest.mark.parametrize("text", ["place", "move", "move banish none", "say", "putback"])
def test_who_leaves_open_whose_it_is_cannot_act_for_another_by_that(text: str) -> None:
    found = judged(Reader(role="red"), Act(text))
    assert found is not None
    assert found.code == "not-your-seat"
    assert judged(Reader(role=TABLE), Act(text)) is None


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("wish", SEALED, ids=str)
def test_a_sealed_number_is_taken_from_nobody(wish: Wish, role: str) -> None:
    found = judged(Reader(role=role), wish)
    assert found is not None
    assert (found.status, found.code) == (422, "sealed")


def test_a_wish_means_what_it_means_in_the_game_that_is_played() -> None:
    theirs = Act("play blue red:7")
    for game in (None, "blackmore"):
        assert judged(Reader(role="red"), theirs, game=game) is not None
    assert judged(Reader(role="red"), theirs, game="zapp-zerapp") is None  # the table refuses it


def test_every_kind_of_wish_is_judged_here() -> None:
    judged = {type(wish) for wish in (*SHARED, *OF_RED)}
    workshop = {kind for kind in WISHES.values() if "workshop" in kind.__module__}
    assert {*WISHES.values()} - workshop <= judged
