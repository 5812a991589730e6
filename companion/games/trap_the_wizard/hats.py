"""Draws who stands on a board of Trap the Wizard, each as its hat, where a tap chooses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import hypot
from typing import Final

from companion.games.trap_the_wizard import pieces
from companion.games.trap_the_wizard.moves import Choice
from companion.games.trap_the_wizard.places import Layout, Spot
from companion.games.trap_the_wizard.rules import START, Robe, View, Wizard

USUAL: Final = 11.4  # the radius of a field for which hats are drawn
ROOM: Final = 54.0  # … and of a home
SLOTS: Final = ((-30.0, -6.0), (0.0, -15.0), (30.0, -6.0))  # where they stand in a home
ASIDE: Final = 7.5  # two on a field stand beside each other
NARROW: Final = 0.84  # … and are a little smaller
REACH, LEAST = 24.0, 9.0  # a finger's, around what can be tapped
CHEST: Final = 5.0  # the middle of a hat lies above its field


@dataclass(frozen=True, slots=True)
class Standing:
    """A wizard, or the joker, and where it stands on the picture."""

    robe: Robe
    wizard: Wizard
    spot: Spot
    scale: float


def standing(plan: Layout, view: View) -> Iterator[Standing]:
    """Yield where all that are free stand."""
    size = plan.radius / USUAL
    on_fields: dict[int, list[tuple[Robe, Wizard]]] = {}
    for robe, camp in view.wizards:
        at_home = [wizard for wizard in camp if wizard.place == START]
        for wizard, (dx, dy) in zip(at_home, SLOTS, strict=False):
            x, y = plan.homes[robe]
            large = plan.room / ROOM
            yield Standing(robe, wizard, (x + dx * large, y + dy * large), large)
        for wizard in camp:
            if wizard.place != START:
                on_fields.setdefault(wizard.place, []).append((robe, wizard))
    if view.joker is not None:
        on_fields.setdefault(view.joker, []).append((Robe.JOKER, Wizard(view.joker)))
    for place, several in on_fields.items():
        x, y = plan.fields[place]
        for number, (robe, wizard) in enumerate(several):
            beside = (2 * number - len(several) + 1) * ASIDE * size
            narrow = NARROW if len(several) > 1 else 1.0
            yield Standing(robe, wizard, (x + beside, y), size * narrow)


def hats(everybody: tuple[Standing, ...], choices: tuple[Choice, ...]) -> Iterator[str]:
    """Draw them all, those in front last, in an order that a move does not change."""
    front = sorted(everybody, key=lambda one: one.spot[1])
    mover = choices[0].ways[0].walk.seat if choices else None
    chooses = {choice.wizard: choice.id for choice in choices}
    free = [one.spot for one in front if one.robe == mover and one.wizard in chooses]
    numbers = dict.fromkeys(Robe, 0)
    for one in front:
        choice = chooses.get(one.wizard) if one.robe == mover else None
        yield _hat(one, numbers[one.robe], choice, reach(one.spot, free))
        numbers[one.robe] += 1


def _hat(one: Standing, number: int, choice: str | None, size: float) -> str:
    (x, y), robe = one.spot, one.robe.name.lower()
    taps = f' data-choose="{choice}"' if choice else ""
    halo = '<ellipse class="halo" cy="6" rx="14.5" ry="7"/>' if choice else ""
    finger = f'<circle class="reach" cy="{-CHEST}" r="{size:.1f}"/>' if choice else ""
    return (
        f'<g id="hat-{robe}-{number}" class="hat {pieces.style(one.robe)}'
        f'{" free" if choice else ""}" data-pawn="{robe}" data-step="{one.wizard.place}"{taps}'
        f' transform="translate({x:.1f} {y:.1f})"><g class="body">'
        f'<g transform="scale({one.scale:.2f})">{halo}'
        f'<g class="lift">{pieces.stack(one.robe, one.wizard.load)}</g></g>{finger}</g></g>'
    )


def reach(here: Spot, others: Iterable[Spot]) -> float:
    """Return how far from here a tap is meant for this, and not for what is beside it."""
    away = [hypot(here[0] - x, here[1] - y) for x, y in others if (x, y) != here]
    return max(LEAST, min(REACH, min(away, default=2 * REACH) / 2))
