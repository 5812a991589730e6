"""The coach's report as figures and sentences, for page, terminal and JSON alike.

A *point* is one chance in a hundred to win. Figures are rounded such that they still add up. JSON
has worths between 0 and 1 instead, and actions in the game's notation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import floor
from statistics import fmean
from typing import Any, Final

from companion.coach import evaluator, plots
from companion.coach.evaluator import Coach
from companion.coach.history import EarSums, Growth, SeatHistory, Sums, growth
from companion.coach.report import CurvePoint, Decision, LuckSwing, Report, ResultParts
from companion.core import Event, Log, write
from companion.present.viewer import Viewer
from companion.system.format_names import record
from companion.system.text import SeatName, Text

KINDS: Final = {"error": Text("Error"), "blunder": Text("Blunder")}
AT_FIRST, AT_THE_END = Text("At first"), Text("At the end")
OWN_MOVES, OTHERS_MOVES = Text("Own moves"), Text("Moves of the others")
PUT_RIGHT: Final = Text("Corrections")
MOSTLY_MOVES: Final = Text("It was mostly the moves: skill.")
MINUS: Final = "−"


@dataclass(frozen=True, slots=True)
class SumRow:
    """One part of a sum: where it starts, and by how many points it leads on."""

    name: str
    start: int
    by: int

    @property
    def signed(self) -> str:
        return signed(self.by)


@dataclass(frozen=True, slots=True)
class Sum:
    """What the result of one seat is made of; rounded, and it still adds up."""

    seat: SeatName
    first: int
    last: int
    rows: tuple[SumRow, ...]

    @property
    def span(self) -> tuple[float, float]:
        """Return between which figures all of it lies."""
        ends = [
            0,
            100,
            *(row.start for row in self.rows),
            *(row.start + row.by for row in self.rows),
        ]
        return float(min(ends)), float(max(ends))


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    number: int
    round: int
    seat: SeatName
    kind: str
    cost: str
    played: str
    better: str
    picture: str


def signed(points: int) -> str:
    """Return points with their sign.

    >>> signed(7), signed(-7), signed(0)
    ('+7', '−7', '0')
    """
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points else "0"


def rounded_parts(parts: Sequence[float], total: int) -> list[int]:
    """Return parts as whole numbers that add up to a total.

    >>> rounded_parts([0.4, 0.4, 0.2], 1), rounded_parts([-1.5, 3.5], 2)
    ([1, 0, 0], [-1, 3])
    """
    wholes = [floor(part) for part in parts]
    rests = sorted(range(len(parts)), key=lambda place: wholes[place] - parts[place])
    for place in rests[: total - sum(wholes)]:
        wholes[place] += 1
    return wholes


def points(value: float, reader: Viewer) -> str:
    """Return a small worth in points, to a tenth."""
    return reader.name(round(value * 100 + 0.0, 1))


def certainty(report: Report, reader: Viewer) -> str:
    if report.exact:
        return reader.say("These figures are exact: the game is solved.")
    return reader.say("These figures are an estimate. {why}", why=reader.say(report.why))


def mostly(report: Report, coach: evaluator.Coach, winner: int) -> str | Text:
    """Return what brought most to who has won."""
    parts = report.parts[report.seats.index(winner)]
    moves = parts.own_moves + parts.others_moves
    sources = {source.name: source.mostly for source in coach.sources}
    brought = [(share.brought, sources[share.source]) for share in parts.luck]
    return max([*brought, (moves, MOSTLY_MOVES)], key=lambda pair: pair[0])[1]


def sums(report: Report, coach: evaluator.Coach, reader: Viewer) -> tuple[Sum, ...]:
    """Return what every seat's result is made of."""
    return tuple(_sum(parts, coach, reader) for parts in report.parts)


