"""Texts and plots of the workshop's page: stoppers, enrolment, lights, and what was measured.

It is a pure function of what the workshop shows and of the reader.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from typing import Final

from markupsafe import Markup

from companion.maintenance import stopper_status, view
from companion.maintenance.measurement import MeasuredShare, MeasuredTable, clopper_pearson
from companion.present import command_json, plots, to_json, viewer
from companion.present.lights.canvas import CITIES, FIELDS, STARTS
from companion.present.plots import Strip, strips
from companion.referee.commands import CommandBody
from companion.referee.maintenance_commands import ReadNumber
from companion.sensing.enrolment import Next
from companion.system.text import SeatName

SPAN_S: Final = 10.0  # what a plot shows
PLOTTED: Final = 3  # who moved last; more at once nobody can watch
SIDE: Final = 6  # of the square on which the 24 fields lie as buttons
INNER: Final = {  # where the lights of starts and cities lie inside it
    (STARTS, SeatName.RED): (1, 1),
    (STARTS, SeatName.GREEN): (1, 5),
    (STARTS, SeatName.BLUE): (5, 5),
    (STARTS, SeatName.YELLOW): (5, 1),
    (CITIES, SeatName.RED): (2, 2),
    (CITIES, SeatName.GREEN): (2, 4),
    (CITIES, SeatName.BLUE): (4, 4),
    (CITIES, SeatName.YELLOW): (4, 2),
}
STRONG_DBM, GOOD_DBM, WEAK_DBM = -60, -72, -82
STEPS: Final = range(1, 14)
DONE: Final = (Next.DONE, view.Taring.DONE, view.Taring.LOADED)
ASKS: Final = (Next.READ, Next.UNFIT, Next.ENTER)


class EnrolmentProgress(Enum):
    """How far one stopper has come in an enrolment."""

    READY = "ready"
    WANTED = "wanted"  # it has to be lifted, or its number has to be entered
    ASIDE = "aside"  # it takes no part


@dataclass(frozen=True, slots=True)
class Key:
    """A button of a picture of lights; None: there is none at that place."""

    light: int | None
    label: str = ""
    mark: str = ""


def wanted(wish: CommandBody) -> str:
    """Return a wish as a button carries it."""
    return json.dumps(command_json.to_json(wish))


def standing(
    shown: view.EnrolmentShown, stoppers: tuple[view.StopperShown, ...]
) -> dict[int, EnrolmentProgress]:
    everybody = shown.stoppers == len(stoppers)
    others = EnrolmentProgress.READY if everybody else EnrolmentProgress.ASIDE
    wanted_now = set() if shown.next in DONE else {*shown.left, *shown.whom}
    return {
        stopper.number: EnrolmentProgress.WANTED if stopper.number in wanted_now else others
        for stopper in stoppers
    }


def keys(shown: view.EnrolmentShown) -> tuple[tuple[int, str, int | None], ...]:
    """Return the numbers to choose from, each with its wish and how likely it is, in percent."""
    if not shown.whom or shown.next not in ASKS:
        return ()
    likely = {guess.number: min(99, round(100 * guess.probability)) for guess in shown.guesses}
    ranked = sorted(STEPS, key=lambda number: (-likely.get(number, 0), number))
    counted = shown.next is Next.UNFIT  # it is asked to count the stones, too
    stopper = shown.whom[0]
    return tuple(
        (number, wanted(ReadNumber(stopper, number, counted)), likely.get(number))
        for number in ranked
    )


def lights(reader: viewer.Viewer) -> tuple[tuple[Key, ...], ...]:
    """Return the board's lights as rows of keys, as they lie on the board."""
    rows = [[Key(None)] * (SIDE + 1) for _ in range(SIDE + 1)]
    for field in range(FIELDS):
        row, column = _on_ring(field)
        rows[row][column] = Key(field, reader.say("field {number}", number=field), str(field))
    for (first, seat), (row, column) in INNER.items():
        name = reader.say("city of {seat}", seat=seat)
        if first == STARTS:
            name = reader.say("start of {seat}", seat=seat)
        rows[row][column] = Key(first + seat, name, seat.name.lower())
    return tuple(map(tuple, rows))


