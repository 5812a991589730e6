"""The contract that every game keeps: what may be done, what it leads to, and who may know of it.

It must not know any one game, nor files, clocks, dice or screens. A game is an object that holds
the settings of one match; its states are immutable values, and every method is a pure function of
its arguments. Chance is an action like any other: the table (seat `TABLE`) performs it, and its
outcome is written in the log. So a game can be replayed from its actions alone.

    state = game.start()
    while game.outcome(state) is None:
        seat = game.turns(state)[0]              # several, where choices are made at once
        action = game.legal(state, seat)[0]      # chance: game.odds(state) weighs the outcomes
        print(game.explain(state, action))       # for people and lights; apply does not need it
        state = game.apply(state, action)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from string import Formatter
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from companion.format_names import format_name

Seat = int
TABLE: Final = -1  # acts where nobody chooses: a roll, a flip, a number read aloud, a card drawn


@format_name("SeatName")
class SeatName(IntEnum):
    """Where somebody can sit, clockwise. Each game names the seats that it has by these words."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3
    VIOLET = 4
    WHITE = 5

    @property
    def said(self) -> str:
        """Return the name in English."""
        return self.name.title()


SEATS: Final = tuple(place.name.lower() for place in SeatName)


def seat_word(seat: Seat) -> str:
    """Return the word that names a seat, the same in every game.

    >>> seat_word(2)
    'blue'
    """
    return SEATS[seat]


def word(value: object) -> str:
    """Return a value as a sentence shows it: enums by name, several things with commas."""
    if isinstance(value, Enum):
        return value.name.lower()
    if type(value) is tuple:
        return ", ".join(map(word, value))
    return str(value)


class Text:
    """A sentence or words of ours, also as a value in another sentence.

    The English template is the key of its translations; `values` fills the placeholders.

    >>> str(Text("pad of {seat}", seat=SeatName.RED))
    'pad of red'
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values

    def __eq__(self, other: object) -> bool:
        """Return whether it says the same."""
        if not isinstance(other, Text):
            return NotImplemented
        return (self.template, self.values) == (other.template, other.values)

    def __hash__(self) -> int:
        """Return the same number for what says the same."""
        return hash(self.template)

    def __str__(self) -> str:
        """Return it in English."""
        return self.template.format(**{k: word(v) for k, v in self.values.items()})


class _Plain(Formatter):
    """Fills a template for nobody in particular: what is said to a seat itself is left out.

    >>> _Plain().format("{seat:@{seat} has|you have} won, not {rest:and}.", seat="red", rest="b")
    'red has won, not b.'
    """

    def format_field(self, value: object, format_spec: str) -> str:
        """Return a value, or what others read of a seat."""
        return format_spec[1:].partition("|")[0] if format_spec.startswith("@") else str(value)


_PLAIN: Final = _Plain()


class RulesError(ValueError):
    """Something that the rules refuse; its text says what is wrong and what would be right.

    The English template is also the key of its translations; `values` fills the placeholders.
    """

    faults: tuple[RulesError, ...] = ()  # where several things are wrong: each of them

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Have it copied and pickled as it is, whatever its kind is made of."""
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        """Return the sentence in English; `companion.say` knows every language."""
        sentence = _PLAIN.format(self.template, **{k: word(v) for k, v in self.values.items()})
        return sentence[:1].upper() + sentence[1:]


class Unreadable(RulesError):
    """The input does not say anything in this game's notation."""


class Illegal(RulesError):
    """The input is clear, but the rules do not allow it now."""


