"""Who may wish for what."""

import pytest

from companion.present.command_json import WISHES, meanings
from companion.present.viewer import ROLES, TABLE, Viewer
from companion.referee.commands import (
    Accept,
    AssignBarrel,
    Call,
    ClearTable,
    CommandBody,
    ConfirmDisputed,
    CorrectAction,
    Decline,
    DoAction,
    GiveUp,
    NewMatch,
    RollForUs,
    Rule,
    Undo,
    WithdrawDisputed,
)
from companion.referee.events import HouseRules
from companion.referee.maintenance_commands import BeginEnrolling, TryBuzzer
from companion.system.text import SEATS
from companion.web.common.errors import RequestError
from companion.web.permissions import refusal

SHARED: tuple[CommandBody, ...] = (
    DoAction("roll 8"),
    DoAction("flip"),
    DoAction("correct pawns red:2,red:9,red:start"),
    ConfirmDisputed("flip"),
    DoAction("jump"),  # the table will say what is wrong with it
    RollForUs(),
    Undo(),
    CorrectAction(3, "roll 9"),
    Rule(1, upheld=True),
    Call("snatched", "blue"),
    NewMatch("zapp-zerapp", {}, HouseRules()),
    ClearTable(),
    GiveUp(),
    Accept("r1"),
    Decline("r1"),
    BeginEnrolling(),
    TryBuzzer(),
)
OF_RED: tuple[CommandBody, ...] = (
    DoAction("place red"),
    DoAction("PLACE  Red"),
    DoAction("putback red"),
    DoAction("say red 4"),
    DoAction("sitout red"),
    DoAction("move red start"),
    DoAction("move red 4 take blue:10"),
    ConfirmDisputed("place red"),
    ConfirmDisputed("say red 4"),
    WithdrawDisputed("place red"),
    CorrectAction(3, "say red 9"),
    AssignBarrel("red", None),
)
SEALED: tuple[CommandBody, ...] = (
    DoAction("place red 6"),
    ConfirmDisputed("place red 6"),
    CorrectAction(3, "place red 6"),
)


def judged(reader: Viewer, wish: CommandBody, game: str | None = None) -> RequestError | None:
    return refusal(reader, wish, meanings(wish, game))


@pytest.mark.parametrize("wish", [*SHARED, *OF_RED, *SEALED], ids=str)
def test_whoever_only_watches_may_change_nothing(wish: CommandBody) -> None:
    found = judged(Viewer(), wish)
    assert found is not None
    assert (found.status, found.code) == (403, "not-paired")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("wish", SHARED, ids=str)
def test_what_the_table_does_together_every_phone_may_do(wish: CommandBody, role: str) -> None:
    assert judged(Viewer(role=role), wish) is None


@pytest.mark.parametrize("wish", OF_RED, ids=str)
def test_what_is_a_seats_only_that_seat_and_the_tables_phone_may_do(wish: CommandBody) -> None:
    for role in ("red", TABLE):
        assert judged(Viewer(role=role), wish) is None
    for role in set(SEATS) - {"red"}:
        found = judged(Viewer("de", role), wish)
        assert found is not None
        assert (found.status, found.code) == (403, "not-your-seat")
        assert "anderer Platz" in Viewer("de").say(found.why)


@pytest.mark.parametrize("text", ["place", "move", "move banish none", "say", "putback"])
def test_who_leaves_open_whose_it_is_cannot_act_for_another_by_that(text: str) -> None:
    found = judged(Viewer(role="red"), DoAction(text))
    assert found is not None
    assert found.code == "not-your-seat"
    assert judged(Viewer(role=TABLE), DoAction(text)) is None


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("wish", SEALED, ids=str)
def test_a_sealed_number_is_taken_from_nobody(wish: CommandBody, role: str) -> None:
    found = judged(Viewer(role=role), wish)
    assert found is not None
    assert (found.status, found.code) == (422, "sealed")


def test_a_wish_means_what_it_means_in_the_game_that_is_played() -> None:
    theirs = DoAction("play blue red:7")
    for game in (None, "blackmore"):
        assert judged(Viewer(role="red"), theirs, game=game) is not None
    assert judged(Viewer(role="red"), theirs, game="zapp-zerapp") is None  # the table refuses it


def test_every_kind_of_wish_is_judged_here() -> None:
    judged = {type(wish) for wish in (*SHARED, *OF_RED)}
    workshop = {kind for kind in WISHES.values() if kind.__module__ == TryBuzzer.__module__}
    assert {*WISHES.values()} - workshop <= judged