def _on_ring(field: int) -> tuple[int, int]:
    """Return row and column of a field: clockwise around a square, beginning at the top left.

    >>> [_on_ring(field) for field in (0, 6, 12, 18, 23)]
    [(0, 0), (0, 6), (6, 6), (6, 0), (1, 0)]
    """
    side, along = divmod(field, SIDE)
    return ((0, along), (along, SIDE), (SIDE, SIDE - along), (SIDE - along, 0))[side]


def signal(rssi_dbm: int, reader: viewer.Viewer) -> str:
    """Return how well a stopper is heard."""
    if rssi_dbm >= STRONG_DBM:
        return reader.say("heard very well")
    if rssi_dbm >= GOOD_DBM:
        return reader.say("heard well")
    if rssi_dbm >= WEAK_DBM:
        return reader.say("heard faintly")
    return reader.say("hardly heard")


def about(stopper: view.StopperShown, reader: viewer.Viewer) -> Iterator[str]:
    """Yield what is known of a stopper, in a few words each."""
    if stopper.heard_ago_s is None:
        yield reader.say("not heard yet")
        return
    if stopper.charge is None:
        yield reader.name(stopper.doing)
    if not stopper.weighs:
        yield reader.say("without a load cell")
    elif not stopper.calibrated:
        yield reader.say("load cell not calibrated")
    if stopper.charge is not None:
        yield reader.name(stopper.charge)
    if stopper.battery_percent is not None:
        yield reader.say("battery {percent} %", percent=stopper.battery_percent)
    if stopper.rssi_dbm is not None:
        yield signal(stopper.rssi_dbm, reader)
    if stopper.heard_ago_s >= 30:
        yield reader.say("last heard {seconds} s ago", seconds=stopper.heard_ago_s)


def ails(stopper: view.StopperShown, reader: viewer.Viewer) -> Iterator[str]:
    """Yield what is wrong with a stopper, each with its cure."""
    yield from (to_json.sentence(ailment, reader) for ailment in stopper.ailments)
    if stopper.suspect:
        yield reader.say(
            "In the last match its barrel did not weigh what it should: count its stones, and "
            "check that it has its own stopper. Then enrol it again."
        )
    low = (
        stopper.battery_percent is not None
        and stopper.battery_percent < stopper_status.ENOUGH_PERCENT
    )
    if low and stopper.charge is not stopper_status.ChargeStage.CHARGING:
        yield reader.say("Its battery will not last for an evening; charge it.")


def trails(shown: view.MaintenanceDetails, reader: viewer.Viewer) -> dict[int, Markup]:
    """Return the plots of those stoppers that moved last, by their numbers."""
    moved = [stopper for stopper in shown.stoppers if stopper.trail]
    moved.sort(key=lambda stopper: -stopper.trail[-1].at_ms)
    watched = sorted(moved[:PLOTTED], key=lambda stopper: stopper.number)
    return {stopper.number: _plot(stopper, reader) for stopper in watched}


def _plot(stopper: view.StopperShown, reader: viewer.Viewer) -> Markup:
    newest = stopper.trail[-1].at_ms
    text = reader.say(
        "How stopper {stopper} was held: last tilted {degrees}°.",
        stopper=stopper.number,
        degrees=stopper.trail[-1].tilt_deg,
    )
    return plots.trail([_point(point, newest) for point in stopper.trail], SPAN_S, text)


def _point(point: stopper_status.TrailPoint, newest_ms: int) -> plots.HeldPoint:
    ago_s = (newest_ms - point.at_ms) / 1000
    return plots.HeldPoint(ago_s, point.tilt_deg, point.deviation_permille / 1000, point.stands)


CERTAIN_Z: Final = 1.96
STONE_MG: Final = 372  # a steel ball of 4.5 mm


@dataclass(frozen=True, slots=True)
class ShareRow:
    what: str
    count: str
    between: str  # where the true share lies, with 95 %


def shares(table: MeasuredTable, by: viewer.Viewer) -> tuple[ShareRow, ...]:
    """Return how often it was right and wrong, each with how far that may be off."""
    rows = [
        (by.say("Looks underneath that were noticed"), table.looks),
        (by.say("Innocent handlings that would have been taken for a look"), table.accused),
        (by.say("Innocent handlings that were taken for a short look"), table.warned),
        (by.say("Barrels whose lifting was noticed"), table.handled),
        (by.say("Placed barrels that were known for certain"), table.known),
        (by.say("Placed barrels that were mistaken for another one"), table.wrong),
    ]
    return tuple(_row(what, share, by) for what, share in rows if share.of)


