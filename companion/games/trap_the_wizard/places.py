"""Where fields and homes lie on the picture of a board of Trap the Wizard, whatever board it is.

It must not draw them. The longest way around is the frame, the joker stands in the middle, and all
other fields lie evenly on the ways between them. A home lies where there is most room between the
field that it is joined to and that of the next one, clockwise.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import atan2, cos, hypot, inf, pi, sin, tau
from typing import Final

from companion.games.trap_the_wizard import moves, pieces, rules

Spot = tuple[float, float]

WIDTH, HEIGHT = 400, 412
MIDDLE: Final[Spot] = (200.0, 212.0)  # nearer to the lower edge: hats rise above their fields
HALF: Final = 182.0  # from the middle to a side of the frame
ROUND: Final = 60.0  # the radius of its corners
FULLEST, SMALLEST = 0.44, 3.0  # a field's radius: of the way to its neighbour, and at least
LARGEST: Final = 14.0
ROOM, GAP, CRAMPED = 54.0, 6.0, 12.0  # a home's radius at most, around it, and at least
ASIDE: Final = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # where between two doors a home may lie
INWARDS: Final = tuple(part / 20 for part in range(18, 2, -1))  # of the way to the frame


@dataclass(frozen=True, slots=True)
class Layout:
    fields: tuple[Spot, ...]
    radius: float  # of a field
    homes: tuple[Spot, ...]  # by player
    room: float  # the radius of a home

    def spot(self, robe: rules.Robe, place: int) -> Spot:
        """Return the middle of a place: a field, or the own start."""
        return self.homes[robe] if place == rules.START else self.fields[place]


@lru_cache(maxsize=16)
def layout(board: rules.Board) -> Layout:
    """Return where the fields and homes of a board lie.

    >>> from companion.games.trap_the_wizard.rules import SPOKED
    >>> [tuple(map(round, layout(SPOKED).fields[field])) for field in (5, 18, 76, 52)]
    [(200, 30), (382, 212), (200, 212), (200, 56)]
    """
    spots = _framed(board)
    spots.setdefault(board.joker, MIDDLE)
    while len(spots) < len(board.neighbours()):  # all hang together, so each turn places some
        for number, path in enumerate(board.paths):
            aims = [_inside((number + part) / len(board.paths)) for part in (1 / 4, 3 / 4)]
            spots |= _between(path, spots, aims)
    fields = tuple(spots[field] for field in sorted(spots))
    nearest = min((_far(*two) for two in combinations(fields, 2)), default=2 * LARGEST)
    radius = min(LARGEST, max(SMALLEST, FULLEST * nearest))
    homes, room = _homes(board, fields, radius)
    return Layout(fields, radius, homes, room)


def _far(first: Spot, second: Spot) -> float:
    return hypot(first[0] - second[0], first[1] - second[1])


# --- fields -------------------------------------------------------------------------------------


def _framed(board: rules.Board) -> dict[int, Spot]:
    """Return where the fields of the longest way around lie; of the longest way, if none is."""
    around = [path for path in board.paths if path[0] == path[-1]] or board.paths
    longest = max(len(path) for path in around)
    ring = tuple(dict.fromkeys(next(path for path in around if len(path) == longest)))
    top = ring.index(board.homes[0]) if board.homes[0] in ring else 0
    return {field: _frame((at - top) / len(ring)) for at, field in enumerate(ring)}


def _frame(part: float) -> Spot:
    """Return where one is after a part of the way around the frame, clockwise from the top."""
    side, corner = 2 * (HALF - ROUND), ROUND * pi / 2
    quarter, rest = divmod(part % 1 * 4 * (side + corner) + side / 2, side + corner)
    if rest < side:
        x, y = rest - side / 2, -HALF
    else:
        turned = (rest - side) / ROUND
        x, y = side / 2 + ROUND * sin(turned), -HALF + ROUND * (1 - cos(turned))
    for _ in range(int(quarter)):
        x, y = -y, x
    return MIDDLE[0] + x, MIDDLE[1] + y


def _inside(part: float) -> Spot:
    """Return what lies half the way from the middle to the frame."""
    x, y = _frame(part)
    return (x + MIDDLE[0]) / 2, (y + MIDDLE[1]) / 2


def _between(
    path: tuple[int, ...], known: dict[int, Spot], aims: list[Spot]
) -> Iterator[tuple[int, Spot]]:
    """Yield where the fields of a way lie that are between known ones; dead ends lead to `aims`."""
    placed = [at for at, field in enumerate(path) if field in known]
    if not placed:
        return
    for first, last in zip([-1, *placed], [*placed, len(path)], strict=True):
        (x, y) = known[path[first]] if first in placed else aims[0]
        (a, b) = known[path[last]] if last in placed else aims[1]
        for at in range(first + 1, last):
            part = (at - first) / (last - first)
            yield path[at], (x + part * (a - x), y + part * (b - y))


# --- homes --------------------------------------------------------------------------------------


def _homes(
    board: rules.Board, fields: tuple[Spot, ...], radius: float
) -> tuple[tuple[Spot, ...], float]:
    """Return where the homes lie, by player, and how large all of them can be."""
    doors = sorted((_angle(fields[field]), robe) for robe, field in enumerate(board.homes))
    spots: dict[int, Spot] = {}
    room = ROOM
    for (angle, robe), (following, _) in zip(doors, [*doors[1:], doors[0]], strict=True):
        wide = (following - angle) % tau
        free, spot = max(
            ((_free(here, fields, radius, spots.values()), here) for here in _rooms(angle, wide)),
            key=lambda candidate: round(candidate[0], 6),
        )
        spots[robe] = spot
        room = min(room, max(CRAMPED, free - GAP))
    return tuple(spots[robe] for robe in sorted(spots)), room


def _angle(spot: Spot) -> float:
    return atan2(spot[1] - MIDDLE[1], spot[0] - MIDDLE[0])


def _rooms(angle: float, wide: float) -> Iterator[Spot]:
    """Yield where a home could lie between two doors, best in the midst of them."""
    for aside in ASIDE:
        x, y = cos(angle + aside * wide), sin(angle + aside * wide)
        edge = HALF / max(abs(x), abs(y))
        for inwards in INWARDS:
            yield MIDDLE[0] + inwards * edge * x, MIDDLE[1] + inwards * edge * y


def _free(here: Spot, fields: tuple[Spot, ...], radius: float, homes: Iterable[Spot]) -> float:
    """Return how large a circle touches no field, no edge, and no home of the same size."""
    edge = min(here[0], here[1], WIDTH - here[0], HEIGHT - here[1])
    beside = min((_far(here, home) / 2 for home in homes), default=inf)
    return min(edge, beside, min(_far(here, field) for field in fields) - radius)


USUAL: Final = 11.4  # the radius of a field for which hats are drawn
HAT_ROOM: Final = 54.0  # … and of a home
SLOTS: Final = ((-30.0, -6.0), (0.0, -15.0), (30.0, -6.0))  # where they stand in a home
HAT_ASIDE: Final = 7.5  # two on a field stand beside each other
NARROW: Final = 0.84  # … and are a little smaller
REACH, LEAST = 24.0, 9.0  # a finger's, around what can be tapped
CHEST: Final = 5.0  # the middle of a hat lies above its field


@dataclass(frozen=True, slots=True)
class Standing:
    robe: rules.Robe
    wizard: rules.Wizard
    spot: Spot
    scale: float


def standing(plan: Layout, view: rules.View) -> Iterator[Standing]:
    """Yield where all that are free stand."""
    size = plan.radius / USUAL
    on_fields: dict[int, list[tuple[rules.Robe, rules.Wizard]]] = {}
    for robe, camp in view.wizards:
        at_home = [wizard for wizard in camp if wizard.place == rules.START]
        for wizard, (dx, dy) in zip(at_home, SLOTS, strict=False):
            x, y = plan.homes[robe]
            large = plan.room / HAT_ROOM
            yield Standing(robe, wizard, (x + dx * large, y + dy * large), large)
        for wizard in camp:
            if wizard.place != rules.START:
                on_fields.setdefault(wizard.place, []).append((robe, wizard))
    if view.joker is not None:
        on_fields.setdefault(view.joker, []).append((rules.Robe.JOKER, rules.Wizard(view.joker)))
    for place, several in on_fields.items():
        x, y = plan.fields[place]
        for number, (robe, wizard) in enumerate(several):
            beside = (2 * number - len(several) + 1) * HAT_ASIDE * size
            narrow = NARROW if len(several) > 1 else 1.0
            yield Standing(robe, wizard, (x + beside, y), size * narrow)


def hats(everybody: tuple[Standing, ...], choices: tuple[moves.Choice, ...]) -> Iterator[str]:
    """Draw them all, those in front last, in an order that a move does not change."""
    front = sorted(everybody, key=lambda standing: standing.spot[1])
    mover = choices[0].ways[0].walk.seat if choices else None
    chooses = {choice.wizard: choice.id for choice in choices}
    free = [
        standing.spot for standing in front if standing.robe == mover and standing.wizard in chooses
    ]
    numbers = dict.fromkeys(rules.Robe, 0)
    for standing in front:
        choice = chooses.get(standing.wizard) if standing.robe == mover else None
        yield _hat(standing, numbers[standing.robe], choice, reach(standing.spot, free))
        numbers[standing.robe] += 1


def _hat(standing: Standing, number: int, choice: str | None, size: float) -> str:
    (x, y), robe = standing.spot, standing.robe.name.lower()
    taps = f' data-choose="{choice}"' if choice else ""
    halo = '<ellipse class="halo" cy="6" rx="14.5" ry="7"/>' if choice else ""
    finger = f'<circle class="reach" cy="{-CHEST}" r="{size:.1f}"/>' if choice else ""
    return (
        f'<g id="hat-{robe}-{number}" class="hat {pieces.style(standing.robe)}'
        f'{" free" if choice else ""}" data-pawn="{robe}" data-step="{standing.wizard.place}"{taps}'
        f' transform="translate({x:.1f} {y:.1f})"><g class="body">'
        f'<g transform="scale({standing.scale:.2f})">{halo}'
        f'<g class="lift">{pieces.stack(standing.robe, standing.wizard.load)}</g></g>'
        f"{finger}</g></g>"
    )


def reach(here: Spot, others: Iterable[Spot]) -> float:
    """Return how far from here a tap is meant for this, and not for what is beside it."""
    away = [hypot(here[0] - x, here[1] - y) for x, y in others if (x, y) != here]
    return max(LEAST, min(REACH, min(away, default=2 * REACH) / 2))
