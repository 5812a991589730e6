"""Draws the board of Trap the Wizard as SVG, what a move would do, and how its events look.

Colours and motion stand in game_trap_the_wizard.css. What belongs to a choice bears the id of the
input that chooses it, and is seen while that is checked.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from markupsafe import Markup, escape

from companion.core.game import Event
from companion.games.trap_the_wizard import moves, pieces, places, rules
from companion.present import animations, viewer
from companion.present.viewer import Viewer
from companion.system.text import seat_word

HIDDEN = ' hidden=""'
CELL_AT, CELL_STEP, CELL_ROW = 22.0, 13.0, 5  # those who were brought home, this many in a row


@dataclass(frozen=True, slots=True)
class Drawn:
    view: rules.View
    happened: tuple[Event, ...] = ()  # where the last ones came from
    choices: tuple[moves.Choice, ...] = ()  # what can be tapped
    rolls: str = ""  # the id of the key that rolls, if the die on the board does so, too


def board_svg(board: rules.Board, drawn: Drawn, reader: Viewer) -> Markup:
    plan = places.layout(board)
    everybody = tuple(places.standing(plan, drawn.view))
    label = escape(reader.say("The board with all wizards; a list below says where each stands."))
    parts = [
        f'<svg class="trap" viewBox="0 0 {places.WIDTH} {places.HEIGHT}" role="img"',
        f' aria-label="{label}">',
        '<rect class="meadow" x="2" y="14" width="396" height="396" rx="76"/>',
        *(_way(plan, path) for path in board.paths),
        *(_home(plan, board, robe, drawn.view) for robe in rules.PLAYERS),
        *(_field(plan, board, number) for number in range(len(plan.fields))),
        *(_trail(plan, event) for event in drawn.happened if isinstance(event, moves.Walk)),
        *(_walk(plan, way) for choice in drawn.choices for way in choice.ways),
        _numbers(plan),
        *places.hats(everybody, drawn.choices),
        *_die(plan, drawn),
        *_all_ends(plan, drawn.choices, everybody),
        "</svg>",
    ]
    return Markup("").join(Markup(part) for part in parts)  # noqa: S704 - escaped where it is made


# --- what is painted on it ----------------------------------------------------------------------


def _way(plan: places.Layout, path: Sequence[int]) -> str:
    return f'<path class="road" d="{_line(plan.fields[field] for field in path)}"/>'


def _line(spots: Iterable[places.Spot]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)


def _home(plan: places.Layout, board: rules.Board, robe: rules.Robe, view: rules.View) -> str:
    """Draw a start with three places, and those that were brought there."""
    (x, y), door = plan.homes[robe], plan.fields[board.homes[robe]]
    size, playing = plan.room / places.HAT_ROOM, robe in dict(view.wizards)
    slots = "".join(f'<circle class="slot" cx="{a}" cy="{b + 3}" r="14"/>' for a, b in places.SLOTS)
    taken = dict(view.taken).get(robe, ())
    cell = "".join(
        f'<g class="hat {pieces.style(captive)}" transform="translate({a:.1f} {b:.1f}) scale(.5)">'
        f"{pieces.hat(captive)}</g>"
        for captive, (a, b) in zip(taken, _cell(len(taken)), strict=True)
    )
    return (
        f'<g class="tent {pieces.style(robe)}{"" if playing else " empty"}">'
        f'<path class="lane" d="{_line((door, (x, y)))}"/>'
        f'<g transform="translate({x:.1f} {y:.1f}) scale({size:.2f})">'
        f'<circle class="wall" r="{places.HAT_ROOM:g}"/>'
        f"{pieces.sign(robe, (0, 26), 34)}{slots}{cell}</g></g>"
    )


def _cell(count: int) -> Iterator[places.Spot]:
    """Yield where each of so many captives stands in a home."""
    for number in range(count):
        row, place = divmod(number, CELL_ROW)
        beside = min(CELL_ROW, count - row * CELL_ROW)
        yield (place - (beside - 1) / 2) * CELL_STEP, CELL_AT + 12 * row


def _field(plan: places.Layout, board: rules.Board, number: int) -> str:
    (x, y), kind, inside = plan.fields[number], "", ""
    if number in board.special:
        kind = " special"
        inside = (
            f'<path class="star" d="{pieces.STAR}" transform="scale({plan.radius * 0.8:.1f})"/>'
        )
    if number == board.joker:
        kind += " throne"
        inside += f'<circle class="ring" r="{plan.radius - 3:.1f}"/>'
    if number in board.homes:
        kind += f" door {pieces.style(rules.PLAYERS[board.homes.index(number)])}"
        inside += f'<circle class="ring" r="{plan.radius - 3:.1f}"/>'
    return (
        f'<g class="place{kind}" data-field="{number}" transform="translate({x:.1f} {y:.1f})">'
        f'<circle class="step" r="{plan.radius:.1f}"/>{inside}</g>'
    )


def _numbers(plan: places.Layout) -> str:
    """Draw every field's number, as sentences name it."""
    size = max(6.0, plan.radius * 0.95)
    texts = "".join(
        f'<text x="{x:.1f}" y="{y:.1f}">{number}</text>'
        for number, (x, y) in enumerate(plan.fields)
    )
    return f'<g class="numbers" font-size="{size:.1f}">{texts}</g>'


# --- what was, is and would be ------------------------------------------------------------------


def _trail(plan: places.Layout, walk: moves.Walk) -> str:
    return f'<g class="was {pieces.style(walk.seat)}">{_path(plan, walk)}</g>'


