"""The manual's page on the lights, and its pictures: each scene as an SVG that moves.

    .venv/bin/python -m rappelwacht_research.lights_page

Each light's brightness is sampled, and repeated as soon as it repeats itself; who asked for less
motion sees the first picture, still.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from math import cos, pi, sin
from pathlib import Path
from textwrap import fill
from typing import Final

from companion.core.game import Seat
from companion.i18n.translate import LANGUAGES, say
from companion.present.lights import canvas, legend, patterns
from companion.present.lights.example import Example, examples
from companion.system.text import SeatName, Text, seat_word

FILE: Final = Text("lights.md")  # a language that calls it by a name of its own gets a page
LINK: Final = Text("In English: [{file}]({file}).")
HEAD: Final = (
    Text("What the lights say"),
    Text(
        "The board from above: 24 fields clockwise from the arrow, a square for each start, a "
        "house for each city, and a round button for each seat. Each meaning always moves in the "
        "same way, so nobody has to tell colours apart, and nothing flashes more than three "
        "times a second."
    ),
)
BUTTON: Final = Text(
    "A short press of a seat's button brings up the next choice; holding it confirms. The buzzer "
    "sounds when all have placed a barrel and when somebody has won, and never for a warning."
)
MADE: Final = Text(
    "`.venv/bin/python -m rappelwacht_research.lights_page` makes this page and its pictures; "
    "every picture shows what the lights really do at an invented table."
)


def write(folder: Path) -> None:
    """Write a picture of each scene, and beside their folder a page in each language."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / f"{example.name}.svg": svg(example) for example in examples()}
    for code, called in names().items():
        files[folder.parent / called] = text(folder.name, code)
    for file, content in files.items():
        file.write_text(content, "utf-8", newline="\n")


def names() -> dict[str, str]:
    """Return how the page is called in each language that has one."""
    called = {code: say(FILE, code) for code in LANGUAGES}
    return {code: name for code, name in called.items() if code == "en" or name != called["en"]}


def text(folder: str, language: str) -> str:
    def row(*cells: Text) -> list[str]:
        return [say(cell, language) for cell in cells]

    means = Text("what it means")
    meanings = [
        row(Text("pattern"), means),
        *(row(pattern.title, pattern.look) for pattern in legend.PATTERNS.values()),
    ]
    scenes = [row(Text("scene"), means, Text("how to tell it without colour"))]
    for example in examples():
        shown = f'<img src="{folder}/{example.name}.svg" width="200" alt=""><br>'
        title, *rest = row(example.meaning.title, example.about, example.meaning.look)
        scenes.append([f"{shown}**{title}**", *rest])
    title, about, *more, made = row(*HEAD, legend.QUARTERS, legend.OTHERS, BUTTON, MADE)
    links = [
        say(Text(LINK.template, file=name), code)
        for code, name in names().items()
        if code != language
    ]
    first = _wrapped(" ".join([*links, about]))
    blocks = [f"# {title}", first, _table(meanings), *map(_wrapped, more)]
    return "\n\n".join([*blocks, _table(scenes), _wrapped(made)]) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    heads, *lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([heads, "|---" * len(rows[0]) + "|", *lines])


def _wrapped(paragraph: str) -> str:
    return fill(paragraph, 100, break_on_hyphens=False, break_long_words=False)


# --- the pictures -------------------------------------------------------------------------------

SIZE: Final = 360
MIDDLE: Final = SIZE / 2
RADIUS, CITY_RADIUS = 128.0, 74.0  # how far from the middle
START_AT, SEAT_AT = 0.72, 0.9  # of the way from the middle to a corner
FIELD_R, LAMP_R, HALO_R = 14.5, 9.5, 17.5
GROUND: Final = "#0b0f17"
SOCKET: Final[canvas.Rgb] = (24, 30, 42)
PRINTED: Final = {"R": "#7d3038", "G": "#2f6b3d", "B": "#34508f", "Y": "#857025"}
RIDGES: Final = (
    *((104, "#121926"), (80, "#172131"), (55, "#1e2a3d")),
    *((31, "#28374e"), (13, "#374963")),
)
FRAMES: Final = 336  # of 50 ms: what no pattern needs longer to repeat itself
RING: Final = (  # as it is painted; a castle field has two colours
    *("B", "B", "B", "RG", "Y", "Y", "Y", "Y", "Y", "GB", "R", "R"),
    *("R", "R", "R", "BY", "G", "G", "G", "G", "G", "YR", "B", "B"),
)
GATES: Final = (23, 5, 11, 17)  # the field beside each city


