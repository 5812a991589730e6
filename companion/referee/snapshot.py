"""The public snapshot of the table at one moment, for lights, phones and screens.

It must not hold which stopper stands where, a barrel's load, or anything that is still sealed; but
for `seen`, where each seat has its own hand, everybody may know all of it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from companion.core.game import Action, Event, Outcome
from companion.referee import commands, events
from companion.referee.claims import Claim, DisputeRecord
from companion.referee.match import Foul
from companion.system import format_names, status, text

PARTS: Final = frozenset(("buttons", "pads", "lights", "buzzer"))


@dataclass(frozen=True, slots=True)
class ButtonOption:
    """Something that a seat can choose by its button, and what it would bring about."""

    wish: commands.CommandBody
    preview: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatView:
    colour: str
    asked: bool = False  # nobody knows for sure which barrel stands there
    offers: tuple[ButtonOption, ...] = ()  # what its button can bring up, one after another
    lit: int | None = None  # which of them it has brought up, to be confirmed by a long press


@dataclass(frozen=True, slots=True)
class RecentAction:
    """An action as everybody knows it, and what everybody saw before and after it."""

    before: Any
    action: Action
    after: Any


What = Event | Foul | Outcome | text.Text  # what happened; a text says it of the match itself


@dataclass(frozen=True, slots=True, eq=False)  # each is itself: what is made of it is kept
class TableEvent:
    """Something that happened, and with which version of the table people can know of it."""

    version: int
    number: int  # among what came with it
    what: What
    game: str | None
    settings: Any
    before: Any = None  # how everybody saw the game before; None: no match was played
    corrects: bool = False  # what happened before it is taken back, or put right


class ProposalVerdict(Enum):
    OPEN = "open"  # nobody has decided
    ACCEPTED = "accepted"
    REFUSED = "refused"  # also where people began another match


@dataclass(frozen=True, slots=True)
class Proposal:
    """The next match as somebody elsewhere proposes it; the people at the table decide."""

    request: str
    by: str
    match: commands.NewMatch
    names: tuple[tuple[str, str], ...] = ()  # by seat
    verdict: ProposalVerdict = ProposalVerdict.OPEN

    @property
    def open(self) -> bool:
        return self.verdict is ProposalVerdict.OPEN


@format_names.record("propose")
class ProposeMatch(commands.CommandBody):
    """Have people asked whether they want to play that.

    No phone can wish for it: only a hall that has the table's key gets this far.
    """

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment: what everybody may know, and what each seat sees; never changed."""

    version: int  # the number of the newest event; -1: no match has begun
    match: str | None = None  # its id
    game: str | None = None
    view: Any = None  # game.view for somebody without a seat; None: no match
    seen: tuple[tuple[str, Any], ...] = ()  # what each seat sees: only for phones of that seat
    settings: Any = None  # what the table agreed on
    house: events.HouseRules | None = None
    seats: tuple[SeatView, ...] = ()
    fouls: tuple[Foul, ...] = ()
    costly: tuple[int, ...] = ()  # the numbers of those that may cost something and are still open
    may_pay: tuple[str, ...] = ()  # seats that one of these may hit
    held: bool = False  # whether play goes on only once the table has ruled on these
    claims: tuple[Claim, ...] = ()  # that are asked back…
    insisted: tuple[DisputeRecord, ...] = ()  # …and those that people stood by
    unflipped: tuple[str, ...] = ()  # seats whose barrel, as its sensor says, is still upright
    happened: tuple[Event, ...] = ()  # by the newest action…
    acted: int = -1  # …which was done by the event of this number
    lately: tuple[RecentAction, ...] = ()  # the newest actions, the oldest first; of practice alone
    acted_us: int | None = None  # when; None: before this companion was started
    dropped: int = 0  # actions that an amendment made impossible
    can_undo: bool = False
    undoes: tuple[Event, ...] = ()  # what taking back would undo, if it is an action…
    unrules: Foul | None = None  # …or if it is a ruling
    over: bool = False
    outcome: Outcome | None = None  # once it is won
    summary: Any = None  # once it is over, as its game sums it up: nothing is sealed then
    troubles: tuple[status.Condition, ...] = ()  # parts of the table that do not work now
    warned_us: int | None = None  # when somebody was last seen doing what is forbidden
    joining: tuple[str, ...] = ()  # seats that want to play the next match…
    begins: commands.CommandBody | None = None  # …which is this, if they are enough
    proposal: Proposal | None = None  # what a hall proposes that they play next
    parts: frozenset[str] = PARTS  # what the table has; without any, phones do all of it
    at_us: int = 0  # when this was published, on the clock that never goes back

    def seen_by(self, seat: str | None) -> Any:
        """Return what a seat sees; for None, what everybody does."""
        return next((view for word, view in self.seen if word == seat), self.view)
