"""The contract of a game's page, a part of its plugin: how it is offered, told, drawn and played.

Some things only some games have, such as a page on which pawns are put right; they are left out
where there is nothing to show. A template is named with the game before it: `<game>/table.html`
is the file `templates/table.html` of that game's package, and extends `table_live.html`.

What the headline asks people to tap bears `data-asked` in a template, or `data-asked="place"` if
only in that phase: it has to be seen whole, on any screen and without scrolling. Around it, with
`data-asked-in="place"`, nothing else counts in that phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from companion.core import TABLE, Action, Event, Seat, write, write_value
from companion.core.plugin import GAMES, PLUGINS
from companion.journal import Entry
from companion.present.viewer import Viewer
from companion.referee import commands, match
from companion.referee.snapshot import Snapshot
from companion.system.errors import CompanionError, RulesError
from companion.system.text import SeatName, Text, seat_word

if TYPE_CHECKING:  # `install` has Python alone, and nothing that draws
    from companion.present.icons import PawnPlace, State


@dataclass(frozen=True, slots=True)
class SeatLine:
    colour: str
    doing: str
    number: int | None = None  # what its barrel has shown
    fails: bool = False
    turn: bool = False  # everybody waits for it
    asked: bool = False
    yours: bool = False
    pawns: tuple[PawnPlace, ...] = ()
    state: State | None = None  # what `doing` is drawn as

    @property
    def home(self) -> int:
        """Return how many pawns have arrived."""
        return self.pawns.count("home")


def may_have_go_on(now: Snapshot, seat: str, reader: Viewer) -> bool:
    """Tell whether a phone may roll or draw for a seat: a bot that waits, anybody has go on."""
    bots = now.house.bots if now.house else ()
    plays_itself = seat in [seat_word(bot.seat) for bot in bots]
    return reader.may_act_for(seat) or (reader.acts and plays_itself)


def joining(now: Snapshot, reader: Viewer) -> list[SeatLine]:
    """Return the seats before a match, clockwise."""
    doing = reader.say("plays too")
    return [SeatLine(seat.colour, doing, yours=reader.seat == seat.colour) for seat in now.seats]


Parts = dict[str, Any]  # what a template is made of, by name


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A setting that people choose before they play."""

    name: str  # of its field in the game's settings
    said: Text
    values: tuple[tuple[object, Text], ...] = ()  # what can be chosen; nothing: yes or no


class Said(Protocol):
    """What a form says: one value by name, or all of that name."""

    def get(self, name: str, default: str) -> str:
        """Return the first value."""

    def getlist(self, name: str) -> list[str]:
        """Return every value."""


@dataclass(frozen=True, slots=True)
class CheckedForm:
    faults: tuple[str, ...]
    picture: str  # of the ring that is painted; empty: none is
    wish: commands.NewMatch | None
    going: bool  # a match is being played
    gives_up: bool
    match: str | None  # what is seen at the table
    version: int | None  # None: whatever that match has become
    differs: tuple[str, ...] = ()  # from the usual rules, in the reader's words


def checked_form(
    make: Callable[[], commands.NewMatch],
    now: Snapshot,
    reader: Viewer,
    *,
    picture: str = "",
    gives_up: bool = False,
) -> CheckedForm:
    """Return what is wrong with the choices, or the wish to play like that."""
    faults: tuple[str, ...] = ()
    wish: commands.NewMatch | None = None
    try:
        wish = make()
    except RulesError as bad:
        faults = tuple(reader.say(fault) for fault in bad.faults or (bad,))
    except CompanionError as fault:
        faults = (reader.say(fault),)
    going = now.match is not None and not now.over
    version = None if going else now.version  # what begins meanwhile is not given up unasked
    return CheckedForm(faults, picture, wish, going, gives_up, now.match, version)


@dataclass(frozen=True, slots=True)
class Form:
    """A set-up form of a game's own, where seats and options are not all that is chosen."""

    template: str
    parts: Callable[[Snapshot, Viewer], Parts]
    checked: Callable[[Snapshot, Said | None, Viewer], CheckedForm]  # None: nothing was changed yet


@dataclass(frozen=True, slots=True)
class CorrectionsPage:
    """A page on which people put right what the companion has wrong."""

    template: str
    parts: Callable[
        [Snapshot, Sequence[Entry], Viewer, Callable[[commands.CommandBody], bool]], Parts
    ]  # may wish


class GameTally(Protocol):
    """What is kept of a finished match to be counted together with others."""

    @property
    def rounds(self) -> int:
        """Return how long it took."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What all matches of a game came to together."""

    tally: Callable[[match.Match], GameTally]
    template: str
    parts: Callable[[Sequence[Any], Viewer], Parts]  # of tallies, the oldest first


