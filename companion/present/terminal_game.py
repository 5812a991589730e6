"""The contract of a game in the terminal, a part of its plugin: pictures, choices, options.

A game whose plugin has none is played in its notation, with round, points and hand as text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from companion.core import Action, Event, Game, Seat, plugin, write
from companion.present.page import hand_of, points_of
from companion.present.terminal import TerminalScreen
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import Text, seat_word


@dataclass(frozen=True, slots=True)
class TerminalOffer:
    """Something that can be chosen."""

    text: str  # in the game's notation
    said: str
    group: str = ""  # what is chosen first, where there would be too many choices …
    within: str = ""  # … and then


@dataclass(frozen=True, slots=True)
class Switch:
    """An option of the command `play` that belongs to one game."""

    name: str  # as it is typed, behind two hyphens
    help: Text
    value: Text | None = None  # what stands behind it; None: nothing

    @property
    def key(self) -> str:
        """Return by which name its value is found."""
        return self.name.replace("-", "_")


class SavedGame(Protocol):
    def write(self, number: int, action: Action, *, last: bool) -> None:
        """Write the action with this number, the last of a round or not."""

    def cut(self, count: int) -> None:
        """Keep only this many actions."""


class TerminalMatch(Protocol):
    board: bool  # whether pictures are drawn
    notebook: SavedGame | None
    level: str  # of the companion's own players

    def spend(self) -> None:
        """Play it to its end."""


class Telling(Protocol):
    """A game that is told on a screen, action by action."""

    @property
    def screen(self) -> TerminalScreen:
        """Return where it is told."""

    def begin(self) -> None:
        """Say who plays what."""

    def step(self, before: Any, action: Action, after: Any) -> None:
        """Tell one action."""

    def stand(self, state: Any) -> None:
        """Show where all stand, after it went otherwise than told."""

    def rests(self, state: Any) -> bool:
        """Return whether whoever reads step by step is to pause here."""

    def end(self, state: Any) -> None:
        """Sum up."""

    def leave(self, state: Any, *, over: bool) -> None:
        """Say how a match of a journal ended; what it came to is summed up elsewhere."""


Picture = Callable[[TerminalScreen, Viewer, Any, Any], Iterable[str]]  # of settings and a view
Settings = Callable[[Any, Mapping[str, Any], Callable[[str], str]], Any]


@dataclass(frozen=True, slots=True)
class TerminalGame:
    """How one game looks in the terminal; a view is that of whoever reads."""

    part: ClassVar[str] = "look"

    picture: Picture
    headline: Callable[[Snapshot, Viewer], str]  # what is to be done now
    offers: Callable[[Snapshot, Viewer], Iterable[TerminalOffer]]
    hand: Callable[[Viewer, Any], Iterable[str]] = lambda _reader, _view: ()  # only theirs to see
    milestones: tuple[type[Event], ...] = ()  # after them whoever just watches is shown a picture
    quiet: tuple[type[Event], ...] = ()  # what needs no line of its own
    switches: tuple[Switch, ...] = ()
    settings: Settings | None = None  # of seats, switches by their keys, and what reads a file
    evening: Callable[[Any, TerminalScreen, int, Any], TerminalMatch] | None = (
        None  # a game, a seed, whose seats
    )
    telling: Callable[[Any, TerminalScreen, bool, Seat | None], Telling] | None = (
        None  # whose choices too
    )
    sums: Callable[[TerminalScreen, Any], None] | None = None  # shows what a match came to

    def drawn(
        self, screen: TerminalScreen, game: Game[Any], state: Any, seat: Seat | None
    ) -> Iterable[str]:
        """Return where all stand, as one seat may see it; None: as everybody may."""
        view, reader = game.view(state, seat), reader_of(screen, seat)
        return self.picture(screen, reader, game.settings, view)


def reader_of(screen: TerminalScreen, seat: Seat | None) -> Viewer:
    """Return a seat at the keyboard as the phones' words know it; None: somebody who watches."""
    return Viewer(screen.language, None if seat is None else seat_word(seat), screen.seating)


def look_of(game: str) -> TerminalGame:
    """Return how a game looks, also one that does not say."""
    return plugin.PLUGINS[game].part(TerminalGame) or PLAIN


def _headline(_now: Snapshot, reader: Viewer) -> str:
    return reader.say("Now {seat} chooses.", seat=reader.name(reader.seat))


def _offers(now: Snapshot, reader: Viewer) -> Iterator[TerminalOffer]:
    for action in now.seen_by(reader.seat).choices:
        yield TerminalOffer(write(action), write(action))


def _standing(_s: TerminalScreen, reader: Viewer, _settings: Any, view: Any) -> Iterator[str]:
    """Yield which round it is, and how many points each seat has."""
    if (round_ := getattr(view, "round", None)) is not None:
        yield reader.say("Round {round}", round=round_)
    for seat, points in points_of(view, reader).items():
        yield f"{reader.name(seat)}: {points}"


def _hand(reader: Viewer, view: Any) -> Iterator[str]:
    if hand := hand_of(view):
        yield f"{reader.say('Your hand')}: {' '.join(hand)}"


PLAIN: Final = TerminalGame(picture=_standing, headline=_headline, offers=_offers, hand=_hand)
