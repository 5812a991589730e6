"""The coach's report as JSON tells it: worths between 0 and 1, actions in the game's notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.coach import text
from companion.coach.evaluator import Coach
from companion.coach.report import Decision, Report
from companion.core.log import Log
from companion.core.notation import write
from companion.present.viewer import Viewer
from companion.system.format_names import format_name
from companion.system.text import SeatName


@format_name("StandTold")
@dataclass(frozen=True, slots=True)
class StandTold:
    """What the match was worth to each seat after this many actions, in the order of the seats."""

    actions: int
    round: int
    worths: tuple[float, ...]


@format_name("LuckTold")
@dataclass(frozen=True, slots=True)
class LuckTold:
    """What one source, such as the dice, brought a seat."""

    source: str
    brought: float


@format_name("PartsTold")
@dataclass(frozen=True, slots=True)
class PartsTold:
    """What a seat's result is made of: all parts together are `last` minus `first`."""

    seat: SeatName
    first: float
    last: float
    luck: tuple[LuckTold, ...]
    own_moves: float
    others_moves: float
    put_right: float


@format_name("DecisionTold")
@dataclass(frozen=True, slots=True)
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


@format_name("JokerTold")
@dataclass(frozen=True, slots=True)
class JokerTold:
    """Luck that brought a seat more than 0.30 at once."""

    actions: int
    round: int
    source: str
    seat: SeatName
    brought: float


@format_name("EarTold")
@dataclass(frozen=True, slots=True)
class EarTold:
    """What a seat chose by ear, the best that was left, and what it lost, or would blindly."""

    round: int
    seat: SeatName
    took: str
    best: str
    lost: float
    lost_blindly: float


@format_name("CoachTold")
@dataclass(frozen=True, slots=True)
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


def told(log: Log[Any], coach: Coach, report: Report, reader: Viewer) -> CoachTold:
    """Return the record of a report."""
    outcome = log.game.outcome(log.state)
    assert outcome is not None
    return CoachTold(
        exact=report.exact,
        why=None if report.exact else reader.say(report.why),
        mostly=reader.say(text.mostly(report, coach, outcome.winners[0])),
        seats=tuple(map(SeatName, report.seats)),
        curve=tuple(StandTold(one.actions, one.round, one.worths) for one in report.curve),
        parts=tuple(
            PartsTold(
                SeatName(one.seat),
                one.initial,
                one.final,
                tuple(LuckTold(luck.source, luck.total) for luck in one.luck),
                one.own_moves,
                one.others_moves,
                one.put_right,
            )
            for one in report.parts
        ),
        decisions=_decisions(report.decisions),
        dearest=_decisions(report.dearest),
        jokers=tuple(
            JokerTold(one.place, one.round, one.source, SeatName(one.seat), one.brought)
            for one in report.jokers
        ),
        ears=tuple(
            EarTold(
                one.round,
                SeatName(one.heard.seat),
                one.heard.took,
                one.heard.best,
                one.heard.lost,
                one.heard.lost_blindly,
            )
            for one in report.ears
        ),
    )


def _decisions(found: Sequence[Decision]) -> tuple[DecisionTold, ...]:
    return tuple(
        DecisionTold(
            one.place,
            one.round,
            SeatName(one.seat),
            write(one.action),
            write(one.best),
            one.error,
            one.kind,
        )
        for one in found
    )
