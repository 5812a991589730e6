"""What a table's own measure says, in words and pictures; a pure function of it and the reader."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from markupsafe import Markup

from companion.present.reader import Reader
from companion.present.strips import Strip, strips
from companion.workshop.measurement import Measured, Share
from companion.workshop.odds import exact

CERTAIN_Z: Final = 1.96
STONE_MG: Final = 372  # a steel ball of 4.5 mm


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of shares."""

    what: str
    count: str
    between: str  # where the true share lies, with 95 %


def shares(found: Measured, by: Reader) -> tuple[Row, ...]:
    """Return how often it was right and wrong, each with how far that may be off."""
    rows = [
        (by.say("Looks underneath that were noticed"), found.looks),
        (by.say("Innocent handlings that would have been taken for a look"), found.accused),
        (by.say("Innocent handlings that were taken for a short look"), found.warned),
        (by.say("Barrels whose lifting was noticed"), found.handled),
        (by.say("Placed barrels that were known for certain"), found.known),
        (by.say("Placed barrels that were mistaken for another one"), found.wrong),
    ]
    return tuple(_row(what, share, by) for what, share in rows if share.of)


def _row(what: str, share: Share, by: Reader) -> Row:
    low, high = (round(100 * one, 1) for one in exact(share.hits, share.of))
    if share.hits == 0:
        between = by.say("at most {high} %", high=high)
    elif share.hits == share.of:
        between = by.say("at least {low} %", low=low)
    else:
        between = by.say("{low} to {high} %", low=low, high=high)
    return Row(what, by.say("{hits} of {all}", hits=share.hits, all=share.of), between)


def spread(found: Measured, by: Reader) -> str | None:
    """Return how well one barrel's weight repeats; None: too few were weighed."""
    if found.spread_mg is None or found.spread_df < 3:
        return None
    off = CERTAIN_Z / sqrt(2 * found.spread_df)
    low, high = (round(found.spread_mg * one) for one in (max(0.0, 1 - off), 1 + off))
    return by.say(
        "The weight of one and the same barrel differs by {spread_mg} mg from one set-down to the "
        "next (a standard deviation; {low_mg} to {high_mg} mg). A stone weighs about {stone_mg} "
        "mg: half of that should be at least three times as much.",
        spread_mg=found.spread_mg,
        low_mg=low,
        high_mg=high,
        stone_mg=STONE_MG,
    )


def proposal(found: Measured, by: Reader) -> str:
    """Return what the own curves say about the threshold; nothing is ever changed by that."""
    if not (found.look_ms and found.clean_ms):
        return by.say("Too little was measured to say anything about the thresholds.")
    proposed, now = found.proposed_ms, found.foul_ms
    values = {"now_ms": now, "looks": len(found.look_ms), "handlings": len(found.clean_ms)}
    missed, false = found.errors_at(now)
    values |= {"missed": missed, "false": false}
    if proposed is None:
        return by.say(
            "With the current threshold ({now_ms} ms), {missed} of {looks} looks would be missed "
            "and {false} of {handlings} other handlings taken for one. No other threshold is "
            "proposed.",
            **values,
        )
    missed_then, false_then = found.errors_at(proposed)
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


def plots(found: Measured, by: Reader) -> tuple[tuple[str, Markup], ...]:
    """Return pictures, each with what it shows."""
    pictures = []
    if found.look_ms or found.clean_ms:
        rows = [
            Strip(by.say("looks underneath"), found.look_ms),
            Strip(by.say("all other handlings"), found.clean_ms, "hollow"),
        ]
        told = by.say(
            "For how long each handling looked like a peek, one dot each; 0: not at all. From the "
            "dashed line on, it counts as one."
        )
        pictures.append((told, strips(rows, "ms", told, mark=found.foul_ms)))
    if found.lifted_ms or found.placed_ms:
        rows = [
            Strip(by.say("lifted, until it is known"), found.lifted_ms),
            Strip(by.say("placed, until it is known who"), found.placed_ms, "hollow"),
        ]
        told = by.say("How soon it is known, one dot each time.")
        pictures.append((told, strips([row for row in rows if row.values], "ms", told)))
    if found.pad_ms:
        rows = [Strip(by.name(seat), ms, f"seat-{seat}") for seat, ms in found.pad_ms.items()]
        told = by.say(
            "How much later than the barrel's own landing each pad closed. A pad that is late, or "
            "late by very different times, makes it harder to tell who placed what."
        )
        pictures.append((told, strips(rows, "ms", told)))
    return tuple(pictures)
