"""The coach's report as JSON tells it: worths between 0 and 1, actions in the game's notation."""

from collections.abc import Sequence
from typing import Any

from companion.coach import text
from companion.coach.evaluator import Coach
from companion.coach.report import Decision, Report
from companion.core import Log, write
from companion.present.viewer import Viewer
from companion.system.format_names import record
from companion.system.text import SeatName


@record("StandTold")
class StandTold:
    """What the match was worth to each seat after this many actions, in the order of the seats."""

    actions: int
    round: int
    worths: tuple[float, ...]


@record("LuckTold")
class LuckTold:
    """What one source, such as the dice, brought a seat."""

    source: str
    brought: float


@record("PartsTold")
class PartsTold:
    """What a seat's result is made of: all parts together are `last` minus `first`."""

    seat: SeatName
    first: float
    last: float
    luck: tuple[LuckTold, ...]
    own_moves: float
    others_moves: float
    put_right: float


@record("DecisionTold")
class DecisionTold:
    """A decision that was not forced: what it cost, and what would have been best.

    `kind` is error (more than 0.02), blunder (more than 0.08) or nothing.
    """

    actions: int
    round: int
    seat: SeatName
    done: str
    best: str
    error: float
    kind: str | None


@record("JokerTold")
class JokerTold:
    """Luck that brought a seat more than 0.30 at once."""

    actions: int
    round: int
    source: str
    seat: SeatName
    brought: float


@record("EarTold")
class EarTold:
    """What a seat chose by ear, the best that was left, and what it lost, or would blindly."""

    round: int
    seat: SeatName
    took: str
    best: str
    lost: float
    lost_blindly: float


@record("CoachTold")
class CoachTold:
    """How much of a match that is won was luck and skill; `why` it is only an estimate."""

    exact: bool
    why: str | None
    mostly: str
    seats: tuple[SeatName, ...]
    curve: tuple[StandTold, ...]
    parts: tuple[PartsTold, ...]
    decisions: tuple[DecisionTold, ...]
    dearest: tuple[DecisionTold, ...]
    jokers: tuple[JokerTold, ...]
    ears: tuple[EarTold, ...]


def report_record(log: Log[Any], coach: Coach, report: Report, reader: Viewer) -> CoachTold:
    outcome = log.game.outcome(log.state)
    assert outcome is not None
    return CoachTold(
        exact=report.exact,
        why=None if report.exact else reader.say(report.why),
        mostly=reader.say(text.mostly(report, coach, outcome.winners[0])),
        seats=tuple(map(SeatName, report.seats)),
        curve=tuple(StandTold(point.actions, point.round, point.worths) for point in report.curve),
        parts=tuple(
            PartsTold(
                SeatName(parts.seat),
                parts.initial,
                parts.final,
                tuple(LuckTold(luck.source, luck.total) for luck in parts.luck),
                parts.own_moves,
                parts.others_moves,
                parts.put_right,
            )
            for parts in report.parts
        ),
        decisions=_decisions(report.decisions),
        dearest=_decisions(report.dearest),
        jokers=tuple(
            JokerTold(swing.place, swing.round, swing.source, SeatName(swing.seat), swing.brought)
            for swing in report.jokers
        ),
        ears=tuple(
            EarTold(
                choice.round,
                SeatName(choice.heard.seat),
                choice.heard.took,
                choice.heard.best,
                choice.heard.lost,
                choice.heard.lost_blindly,
            )
            for choice in report.ears
        ),
    )


def _decisions(decisions: Sequence[Decision]) -> tuple[DecisionTold, ...]:
    return tuple(
        DecisionTold(
            decision.place,
            decision.round,
            SeatName(decision.seat),
            write(decision.action),
            write(decision.best),
            decision.error,
            decision.kind,
        )
        for decision in decisions
    )
