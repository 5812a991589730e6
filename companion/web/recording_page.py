"""The page that records how a hand moves a phone, for whoever wants to give that away.

The phone alone does it (recording.js): nothing of it comes here. It must not take anybody away from
a match: who plays just now is sent back to the table.
"""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, render_template
from markupsafe import Markup

from companion.present import plots
from companion.present.simulated_hands import SittingPlayer
from companion.present.viewer import Viewer
from companion.system.text import Text
from companion.web import context
from companion.web.common import flask_app

TIMES: Final = 8  # each thing is done so often


@dataclass(frozen=True, slots=True)
class HandTask:
    """One thing that a hand is asked to do with a phone, again and again."""

    name: str  # as the file calls it
    short: Text
    says: Text
    seconds: int
    once: bool = False


TASKS: Final = (
    HandTask(
        "rest",
        Text("rest"),
        Text("Lay your phone on its screen, and leave it alone until it signals."),
        20,
        once=True,
    ),
    HandTask(
        "shake",
        Text("shake"),
        Text("At each signal, shake it as you would a barrel, to hear how much is in it."),
        6,
    ),
    HandTask("weigh", Text("weigh"), Text("At each signal, weigh it in your hand."), 6),
    HandTask("carry", Text("carry"), Text("At each signal, carry it a few steps."), 8),
    HandTask(
        "look",
        Text("look"),
        Text("At each signal, turn the screen up, look at it for a second, and turn it back."),
        6,
    ),
    HandTask(
        "hand_over",
        Text("hand over"),
        Text("At each signal, hand it to somebody else, or from one hand to the other."),
        6,
    ),
    HandTask(
        "place",
        Text("put down"),
        Text("At each signal, lay it on its screen, let go of it, and take it up again."),
        6,
    ),
)


def pages(site: context.WebContext) -> Blueprint:
    recording = Blueprint("recording", __name__)

    @recording.get("/workshop/recording")
    def the_page() -> str:
        by = flask_app.current_viewer()
        tasks = [(task, 1 if task.once else TIMES) for task in TASKS]
        minutes = round(sum((task.seconds + 1) * times + 12 for task, times in tasks) / 60)
        return render_template(
            "recording.html",
            tasks=tasks,
            minutes=minutes,
            busy=_plays(site, by),
            chart=chart(by),
        )

    return recording


def _plays(site: context.WebContext, by: Viewer) -> bool:
    """Return whether a match goes on in which this phone's seat is played by whoever has it."""
    now, hands = site.room.snapshot, site.hands or {}
    if now.match is None or now.over or by.seat not in {seat.colour for seat in now.seats}:
        return False
    sits = hands.get(by.seat or "")
    return sits is None or sits.table().sitting is not SittingPlayer.GUEST


def chart(by: Viewer) -> Markup:
    """Return the picture of a recording, into which the phone draws two lines, each from 0 to 1."""
    bottom, top, low, wide = 74, 6, 112, plots.WIDTH
    each = wide / len(TASKS)
    limit = bottom - (bottom - top) * plots.READABLE_DEG / plots.TALLEST_TILT
    parts = [
        plots.rect("readable", 0, top, wide, limit - top),
        plots.line("mark", 0, limit, wide, limit),
    ]
    for place, task in enumerate(TASKS):
        if place:
            parts.append(plots.line("axis", place * each, top, place * each, low))
        down = low + 15 + 15 * (place % 2)  # long words beside each other
        last = task is TASKS[-1]
        at, anchor = (wide, "end") if last else ((place + 0.5) * each, "middle")
        parts.append(plots.text("tick", at, down, by.say(task.short), anchor))
    for name, kind, foot, tall in (
        ("tilted", "tilt", bottom, bottom - top),
        ("pushed", "shaken", low, 28),
    ):
        parts.append(plots.line("axis", 0, foot, wide, foot))
        drawn = f'<path id="{name}" class="{kind}" vector-effect="non-scaling-stroke"/>'
        parts.append(f'<g transform="translate(0 {foot}) scale({wide} {-tall})">{drawn}</g>')
    description = by.say(
        "How far your phone was tilted (above) and how hard it was pushed (below)."
    )
    return plots.plot("recorded", wide, low + 36, description, parts)
