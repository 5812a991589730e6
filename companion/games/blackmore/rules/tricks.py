"""The game itself: deal, play a trick, change the trump, draw, until the last card is played."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, Final

from companion.core import TABLE, Action, BaseGame, Event, Outcome, Seat, SeatName, refusing
from companion.core.game import choices
from companion.games.blackmore.rules import explain, model, refusals

DEAL, TURN, PLAY, CHANGE, OVER = model.Phase
THE_TABLE: Final = (TABLE,)
ALONE: Final = tuple((chair,) for chair in SeatName)
ORDERS: Final = tuple((*tuple(SeatName)[c:], *tuple(SeatName)[:c]) for c in SeatName)
RANKINGS: Final = {
    side: ((), *(model.ranking(side, wheel) for wheel in range(1, model.SUIT_SIZE + 1)))
    for side in model.Side
}


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know of a state: what lies open, counts, and the own hand."""

    phase: model.Phase
    turns: tuple[int, ...]
    leader: SeatName
    queue: tuple[SeatName, ...]
    pile: int
    trump: model.Suit | None
    ranking: tuple[int, ...]  # the values from the highest rank to the lowest; empty at first
    trumps: int  # how many cards lie on the trump pile
    top: model.Card | None  # of the trump pile
    trick: tuple[model.Throw, ...]
    held: tuple[int, ...]  # how many cards each seat holds, clockwise
    won: tuple[int, ...]  # how many cards each seat has won, clockwise: they lie face down
    hand: model.Cards  # the viewer's own
    choices: tuple[Action, ...]
    scores: tuple[int, ...]  # at the end, clockwise
    winners: tuple[SeatName, ...]


