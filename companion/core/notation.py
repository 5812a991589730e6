"""The notation of actions: a line of text that people can read and type, in every game.

An action is its name and its fields in order, lists last and by name: `move green 18 take
red:8,green:21`. One may leave out what the rules leave no choice about.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any, TypeVar

from companion.core.game import TABLE, Action, Game, Ruling, Seat, may_betray, verb
from companion.system import codec, errors

S = TypeVar("S")
Parsed = tuple[type[Action], dict[str, Any]]  # a kind of action, and its fields that are given
SHOWN = 6  # this many choices an error spells out
DIGITS = 6  # no number in a game is longer


def write(action: Action) -> str:
    """Return the one text of an action, such as "place blue" or "place blue 7"."""
    words = [verb(type(action))]
    for part in codec.parts(type(action)):
        value = getattr(action, part.name)
        if part.listed:
            if value != part.default:
                words += [part.name, ",".join(_write(part, item) for item in value) or "none"]
        elif value is not None:
            words.append(_write(part, value))
    return " ".join(words)


def write_value(value: Any) -> str:
    """Return a value, such as a card of a hand, as it is written in an action.

    >>> write_value(7), write_value((2, 11))
    ('7', '2:11')
    """
    if isinstance(value, Enum):
        return value.name.lower()
    return ":".join(map(write_value, value)) if isinstance(value, tuple) else str(value)


def read(game: Game[S], state: S, text: str, viewer: Seat | None = None) -> Action:
    """Return the legal action that a text means now, or raise what is wrong with it.

    An error lists what `viewer` may choose from; for None, what any seat may but from its hand,
    with sealed parts left out.
    """
    return find(game, state, text, parse(game, text), viewer)


def find(game: Game[S], state: S, text: str, parsed: Parsed, viewer: Seat | None = None) -> Action:
    """Return what `read` does, of a text that was parsed already."""
    kind, given = parsed
    if issubclass(kind, Ruling):
        return _ruling(game, state, kind, given, text)
    legal = [action for seat in game.turns(state) for action in game.legal(state, seat)]
    exact = None
    if all(part.name in given for part in codec.parts(kind) if part.needed):
        exact = kind(**given)
        if exact in legal:
            return exact
    fitting = _known(
        game,
        (
            action
            for action in legal
            if type(action) is kind and all(getattr(action, k) == v for k, v in given.items())
        ),
        viewer,
    )
    if len(fitting) == 1 and fitting[0] in legal:
        return fitting[0]
    if len(fitting) > 1:
        raise errors.Ambiguous(
            "'{text}' can mean {count} different actions; write one of {choices}.",
            text=text.strip(),
            count=len(fitting),
            choices=_some(game, fitting),
        )
    if exact is not None:
        game.apply(state, exact)  # raises the reason
    if not (choices := _some(game, _known(game, legal, viewer))):
        raise errors.Illegal("'{text}' is not possible now.", text=text.strip())
    raise errors.Illegal(
        "'{text}' is not possible now; write one of {choices}.", text=text.strip(), choices=choices
    )


def _ruling(
    game: Game[S], state: S, kind: type[Ruling], given: dict[str, Any], text: str
) -> Ruling:
    missing = [part.name for part in codec.parts(kind) if part.needed and part.name not in given]
    if missing:
        raise errors.Unreadable(
            "'{text}' lacks {parts}; the pattern is '{usage}'.",
            text=_short(text),
            parts=tuple(missing),
            usage=usage(kind),
        )
    ruling = kind(**given)
    game.rule(state, ruling)  # raises the reason
    return ruling


def parse(game: Game[Any], text: str) -> Parsed:
    """Return the kind of action that a text names, and those of its fields that it gives."""
    verbs = {verb(kind): kind for kind in (*game.actions, *game.rulings)}
    words = text.lower().split()
    if not words or words[0] not in verbs:
        unused: tuple[type[Action], ...] = getattr(game, "unused", ())
        raise errors.Unreadable(
            "'{text}' is not an action; begin with one of {verbs}.",
            text=_short(text),
            verbs=tuple(name for name, kind in verbs.items() if kind not in unused),
        )
    kind, rest = verbs[words[0]], words[1:]
    lists = {part.name: part for part in codec.parts(kind) if part.listed}
    given: dict[str, Any] = {}
    for part in codec.parts(kind):
        if not part.listed and rest and rest[0] not in lists:
            given[part.name] = _read(part, rest.pop(0), kind)
    while rest:
        name = rest.pop(0)
        if name not in lists or name in given or not rest:
            raise errors.Unreadable(
                "'{word}' does not fit at its place in '{text}'; the pattern is '{usage}'.",
                word=_short(name),
                text=_short(text),
                usage=usage(kind),
            )
        items = rest.pop(0)
        words = [] if items == "none" else items.split(",")
        given[name] = tuple(_read(lists[name], item, kind) for item in words)
    return kind, given


def usage(kind: type[Action]) -> str:
    """Return the pattern of an action's text, such as "move SEAT STEP [take LIST]"."""
    words = [verb(kind)]
    for part in codec.parts(kind):
        pattern = f"{part.name} LIST" if part.listed else part.name.upper()
        words.append(pattern if part.needed else f"[{pattern}]")
    return " ".join(words)