def _sum(parts: ResultParts, coach: evaluator.Coach, reader: Viewer) -> Sum:
    names = {source.name: source.said for source in coach.sources}
    named = [(names[share.source], share.brought) for share in parts.luck]
    named += [(OWN_MOVES, parts.own_moves), (OTHERS_MOVES, parts.others_moves)]
    if abs(parts.put_right) >= 0.0005:
        named.append((PUT_RIGHT, parts.put_right))
    first, last = round(parts.first * 100), round(parts.last * 100)
    figures = rounded_parts([value * 100 for _, value in named], last - first)
    starts = accumulate(figures, initial=first)
    rows = zip((text for text, _ in named), starts, figures, strict=False)
    return Sum(
        parts.seat,
        first,
        last,
        tuple(SumRow(reader.say(text), start, by) for text, start, by in rows),
    )


def times(report: Report) -> list[float]:
    """Return when each point of the curve was, in rounds; a round's turns lie evenly in it."""
    at: list[float] = []
    for round_, same in groupby(report.curve, key=lambda point: point.round):
        turns = [len([*alike]) for _, alike in groupby(same, key=lambda point: point.worths)]
        for turn, count in enumerate(turns):
            at += [round_ - 1 + turn / len(turns)] * count
    return at


def stands(report: Report) -> list[plots.Stand]:
    """Return how the match stood whenever that changed, and at its end."""
    pairs = zip(times(report), (point.worths for point in report.curve), strict=True)
    end = report.curve[-1]
    return [*dict.fromkeys(pairs), (float(end.round), end.worths)]


def flags(report: Report) -> list[plots.Flag]:
    """Return where the dearest decisions lie on the curve, by their numbers."""
    at = times(report)
    return [(at[dear.place], f"{number}") for number, dear in enumerate(report.dearest, start=1)]


def curve_description(report: Report, reader: Viewer) -> str:
    """Return what the curve shows, for those who do not see it."""
    own = [point.worths[0] for point in report.curve]
    return reader.say(
        "The chances to win, round by round. {seat} had {first} points at first, {least} at least "
        "and {most} at most.",
        seat=SeatName(report.seats[0]),
        first=round(own[0] * 100),
        least=round(min(own) * 100),
        most=round(max(own) * 100),
    )


