"""The contract that every game keeps: what may be done, what it leads to, and who may know of it.

`Game` is the contract; `BaseGame` keeps the parts of it in which most games are alike. This module
must not know any one game, nor files, clocks, dice or screens. A game is an object that holds
the settings of one match; its states are immutable values, and every method is a pure function of
its arguments. Chance is an action like any other: the table (seat `TABLE`) performs it, and its
outcome is written in the log. So a game can be replayed from its actions alone.

    state = game.start()
    while game.outcome(state) is None:
        seat = game.turns(state)[0]              # several, where choices are made at once
        action = game.legal(state, seat)[0]      # chance: game.odds(state) weighs the outcomes
        print(action, *game.explain(state, action))  # for people and lights; apply does not need it
        state = game.apply(state, action)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from companion.system import codec, format_names, text
from companion.system.errors import Illegal, RulesError
from companion.system.text import filled_in_english

Seat = int
TABLE: Final = -1  # acts where nobody chooses: a roll, a flip, a number read aloud, a card drawn


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

    def __str__(self) -> str:
        """Return it as people type it, such as "place blue 7"; its repr if that cannot be said."""
        from companion.core.notation import write  # noqa: PLC0415 - the notation knows actions

        try:
            return write(self)
        except (AttributeError, LookupError, TypeError, ValueError):  # parts of a wrong type
            return repr(self)

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
        return self.sentence

    @property
    def values(self) -> dict[str, object]:
        return {part: getattr(self, part) for part in self.__dataclass_fields__}

    def __str__(self) -> str:
        """Return it in English; `companion.i18n.translate` knows every language."""
        sentence = filled_in_english(self.template, self.values)
        return sentence[:1].upper() + sentence[1:]


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

    def __init__(self, settings: Any = None) -> None:
        """Make a game by these settings, or by the usual ones."""

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
        """Return what is chosen from a hidden hand: only the seat itself may know its choices.

        Whether there are hands at all follows from what is sealed: `has_hands`.
        """

    def start(self) -> S:
        """Return the state before anything has been done."""

    def turns(self, state: S) -> tuple[Seat, ...]:
        """Return everybody who may act now, the table included; nobody once the game is over."""

    def asked(self, state: S) -> Seat | None:
        """Return who rolls or draws, where the table acts; None: anybody, or nobody has to."""

    def rivals(self, state: S) -> tuple[Seat, ...]:
        """Return between whom people settle what the table tells now, such as who was first."""

    def legal(self, state: S, seat: Seat) -> Sequence[Action]:
        """Return all that this seat may do now, without repetition, in a fixed order."""

    def odds(self, state: S) -> Sequence[int]:
        """Return the weights of what the table may do now, in the order of `legal`."""

    def apply(self, state: S, action: Action) -> S:
        """Return the state after a legal action; raise Illegal, with the reason, for another.

        `refusing` (codec.py) has it do so for what is not an action of the game at all.
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


@dataclass(frozen=True, slots=True)
class BaseView:
    """What every view has; a game derives its own from it, with all else that may be seen."""

    turns: tuple[Seat, ...]
    choices: tuple[Action, ...]

    @classmethod
    def of(cls, game: Game[S], state: S, viewer: Seat | None, **parts: Any) -> Self:
        """Return the view of a state; `parts` are what the game's own adds."""
        return cls(turns=game.turns(state), choices=choices(game, state, viewer), **parts)


class BaseGame(Generic[S]):
    """What most games have in common; a game derives from it and says the rest of `Game`.

    It still has to name itself, its `actions` and its `settings_type`, and to define `start`,
    `turns`, `legal`, `apply`, `explain`, `view` and `outcome`.
    """

    name: ClassVar[str]
    schema: ClassVar[int] = 1
    actions: ClassVar[tuple[type[Action], ...]]
    rulings: ClassVar[tuple[type[Ruling], ...]] = ()
    unasked: tuple[type[Action], ...] = ()
    from_hand: tuple[type[Action], ...] = ()
    settings_type: ClassVar[type[Any]]

    def __init__(self, settings: Any = None) -> None:
        self.settings = self.settings_type() if settings is None else settings
        self.seats: tuple[Seat, ...] = self.settings.seats

    def asked(self, state: S) -> Seat | None:  # noqa: ARG002 - the contract has it
        """Return that anybody may roll or draw."""
        return None

    def rivals(self, state: S) -> tuple[Seat, ...]:  # noqa: ARG002 - the contract has it
        """Return that whatever the table tells is chance."""
        return ()

    def odds(self, state: S) -> Sequence[int]:
        """Return that whatever chance does is as likely."""
        table: Any = self
        return (1,) * len(table.legal(state, TABLE))

    def rule(self, state: S, ruling: Ruling) -> S:  # noqa: ARG002 - the contract has it
        """Refuse: people decide nothing beside the rules."""
        raise Illegal("'{action}' is not an action of this game.", action=ruling)


def demand_seats(seats: tuple[Seat, ...], known: Sequence[Seat]) -> None:
    """Refuse settings with too few or too many seats, or not each of them once, clockwise."""
    if not 2 <= len(seats) <= len(known):
        raise RulesError(
            "A game takes 2 to {most} players, not {count}.", most=len(known), count=len(seats)
        )
    right = tuple(seat for seat in known if seat in seats)
    if right != seats or not all(type(seat) is type(known[0]) for seat in seats):
        raise RulesError(
            "Name each colour once, in clockwise order; write {right} instead of {seats}.",
            seats=seats,
            right=right,
        )


def after(game: Game[S], state: S, action: Action) -> S:
    """Return the state after an action or a ruling, whichever it is."""
    return game.rule(state, action) if isinstance(action, Ruling) else game.apply(state, action)


def choices(game: Game[S], state: S, viewer: Seat | None) -> tuple[Action, ...]:
    """Return what the viewer may choose from, as that viewer may know it: never a hidden fact."""
    if viewer is None or viewer not in game.turns(state):
        return ()
    seen = (action.seen_by(viewer, opened=False) for action in game.legal(state, viewer))
    return tuple(dict.fromkeys(seen))


def verb(kind: type[Any]) -> str:
    """Return the word that names a kind of action."""
    return format_names.format_name_of(kind).lower()


def is_blind(kind: type[Action]) -> bool:
    """Tell whether a seat chooses something that it does not know itself."""
    hidden = kind.sealed is not None and kind.sealed.known_to is None
    return hidden and any(part.name == "seat" for part in codec.parts(kind))


def seats_by_word(game: type[Game[Any]]) -> dict[str, Any]:
    """Return every seat that there is in a game, clockwise, by its word, such as "green"."""
    kind: Any = type(game().seats[0])
    return {word: seat for word, seat in codec.members(kind).items() if word in text.SEATS}


def has_hands(game: type[Game[Any]], settings: Any) -> bool:
    """Tell whether each seat knows of the game what others do not: what is sealed for it alone.

    Where people deal with cards of their own, the companion knows of no hands.
    """
    sealed = any(kind.sealed is not None and kind.sealed.known_to for kind in game.actions)
    return sealed and not getattr(settings, "by_hand", False)


def may_betray(actions: Iterable[type[Action]], kind: type[Action]) -> bool:
    """Tell whether actions of this kind name the like of what others hide: gaps betray hands.

    A card that cannot be turned up is in somebody's hand.
    """
    hidden = {
        part.kind
        for action in actions
        if action.sealed is not None
        for part in codec.parts(action)
        if part.name in action.sealed.hides
    }
    return any(part.kind in hidden for part in codec.parts(kind))