@dataclass(frozen=True, slots=True)
class Story:
    """What a game tells of its past beyond what happened."""

    began: Callable[[Any, Viewer], Iterable[str]]  # by which settings
    amended: Callable[[Action, Action, Viewer], str | None]  # what was wrong, what is right
    left_out: Text | None = None  # says what a file of a match does not hold


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the manual says of a game: sections of its own, else it stands among other games."""

    template: str
    sections: tuple[tuple[str, Text], ...] = ()  # the id of each heading, and what it says
    parts: Callable[[Viewer], Parts] = lambda _: {}
    rules: str = ""  # a template that says in each `phase` what is to be done and why, behind "?"


@dataclass(frozen=True, slots=True)
class Box:
    """What a box says of a game on its outside; what is not known is not said."""

    age: int | None = None  # in years, the least
    minutes: int | None = None  # that a match takes
    fewest: int = 2  # players
    most: int | None = None  # players; otherwise as many as seats
    picture: Callable[[Viewer], str] | None = None  # as SVG; else the game's own, as it begins


@dataclass(frozen=True, slots=True)
class Page:
    """How one game is offered, told, drawn and played."""

    part: ClassVar[str] = "page"

    title: Text
    headline: Callable[[Snapshot, Viewer], str]  # what is to be done now, while it is played
    # What an action is, as a button names it, with its parts and what it would bring about.
    act: Callable[[type[Action], dict[str, Any], Viewer, Iterable[Event]], str]
    seats: Callable[[Snapshot, Viewer], list[SeatLine]]
    picture: Callable[[Any, Any, Iterable[Event], Viewer], str]  # of a view, its settings, events
    parts: Callable[[Snapshot, Viewer], Parts]  # what the template is made of
    template: str  # of all below the seats: the board, and what can be done
    wall: Callable[[Any, Any, Iterable[Event], Viewer], str] | None = (
        None  # else its picture, to be read from afar
    )
    progress: Callable[[Any, Any, Viewer], str] = lambda *_: ""  # beside it: such as the round
    styles: str = ""  # its style sheet, a file in the package
    box: Box = Box()
    about: Text | None = None  # in one sentence, for whoever chooses a game
    options: tuple[RuleOption, ...] = ()
    dice: Text | None = None  # asks who rolls or draws, if people may do that with their own things
    quiet: tuple[type[Event], ...] = ()  # needs no sentence of its own, because the page shows it
    form: Form | None = None
    right: CorrectionsPage | None = None
    statistics: Statistics | None = None
    story: Story | None = None
    chapter: Chapter | None = None


def page_of(game: str | None) -> Page | None:
    """Return the page of a game, also of one that brings none; None: it is not known here."""
    if game is None or game not in PLUGINS:
        return None
    return PLUGINS[game].part(Page) or _plain(game)


def title_of(game: str) -> Text:
    """Return what people call a game, also one that is not known here."""
    page = page_of(game)
    return _named(game) if page is None else page.title


def pages_of_games() -> Iterator[tuple[str, Page]]:
    """Go through the games and their pages, in the order in which people choose."""
    for game in PLUGINS:
        if (page := page_of(game)) is not None:
            yield game, page


def titles() -> dict[str, Text]:
    """Return what people call each game."""
    return {game: page.title for game, page in pages_of_games()}


# --- a game that brings no page: its choices are buttons in its notation --------------------------


def _named(game: str) -> Text:
    return Text(game.replace("-", " ").title())


@cache
def _plain(game: str) -> Page:
    return Page(
        title=_named(game),
        headline=_headline,
        act=lambda *_: "",
        seats=_seats,
        picture=lambda _view, _settings, _happened, _reader: "",
        parts=_parts,
        template="plain_game.html",
    )


def _headline(now: Snapshot, reader: Viewer) -> str:
    turns: tuple[Seat, ...] = now.view.turns
    if TABLE in turns:
        return reader.say("Roll or draw: the companion can do it for you.")
    return reader.say(
        "{seats:@{seats:and} {seats:#chooses|choose}|You choose}.",
        seats=tuple(map(SeatName, turns)),
    )


def points_of(view: Any, reader: Viewer) -> dict[str, str]:
    """Return in words how many points each seat has, in a game whose view has `scores`."""
    scores: Iterable[Any] = getattr(view, "scores", ())  # or whatever else it means
    return {
        seat_word(pair[0]): reader.say("{points} {points:#point|points}", points=pair[1])
        for pair in scores
        if isinstance(pair, tuple)
    }


def hand_of(view: Any) -> tuple[str, ...]:
    """Return what a seat holds, as actions write it, in a game whose view has a `hand`."""
    return tuple(map(write_value, getattr(view, "hand", ())))


def _seats(now: Snapshot, reader: Viewer) -> list[SeatLine]:
    points = points_of(now.view, reader)
    turns = [] if now.over else [seat_word(seat) for seat in now.view.turns if seat != TABLE]
    return [
        SeatLine(
            seat.colour,
            points.get(seat.colour, ""),
            turn=seat.colour in turns,
            yours=reader.seat == seat.colour,
        )
        for seat in now.seats
    ]


def _parts(now: Snapshot, reader: Viewer) -> Parts:
    turns = () if now.over else now.view.turns
    seats = [seat_word(seat) for seat in turns if seat != TABLE]
    hands = () if now.game is None else GAMES[now.game](now.settings).from_hand
    return {
        "round": getattr(now.view, "round", None),
        "hand": hand_of(now.seen_by(reader.seat)),
        "rolls": TABLE in turns and reader.acts,
        "choices": [
            write(action)
            for seat in seats
            if reader.may_act_for(seat)
            for action in now.seen_by(seat).choices
            if reader.seat == seat or not isinstance(action, hands)  # else all see it
        ],
    }
