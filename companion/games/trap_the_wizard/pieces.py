"""Draws what stands on a board of Trap the Wizard: pointed hats, the joker's cap, cages, the die.

Each is drawn around the middle of its field; colours stand in game_trap_the_wizard.css.
"""

from collections import Counter
from typing import Final

from markupsafe import Markup

from companion.games.trap_the_wizard.rules import Robe
from companion.present.icons import SIGNS
from companion.system.text import SeatName

SLAB: Final = 7.5  # how high each colour of captives lifts its captor
BRIM: Final = "M-12 5.5C-12 2.4-6.6 1 0 1S12 2.4 12 5.5 6.6 10 0 10-12 8.6-12 5.5Z"
CONE: Final = (  # bent at its tip
    "M-8 5.2C-6.2-1-4.6-7.5-2.6-13.2-1.5-16.8 1.6-20.6 8.4-19.6 5.4-18 4.4-16 4.6-13.4"
    " 5.4-7 6.6-1 8 5.2 4.6 7.6-4.6 7.6-8 5.2Z"
)
BAND: Final = (
    "M-8 5.2C-7.5 3.4-7 1.6-6.6 0-3 2.2 3 2.2 6.8 0 7.2 1.6 7.6 3.4 8 5.2 4.6 7.6-4.6 7.6-8 5.2Z"
)
JESTER: Final = (  # a cap with three points
    "M-8.5 6C-10.5 0-10.5-6-15-9-9.5-11-4.5-8-3-3.5-2.5-9-1.5-14 0-17 1.5-14 2.5-9 3-3.5"
    " 4.5-8 9.5-11 15-9 10.5-6 10.5 0 8.5 6 4.6 8.4-4.6 8.4-8.5 6Z"
)
BELLS: Final = ((-15.2, -8), (0, -18), (15.2, -8))
CUFF: Final = (
    "M-8.5 6C-8.8 4.4-9 3-9.1 1.6-4.6 4 4.6 4 9.1 1.6 9 3 8.8 4.4 8.5 6 4.6 8.4-4.6 8.4-8.5 6Z"
)
UNDER: Final = "M-10.5-6.5V-.5C-10.5 2.2-5 3.6 0 3.6S10.5 2.2 10.5-.5V-6.5Z"
CAGE: Final = "M-13 9V-8C-13-18-7-24 0-24S13-18 13-8V9ZM-6.5 9V-21.5M0 9V-24M6.5 9V-21.5M-13-6H13"
STAR: Final = "M0-1 .26-.34.97-.31.42.13.6.81 0 .42-.6.81-.42.13-.97-.31-.26-.34Z"
PIPS: Final[dict[int, tuple[tuple[float, float], ...]]] = {  # on a face of two units
    0: (),
    1: ((0, 0),),
    2: ((-0.5, -0.5), (0.5, 0.5)),
    3: ((-0.5, -0.5), (0, 0), (0.5, 0.5)),
    4: ((-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)),
    5: ((-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (0, 0)),
    6: tuple((x, y) for x in (-0.5, 0.5) for y in (-0.55, 0, 0.55)),
}


def hat(robe: Robe) -> str:
    """Return a wizard's hat with its sign; the joker's cap has bells."""
    if robe is Robe.JOKER:
        bells = "".join(f'<circle class="bell" cx="{x}" cy="{y}" r="2.4"/>' for x, y in BELLS)
        return f'<path class="cloth" d="{JESTER}"/><path class="band" d="{CUFF}"/>{bells}'
    return (
        f'<path class="cloth" d="{BRIM}"/><path class="cloth" d="{CONE}"/>'
        f'<path class="band" d="{BAND}"/>{sign(robe, (0.6, -5.4), 7.4)}'
    )


def sign(robe: Robe, where: tuple[float, float], size: float) -> str:
    """Return the sign that tells a colour to those who do not see it."""
    x, y = where
    moved = f'transform="translate({x:.1f} {y:.1f}) scale({size:.1f})"'
    if robe is Robe.JOKER:
        return f'<path class="sign" d="{STAR}" {moved}/>'
    return f'<path class="sign" d="{SIGNS[SeatName(robe)]}" {moved}/>'


def stack(robe: Robe, load: tuple[Robe, ...]) -> str:
    """Return a hat on top of those that it has captured: each colour with its sign and number."""
    held = Counter(load)
    slabs = "".join(
        _slab(captive, held[captive], -SLAB * height)
        for height, captive in enumerate(sorted(held, reverse=True))
    )
    if not held:
        return hat(robe)
    return f'{slabs}<g transform="translate(0 {-SLAB * len(held):.1f})">{hat(robe)}</g>'


def _slab(captive: Robe, count: int, height: float) -> str:
    """Draw the rims of captured hats, as one sees them below another hat."""
    several = count > 1
    number = f'<text x="4.6" y="1.6">{count}</text>' if several else ""
    return (
        f'<g class="slab {style(captive)}" transform="translate(0 {height + 6.5:.1f})">'
        f'<path class="cloth" d="{UNDER}"/>'
        f"{sign(captive, (-4.2 if several else 0, -0.4), 5.4)}{number}</g>"
    )


def style(robe: Robe) -> str:
    """Return the class that colours what belongs to somebody.

    >>> style(Robe.GREEN), style(Robe.JOKER)
    ('seat-green', 'nobody')
    """
    return "nobody" if robe is Robe.JOKER else f"seat-{robe.name.lower()}"


def cage() -> str:
    """Return what falls over whoever would be captured."""
    return f'<path class="cage" d="{CAGE}"/>'


def die(number: int) -> str:
    """Return the face of a die, two units wide; of one that is to be rolled, for 0."""
    pips = "".join(f'<circle class="pip" cx="{x}" cy="{y}" r=".2"/>' for x, y in PIPS[number])
    pips = pips or '<text class="pip" font-size="1.7">?</text>'
    return f'<rect class="face" x="-1" y="-1" width="2" height="2" rx=".36"/>{pips}'


def die_svg(number: int) -> Markup:
    """Return the face of a die alone, as large as its surroundings."""
    return Markup(  # noqa: S704 - only numbers go in
        f'<svg class="die" viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true">{die(number)}</svg>'
    )