def svg(example: Example) -> str:
    scenes = list(islice(example.scenes(), FRAMES))
    styles: dict[str, str] = {}
    lamps = []
    for light, place in enumerate([*map(_place, range(canvas.COUNT)), *map(_seat, canvas.COLOURS)]):
        colours = [_seen(scene, light) for scene in scenes]
        lamps.append(_lamp(place, colours, styles, small=light >= canvas.COUNT))
    moving = "".join(f"{rule}\n" for rule in styles.values())
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" role="img">',
            f"<title>{example.meaning.title.template}</title>",
            f"<style>\n{moving}@media (prefers-reduced-motion: reduce) {{",
            "  g { animation: none !important }",
            "}\n</style>",
            f'<rect width="{SIZE}" height="{SIZE}" rx="22" fill="{GROUND}"/>',
            *_mountain(),
            _arrow(),
            *map(_field, range(canvas.FIELDS)),
            *(_home(colour) for colour in canvas.COLOURS),
            *lamps,
            "</svg>",
            "",
        ]
    )


def _seen(scene: canvas.LightScene, light: int) -> str:
    if light < canvas.COUNT:
        return _on_screen(scene.lights[light])
    seat = light - canvas.COUNT
    red, green, blue = canvas.COLOURS[seat]
    duty = scene.seats.get(seat_word(seat), 0.0)
    return _on_screen((round(red * duty), round(green * duty), round(blue * duty)))


@cache
def _on_screen(level: canvas.Rgb) -> str:
    """Return a light as a colour of a screen: never darker than the socket that it sits in."""
    shown = (round(255 * (part / 255) ** (1 / canvas.GAMMA)) for part in level)
    return "#" + "".join(
        f"{max(part, least):02x}" for part, least in zip(shown, SOCKET, strict=True)
    )


def _lamp(
    place: tuple[float, float], colours: Sequence[str], styles: dict[str, str], *, small: bool
) -> str:
    """Return a light with its halo; its colour is what changes."""
    name = _animation(colours, styles)
    moving = f' class="{name}"' if name else ""
    x, y = place
    scale = 0.62 if small else 1.0
    halo = ""
    if name or colours[0] != _DARK:
        halo = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{HALO_R * scale:.1f}" opacity=".22"/>'
    lamp = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{LAMP_R * scale:.1f}"/>'
    return f'<g fill="{colours[0]}"{moving}>{halo}{lamp}</g>'


def _animation(colours: Sequence[str], styles: dict[str, str]) -> str:
    """Add the animation of a light, if it has one that no other has; return its name."""
    if len(set(colours)) == 1:
        return ""
    count = _period(colours)
    steps = [
        f"{100 * frame / count:.4g}%{{fill:{colours[frame]}}}"
        for frame in range(count)
        if frame == 0 or colours[frame] != colours[frame - 1]
    ]
    rule = "".join(steps)
    length_s = count * patterns.STEP_US / 1_000_000
    if rule not in styles:
        name = f"a{len(styles)}"
        styles[rule] = (
            f"@keyframes {name} {{{rule}}}\n"
            f".{name} {{ animation: {name} {length_s:g}s step-end infinite }}"
        )
    return styles[rule].split()[1]


def _period(colours: Sequence[str]) -> int:
    """Return after how many frames a light repeats itself.

    >>> _period("abcabcabc"), _period("abcdefabc")
    (3, 6)
    """
    count = len(colours)
    return next(n for n in range(1, count + 1) if colours[n:] == colours[: count - n])


