"""Error messages: why an action is not legal, and what would be, one sentence for each case.

It must not decide legality: it is asked only after the game has refused. No sentence names a card
that its action does not name, but those that lie open.
"""

from typing import Any, Final

from companion.core import Action, Illegal, Text
from companion.core.game import verb
from companion.games.blackmore.rules import model


def refusal(settings: model.Settings, state: model.State, action: Action) -> Illegal:
    """Return the error that says why an action is not legal and what is."""
    match action, state.phase:
        case model.Deal(), model.Phase.DEAL:
            return _deal(settings, state, action)
        case model.Turn(), model.Phase.TURN:
            return _not_in_pile(action.card)
        case (
            (model.Play() | model.Change() | model.Keep()),
            (model.Phase.PLAY | model.Phase.CHANGE),
        ) if action.seat != state.queue[0]:
            return Illegal(
                "It is not {seat:@{seat}'s|your} turn; it is {player}'s.",
                seat=action.seat,
                player=state.queue[0],
            )
        case model.Play(), model.Phase.PLAY:
            return Illegal(
                "{seat:@{seat}|You} cannot play {card}; play a card from {seat:@its|your} hand.",
                seat=action.seat,
                card=_name(action.card),
            )
        case model.Change(), model.Phase.CHANGE:
            return Illegal(
                "{card} was not won in this trick; lay one of {cards}, or write 'keep'.",
                card=_name(action.card),
                cards=tuple(str(card) for _, card in state.trick),
            )
    if not isinstance(action, model.ACTIONS):
        return Illegal("'{action}' is not an action of this game.", action=action)
    return _not_now(state, verb(type(action)))


def _deal(settings: model.Settings, state: model.State, deal: model.Deal) -> Illegal:
    player = state.queue[0]
    if deal.player != player:
        return Illegal(
            "{seat} does not get a card now; {player} does.", seat=deal.player, player=player
        )
    if settings.by_hand:
        return Illegal("At this table people deal by hand; leave the card out.")
    if deal.card is None:
        return Illegal("Name the card that {player} gets.", player=player)
    return _not_in_pile(deal.card)


def _not_in_pile(card: object) -> Illegal:
    return Illegal("{card} is not in the pile.", card=_name(card))


def _name(card: Any) -> str:
    """Return a card as one types it, also if there is no such card."""
    try:
        return str(model.Card(*card))[:40]
    except (TypeError, ValueError):
        return repr(card)[:40]


NOT_NOW: Final = {  # what has to be done first
    model.Phase.DEAL: Text(
        "'{verb}' is not possible now: first {player} has to get a card, for example with 'deal "
        "red'."
    ),
    model.Phase.TURN: Text(
        "'{verb}' is not possible now: first the top card of the pile has to be turned up, for "
        "example with 'turn red:7'."
    ),
    model.Phase.PLAY: Text(
        "'{verb}' is not possible now: first {player:@{player} has|you have} to play a card, for "
        "example with 'play red blue:7'."
    ),
    model.Phase.CHANGE: Text(
        "'{verb}' is not possible now: first {player:@{player} has|you have} to change the trump "
        "or keep it, with 'change' or 'keep'."
    ),
    model.Phase.OVER: Text("'{verb}' is no longer possible: the game is over; begin a new one."),
}


def _not_now(state: model.State, verb: str) -> Illegal:
    values = {"verb": verb, "player": next(iter(state.queue), None)}
    return Illegal(NOT_NOW[state.phase].template, **values)
