"""The coach's report as JSON tells it: worths between 0 and 1, actions in the game's notation."""

from collections.abc import Sequence
from typing import Any

from companion.coach import text
from companion.coach.evaluator import Coach
from companion.coach.report import CurvePoint, Decision, LuckSwing, Report, ResultParts
from companion.core import Log, write
from companion.present.viewer import Viewer
from companion.system.format_names import record
from companion.system.text import SeatName


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
    curve: tuple[CurvePoint, ...]
    parts: tuple[ResultParts, ...]
    decisions: tuple[DecisionTold, ...]
    dearest: tuple[DecisionTold, ...]
    jokers: tuple[LuckSwing, ...]
    ears: tuple[EarTold, ...]


def report_record(log: Log[Any], coach: Coach, report: Report, reader: Viewer) -> CoachTold:
    outcome = log.game.outcome(log.state)
    assert outcome is not None
    return CoachTold(
        exact=report.exact,
        why=None if report.exact else reader.say(report.why),
        mostly=reader.say(text.mostly(report, coach, outcome.winners[0])),
        seats=tuple(map(SeatName, report.seats)),
        curve=report.curve,
        parts=report.parts,
        decisions=_decisions(report.decisions),
        dearest=_decisions(report.dearest),
        jokers=report.jokers,
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