class Ambiguous(RulesError):
    """The input fits several allowed actions."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What an action keeps secret in the log, from whom, and which later action opens it."""

    hides: tuple[str, ...]  # names of its fields; each becomes None where it is hidden
    opened_by: type[Action] | None  # None: never opened
    known_to: str | None = None  # name of its field that holds the one seat which knows before
    lost_by: tuple[type[Action], ...] = ()  # later actions whose `player` is its seat: never opened


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a seat or the table does; a game derives its own from it."""

    sealed: ClassVar[Sealed | None] = None
    seat: Seat = field(default=TABLE, init=False)  # a seat's own actions declare it again

    def hidden(self) -> Self:
        """Return the action as those see it who may not know its secret."""
        if self.sealed is None:
            return self
        nothing: dict[str, Any] = dict.fromkeys(self.sealed.hides)
        return replace(self, **nothing)

    def seen_by(self, viewer: Seat | None, *, opened: bool) -> Self:
        """Return what this viewer may know of the action; None is somebody without a seat."""
        if opened or self.sealed is None:
            return self
        if self.sealed.known_to and viewer == getattr(self, self.sealed.known_to):
            return self
        return self.hidden()


@dataclass(frozen=True, slots=True)
class Ruling(Action):
    """What the people decide beside the rules, such as a penalty; `legal` lists none of them."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, for people and lights; it says only what everybody may know.

    Its kind states the English sentence, which is the key of its translations; the event's own
    parts fill the placeholders. Where it depends on them which sentence it is, the kind states
    several and derives `template` again.
    """

    sentence: ClassVar[str]

    @property
    def template(self) -> str:
        """Return the sentence with its placeholders."""
        return self.sentence

    @property
    def values(self) -> dict[str, object]:
        """Return what fills them."""
        return {part: getattr(self, part) for part in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winners: tuple[Seat, ...]
    scores: tuple[tuple[Seat, int], ...]  # of every seat, clockwise


S = TypeVar("S")


class Game(Protocol[S]):
    """The settings of one match and the rules that move its states; `S` is the game's state.

    It may name as `unused` the kinds of action that never come up by its settings.
    """

    name: ClassVar[str]
    schema: ClassVar[int]  # rises when the meaning of settings, states or actions changes
    actions: ClassVar[tuple[type[Action], ...]]
    rulings: ClassVar[tuple[type[Ruling], ...]]
    settings_type: ClassVar[type[Any]]
    state_type: ClassVar[type[Any]]

    @property
    def settings(self) -> Any:
        """Return the frozen dataclass: `type(game)(settings)` is a game of the same rules.

        Its `seats` are who plays, clockwise, each once; all else has a default. If it has a
        `by_hand`, that says that people deal and draw with things of their own.
        """

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return who plays, clockwise."""

    @property
    def unasked(self) -> tuple[type[Action], ...]:
        """Return what the companion itself does as soon as it is due, because it deals."""

    @property
    def from_hand(self) -> tuple[type[Action], ...]:
        """Return what is chosen from a hidden hand: only the seat itself may know its choices."""

    def start(self) -> S:
        """Return the state before anything has been done."""

    def turns(self, state: S) -> tuple[Seat, ...]:
        """Return everybody who may act now, the table included; nobody once the game is over."""

    def asked(self, state: S) -> Seat | None:
        """Return who rolls or draws, where the table acts; None: anybody, or nobody has to."""

    def legal(self, state: S, seat: Seat) -> Sequence[Action]:
        """Return all that this seat may do now, without repetition, in a fixed order."""

    def odds(self, state: S) -> Sequence[int]:
        """Return the weights of what the table may do now, in the order of `legal`."""

    def apply(self, state: S, action: Action) -> S:
        """Return the state after a legal action; raise Illegal, with the reason, for another.

        `refusing` (packing.py) has it do so for what is not an action of the game at all.
        The reason may depend on hidden facts that the action names: show it only to whoever sent
        the action, and let nobody send what is hidden from them.
        """

    def rule(self, state: S, ruling: Ruling) -> S:
        """Return the state after what people decided; raise Illegal where it makes no sense."""

    def explain(self, state: S, action: Action, then: S | None = None) -> tuple[Event, ...]:
        """Return what a legal action or a ruling brings about, in the order of happening.

        `then` is the state that it leads to, from whoever knows it already.
        """

    def view(self, state: S, viewer: Seat | None) -> Any:
        """Return, as a frozen dataclass, the whitelist of what this viewer may know.

        Its `turns` are those of the state, its `choices` what the viewer may choose from. What
        every page, the television and a hall show is found by its name, if the game has it: the
        number of the `round`, the `phase` (an Enum), `scores` as pairs of a seat and its points,
        and the viewer's own `hand`, which only that seat's phone may show.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""


def after(game: Game[S], state: S, action: Action) -> S:
    """Return the state after an action or a ruling, whichever it is."""
    return game.rule(state, action) if isinstance(action, Ruling) else game.apply(state, action)


def choices(game: Game[S], state: S, viewer: Seat | None) -> tuple[Action, ...]:
    """Return what the viewer may choose from, as that viewer may know it: never a hidden fact."""
    if viewer is None or viewer not in game.turns(state):
        return ()
    seen = (action.seen_by(viewer, opened=False) for action in game.legal(state, viewer))
    return tuple(dict.fromkeys(seen))
