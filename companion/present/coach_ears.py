"""What the coach tells of ears and of evenings, in sentences.

Most skill may lie in what is chosen by ear; how much was at stake differs from round to round, so a
share of what is lost blindly tells more than points do.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from companion.coach.evenings import Ears, Growth, Standing, Sums, growth
from companion.coach.report import Report
from companion.present.coach_words import points
from companion.present.reader import Reader
from companion.text import SeatName


@dataclass(frozen=True, slots=True)
class Ear:
    """How near a seat came to the best that it could have chosen by ear."""

    seat: SeatName
    lost: tuple[tuple[int, float], ...]  # by round
    blindly: float
    told: str
    grown: str


def ears(report: Report, reader: Reader) -> list[Ear]:
    """Return how well each seat has heard, where it chose anything by ear."""
    return [_ear(report, seat, reader) for seat in report.seats if report.heard_by(seat)]


def _ear(report: Report, seat: int, reader: Reader) -> Ear:
    own = [one for one in report.ears if one.heard.seat == seat]
    blindly = fmean(one.heard.lost_blindly for one in own)
    told = reader.say(
        "{seat} lost {lost} points a round; choosing blindly loses {blindly}. {best} of {count} "
        "times it was the best barrel left.",
        seat=SeatName(seat),
        lost=points(fmean(one.heard.lost for one in own), reader),
        blindly=points(blindly, reader),
        best=sum(one.heard.lost == 0 for one in own),
        count=len(own),
    )
    grown = growth([Ears.of([(one.heard.lost, one.heard.lost_blindly)]) for one in own])
    lost = tuple((one.round, one.heard.lost) for one in own)
    return Ear(SeatName(seat), lost, blindly, told, grown_told(grown, reader))


def grown_told(grown: Growth | None, reader: Reader) -> str:
    """Return whether an ear has become better; nothing, if that cannot be told."""
    if grown is None:
        return ""
    figures = {"earlier": round(grown.earlier * 100), "later": round(grown.later * 100)}
    said = reader.say(
        "{earlier} % of what choosing blindly loses in the first half, {later} % in the second:",
        **figures,
    )
    if not grown.is_sure:
        return f"{said} {reader.say('that may be chance.')}"
    if grown.gain > 0:
        return f"{said} {reader.say('the ear has improved.')}"
    return f"{said} {reader.say('the ear got tired.')}"


def standing_told(one: Standing, reader: Reader) -> list[str]:
    """Return how somebody decided and heard over several matches, in sentences."""
    told = []
    if one.errors.mean is not None:
        told.append(
            reader.say(
                "Lost per free decision: {points} points.",
                points=_about(one.errors, reader),
            )
        )
    if one.ears.share is not None:
        told.append(
            reader.say(
                "Lost by ear, each round: {points} points; that is {share} of what choosing "
                "blindly loses.",
                points=_about(one.ears.lost, reader),
                share=_share(one.ears),
            )
        )
    if one.growth is not None:
        told.append(grown_told(one.growth, reader))
    return told


def _about(found: Sums, reader: Reader) -> str:
    """Return a mean in points, and by how much it may truly be more or less."""
    assert found.mean is not None
    reach = "" if found.reach is None else f" ± {points(found.reach, reader)}"
    return f"{points(found.mean, reader)}{reach}"


def _share(found: Ears) -> str:
    """Return which share was lost of what is lost blindly, and how surely."""
    assert found.share is not None
    reach = "" if found.reach is None else f" ± {round(found.reach * 100)}"
    return f"{round(found.share * 100)}{reach} %"
