"""What a seat can choose by its button alone: one thing after another, and confirm.

It must not know pins, lights or time, nor offer what is chosen from a hidden hand: everybody sees
what a button brings up. While anything is sealed, it does not tell what an action would bring
about. The last option is always to take back; anybody may rule on an open foul.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.declarations import may_betray
from companion.core.game import TABLE, Action, Seat
from companion.core.kit import KITS
from companion.core.notation import write
from companion.core.packing import pack
from companion.referee.commands import (
    Accept,
    Act,
    ChooseAnew,
    Decline,
    NewMatch,
    RollForUs,
    Rule,
    TakeBack,
)
from companion.referee.match import Match
from companion.referee.own_moves import by_hand, rolls
from companion.referee.proposals import Proposal
from companion.referee.snapshot import Option
from companion.text import SEATS

TOLD: Final = 12  # how many outcomes of chance a button can step through


@dataclass(frozen=True, slots=True)
class Offers:
    """What a game wants a seat's button to offer, where that is not simply all that is allowed."""

    part: ClassVar[str] = "offers"

    of: Callable[[Match, str], Sequence[Option] | None]  # None: all that is allowed


def proposed(proposal: Proposal | None) -> tuple[Option, ...]:
    """Return what any seat's button offers about a hall's proposal: that comes before all else."""
    if proposal is None or not proposal.open:
        return ()
    return Option(Accept(proposal.request)), Option(Decline(proposal.request))


def options(match: Match, colour: str, proposal: Proposal | None = None) -> tuple[Option, ...]:
    """Return what this seat's button offers, in the order in which it brings it up."""
    between = proposed(proposal) if match.over else ()  # never while a match is played
    found = [*between, *_own(match, colour), *_rulings(match)]
    if match.undo_to() is not None:
        found.append(Option(TakeBack()))
    return tuple(found)


def _own(match: Match, colour: str) -> Sequence[Option]:
    """Return what the game itself wants of this seat now."""
    if match.over:
        again = NewMatch(match.game.name, pack(match.game.settings), match.house)
        return (Option(again), Option(ChooseAnew()))
    offers = KITS[match.game.name].part(Offers)
    found = None if offers is None else offers.of(match, colour)
    return _open(match, SEATS.index(colour)) if found is None else found


def _open(match: Match, seat: Seat) -> list[Option]:
    """Return all that a seat may do, as far as it needs no hand."""
    game, turns = match.game, match.game.turns(match.state)
    found = list[Option]()
    if TABLE in turns:
        found += [] if by_hand(game) else [Option(RollForUs())]
        found += [Option(Act(write(action))) for action in _told(match)]
    if seat in turns:
        legal = game.legal(match.state, seat)
        found += [
            previewed(match, action) for action in legal if type(action) not in game.from_hand
        ]
    return found


def _told(match: Match) -> Sequence[Action]:
    """Return what people can say that chance has done, unless a gap in the list betrayed hands."""
    game, state = match.game, match.state
    legal = game.legal(state, TABLE)
    if rolls(match.house, game, state) or len(legal) > TOLD:
        return ()
    hidden = match.log.sealed and may_betray(game.actions, type(legal[0]))
    return () if hidden and not by_hand(game) else legal


def previewed(match: Match, action: Action) -> Option:
    """Return the option to do something, with what that would bring about if nothing is sealed."""
    preview = () if match.log.sealed else match.game.explain(match.state, action)
    return Option(Act(write(action)), preview)


def _rulings(match: Match) -> list[Option]:
    open_fouls = [foul for foul in match.fouls if foul.upheld is None]
    newest = [foul.raised.foul for foul in open_fouls if foul.raised.weight == "foul"][-1:]
    return [Option(Rule(foul, upheld)) for foul in newest for upheld in (False, True)]