def _write(part: codec.RecordField, value: Any) -> str:
    if value in part.names:
        return part.names[value]
    if codec.is_enum(part.kind):
        return str(value.name.lower())
    if codec.is_named_tuple(part.kind):
        return ":".join(_write(p, getattr(value, p.name)) for p in codec.parts(part.kind))
    return str(value)


def _read(part: codec.RecordField, text: str, action: type[Action]) -> Any:
    """Return the value that one word means."""
    words = {word: value for value, word in part.names.items()}
    if codec.is_enum(part.kind):
        words = codec.members(part.kind)
    if text in words:
        return words[text]
    if codec.is_named_tuple(part.kind):
        pieces, inner = text.split(":"), codec.parts(part.kind)
        if len(pieces) == len(inner):
            read = (_read(p, piece, action) for p, piece in zip(inner, pieces, strict=True))
            return part.kind(*read)
    elif part.kind is int and text.isascii() and text.isdecimal() and len(text) <= DIGITS:
        return int(text)
    raise errors.Unreadable(
        "'{word}' cannot be the {field} of '{verb}'; the pattern is '{usage}'.",
        word=_short(text),
        field=part.name,
        verb=verb(action),
        usage=usage(action),
    )


def _known(game: Game[Any], actions: Iterable[Action], viewer: Seat | None) -> list[Action]:
    """Return what may be told of actions to whoever asks: an error must not open what is sealed."""
    open_to_viewer = (
        action
        for action in actions
        if action.seat in {viewer, TABLE} or (viewer is None and type(action) not in game.from_hand)
    )
    return list(
        dict.fromkeys(
            # what the table could do names what nobody has seen yet, even to whom it would belong
            action.hidden() if action.seat == TABLE else action.seen_by(viewer, opened=False)
            for action in open_to_viewer
        )
    )


def _some(game: Game[Any], actions: list[Action]) -> str:
    shown = [*dict.fromkeys(_shown(game, action) for action in actions)]
    return ", ".join(shown[:SHOWN]) + (", …" if len(shown) > SHOWN else "")


def _shown(game: Game[Any], action: Action) -> str:
    """Return what can be written; what is drawn from among hidden things only as a pattern.

    Which cards can be turned up is told by those that cannot: they are in somebody's hand.
    """
    kind = type(action)
    drawn = action.seat == TABLE and may_betray(game.actions, kind)
    hidden = kind.sealed is None and (kind in game.unasked or drawn)
    return f"'{usage(kind) if hidden else write(action)}'"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN * 10 else line[: SHOWN * 10] + "…"