def rounds(report: Report) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield what each seat had at the beginning of each round, in points."""
    for round_, same in groupby(report.curve, key=lambda point: point.round):
        worths = next(same).worths
        yield round_, tuple(rounded_parts([worth * 100 for worth in worths], 100))


def costly_decisions(
    log: Log[Any], report: Report, coach: evaluator.Coach, reader: Viewer
) -> Iterator[CostlyDecision]:
    for number, decision in enumerate(report.dearest, start=1):
        state = log.states[decision.place]
        done = log.game.explain(state, decision.action)
        better = log.game.explain(state, decision.best)
        picture = ""
        if coach.picture is not None:
            view = log.game.view(state, None)
            picture = coach.picture(view, log.game.settings, done, better, reader)
        yield CostlyDecision(
            number,
            decision.round,
            SeatName(decision.seat),
            reader.say(KINDS[str(decision.kind)]),
            points(decision.error, reader),
            events_text(done, better, reader),
            events_text(better, done, reader),
            picture,
        )


def events_text(events: Sequence[Event], others: Sequence[Event], reader: Viewer) -> str:
    """Return what happened, but for what would have happened anyway."""
    return " ".join(reader.say(event) for event in events if event not in others)


def jokers(report: Report, coach: evaluator.Coach, reader: Viewer) -> list[str]:
    """Return the turns of luck that brought much."""
    names = {source.name: source.said for source in coach.sources}
    return [
        reader.say(
            "Round {round}: {source} brought {seat} {points} points.",
            round=swing.round,
            source=reader.say(names[swing.source]),
            seat=swing.seat,
            points=round(swing.brought * 100),
        )
        for swing in report.jokers
    ]


def decided(report: Report, reader: Viewer) -> Iterator[str]:
    """Yield how each seat has decided, in a sentence."""
    for seat in report.seats:
        decisions = report.decided_by(seat)
        kinds = [decision.kind for decision in decisions]
        each = points(fmean(decision.error for decision in decisions), reader) if decisions else "–"
        yield reader.say(
            "{seat}: {count} free {count:#decision|decisions}, {each} points lost with each; "
            "{errors} {errors:#error|errors}, {blunders} {blunders:#blunder|blunders}.",
            seat=SeatName(seat),
            count=len(decisions),
            each=each,
            errors=kinds.count("error"),
            blunders=kinds.count("blunder"),
        )


@dataclass(frozen=True, slots=True)
class Ear:
    """How near a seat came to the best that it could have chosen by ear."""

    seat: SeatName
    lost: tuple[tuple[int, float], ...]  # by round
    blindly: float
    sentence: str
    grown: str


def ears(report: Report, reader: Viewer) -> list[Ear]:
    """Return how well each seat has heard, where it chose anything by ear."""
    return [_ear(report, seat, reader) for seat in report.seats if report.heard_by(seat)]


def _ear(report: Report, seat: int, reader: Viewer) -> Ear:
    own = [choice for choice in report.ears if choice.heard.seat == seat]
    blindly = fmean(choice.heard.lost_blindly for choice in own)
    sentence = reader.say(
        "{seat} lost {lost} points a round; choosing blindly loses {blindly}. {best} of {count} "
        "times it was the best barrel left.",
        seat=SeatName(seat),
        lost=points(fmean(choice.heard.lost for choice in own), reader),
        blindly=points(blindly, reader),
        best=sum(choice.heard.lost == 0 for choice in own),
        count=len(own),
    )
    grown = growth(
        [EarSums.from_pairs([(choice.heard.lost, choice.heard.lost_blindly)]) for choice in own]
    )
    lost = tuple((choice.round, choice.heard.lost) for choice in own)
    return Ear(SeatName(seat), lost, blindly, sentence, growth_sentence(grown, reader))


def growth_sentence(grown: Growth | None, reader: Viewer) -> str:
    """Return whether an ear has become better; nothing, if that cannot be told."""
    if grown is None:
        return ""
    figures = {"earlier": round(grown.earlier * 100), "later": round(grown.later * 100)}
    comparison = reader.say(
        "Compared with choosing blindly, {earlier} % as much was lost in the first half, {later} % "
        "in the second:",
        **figures,
    )
    if not grown.is_sure:
        return f"{comparison} {reader.say('that may be chance.')}"
    if grown.gain > 0:
        return f"{comparison} {reader.say('the ear has improved.')}"
    return f"{comparison} {reader.say('the ear got tired.')}"


def history_sentences(history: SeatHistory, reader: Viewer) -> list[str]:
    """Return how somebody decided and heard over several matches, in sentences."""
    sentences = []
    if history.errors.mean is not None:
        sentences.append(
            reader.say(
                "Lost per free decision: {points} points.", points=_about(history.errors, reader)
            )
        )
    if history.ears.share is not None:
        sentences.append(
            reader.say(
                "Lost by ear, each round: {points} points; that is {share} of what choosing "
                "blindly loses.",
                points=_about(history.ears.lost, reader),
                share=_share(history.ears),
            )
        )
    if history.growth is not None:
        sentences.append(growth_sentence(history.growth, reader))
    return sentences


def _about(sums: Sums, reader: Viewer) -> str:
    """Return a mean in points, and by how much it may truly be more or less."""
    assert sums.mean is not None
    reach = "" if sums.reach is None else f" ± {points(sums.reach, reader)}"
    return f"{points(sums.mean, reader)}{reach}"


def _share(sums: EarSums) -> str:
    """Return which share was lost of what is lost blindly, and how surely."""
    assert sums.share is not None
    reach = "" if sums.reach is None else f" ± {round(sums.reach * 100)}"
    return f"{round(sums.share * 100)}{reach} %"


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
        mostly=reader.say(mostly(report, coach, outcome.winners[0])),
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