class Blackmore(BaseGame[model.State]):
    """One match of the Witches of Blackmore: its settings, and the rules under them."""

    name: ClassVar = "blackmore"
    actions = model.ACTIONS
    settings_type = model.Settings
    settings: model.Settings
    seats: tuple[SeatName, ...]

    def __init__(self, settings: model.Settings | None = None) -> None:
        super().__init__(settings)
        settings = self.settings
        self.unasked = (model.Deal,) if settings.by_hand else (model.Deal, model.Turn)
        self.from_hand = () if settings.by_hand else (model.Play,)
        self._orders = tuple(tuple(s for s in order if s in self.seats) for order in ORDERS)
        self._by_hand = settings.by_hand
        self._rankings = RANKINGS[settings.side]

    def start(self) -> model.State:
        """Return the shuffled pile; everybody is still to be dealt six cards."""
        starter, count = self.settings.starter, self.seats[-1] + 1
        if starter is None:
            starter = self.seats[0]
        queue = self._orders[starter] * model.HAND  # WB-1
        nothing: tuple[model.Cards, ...] = ((),) * count
        return model.State(
            DEAL,
            queue,
            starter,
            len(model.DECK),
            model.ALL,
            nothing,
            (0,) * count,
            (),
            nothing,
            (),
            None,
            0,
        )

    def turns(self, state: model.State) -> tuple[Seat, ...]:
        """Return who acts: the table deals and turns, a seat plays or changes the trump."""
        phase = state.phase
        if phase is DEAL or phase is TURN:
            return THE_TABLE
        return () if phase is OVER else ALONE[state.queue[0]]

    def legal(self, state: model.State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase = state.phase
        if phase is DEAL:
            if seat != TABLE:
                return ()
            player = state.queue[0]
            if self._by_hand:
                return model.BLIND_DEALS[player]
            return list(compress(model.DEALS[player], state.unseen))
        if phase is TURN:
            return list(compress(model.TURNS, state.unseen)) if seat == TABLE else ()
        if phase is OVER or seat != state.queue[0]:
            return ()
        if phase is CHANGE:  # WB-5
            changes = model.CHANGES[seat]
            return [model.KEEPS[seat], *[changes[card] for _, card in state.trick]]
        hand = state.hands[seat]  # WB-2: any card
        if state.blind[seat]:
            hand += tuple(compress(model.DECK, state.unseen))
        plays = model.PLAYS[seat]
        return [plays[card] for card in hand]

    def odds(self, state: model.State) -> Sequence[int]:
        """Return that every card is as likely."""
        if state.phase is DEAL:
            return model.ALIKE[1 if self._by_hand else state.pile]
        return model.ALIKE[sum(state.unseen)] if state.phase is TURN else ()

    @refusing
    def apply(self, state: model.State, action: Action) -> model.State:
        phase = state.phase
        after: model.State | None = None
        if phase is DEAL:
            if isinstance(action, model.Deal):
                after = _dealt(state, action, self._by_hand)
                if after is not None and not (after.queue and after.pile):
                    after = self._all_dealt(after)
        elif phase is PLAY:
            if isinstance(action, model.Play):
                after = self._played(state, action)
        elif phase is CHANGE:
            after = self._trump_changed(state, action)
        elif phase is TURN and isinstance(action, model.Turn):
            turned = _turned(state, action)
            after = turned and self._next_trick(turned)
        if after is None:
            raise refusals.refusal(self.settings, state, action)
        return after

    @refusing
    def explain(
        self, state: model.State, action: Action, then: model.State | None = None
    ) -> tuple[Event, ...]:
        then = self.apply(state, action) if then is None else then
        return explain.events_of(state, action, then, self.outcome(then))

    def view(self, state: model.State, viewer: Seat | None) -> View:
        """Return what lies open, and the viewer's own hand."""
        outcome, held, seated = self.outcome(state), model.held_by(state), viewer in self.seats
        return View(
            phase=state.phase,
            turns=self.turns(state),
            leader=state.leader,
            queue=state.queue,
            pile=state.pile,
            trump=state.trump,
            ranking=self._rankings[state.wheel],
            trumps=len(state.trumps),
            top=state.trumps[-1] if state.trumps else None,
            trick=state.trick,
            held=tuple(held[seat] for seat in self.seats),
            won=tuple(len(state.won[seat]) for seat in self.seats),
            hand=state.hands[viewer] if viewer is not None and seated else (),
            # What the table may turn up tells what is in the pile, so it is shown none of it.
            choices=choices(self, state, viewer) if seated else (),
            scores=tuple(points for _, points in outcome.scores) if outcome else (),
            winners=tuple(map(SeatName, outcome.winners)) if outcome else (),
        )

    def outcome(self, state: model.State) -> Outcome | None:
        """Return who has captured the most points (WB-8)."""
        if state.phase is not OVER:
            return None
        scores = tuple((seat, model.points(state.won[seat])) for seat in self.seats)
        most = max(score for _, score in scores)
        winners = tuple(seat for seat, score in scores if score == most)
        if not self.settings.shared_win:
            cards = max(len(state.won[seat]) for seat in winners)
            winners = tuple(seat for seat in winners if len(state.won[seat]) == cards)
        return Outcome(winners, scores)

    def _all_dealt(self, state: model.State) -> model.State:
        if not state.wheel:
            return state._replace(phase=TURN)
        return self._next_trick(_drawn(state, self.settings.trump_fades))

    def _next_trick(self, state: model.State) -> model.State:
        """Let those play who hold enough cards; the winner of the last trick starts (WB-3)."""
        _, _, leader, pile, unseen, hands, blind, _, won, trumps, trump, wheel = state
        queue = self._orders[leader]
        if not pile:
            held = model.held_by(state)
            least = 1 if self.settings.short_sit_last else max(1, *held)  # WB-7
            queue = tuple([seat for seat in queue if held[seat] >= least])
        phase = PLAY if queue else OVER
        return model.new(
            model.State,
            (phase, queue, leader, pile, unseen, hands, blind, (), won, trumps, trump, wheel),
        )

    def _played(self, state: model.State, play: model.Play) -> model.State | None:
        phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel = state
        seat, card = queue[0], play.card
        throw = model.THROWS[seat].get(card)
        if play.seat != seat or throw is None:
            return None
        hand = hands[seat]
        if card in hand:
            at = hand.index(card)
            hands = _changed(hands, seat, hand[:at] + hand[at + 1 :])
        elif blind[seat] and unseen[model.PLACES[card]]:
            unseen = _changed(unseen, model.PLACES[card], False)
            blind = _changed(blind, seat, blind[seat] - 1)
        else:
            return None
        trick, queue = (*trick, throw), queue[1:]
        if not queue:
            leader = trick[model.winning([c for _, c in trick], trump, self._rankings[wheel])].seat
            queue, phase = (leader,), CHANGE
        played = model.new(
            model.State,
            (phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel),
        )
        if pile or phase is PLAY:
            return played
        agreed = self.settings
        late = agreed.late_change and (
            agreed.last_change or any(model.held_by(played))
        )  # WB-5, WB-7
        return played if late else self._captured(played, None)

    def _trump_changed(self, state: model.State, action: Action) -> model.State | None:
        seat = state.queue[0]
        if isinstance(action, model.Keep) and action.seat == seat:
            return self._captured(state, None)
        if isinstance(action, model.Change) and action.seat == seat:
            for _, card in state.trick:
                if card == action.card:
                    return self._captured(state, card)
        return None

    def _captured(self, state: model.State, laid: model.Card | None) -> model.State:
        """Give the trick to its winner, but for the card that changes the trump (WB-5)."""
        _, _, winner, pile, unseen, hands, blind, trick, won, trumps, trump, wheel = state
        taken = tuple([card for _, card in trick if card != laid])
        won = _changed(won, winner, won[winner] + taken)
        if laid is not None:
            trumps, trump, wheel = (*trumps, laid), laid.suit, laid.value
        queue = self._orders[winner]
        captured = model.new(
            model.State,
            (DEAL, queue, winner, pile, unseen, hands, blind, (), won, trumps, trump, wheel),
        )
        return captured if pile else self._next_trick(captured)  # WB-6: then nobody draws


# --- cards that leave the pile, and the trump pile when that is empty -----------------------------


def _dealt(state: model.State, deal: model.Deal, by_hand: bool) -> model.State | None:
    """Return the state with the top card of the pile in a hand; None, if that cannot be."""
    phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel = state
    player, card = queue[0], deal.card
    if deal.player != player:
        return None
    if by_hand:
        if card is not None:
            return None
        blind = _changed(blind, player, blind[player] + 1)
    else:
        place = model.PLACES.get(card)
        if place is None or not unseen[place]:
            return None
        unseen = _changed(unseen, place, False)
        hands = _changed(hands, player, _with(hands[player], model.DECK[place]))
    queue, pile = queue[1:], pile - 1
    return model.new(
        model.State,
        (phase, queue, leader, pile, unseen, hands, blind, trick, won, trumps, trump, wheel),
    )


def _turned(state: model.State, turn: model.Turn) -> model.State | None:
    """Return the state with the first trump turned up; None, if that cannot be (WB-1)."""
    place = model.PLACES.get(turn.card)
    if place is None or not state.unseen[place]:
        return None
    unseen, card = _changed(state.unseen, place, False), model.DECK[place]
    state = state._replace(pile=state.pile - 1, unseen=unseen)
    return state._replace(trumps=(card,), trump=card.suit, wheel=card.value)


def _drawn(state: model.State, trump_fades: bool) -> model.State:
    """Give the trump pile, from its top, to those for whom the pile had no card (WB-6)."""
    if not state.queue:
        return state
    hands, trumps = state.hands, state.trumps
    for player in state.queue[: len(trumps)]:
        hands = _changed(hands, player, _with(hands[player], trumps[-1]))
        trumps = trumps[:-1]
    top = trumps[-1] if trumps else state.trumps[0]  # the last that lay there turned the wheel, too
    trump = None if trump_fades and not trumps else top.suit  # WB-7
    return state._replace(hands=hands, trumps=trumps, trump=trump, wheel=top.value)


def _changed(items: tuple[Any, ...], index: int, item: object) -> tuple[Any, ...]:
    listed = list(items)
    listed[index] = item
    return tuple(listed)


def _with(hand: model.Cards, card: model.Card) -> model.Cards:
    return tuple(sorted((*hand, card)))
