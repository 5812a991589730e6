"""Button options: what a seat can choose by its button alone, one after another, and confirm.

It must not know pins, lights or time, nor offer what is chosen from a hidden hand: everybody sees
what a button brings up. While anything is sealed, it does not tell what an action would bring
about. The last option is always to take back; anybody may rule on an open foul.
"""

from collections.abc import Sequence
from typing import Final

from companion.core import TABLE, Action, Seat, pack, write
from companion.core.game import may_betray
from companion.referee import automation, commands, handlers
from companion.referee.barrel_game import barrel_game
from companion.referee.match import Match
from companion.referee.snapshot import ButtonOption, Proposal
from companion.sensing.observations import ButtonPressed

TOLD: Final = 12  # how many outcomes of chance a button can step through


def proposal_options(proposal: Proposal | None) -> tuple[ButtonOption, ...]:
    """Return what any seat's button offers about a hall's proposal: that comes before all else."""
    if proposal is None or not proposal.open:
        return ()
    return ButtonOption(commands.Accept(proposal.request)), ButtonOption(
        commands.Decline(proposal.request)
    )


def options(
    match: Match, colour: str, proposal: Proposal | None = None
) -> tuple[ButtonOption, ...]:
    """Return what this seat's button offers, in the order in which it brings it up."""
    between = proposal_options(proposal) if match.over else ()  # never while a match is played
    offered = [*between, *_own(match, colour), *_rulings(match)]
    if match.undo_to() is not None:
        offered.append(ButtonOption(commands.Undo()))
    return tuple(offered)


def _own(match: Match, colour: str) -> Sequence[ButtonOption]:
    """Return what the game itself wants of this seat now."""
    if match.over:
        again = commands.NewMatch(match.game.name, pack(match.game.settings), match.house)
        return (ButtonOption(again), ButtonOption(commands.ClearTable()))
    played_with = barrel_game(match)
    wanted = None if played_with is None else played_with.offers(match, colour)
    return _open(match, match.seat(colour)) if wanted is None else wanted


def _open(match: Match, seat: Seat | None) -> list[ButtonOption]:
    """Return all that a seat may do, as far as it needs no hand."""
    game, turns = match.game, match.game.turns(match.state)
    offered = list[ButtonOption]()
    if TABLE in turns:
        offered += [] if automation.is_by_hand(game) else [ButtonOption(commands.RollForUs())]
        offered += [ButtonOption(commands.DoAction(write(action))) for action in _told(match)]
    if seat is not None and seat in turns:
        legal = game.legal(match.state, seat)
        offered += [
            with_preview(match, action) for action in legal if type(action) not in game.from_hand
        ]
    return offered


def _told(match: Match) -> Sequence[Action]:
    """Return what people can say that chance has done, unless a gap in the list betrayed hands."""
    game, state = match.game, match.state
    legal = game.legal(state, TABLE)
    if automation.companion_rolls(match.house, game, state) or len(legal) > TOLD:
        return ()
    hidden = match.log.sealed and may_betray(game.actions, type(legal[0]))
    return () if hidden and not automation.is_by_hand(game) else legal


def with_preview(match: Match, action: Action) -> ButtonOption:
    """Return the option to do something, with what that would bring about if nothing is sealed."""
    preview = () if match.log.sealed else match.game.explain(match.state, action)
    return ButtonOption(commands.DoAction(write(action)), preview)


def _rulings(match: Match) -> list[ButtonOption]:
    open_fouls = [foul for foul in match.fouls if foul.upheld is None]
    newest = [foul.raised.foul for foul in open_fouls if foul.raised.weight == "foul"][-1:]
    return [
        ButtonOption(commands.Rule(foul, upheld)) for foul in newest for upheld in (False, True)
    ]


class Buttons:
    """All seats' buttons; `lit` is by colour which option is brought up."""

    def __init__(self) -> None:
        self.lit: dict[str, int] = {}
        self.joining: list[str] = []
        self.last: Match | None = None  # what was played before seats are chosen again

    def forget(self) -> None:
        """Forget what was brought up: the match went on, or another one is played."""
        self.lit.clear()

    def handle_press(
        self, match: Match | None, press: ButtonPressed, proposal: Proposal | None = None
    ) -> commands.CommandBody | None:
        """Handle a press; return what it confirms. What a hall proposes is decided first."""
        offered = (
            proposal_options(proposal) if match is None else options(match, press.colour, proposal)
        )
        lit = self.lit.get(press.colour)
        if not offered:
            return self._join(press) if match is None else None
        if press.long and lit is not None:
            return offered[lit].wish
        self.lit[press.colour] = 0 if lit is None or press.long else (lit + 1) % len(offered)
        return None

    def next_match(self) -> commands.CommandBody | None:
        """Return what those who are joining would play; None: they are too few."""
        return handlers.usual_match(self.joining, self.last) if len(self.joining) > 1 else None

    def _join(self, press: ButtonPressed) -> commands.CommandBody | None:
        """Without a match: a short press joins or leaves, a long one begins."""
        joined = press.colour in self.joining
        if press.long and joined and (begins := self.next_match()) is not None:
            return begins
        if not press.long:
            (self.joining.remove if joined else self.joining.append)(press.colour)
        return None
