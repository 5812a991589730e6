"""Hints of the coach in practice: what moves cost, what was heard, and what is good now.

It must not know more than everybody sees: it judges each moment by its open view, so that nothing
it tells depends on a number or a card that is still hidden.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from companion.coach.evaluator import Coach, Evaluator, ListeningChoice
from companion.coach.report import coach_of
from companion.coach.text import events_text, points
from companion.core import GAMES, Game, Ruling
from companion.present.viewer import Viewer
from companion.referee.snapshot import RecentAction, Snapshot
from companion.system.text import SeatName, seat_word

HINTS: Final = 3  # of all that can be decided, the best
NOTHING: Final = 0.0005  # of the chance to win: it would be told as no tenth of a point


@dataclass(frozen=True, slots=True)
class HintLine:
    """A sentence about what a seat did, or can do."""

    seat: SeatName
    sentence: str


@dataclass(frozen=True, slots=True)
class Coaching:
    """What the coach tells now; `moment` is another one whenever its hints are for another."""

    lately: tuple[HintLine, ...]
    hints: tuple[HintLine, ...]
    moment: str
    why: Any  # it is only an estimate, as a sentence; None: it is exact


def coaching(now: Snapshot, reader: Viewer) -> Coaching | None:
    """Return what a reader is told; None: nobody wants it, or the game has no coach for it."""
    if now.house is None or not now.house.coached or now.view is None or now.game is None:
        return None
    game = GAMES[now.game](now.settings)
    coach = coach_of(game)
    if coach is None or coach.seen is None:
        return None
    judge = coach.judge(game)
    state = coach.seen(now.view, now.view)
    return Coaching(
        tuple(_lately(now, game, judge, coach, reader)),
        tuple(_hints(state, game, judge, reader)),
        f"{now.acted}" if judge.options(state) else f"round-{getattr(now.view, 'round', 0)}",
        judge.why,
    )


def _lately(
    now: Snapshot, game: Game[Any], judge: Evaluator, coach: Coach, reader: Viewer
) -> Iterator[HintLine]:
    """Yield what the newest round with something to tell came to, the newest first."""
    for _, same in groupby(
        reversed(now.lately), key=lambda recent: getattr(recent.before, "round", 0)
    ):
        lines = [line for recent in same for line in _told(recent, game, judge, coach, reader)]
        if lines:
            yield from lines
            return


def _told(
    recent: RecentAction, game: Game[Any], judge: Evaluator, coach: Coach, reader: Viewer
) -> Iterator[HintLine]:
    if isinstance(recent.action, Ruling) or coach.seen is None:
        return
    state = coach.seen(recent.before, recent.after)
    for heard in judge.heard(state, recent.action):
        if reader.may_act_for(seat_word(heard.seat)):
            yield HintLine(SeatName(heard.seat), _heard(heard, reader))
    worths = judge.options(state) if judge.source(recent.action) is None else {}
    if len(worths) < 2 or recent.action not in worths:
        return
    best = max(worths, key=lambda action: worths[action])
    cost = worths[best] - worths[recent.action]
    sentence = reader.say("Nothing would have been better.")
    if cost >= NOTHING:
        better = events_text(game.explain(state, best), game.explain(state, recent.action), reader)
        sentence = reader.say(
            "That cost {points} points. Better: {what}", points=points(cost, reader), what=better
        )
    yield HintLine(SeatName(recent.action.seat), sentence)


def _heard(heard: ListeningChoice, reader: Viewer) -> str:
    if heard.lost < NOTHING:
        return reader.say("By ear: {took} was the best barrel left.", took=heard.took)
    return reader.say(
        "By ear: {took} cost {points} points compared with {best}, the best barrel left.",
        took=heard.took,
        points=points(heard.lost, reader),
        best=heard.best,
    )


def _hints(state: Any, game: Game[Any], judge: Evaluator, reader: Viewer) -> Iterator[HintLine]:
    """Yield the best that can be decided, else what can be told before anybody chooses."""
    worths = judge.options(state)
    if not worths:
        for seat in game.seats:
            if reader.may_act_for(seat_word(seat)):
                yield from (
                    HintLine(SeatName(seat), reader.say(tip)) for tip in judge.tips(state, seat)
                )
        return
    ways = sorted(worths, key=lambda action: -worths[action])
    if len(ways) < 2 or not reader.may_act_for(seat_word(ways[0].seat)):
        return
    anyway = set.intersection(*({*game.explain(state, way)} for way in ways))
    for way in ways[:HINTS]:
        what = events_text(game.explain(state, way), tuple(anyway), reader)
        sentence = reader.say(
            "{points} points: {what}", points=points(worths[way], reader), what=what
        )
        yield HintLine(SeatName(way.seat), sentence)
