"""Plots of the coach as SVG: who was how near to winning, what that was made of, and the ear.

Each seat bears its sign, for those who do not see colours, and each plot a sentence for those who
hear it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from markupsafe import Markup

from companion.present import icons, plots
from companion.system.text import seat_word

WIDE, LEFT, RIGHT = 320, 34, 314
TOP, BOTTOM, FOOT = 24, 164, 184
TICKS: Final = 8  # at most this many rounds are named
ROOM: Final = 26  # how high an area must be to carry its sign
HALVES: Final = (0.0, 0.5, 1.0)
EAR_TOP, EAR_BOTTOM, EAR_FOOT = 8, 72, 90

Scale = Callable[[float], float]
Stand = tuple[float, tuple[float, ...]]  # a time in rounds, and what each seat has of the whole
Flag = tuple[float, str]  # a time in rounds, and what is written there above the curve


def curve(
    stands: Sequence[Stand], seats: Sequence[int], flags: Sequence[Flag], description: str
) -> Markup:
    """Draw what each seat has of all that can be had, one upon the other, over the rounds."""
    last = max((at for at, _ in stands), default=0.0) or 1.0

    def x(at: float) -> float:
        return LEFT + (RIGHT - LEFT) * at / last

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * share

    parts, feet = [], [0.0] * len(stands)
    for place, seat in enumerate(seats):
        heads = [foot + shares[place] for foot, (_, shares) in zip(feet, stands, strict=True)]
        upper = [(x(at), y(head)) for (at, _), head in zip(stands, heads, strict=True)]
        lower = [(x(at), y(foot)) for (at, _), foot in zip(stands, feet, strict=True)]
        parts.append(
            f'<g class="seat-{seat_word(seat)}">{plots.area("area", upper + lower[::-1])}</g>'
        )
        if place < len(seats) - 1:
            parts.append(plots.way("edge", upper))
        feet = heads
    parts += _signs(stands, seats, x, y)
    parts += [
        plots.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM),
        plots.line("axis", LEFT, TOP, LEFT, BOTTOM),
    ]
    parts.append(plots.line("mark", LEFT, y(0.5), RIGHT, y(0.5)))
    parts += [
        plots.text("tick", LEFT - 5, y(share) + 5, f"{share:.0%}"[:-1], "end") for share in HALVES
    ]
    step = max(1, -(-int(last) // TICKS))
    parts += [plots.text("tick", x(at), FOOT, f"{at}") for at in range(step, int(last) + 1, step)]
    for at, words in flags:
        parts.append(plots.line("flag", x(at), TOP - 4, x(at), BOTTOM))
        parts.append(plots.text("flagged", x(at), TOP - 8, words))
    return plots.plot("stands", WIDE, FOOT + 4, description, parts)


def _signs(stands: Sequence[Stand], seats: Sequence[int], x: Scale, y: Scale) -> Iterator[str]:
    """Put each seat's sign where it has most, if there is room."""
    for place, seat in enumerate(seats):
        inside = stands[1:-1] or stands
        at, shares = max(inside, key=lambda stand: stand[1][place])
        foot = sum(shares[:place])
        if (BOTTOM - TOP) * shares[place] < ROOM:
            continue
        middle = y(foot + shares[place] / 2)
        across = min(max(x(at), LEFT + 14), RIGHT - 14)
        yield (
            f'<path class="sign seat-{seat_word(seat)}" d="{icons.SIGNS[seat]}"'
            f' transform="translate({across:.1f} {middle:.1f}) scale(18)"/>'
        )


def bar(start: float, by: float, span: tuple[float, float]) -> Markup:
    """Draw one part of a sum where the part before it ended; what it is, the row says."""
    low, high = span
    wide = (high - low) or 1.0
    left, right = sorted(((start - low) / wide * 100, (start + by - low) / wide * 100))
    kind = "gain" if by >= 0 else "loss"
    parts = [plots.rect(kind, left, 2, max(right - left, 0.8), 12)]
    zero = (start - low) / wide * 100
    parts.append(plots.line("axis", zero, 0, zero, 16))
    head = (
        '<svg class="plot part" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">'
    )
    return Markup(f"{head}{''.join(parts)}</svg>")  # noqa: S704 - nothing but figures


def ears(lost: Sequence[tuple[int, float]], blindly: float, seat: int, description: str) -> Markup:
    """Draw what was lost by ear in each round, and at a line what is lost without listening."""
    most = max([blindly, *(loss for _, loss in lost), 0.01])
    last = max((round_ for round_, _ in lost), default=1)
    each = min((WIDE - LEFT) / last, 24.0)
    parts = []
    for round_, loss in lost:
        tall = (EAR_BOTTOM - EAR_TOP) * loss / most
        gap = min(2.0, each / 5)
        left = LEFT + (round_ - 1) * each + gap
        parts.append(
            plots.rect("bar", left, EAR_BOTTOM - max(tall, 0.8), each - 2 * gap, max(tall, 0.8))
        )
    level = EAR_BOTTOM - (EAR_BOTTOM - EAR_TOP) * blindly / most
    end = LEFT + last * each
    parts += [
        plots.line("axis", LEFT, EAR_BOTTOM, end, EAR_BOTTOM),
        plots.line("mark", LEFT, level, end, level),
    ]
    parts.append(plots.text("tick", LEFT - 5, EAR_TOP + 6, f"{most * 100:.0f}", "end"))
    parts.append(plots.text("tick", LEFT - 5, EAR_BOTTOM + 2, "0", "end"))
    step = max(1, -(-last // TICKS))
    for round_ in range(step, last + 1, step):
        parts.append(plots.text("tick", LEFT + (round_ - 0.5) * each, EAR_FOOT - 2, f"{round_}"))
    return plots.plot(f"ears seat-{seat_word(seat)}", WIDE, EAR_FOOT, description, parts)