def _path(plan: places.Layout, walk: moves.Walk) -> str:
    first = rules.START if isinstance(walk, rules.WizardSetOut) else walk.start
    last = (rules.START,) if isinstance(walk, rules.WizardReturned) else ()
    places = (first, *walk.path, *last)
    return f'<path class="track" d="{_line(plan.spot(walk.seat, place) for place in places)}"/>'


def _walk(plan: places.Layout, way: moves.Way) -> str:
    hidden = "" if way.chosen else HIDDEN
    style = pieces.style(way.walk.seat)
    return f'<g class="would {style}" data-for="{way.id}"{hidden}>{_path(plan, way.walk)}</g>'


def _all_ends(
    plan: places.Layout, choices: Sequence[moves.Choice], everybody: tuple[places.Standing, ...]
) -> Iterator[str]:
    """Draw where wizards can end, to be tapped; a cage where one captures somebody.

    As long as no wizard is chosen, all of it is seen: whoever taps there has chosen the wizard,
    too. Which one, where several end, and to share a field, is chosen below the board.
    """
    spots = {way.id: plan.spot(way.walk.seat, way.end) for choice in choices for way in choice.ways}
    mine = {choice.wizard for choice in choices}
    beside = [
        *spots.values(),
        *(standing.spot for standing in everybody if standing.wizard in mine),
    ]
    waits = not any(choice.chosen for choice in choices)
    for choice in choices:
        hidden = "" if choice.chosen or waits else HIDDEN
        inside = "".join(
            _end(plan, choice, way, places.reach(spots[way.id], beside))
            for way in choice.ways
            if not way.shares
        )
        yield f'<g class="ends" data-for="{choice.id}" data-until="wizard"{hidden}>{inside}</g>'


def _end(plan: places.Layout, choice: moves.Choice, way: moves.Way, finger: float) -> str:
    spot = plan.spot(way.walk.seat, way.end)
    hidden = "" if way.leads else f' data-for="{choice.id}"{"" if choice.chosen else HIDDEN}'
    home = way.end == rules.START
    size = plan.room + 4 if home else plan.radius + 2.5
    cage = ""
    if way.captures:
        cage = f'<g transform="scale({plan.radius / places.USUAL:.2f})">{pieces.cage()}</g>'
    return (
        f'<g class="goal{" chosen" if way.chosen else ""}" data-choose="{way.id}"'
        f' data-end="{"start" if home else way.end}"{hidden}'
        f' transform="translate({spot[0]:.1f} {spot[1]:.1f})">'
        f'<circle class="rim" r="{size:.1f}"/>{cage}'
        f'<circle class="reach" r="{size if home else finger:.1f}"/></g>'
    )


def _die(plan: places.Layout, drawn: Drawn) -> Iterator[str]:
    """Draw the die before the home of whose turn it is; a question mark, if it is to be rolled."""
    view = drawn.view
    if view.phase not in (rules.Phase.ROLL, rules.Phase.MOVE):
        return
    (x, y), size = plan.homes[view.player], plan.room / places.HAT_ROOM
    long = hypot(places.MIDDLE[0] - x, places.MIDDLE[1] - y) or 1.0
    away = (plan.room + 22 * size) / long
    x, y = x + away * (places.MIDDLE[0] - x), y + away * (places.MIDDLE[1] - y)
    taps = f' data-choose="{drawn.rolls}"' if drawn.rolls else ""
    inside = pieces.die(view.points)
    yield (
        f'<g class="die {pieces.style(view.player)}{" free" if taps else ""}"{taps}'
        f' transform="translate({x:.1f} {y:.1f}) scale({13 * size:.1f})">'
        f'{inside}<circle class="reach" r="1.8"/></g>'
    )


# --- how events look while they are told --------------------------------------------------------


def event_picture(
    event: Event, _before: Any, settings: rules.Settings, _reader: viewer.Viewer
) -> animations.EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.DieCast(_, number):
            return animations.EventPicture(animations.AnimationKind.DICE, number=number)
        case rules.WizardSetOut(seat, end, path):
            return _piece_walk(settings, seat, rules.START, end, path)
        case rules.WizardWalked(seat, start, end, path):
            return _piece_walk(settings, seat, start, end, path)
        case rules.WizardReturned(seat, start, path):
            return _piece_walk(settings, seat, start, rules.START, (*path, rules.START))
        case rules.WizardCaptured(_, victim, field):
            return animations.EventPicture(
                animations.AnimationKind.BANISH, walks=(_under(settings, victim, field),)
            )
        case rules.JokerCaptured(_, field):
            return animations.EventPicture(
                animations.AnimationKind.BANISH, walks=(_under(settings, rules.Robe.JOKER, field),)
            )
        case rules.CaptivesBroughtHome() | rules.TrapShut():
            return animations.EventPicture(animations.AnimationKind.TRICK)
        case rules.TrapWon(seats):
            return animations.EventPicture(
                animations.AnimationKind.WIN, order=tuple(map(seat_word, seats))
            )
    return None


def _piece_walk(
    settings: rules.Settings, seat: rules.Robe, start: int, end: int, path: tuple[int, ...]
) -> animations.EventPicture:
    plan = places.layout(settings.board)
    spots = tuple(plan.spot(seat, place) for place in path)
    walk = animations.PieceMove(seat_word(seat), f"{start}", f"{end}", spots)
    return animations.EventPicture(animations.AnimationKind.MOVE, walks=(walk,))


def _under(settings: rules.Settings, robe: rules.Robe, field: int) -> animations.PieceMove:
    """Return that a hat vanishes under another, where it stands."""
    return animations.PieceMove(
        robe.name.lower(), f"{field}", "", (places.layout(settings.board).fields[field],)
    )


MOMENTS: Final = animations.Animations(event_picture)
