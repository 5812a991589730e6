"""What the coach makes of matches of Zapp Zerapp, however oddly they were played."""

from collections.abc import Callable

import pytest

from companion.coach.report import Report, report
from companion.core.log import Log
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.coach import BARRELS, DICE, Judging, uncovered
from companion.games.zapp_zerapp.rules import Colour, Flip, Move, Pawn, Place, PutBack, Roll, Say
from tests.games.zapp_zerapp.coach.matches import BLUE, RED, listened, read_aloud, ruled
from tests.referee.twins import seen_by

GAME = rules.ZappZerapp(rules.Settings((RED, BLUE)))
LAST = rules.Correct((Pawn(RED, 24), Pawn(RED, rules.CITY), Pawn(RED, rules.CITY)))


def told(log: Log[rules.State]) -> Report:
    found = report(log)
    assert found is not None
    return found


def figures(found: Report) -> list[object]:
    """Return what a report comes to, whatever actions led there."""
    return [
        [(one.luck, one.own_moves, one.others_moves, one.put_right) for one in found.parts],
        [(one.round, one.seat, one.action, one.error) for one in found.decisions],
        [(one.round, one.heard) for one in found.ears],
        [(one.round, one.source, one.seat) for one in found.jokers],
    ]


MATCHES: dict[str, Callable[[], Log[rules.State]]] = {
    "two": lambda: listened(1),
    "four": lambda: listened(2, tuple(Colour)),
    "profi": lambda: listened(3, (RED, BLUE), profi=True),
    "overlook": lambda: listened(3, (RED, BLUE), overlook=True),
    "read aloud": lambda: read_aloud(listened(1)),
    "ruled": lambda: ruled(1),
    "ruled again": lambda: ruled(2),
    "three, ruled": lambda: ruled(3, (RED, BLUE, Colour.YELLOW)),
}


@pytest.mark.parametrize("name", MATCHES)
def test_whatever_happened_the_parts_add_up(name: str) -> None:
    log = MATCHES[name]()
    found = told(log)
    assert found.balance <= 1e-9
    for place, parts in enumerate(found.parts):
        winner = log.game.outcome(log.state)
        assert winner is not None
        assert parts.last == float(parts.seat in winner.winners)
        worths = [one.worths[place] for one in found.curve]
        assert (parts.first, parts.last) == (worths[0], worths[-1])
        assert all(-1e-9 <= one <= 1 + 1e-9 for one in worths)
    for one in found.curve:
        assert sum(one.worths) == pytest.approx(1, abs=1e-9)
    for decided in found.decisions:
        assert decided.error >= 0
        assert decided.action.seat == decided.best.seat == decided.seat


def test_it_makes_no_difference_who_knew_a_number_before_the_flip() -> None:
    log = listened(1)
    typed, aloud = told(log), told(read_aloud(log))
    for one, other in zip(typed.parts, aloud.parts, strict=True):
        assert one.own_moves == pytest.approx(other.own_moves, abs=1e-12)
        for luck, another in zip(one.luck, other.luck, strict=True):
            assert luck.brought == pytest.approx(another.brought, abs=1e-12)
    assert figures(typed)[1:] == figures(aloud)[1:]


def test_a_log_as_people_see_it_after_the_match_gives_the_same_report() -> None:
    for log in (listened(1), ruled(1)):
        seen = Log.begin(log.game, seen_by(log, None))
        assert figures(told(seen)) == figures(told(log))


def test_what_nobody_has_seen_changes_nothing() -> None:
    judge = Judging(GAME)
    log = Log.begin(GAME, [Roll(8)])
    worth = judge.worths(log.state)
    for hidden in (Place(RED, 8), PutBack(RED), Place(RED, 13), Place(BLUE, 1), PutBack(BLUE)):
        log = log.play(hidden)
        assert judge.worths(log.state) == worth
    assert judge.worths(log.play(Place(BLUE, 8)).play(Flip()).state) != worth


def test_whoever_sits_out_is_put_right_and_no_luck_and_its_barrel_is_not_heard() -> None:
    acts = [LAST, Roll(8), Place(BLUE, 8), Place(RED, 5), rules.SitOut(BLUE), Flip(), Move(RED, 24)]
    found = told(Log.begin(GAME, acts))
    assert found.parts[0].put_right != 0
    assert not found.ears  # nobody can say what a number is worth while another does not play
    assert found.balance <= 1e-9


def test_what_was_heard_is_told_of_every_seat() -> None:
    acts = [LAST, Roll(8), Place(BLUE), Place(RED), Flip(), Say(BLUE, 9), Say(RED, 5)]
    found = told(Log.begin(GAME, [*acts, Move(RED, 24)]))
    assert [(one.heard.seat, one.heard.took) for one in found.ears] == [(RED, "5"), (BLUE, "9")]


def test_the_best_number_is_one_that_nobody_else_had() -> None:
    for log in (listened(1), listened(2, tuple(Colour))):
        for one in told(log).ears:
            state = log.states[one.place]
            others = {n for seat, n in enumerate(state.barrels) if n > 0 and seat != one.heard.seat}
            assert int(one.heard.best) not in others
            assert one.heard.lost >= 0
            assert one.heard.lost_blindly >= 0
            assert one.heard.worth <= one.heard.best_worth


def test_all_numbers_are_uncovered_once_a_round_and_by_whatever_comes_last() -> None:
    flip = Log.begin(GAME, [Roll(8), Place(BLUE), Place(RED), Flip()]).state
    assert flip.phase is rules.Phase.SAY
    assert uncovered(flip, Say(BLUE, 3)) == {}
    one = GAME.apply(flip, Say(BLUE, 3))
    assert uncovered(one, Say(RED, 7)) == {RED: 7, BLUE: 3}
    assert uncovered(one, rules.SitOut(RED)) == {BLUE: 3}
    assert uncovered(one, PutBack(RED)) == {}
    shut = Log.begin(GAME, [Roll(8), Place(BLUE, 3), Place(RED, 7)]).state
    assert uncovered(shut, Flip()) == {RED: 7, BLUE: 3}


def test_every_round_has_one_roll_of_luck_and_barrels_come_from_the_flip() -> None:
    judge = Judging(GAME)
    assert judge.source(Roll(8)) == DICE
    assert {judge.source(one) for one in (Place(RED, 3), Flip(), Say(RED, 3))} == {BARRELS}
    assert judge.source(Move(RED, 4)) is None
