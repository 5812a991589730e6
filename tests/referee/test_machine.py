"""Whatever people, sensors and power cuts do to a match: its journal gives it back, whole."""

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.core.codec import pack
from companion.core.notation import write
from companion.games.zapp_zerapp.rules import Colour, Roll, Settings, State, ZappZerapp
from companion.i18n.translate import say
from companion.journal import JournalState
from companion.referee import commands, handlers
from companion.referee.commands import AssignBarrel, Call, CorrectAction, DoAction, NewMatch, Undo
from companion.referee.commands import Rule as RuleOn
from companion.referee.events import ActionDone, FoulCost, HouseRules, Roller
from companion.referee.match import Match
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    FoulCode,
    FoulFinding,
    Placed,
    Taken,
    Weight,
)
from companion.system.errors import CompanionError, RulesError
from companion.system.status import Condition
from tests.referee.tables import NOW, Round

COLOURS = ("red", "green", "blue", "yellow")
SEATS = st.sampled_from(COLOURS)
STOPPERS = st.integers(1, 13)
WISHES = st.one_of(
    st.builds(
        DoAction, st.sampled_from(("roll 7", "place red", "place blue 3", "flip", "say green 2"))
    ),
    st.builds(
        DoAction, st.sampled_from(("move red start", "sitout blue", "putback red", "nonsense"))
    ),
    st.builds(DoAction, st.just("correct pawns red:3,red:24,red:city")),
    st.just(commands.RollForUs()),
    st.just(Undo()),
    st.builds(CorrectAction, st.integers(0, 60), st.sampled_from(("roll 5", "say red 1", "flip"))),
    st.builds(RuleOn, st.integers(0, 9), st.booleans()),
    st.builds(Call, st.sampled_from(("snatched", "peek", "nothing")), st.none() | SEATS),
    st.builds(AssignBarrel, SEATS, st.none() | STOPPERS),
)
WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(("roll", "roll 13", "place purple", "say red", "say red 0", "move red 99 99")),
    st.sampled_from(("flip flip", "move red 1 take", "take", "correct pawns red:", "{}", "%s")),
)
GARBAGE = st.one_of(  # what a broken or wicked phone may send
    st.builds(DoAction, WORDS),
    st.builds(CorrectAction, st.integers(-3, 99), WORDS),
    st.builds(RuleOn, st.integers(-3, 99), st.booleans()),
    st.builds(Call, WORDS, st.none() | WORDS),
    st.builds(AssignBarrel, WORDS, st.none() | STOPPERS),
    st.builds(NewMatch, WORDS, st.just({}), st.just(HouseRules())),
    st.builds(
        NewMatch,
        st.just(ZappZerapp.name),
        st.dictionaries(st.sampled_from(("seats", "profi", "board")), st.none() | WORDS),
        st.just(HouseRules()),
    ),
    st.just(commands.CommandBody()),
)
TROUBLES = st.lists(
    st.builds(
        Condition,
        st.sampled_from([one for one in JournalState if not one.fine]),
        st.integers(0, 9),
        st.just({"file": "journal.sqlite3", "reason": "?", "copy": "copy", "count": 3}),
    ),
    max_size=2,
).map(tuple)
TOLD = st.one_of(
    st.builds(
        Placed,
        SEATS,
        st.none() | STOPPERS,
        st.just(NOW),
        st.sampled_from((0.5, 0.98, 1.0)),
        st.lists(STOPPERS, max_size=3).map(tuple),
    ),
    st.builds(Taken, SEATS, st.none() | STOPPERS, st.just(NOW)),
    st.builds(BarrelMoved, STOPPERS, st.sampled_from(BarrelMotion), st.just(NOW), st.booleans()),
    st.builds(
        FoulFinding,
        st.integers(1, 6),
        st.sampled_from(FoulCode),
        st.sampled_from(Weight),
        st.just(0),
        st.integers(0, 900_000),
        st.lists(STOPPERS, max_size=2).map(tuple),
        st.none() | SEATS,
        st.floats(0, 1),
    ),
)


def bare(match: Match | None) -> Match | None:
    """Return a match without what led to it."""
    return None if match is None else replace(match, before=None)