def _place(light: int) -> tuple[float, float]:
    """Return where a light of the board is: clockwise from the upper left."""
    if light < canvas.STARTS:
        return _polar(RADIUS, light)
    if light < canvas.CITIES:
        return _corner(light - canvas.STARTS, START_AT)
    return _polar(CITY_RADIUS, GATES[light - canvas.CITIES])


def _seat(colour: Seat) -> tuple[float, float]:
    return _corner(colour, SEAT_AT)


def _polar(radius: float, index: float) -> tuple[float, float]:
    angle = 2 * pi * (index / canvas.FIELDS - 3 / 8)
    return MIDDLE + radius * cos(angle), MIDDLE + radius * sin(angle)


def _corner(colour: Seat, share: float) -> tuple[float, float]:
    across = 1 if colour in {SeatName.GREEN, SeatName.BLUE} else -1
    down = 1 if colour in {SeatName.BLUE, SeatName.YELLOW} else -1
    return MIDDLE + across * MIDDLE * share, MIDDLE + down * MIDDLE * share


def _mountain() -> Iterable[str]:
    """Return the mountain in the middle, as a map shows it."""
    for radius, shade in RIDGES:
        points = []
        for corner in range(48):
            turn = 2 * pi * corner / 48
            rough = radius * (
                1 + 0.045 * sin(3 * turn + radius) + 0.03 * sin(7 * turn) + 0.02 * cos(11 * turn)
            )
            points.append(f"{MIDDLE + rough * cos(turn):.1f},{MIDDLE + rough * sin(turn):.1f}")
        yield f'<polygon points="{" ".join(points)}" fill="{shade}"/>'


def _arrow() -> str:
    """Return where counting begins, and which way it goes."""
    tip, corners = (
        _polar(RADIUS - 21, 0.62),
        (_polar(RADIUS - 17.5, 0.1), _polar(RADIUS - 25.5, 0.1)),
    )
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *corners))
    return f'<polygon points="{points}" fill="#8a96a8"/>'


def _field(index: int) -> str:
    """Return a field's socket with its printed rim; a castle field has two colours."""
    x, y = _polar(RADIUS, index)
    kind = RING[index]
    half = f"M{x:.1f} {y - FIELD_R:.1f}a{FIELD_R} {FIELD_R} 0 0 {{way}} 0 {2 * FIELD_R}"
    rims = "".join(
        f'<path d="{half.format(way=way)}" stroke="{PRINTED[letter]}"/>'
        for way, letter in enumerate((kind[0], kind[-1]))
    )
    return (
        f'<g fill="none" stroke-width="2.2"><circle cx="{x:.1f}" cy="{y:.1f}" r="{FIELD_R}" '
        f'fill="{_hex(SOCKET)}"/>{rims}</g>'
    )


def _home(colour: Seat) -> str:
    """Return a colour's start, a square, its city, a house, and its seat, a button."""
    rim = (
        f'fill="{_hex(SOCKET)}" stroke="{PRINTED[seat_word(colour)[0].upper()]}" stroke-width="2.2"'
    )
    x, y = _place(canvas.STARTS + colour)
    start = f'<rect x="{x - 16:.1f}" y="{y - 16:.1f}" width="32" height="32" rx="6" {rim}/>'
    x, y = _place(canvas.CITIES + colour)
    house = f"M{x - 15:.1f} {y + 14:.1f}v-20l15 -13l15 13v20z"
    x_seat, y_seat = _seat(colour)
    seat = f'<circle cx="{x_seat:.1f}" cy="{y_seat:.1f}" r="8.5" {rim}/>'
    return f'{start}<path d="{house}" stroke-linejoin="round" {rim}/>{seat}'


def _hex(colour: canvas.Rgb) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


_DARK: Final = _hex(SOCKET)


if __name__ == "__main__":
    write(Path("hardware/lights"))
