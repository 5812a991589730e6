"""What sensors surely see otherwise is asked back once; people's yes counts, and is noted."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from companion.games.zapp_zerapp.rules import Colour, Phase, Place, ZappZerapp
from companion.journal import Journal
from companion.referee.barrel_game import RefereePorts
from companion.referee.claims import Objection
from companion.referee.commands import ConfirmDisputed, DoAction, Undo, WithdrawDisputed
from companion.referee.events import ActionDone, from_json, to_json
from companion.referee.handlers import usual_match
from companion.referee.referee import Referee
from companion.sensing.events import BarrelMotion, BarrelMoved, Taken
from companion.sensing.observations import ButtonPressed, PadChanged
from tests.referee.tables import NOW, Paper, Round

RED, _, BLUE, _ = Colour
ALL = frozenset(range(1, 14))


class Sensed(Round):
    """A table with pads and thirteen stoppers, all of which stand upright at first."""

    def __init__(self, numbers: dict[int, int] | None = None, paper: Paper | None = None) -> None:
        super().__init__(paper=paper)
        self.numbers = numbers or self.numbers
        knows = RefereePorts(self.numbers.get, self.sensed.append, stoppers=ALL)
        self.referee = Referee(cast("Journal", self.paper), self.publish, Random(1), knows)
        self.does(BarrelMotion.STANDING, *ALL)

    def does(self, doing: BarrelMotion, *stoppers: int, sure: bool = True) -> None:
        self.tell(*(BarrelMoved(stopper, doing, NOW, sure) for stopper in stoppers))

    def pad(self, colour: str, occupied: bool) -> None:
        self.referee.handle_pad(PadChanged(colour, occupied, 0))

    def shakes(self) -> Sensed:
        self.wish(usual_match(("red", "blue")))
        self.wish(DoAction("roll 9"))
        return self

    def puts(self, colour: str, stopper: int) -> None:
        """Lift a barrel and place it, as pad and stopper tell."""
        self.does(BarrelMotion.LIFTED, stopper)
        self.does(BarrelMotion.STANDING, stopper)
        self.pad(colour, True)
        self.place(colour, stopper)

    @property
    def asks(self) -> list[Objection]:
        return [claim.objection for claim in self.now.claims]


def test_whoever_touched_nothing_is_asked_whether_a_barrel_is_placed() -> None:
    table = Sensed().shakes()
    assert table.wish(DoAction("place red")).refused is None
    assert (table.asks, table.now.view.placed) == ([Objection.NO_BARREL], ())
    assert table.wish(ConfirmDisputed("place red")).refused is None
    assert (table.asks, table.now.view.placed) == ([], (RED,))
    assert [(one.seat, one.objection) for one in table.now.insisted] == [
        ("red", Objection.NO_BARREL)
    ]


def test_what_was_asked_is_noted_though_the_sensors_have_lost_sight_meanwhile() -> None:
    table = Sensed().shakes()
    table.wish(DoAction("place red"))
    table.does(BarrelMotion.LOST, 11)
    table.wish(ConfirmDisputed("place red"))
    assert [one.objection for one in table.now.insisted] == [Objection.NO_BARREL]


def test_whoever_says_no_is_asked_no_more_and_nothing_is_noted() -> None:
    table = Sensed().shakes()
    table.wish(DoAction("place red"))
    table.wish(WithdrawDisputed("place red"))
    assert (table.asks, table.now.view.placed, table.now.insisted) == ([], (), ())


def test_an_empty_pad_that_is_known_to_work_is_asked_about() -> None:
    table = Sensed().shakes()
    table.puts("red", 8)
    table.does(BarrelMotion.LIFTED, 8)
    table.pad("red", False)
    table.tell(Taken("red", 8, NOW))
    assert table.now.view.placed == ()
    table.wish(DoAction("place red"))
    assert table.asks == [Objection.NO_BARREL]
    table.puts("red", 8)  # it is, now
    assert (table.asks, table.now.view.placed, table.now.insisted) == ([], (RED,), ())


def test_a_pad_that_never_said_anything_accuses_nobody_who_has_lifted_a_barrel() -> None:
    table = Sensed().shakes()
    table.does(BarrelMotion.LIFTED, 8)
    table.does(BarrelMotion.STANDING, 8)
    table.wish(DoAction("place red"))
    assert (table.asks, table.now.view.placed) == ([], (RED,))


def test_a_pad_whose_cable_is_out_asks_nothing() -> None:
    table = Sensed().shakes()
    table.puts("red", 8)
    table.pad("red", False)
    table.tell(Taken("red", 8, NOW))  # but it stands
    table.wish(DoAction("putback red"))
    table.wish(DoAction("place red"))
    assert (table.asks, table.now.view.placed) == ([], (RED,))


def test_a_barrel_whose_lift_was_lost_has_left_a_pad_that_works_when_it_stands_elsewhere() -> None:
    table = Sensed().shakes()
    table.puts("red", 8)
    table.pad("red", False)
    table.tell(Taken("red", 8, NOW))  # as far as was heard, it stands
    table.place("blue", 8)
    assert table.now.view.placed == (BLUE,)
    match = table.referee.match
    assert match is not None
    assert dict(match.stood) == {"blue": 8, "red": None}


def test_where_one_stopper_is_not_sure_nobody_is_asked() -> None:
    table = Sensed()
    table.does(BarrelMotion.LOST, 11)
    table.shakes().wish(DoAction("place red"))
    assert (table.asks, table.now.view.placed) == ([], (RED,))


def test_a_stopper_that_was_hardly_heard_and_never_moved_is_not_a_reason_to_trust() -> None:
    table = Sensed()
    table.does(BarrelMotion.STANDING, 11, sure=False)
    table.shakes().wish(DoAction("place red"))
    assert table.asks == [Objection.NO_BARREL]


def test_where_something_was_missed_meanwhile_nobody_is_asked() -> None:
    table = Sensed().shakes()
    table.does(BarrelMotion.STANDING, 11, sure=False)
    table.wish(DoAction("place red"))
    assert table.asks == []


def test_a_table_of_phones_alone_trusts() -> None:
    table = Round("red", "blue")
    for text in ("roll 9", "place red", "place blue", "flip", "say red 6", "say blue 4"):
        assert table.wish(DoAction(text)).refused is None
    assert table.now.view.phase is Phase.MOVE
    assert (table.now.claims, table.now.insisted) == ((), ())


def test_barrels_that_stand_upright_are_not_flipped_unless_people_stand_to_it() -> None:
    table = Sensed().shakes()
    table.puts("red", 8)
    table.puts("blue", 4)
    table.wish(DoAction("flip"))
    assert (table.asks, table.now.view.phase) == ([Objection.UPRIGHT], Phase.FLIP)
    table.wish(ConfirmDisputed("flip"))
    assert table.now.view.phase is Phase.MOVE
    assert [one.seat for one in table.now.insisted] == [None]


def test_a_barrel_that_is_just_being_turned_is_nothing_to_ask_about() -> None:
    table = Sensed().shakes()
    table.puts("red", 8)
    table.puts("blue", 4)
    table.does(BarrelMotion.TILTED, 8, 4)
    table.wish(DoAction("flip"))
    assert (table.asks, table.now.view.phase) == ([], Phase.MOVE)


def test_whoever_sat_and_touched_nothing_does_not_move_by_a_number_that_stands_elsewhere() -> None:
    table = Sensed().shakes()
    for text in ("place red", "place blue"):
        table.wish(DoAction(text))
        table.wish(ConfirmDisputed(text))
    table.wish(DoAction("flip"))
    assert table.asks == [Objection.UPRIGHT]
    table.wish(ConfirmDisputed("flip"))
    table.wish(DoAction("say red 6"))
    assert (table.asks, table.now.view.numbers) == ([Objection.ELSEWHERE], ())
    table.wish(ConfirmDisputed("say red 6"))
    assert table.now.view.numbers == ((RED, 6),)
    assert len(table.now.insisted) == 4


def test_the_number_of_a_barrel_that_was_flipped_is_believed() -> None:
    table = Sensed().shakes()
    table.does(BarrelMotion.LIFTED, 8)
    table.does(BarrelMotion.STANDING, 8)
    table.wish(DoAction("place red"))  # its pad does not work
    table.puts("blue", 4)
    table.does(BarrelMotion.FLIPPED, 8, 4)
    table.wish(DoAction("flip"))
    table.does(BarrelMotion.STANDING, 8)  # it was too much, and is back already
    table.wish(DoAction("say red 8"))
    assert (table.asks, table.now.insisted) == ([], ())


def test_whether_something_is_asked_does_not_depend_on_numbers_before_the_flip() -> None:
    tables = [Sensed(), Sensed({stopper: 14 - stopper for stopper in ALL})]
    for table in tables:
        table.shakes().wish(DoAction("place red"))
        table.wish(ConfirmDisputed("place red"))
        table.puts("blue", 4)
        table.wish(DoAction("flip"))
    one, other = tables
    assert one.asks == [Objection.UPRIGHT]
    assert one.shown == other.shown


def test_what_was_asked_before_the_power_was_cut_is_trusted_after_it() -> None:
    table = Sensed().shakes()
    table.wish(DoAction("place red"))
    (match,) = table.paper.matches
    again = Sensed(paper=table.paper)
    again.requests = table.requests
    again.referee.resume(match, table.paper.events(match), 0)
    assert again.asks == []
    again.wish(DoAction("place red"))  # nobody saw what was done before
    assert (again.asks, again.now.view.placed) == ([], (RED,))


def test_taking_back_takes_the_note_back_too() -> None:
    table = Sensed().shakes()
    notes = [len(table.now.insisted)]
    for wish in (ConfirmDisputed("place red"), Undo()):
        table.wish(wish)
        notes.append(len(table.now.insisted))
    assert notes == [0, 1, 0]


def test_a_button_that_is_confirmed_once_more_insists() -> None:
    table = Sensed().shakes()
    table.referee.handle_press(ButtonPressed("red", False, 0, 200_000), 0)
    for at_us in range(1, 3):
        table.referee.handle_press(ButtonPressed("red", True, at_us, 1_000_000), 0)
        assert len(table.asks) + len(table.now.view.placed) == 1
    assert table.now.view.placed == (RED,)
    assert len(table.now.insisted) == 1


@pytest.mark.parametrize("against", ["", "no-barrel", "something-newer"])
def test_what_was_said_against_it_is_written_down(against: str) -> None:
    kind, body = to_json(ActionDone(Place(RED), "red", against=against))
    assert ("against" in body) is bool(against)
    assert from_json(kind, body, ZappZerapp()) == ActionDone(Place(RED), "red", against=against)
