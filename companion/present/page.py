"""What a game brings along to be offered, told, drawn and played on pages: a part of its kit.

Some things only some games have, such as a page on which pawns are put right; they are left out
where there is nothing to show. Templates lie in the folder `templates` of the game's package and
are named after the game: `<game>/table.html`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from companion.core.game import Action, Event
from companion.core.kit import KITS
from companion.present.reader import Reader
from companion.present.set_up import Checked, Said
from companion.present.table_seats import SeatLine
from companion.referee.commands import Wish
from companion.referee.entry import Entry
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot
from companion.say import Text

Parts = dict[str, Any]  # what a template is made of, by name


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that people choose before they play."""

    name: str  # of its field in the game's settings
    said: Text
    values: tuple[tuple[object, Text], ...] = ()  # what can be chosen; nothing: yes or no


class Label(Protocol):
    """Says what an action is, as a button names it."""

    def __call__(
        self,
        kind: type[Action],
        given: dict[str, Any],
        reader: Reader,
        preview: Iterable[Event] = (),
        /,
    ) -> str:
        """Return it; `preview` is what the action would bring about, where that is known."""


@dataclass(frozen=True, slots=True)
class Form:
    """A set-up form of a game's own, where seats and options are not all that is chosen."""

    template: str
    parts: Callable[[Snapshot, Reader], Parts]
    checked: Callable[[Snapshot, Said | None, Reader], Checked]  # None: nothing was changed yet


@dataclass(frozen=True, slots=True)
class Right:
    """A page on which people put right what the companion has wrong."""

    template: str
    parts: Callable[[Snapshot, Sequence[Entry], Reader, Callable[[Wish], bool]], Parts]  # may wish


class Tally(Protocol):
    """What is kept of a finished match to be counted together with others."""

    @property
    def rounds(self) -> int:
        """Return how long it took."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What all matches of a game came to together."""

    tally: Callable[[Match], Tally]
    template: str
    parts: Callable[[Sequence[Any], Reader], Parts]  # of tallies, the oldest first


@dataclass(frozen=True, slots=True)
class Story:
    """What a game tells of its past beyond what happened."""

    began: Callable[[Any, Reader], Iterable[str]]  # by which settings
    amended: Callable[[Action, Action, Reader], str | None]  # what was wrong, what is right
    stands: Callable[[Any, Reader], str]  # of a view, beside its picture: such as the round
    left_out: Text | None = None  # says what a file of a match does not hold


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the manual says of a game: sections of its own, else it stands among other games."""

    template: str
    sections: tuple[tuple[str, Text], ...] = ()  # the id of each heading, and what it says
    parts: Callable[[Reader], Parts] = lambda _: {}


@dataclass(frozen=True, slots=True)
class Page:
    """How one game is offered, told, drawn and played."""

    part: ClassVar[str] = "page"

    title: Text
    headline: Callable[[Snapshot, Reader], str]  # what is to be done now, while it is played
    act: Label
    seats: Callable[[Snapshot, Reader], list[SeatLine]]
    picture: Callable[[Any, Any, Iterable[Event], Reader], str]  # of a view, its settings, events
    parts: Callable[[Snapshot, Reader], Parts]  # what the template is made of
    template: str  # of all below the seats: the board, and what can be done
    styles: str = ""  # its style sheet, a file in the package
    about: Text | None = None  # in one sentence, for whoever chooses a game
    options: tuple[Option, ...] = ()
    dice: Text | None = None  # asks who rolls or draws, if people may do that with their own things
    quiet: tuple[type[Event], ...] = ()  # needs no sentence of its own, because the page shows it
    form: Form | None = None
    right: Right | None = None
    statistics: Statistics | None = None
    story: Story | None = None
    chapter: Chapter | None = None


def page_of(game: str | None) -> Page | None:
    """Return the page of a game; None: it has none, or is not known here."""
    return KITS[game].part(Page) if game is not None and game in KITS else None


def title_of(game: str) -> Text:
    """Return what people call a game, also one without a page."""
    page = page_of(game)
    return Text(game.replace("-", " ").title()) if page is None else page.title


def pages() -> Iterator[tuple[str, Page]]:
    """Go through the games that have pages, in the order in which people choose."""
    for game, kit in KITS.items():
        if (page := kit.part(Page)) is not None:
            yield game, page


def titles() -> dict[str, Text]:
    """Return what people call each game."""
    return {game: page.title for game, page in pages()}
