"""Draws the board as SVG, with its pawns and what a move would do; and how events look.

Colours and motion stand in page.css. What belongs to a choice bears the id of the input that
chooses it, and is seen while that is checked.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from markupsafe import Markup, escape

from companion.core.game import Event
from companion.games.zapp_zerapp import places, rules
from companion.games.zapp_zerapp.rules.board import LETTERS
from companion.present import icons, viewer
from companion.present.animations import AnimationKind, Animations, EventPicture, PieceMove
from companion.present.viewer import Viewer
from companion.system.text import seat_word

FIELD: Final = 18
NUMBERED: Final = 28  # so far from a field, towards the middle, its number stands
HOME: Final = 31  # how large a start is
WALL: Final = 29  # … and a city
CROWDED, REACH = 0.72, 24.0  # CROWDED: the size of pawns that share a field; REACH: a finger's
ROCK: Final = (
    "M112 236C128 210 146 194 158 170 168 152 182 138 200 128 215 140 226 152 238 172 250"
    " 192 270 210 288 236 262 258 138 258 112 236Z"
)
SHADE: Final = (
    "M200 128C215 140 226 152 238 172 250 192 270 210 288 236 262 240 236 240 214 240 206"
    " 220 222 200 208 178 214 160 204 146 200 128Z"
)
SNOW: Final = (
    "M200 128C188 134 176 144 168 156L178 160 186 152 194 166 203 154 214 164 222 156 229"
    " 160C222 148 212 136 200 128Z"
)
FOREST: Final = "M112 236C140 222 166 240 200 232 236 224 262 240 288 236 262 258 138 258 112 236Z"
FIRS: Final = "M138 240l6-14 6 14zM149 246l7-16 7 16zM246 245l7-16 7 16zM259 239l6-13 6 13z"
TOWER: Final = "M-6.5 10V-4h13V10Z"
ROOF: Final = "M-8-4 0-13 8-4Z"
WALLS: Final = "M-24 8V-6h10V8ZM24 8V-6H14V8ZM-9 8v-22H9V8ZM-28 22V4h6v4h7V4h7v4H8V4h7v4h7V4h6V22Z"
ROOFS: Final = "M-27-6-19-18-11-6ZM27-6 19-18 11-6ZM-12-14 0-31 12-14Z"
GATE: Final = "M-6 22V16a6 6 0 0 1 12 0v6Z"


@dataclass(frozen=True, slots=True)
class Mark:
    """What something would bring about, seen while the input of that id is checked."""

    chosen_by: str
    events: tuple[Event, ...]
    shown: bool = False  # seen from the beginning


@dataclass(frozen=True, slots=True)
class Drawn:
    """What stands on the board, and what is to be seen beside it."""

    camps: Sequence[tuple[rules.Colour, Sequence[int]]] = ()  # by colour: the steps of its pawns
    choosable: Mapping[rules.Pawn, str] | None = None  # the id of the input that chooses each pawn
    marks: Sequence[Mark] = ()
    happened: Sequence[Event] = ()  # where the last one came from
    magic: int = 0
    painted: bool = False  # its fields are keys, to be painted
    counts: rules.Colour | None = None  # whose numbers the fields bear, as sentences name them


def board_svg(ring: places.Ring, drawn: Drawn, reader: viewer.Viewer) -> Markup:
    role, label = "group" if drawn.painted else "img", escape(_told(drawn, reader))
    parts = [
        (
            f'<svg class="board" viewBox="0 0 {places.SIZE} {places.SIZE}" '
            f'role="{role}" aria-label="{label}">'
        ),
        _mountain(drawn.magic),
        *(_homes(ring, colour, drawn) for colour in rules.Colour),
        *(_field(ring, index, drawn, reader) for index in range(rules.FIELDS)),
        *_numbers(ring, drawn.counts),
        *(_trail(ring, event) for event in drawn.happened if isinstance(event, rules.Moved)),
        *(_mark(ring, mark, rules.Moved) for mark in drawn.marks),
        *_pawns(ring, drawn),
        *(_mark(ring, mark, rules.Banished, rules.TakenAlong) for mark in drawn.marks),
        "</svg>",
    ]
    return Markup("").join(Markup(part) for part in parts)  # noqa: S704 - escaped where it is made


def _told(drawn: Drawn, reader: viewer.Viewer) -> str:
    if drawn.painted:
        return reader.say("The ring of your board; tap a field to paint it.")
    return reader.say("The board with all pawns; a list beside it says where each stands.")


# --- what is painted on it ----------------------------------------------------------------------


def _mountain(magic: int) -> str:
    """Draw the land: a meadow, the road around it, and the mountain, which bears the number."""
    layers = {"rock": ROCK, "shade": SHADE, "snow": SNOW, "forest": FOREST, "firs": FIRS}
    mountain = "".join(f'<path class="{name}" d="{line}"/>' for name, line in layers.items())
    stones = "".join(
        f"M{x:.0f} {y + 3:.0f}h.01" for x, y in map(places.field_spot, range(rules.FIELDS))
    )
    two = " two" if magic > 9 else ""
    number = f'<text class="magic{two}" x="200" y="204">{magic}</text>' if magic else ""
    return (
        f'<circle class="ground" cx="200" cy="200" r="194"/>'
        f'<circle class="road" cx="200" cy="200" r="160"/>'
        f'{mountain}<path class="stones" d="{stones}"/>{number}'
    )


def _homes(ring: places.Ring, colour: rules.Colour, drawn: Drawn) -> str:
    """Draw start and city of a colour, each with the way that leads from or to the ring."""
    playing = not drawn.camps or any(colour == seat for seat, _ in drawn.camps)
    (x, y), (u, v) = places.spot(ring, colour, rules.START), places.spot(ring, colour, rules.CITY)
    entry, gate = places.field_spot(ring.entries[colour]), places.field_spot(ring.gates[colour])
    return (
        f'<g class="home seat-{colour.name.lower()}{"" if playing else " empty"}">'
        f"{_way((x, y), entry, HOME, FIELD + 2)}{_way(gate, (u, v), FIELD, WALL)}"
        f'<circle class="start" data-home="start" cx="{x:.1f}" cy="{y:.1f}" r="{HOME}"/>'
        f'<g class="city" data-home="city" {_moved_to((u, v))}><path d="{WALLS}"/>'
        f'<path class="roof" d="{ROOFS}"/><path class="gate" d="{GATE}"/></g>'
        f"{_sign(colour, (x, y), 22)}{_sign(colour, (u, v - 5), 10)}</g>"
    )


def _way(here: places.Spot, there: places.Spot, leave: float, stop: float) -> str:
    """Draw an arrow that leaves its beginning and stops before its end."""
    across, down = there[0] - here[0], there[1] - here[1]
    long = hypot(across, down) or 1.0
    x, y = across / long, down / long
    a, b = here[0] + leave * x, here[1] + leave * y
    c, d = there[0] - (stop + 1) * x, there[1] - (stop + 1) * y
    e, f, side = c - 7 * x, d - 7 * y, 4.5
    return (
        f'<path class="way" d="M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}'
        f"M{e - side * y:.1f} {f + side * x:.1f}L{c:.1f} {d:.1f}"
        f'L{e + side * y:.1f} {f - side * x:.1f}"/>'
    )


def _sign(colour: rules.Colour, where: places.Spot, size: float) -> str:
    x, y = where
    return (
        f'<path class="mark" d="{icons.SIGNS[colour]}"'
        f' transform="translate({x:.1f} {y:.1f}) scale({size})"/>'
    )


def _field(ring: places.Ring, index: int, drawn: Drawn, reader: viewer.Viewer) -> str:
    x, y = places.field_spot(index)
    colours = [LETTERS[letter] for letter in ring.ring[index]]
    key = ""
    if drawn.painted:
        label = escape(f"{index}: {kind_of(ring, index, reader)}")
        key = f' id="field-{index}" role="button" tabindex="0" aria-label="{label}"'
    if len(colours) == 1:
        inside = _sign(colours[0], (0, 0), 17)
        style = f"zone seat-{colours[0].name.lower()}"
    else:
        inside = "".join(map(_castle, colours, (-8.4, 8.4)))
        style = "castles"
    return (
        f'<g class="field {style}" data-field="{index}"{key} {_moved_to((x, y))}>'
        f'<circle r="{FIELD}"/>{inside}</g>'
    )


def _numbers(ring: places.Ring, colour: rules.Colour | None) -> Iterable[str]:
    """Number the fields inside the ring, as a colour counts them from where it joins."""
    if colour is None:
        return
    yield f'<g class="numbers seat-{colour.name.lower()}">'
    for index in range(rules.FIELDS):
        x, y = places.inwards(places.field_spot(index), NUMBERED)
        number = (index - ring.entries[colour]) % rules.FIELDS + 1
        yield f'<text x="{x:.1f}" y="{y:.1f}">{number}</text>'
    yield "</g>"


def _castle(colour: rules.Colour, across: float) -> str:
    return (
        f'<g class="seat-{colour.name.lower()}" transform="translate({across} 0)">'
        f'<path class="tower" d="{TOWER}{ROOF}"/>'
        f'<path class="crest" d="{icons.SIGNS[colour]}" transform="translate(0 3) scale(8)"/></g>'
    )


def kind_of(ring: places.Ring, index: int, reader: viewer.Viewer) -> str:
    colours = tuple(LETTERS[letter] for letter in ring.ring[index])
    if len(colours) == 1:
        return reader.say("protected field of {colour}", colour=colours[0])
    return reader.say("castle field of {colours:and}", colours=colours)


# --- what stands on it --------------------------------------------------------------------------


def _pawns(ring: places.Ring, drawn: Drawn) -> Iterable[str]:
    """Draw pawns, those on one spot fanned out, in an order that a move does not change."""
    shared: dict[places.Spot, list[rules.Pawn]] = {}
    for colour, camp in drawn.camps:
        for step in camp:
            shared.setdefault(places.spot(ring, colour, step), []).append(rules.Pawn(colour, step))
    numbers = dict.fromkeys(rules.Colour, 0)
    for where, pawns in shared.items():
        for pawn, (dx, dy) in zip(pawns, places.fan(len(pawns)), strict=True):
            small = len(pawns) >= places.CROWD
            yield _pawn(
                pawn,
                numbers[pawn.colour],
                (where[0] + dx, where[1] + dy),
                CROWDED if small else 1.0,
                (drawn.choosable or {}).get(pawn),
            )
            numbers[pawn.colour] += 1


def _pawn(
    pawn: rules.Pawn, number: int, where: places.Spot, size: float, chooses: str | None
) -> str:
    x, y = where
    colour = pawn.colour.name.lower()
    free = f' data-choose="{chooses}"' if chooses else ""
    reach = f'<circle class="reach" r="{REACH}"/>' if chooses else ""
    return (
        f'<g id="pawn-{colour}-{number}" class="pawn seat-{colour}{" free" if chooses else ""}"'
        f' data-pawn="{colour}" data-step="{pawn.step}"{free}'
        f' transform="translate({x:.1f} {y:.1f})"><g class="body">{reach}'
        f'<g transform="scale({size})">{icons.apprentice(pawn.colour)}</g></g></g>'
    )


def _trail(ring: places.Ring, moved: rules.Moved) -> str:
    return f'<g class="trail seat-{moved.seat.name.lower()}">{_path(ring, moved)}</g>'


def _mark(ring: places.Ring, mark: Mark, *kinds: type[Event]) -> str:
    """Draw one layer of a mark: where a pawn goes lies below the pawns, who goes home above."""
    hidden = "" if mark.shown else ' hidden=""'
    inside = "".join(_effect(ring, event) for event in mark.events if isinstance(event, kinds))
    if not inside:
        return ""
    return f'<g class="walk" data-for="{mark.chosen_by}"{hidden}>{inside}</g>'


def _effect(ring: places.Ring, event: Event) -> str:
    """Draw what an event would do: where a pawn ends, who goes home, who comes along."""
    match event:
        case rules.Moved(seat, _, end):
            x, y = places.spot(ring, seat, end)
            size = WALL + 6 if end == rules.CITY else FIELD + 4
            ring_ = f'<circle class="end" cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>'
            return f'<g class="seat-{seat.name.lower()}">{_path(ring, event)}{ring_}</g>'
        case rules.Banished(_, pawn, index):
            here, home = places.field_spot(index), places.spot(ring, pawn.colour, rules.START)
            cross = f'<path class="cross" d="M-13-13 13 13M-13 13 13-13" {_moved_to(here)}/>'
            way = _way(here, home, FIELD, HOME)
            return f'<g class="banished seat-{pawn.colour.name.lower()}">{way}{cross}</g>'
        case rules.TakenAlong(_, pawn, index, end):
            here, there = places.field_spot(index), places.spot(ring, pawn.colour, end)
            way = _way(here, there, FIELD + 3, FIELD)
            rings = f'<circle r="{FIELD + 1}" {_moved_to(here)}/><circle r="13" {_moved_to(here)}/>'
            return f'<g class="taken seat-{pawn.colour.name.lower()}">{rings}{way}</g>'
    return ""


def _moved_to(where: places.Spot) -> str:
    return f'transform="translate({where[0]:.1f} {where[1]:.1f})"'


def _path(ring: places.Ring, moved: rules.Moved) -> str:
    spots = [places.spot(ring, moved.seat, moved.start), *map(places.field_spot, moved.path)]
    if moved.end == rules.CITY:
        spots.append(places.spot(ring, moved.seat, rules.CITY))
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    return f'<path class="path" d="M{line}"/>'


ORDER_MS: Final = 2000  # in which people find their place in it


# --- how events look while they are told --------------------------------------------------------


def event_picture(
    event: Event, before: rules.View | None, settings: rules.Settings, _reader: Viewer
) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    ring = settings.board
    match event:
        case rules.MagicNumber():
            return EventPicture(AnimationKind.DICE, number=event.magic, dice=2)
        case rules.Shown(_, number):
            return EventPicture(
                AnimationKind.REVEAL,
                number=number,
                limit=before.magic if before is not None else None,
            )
        case rules.Order(seats):
            return EventPicture(least_ms=ORDER_MS, order=tuple(map(seat_word, seats)))
        case rules.Moved():
            return EventPicture(AnimationKind.MOVE, walks=(_piece_walk(ring, event),))
        case rules.Banished(_, pawn):
            back = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{rules.START}"),
                (places.spot(ring, pawn.colour, rules.START),),
            )
            return EventPicture(AnimationKind.BANISH, walks=(back,))
        case rules.TakenAlong(_, pawn, _, end):
            along = PieceMove(
                *(seat_word(pawn.colour), f"{pawn.step}", f"{end}"),
                (places.spot(ring, pawn.colour, end),),
            )
            return EventPicture(AnimationKind.MOVE, walks=(along,))
        case rules.Won(seat):
            return EventPicture(AnimationKind.WIN, order=(seat_word(seat),))
    return None


def _piece_walk(ring: places.Ring, moved: rules.Moved) -> PieceMove:
    """Return the way of a pawn, field by field, and into its city."""
    spots = [*map(places.field_spot, moved.path)]
    if moved.end == rules.CITY:
        spots.append(places.spot(ring, rules.Colour(moved.seat), rules.CITY))
    return PieceMove(seat_word(moved.seat), f"{moved.start}", f"{moved.end}", tuple(spots))


MOMENTS: Final = Animations(event_picture)