def _row(what: str, share: MeasuredShare, by: viewer.Viewer) -> ShareRow:
    low, high = (round(100 * bound, 1) for bound in clopper_pearson(share.hits, share.of))
    if share.hits == 0:
        between = by.say("at most {high} %", high=high)
    elif share.hits == share.of:
        between = by.say("at least {low} %", low=low)
    else:
        between = by.say("{low} to {high} %", low=low, high=high)
    return ShareRow(what, by.say("{hits} of {all}", hits=share.hits, all=share.of), between)


def spread(table: MeasuredTable, by: viewer.Viewer) -> str | None:
    """Return how well one barrel's weight repeats; None: too few were weighed."""
    if table.spread_mg is None or table.spread_df < 3:
        return None
    off = CERTAIN_Z / sqrt(2 * table.spread_df)
    low, high = (round(table.spread_mg * factor) for factor in (max(0.0, 1 - off), 1 + off))
    return by.say(
        "The weight of one and the same barrel differs by {spread_mg} mg from one set-down to the "
        "next (a standard deviation; {low_mg} to {high_mg} mg). A stone weighs about {stone_mg} "
        "mg: half of that should be at least three times as much.",
        spread_mg=table.spread_mg,
        low_mg=low,
        high_mg=high,
        stone_mg=STONE_MG,
    )


def proposal(table: MeasuredTable, by: viewer.Viewer) -> str:
    """Return what the own curves say about the threshold; nothing is ever changed by that."""
    if not (table.look_ms and table.clean_ms):
        return by.say("Too little was measured to say anything about the thresholds.")
    proposed, now = table.proposed_ms, table.foul_ms
    values = {"now_ms": now, "looks": len(table.look_ms), "handlings": len(table.clean_ms)}
    missed, false = table.errors_at(now)
    values |= {"missed": missed, "false": false}
    if proposed is None:
        return by.say(
            "With the current threshold ({now_ms} ms), {missed} of {looks} looks would be missed "
            "and {false} of {handlings} other handlings taken for one. No other threshold is "
            "proposed.",
            **values,
        )
    missed_then, false_then = table.errors_at(proposed)
    return by.say(
        "With the current threshold ({now_ms} ms), {missed} of {looks} looks would be missed and "
        "{false} of {handlings} other handlings taken for one; with {proposed_ms} ms it would be "
        "{missed_then} and {false_then}. Nothing changes by itself; to try it: rappelwacht tune "
        "measured.link.gz peeking.foul_ms={proposed_ms}",
        **values,
        proposed_ms=proposed,
        missed_then=missed_then,
        false_then=false_then,
    )


def measured_plots(table: MeasuredTable, by: viewer.Viewer) -> tuple[tuple[str, Markup], ...]:
    """Return pictures, each with what it shows."""
    pictures = []
    if table.look_ms or table.clean_ms:
        rows = [
            Strip(by.say("looks underneath"), table.look_ms),
            Strip(by.say("all other handlings"), table.clean_ms, "hollow"),
        ]
        text = by.say(
            "For how long each handling looked like a peek, one dot each; 0: not at all. From the "
            "dashed line on, it counts as one."
        )
        pictures.append((text, strips(rows, "ms", text, mark=table.foul_ms)))
    if table.lifted_ms or table.placed_ms:
        rows = [
            Strip(by.say("lifted, until it is known"), table.lifted_ms),
            Strip(by.say("placed, until it is known who"), table.placed_ms, "hollow"),
        ]
        text = by.say("How soon it is known, one dot each time.")
        pictures.append((text, strips([row for row in rows if row.values], "ms", text)))
    if table.pad_ms:
        rows = [Strip(by.name(seat), ms, f"seat-{seat}") for seat, ms in table.pad_ms.items()]
        text = by.say(
            "How much later than the barrel's own landing each pad closed. A pad that is late, or "
            "late by very different times, makes it harder to tell who placed what."
        )
        pictures.append((text, strips(rows, "ms", text)))
    return tuple(pictures)