class Evening(RuleBasedStateMachine):
    """An evening at which anything may happen."""

    @initialize(
        seats=st.lists(st.sampled_from(Colour), min_size=2, max_size=4, unique=True),
        profi=st.booleans(),
        overlook=st.booleans(),
        shuffle=st.booleans(),
        house=st.builds(HouseRules, st.sampled_from(FoulCost), st.sampled_from(Roller)),
    )
    def sit_down(
        self, seats: list[Colour], profi: bool, overlook: bool, shuffle: bool, house: HouseRules
    ) -> None:
        self.table = Round()
        agreed = Settings(tuple(sorted(seats)), profi, overlook, shuffle)
        answer = self.table.wish(NewMatch(ZappZerapp.name, pack(agreed), house))
        assert answer.refused is None

    @rule(wish=WISHES | GARBAGE, by=SEATS | WORDS, version=st.none() | st.integers(-1, 5))
    def wish(self, wish: commands.CommandBody, by: str, version: int | None) -> None:
        before, papers = self.table.referee.match, self.table.papers
        answer = self.table.wish(wish, by, version)
        if (refused := answer.refused) is not None:
            assert isinstance(refused, CompanionError | RulesError)
            assert self.table.referee.match is before
            assert self.table.papers == papers
            assert say(refused, "de") != say(refused, "en"), f"no German: {refused}"

    @rule(data=st.data())
    def put_right(self, data: st.DataObject) -> None:
        """Say that something earlier was otherwise; all that still fits is replayed."""
        match = self.table.referee.match
        assert match is not None
        if match.ended or not match.acts:
            return
        place = data.draw(st.integers(0, len(match.acts) - 1))
        log = match.log.undo(len(match.log.actions) - place)
        kind, seats = type(match.log.actions[place]), match.game.turns(log.state)
        legal = [one for seat in seats for one in match.game.legal(log.state, seat)]
        others = [one for one in legal if type(one) is kind]
        if others and kind is Roll and match.house.roller is Roller.COMPANION:
            refused = self.table.wish(CorrectAction(match.acts[place], write(others[0]))).refused
            assert isinstance(refused, CompanionError)
        elif others:
            other = data.draw(st.sampled_from(others))
            answer = self.table.wish(CorrectAction(match.acts[place], write(other)))
            assert answer.refused is None
            after = self.table.referee.match
            assert after is not None
            assert after.log.actions[: place + 1] == (*match.log.actions[:place], other)

    @rule(troubles=TROUBLES)
    def break_down(self, troubles: tuple[Condition, ...]) -> None:
        before = self.table.referee.match
        self.table.referee.handle_conditions(troubles, 0)
        assert (self.table.now.troubles, self.table.referee.match) == (troubles, before)

    @rule(told=TOLD)
    def tell(self, told: BarrelMoved | FoulFinding | Placed | Taken) -> None:
        seats = [seat.colour for seat in self.table.now.seats]
        if getattr(told, "seat", seats[0]) in {None, *seats}:
            self.table.tell(told)

    @rule(colour=SEATS, long=st.booleans())
    def press(self, colour: str, long: bool) -> None:
        if any(seat.colour == colour for seat in self.table.now.seats):
            self.table.press(colour, long=long)
            if self.table.now.match is None:  # who plays next is chosen again
                self.table = self.table.again()

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Do something that the rules allow, so that games get somewhere."""
        match = self.table.referee.match
        assert match is not None
        turns = match.game.turns(match.state)
        if turns and not match.ended:
            seat = data.draw(st.sampled_from(turns))
            action = data.draw(st.sampled_from(match.game.legal(match.state, seat)))
            drawn = isinstance(action, Roll) and match.house.roller is Roller.COMPANION
            wish = commands.RollForUs() if drawn else DoAction(write(action))
            waits = handlers.overtakes_ruling(match, [ActionDone(action, "red")])
            assert (self.table.wish(wish).refused is None) is not waits

    @rule()
    def cut_the_power(self) -> None:
        before = self.table.referee.match
        self.table = self.table.again()
        assert bare(self.table.referee.match) == bare(before)

    @precondition(lambda self: self.table.referee.match.over)
    @rule(give_up=st.booleans())
    def end(self, give_up: bool) -> None:
        self.table.wish(commands.GiveUp() if give_up else Undo())

    @invariant()
    def everything_is_written_and_shown(self) -> None:
        match, now = self.table.referee.match, self.table.now
        assert match is not None
        written = self.table.paper.matches[str(now.match)]
        assert (now.version, len(written)) == (match.number, match.number + 1)
        assert isinstance(match.state, State)
        assert now.view == match.game.view(match.state, None)
        assert len(match.acts) == len(match.log.actions)

    @invariant()
    def all_can_be_taken_back_to_the_beginning(self) -> None:
        match = self.table.referee.match
        steps = 0
        while match is not None and match.before is not None:
            assert match.before.number < match.number
            match, steps = match.before, steps + 1
        assert match is not None
        assert match.state == match.game.start()


USUAL = settings().max_examples  # of a property; each of these does as much as several
Evening.TestCase.settings = settings(max_examples=USUAL // 2, stateful_step_count=40, deadline=None)
TestEvening = Evening.TestCase


def test_putting_right_with_half_an_action_says_what_is_missing() -> None:
    table = Round("red", "blue")
    table.wish(DoAction("roll 7"))
    refused = table.wish(CorrectAction(1, "roll")).refused
    assert refused is not None
    assert "magic" in str(refused)
