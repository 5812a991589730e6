"""Automatic events: the companion deals, rolls, and plays for the seats given to it (bots).

Everything it does follows from an event of a person and is taken back together with that.
"""

from collections.abc import Container, Sequence
from random import Random
from typing import Any, Final

from companion.core.game import TABLE, Action, Game, Seat, choices
from companion.core.plugin import called, players
from companion.referee.events import ActionDone, HouseRules, MatchEvent, Roller
from companion.referee.match import Match
from companion.system import errors, text

BY: Final = "companion"
ALONE: Final = 200  # it does this much by itself, then waits until somebody has it roll on


class Randomness:
    """Random draws of one match: the same again where something was undone.

    As with real cards, which go back onto the pile as they lay: nobody gets others by taking back,
    nor by pulling the plug: what was drawn is in the journal before anybody sees it.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self._drawn: dict[tuple[type[Action], int], tuple[int, int]] = {}

    def draw(self, match: Match) -> Action:
        legal = match.game.legal(match.state, TABLE)
        which = _which(match, type(legal[0]))
        place, among = self._drawn.get(which, (0, 0))
        if among != len(legal):
            action = self.chance.choices(legal, match.game.odds(match.state))[0]
            place = legal.index(action)
            self._drawn[which] = place, len(legal)
        drawn: Action = legal[place]
        return drawn

    def recall(self, match: Match, event: MatchEvent) -> None:
        """Take from the journal what was drawn before a loss of power."""
        if not isinstance(event, ActionDone) or not event.drawn:
            return
        action, legal = event.action, match.game.legal(match.state, TABLE)
        if action in legal:
            self._drawn[_which(match, type(action))] = legal.index(action), len(legal)


def _which(match: Match, kind: type[Action]) -> tuple[type[Action], int]:
    return kind, sum(type(action) is kind for action in match.log.actions)


def automatic_events(match: Match, luck: Randomness, done: int = 0) -> tuple[MatchEvent, ...]:
    """Return the next thing that the companion does unasked; nothing if people have to act.

    `done` counts its events since they did. With no people left to act, a round could last forever.
    """
    game, state = match.game, match.state
    turns = game.turns(state)
    known = players(game.name)  # a match from elsewhere may name others; people play those
    named = {bot.seat: called(game.name, bot.player) for bot in match.house.bots}
    bots: dict[Seat, str] = {seat: player for seat, player in named.items() if player in known}
    if TABLE in turns:
        unasked = type(game.legal(state, TABLE)[0]) in game.unasked
        by_lot = game.asked(state) in bots or _at_most_one_person(game.rivals(state), bots)
        if unasked or (done < ALONE and by_lot):
            return (ActionDone(luck.draw(match), BY, follows=True, drawn=True),)
    for seat in turns:
        if seat in bots:
            action = _chosen(match, seat, bots[seat], luck.chance)
            return (ActionDone(action, text.seat_word(seat), follows=True),)
    return ()


def _at_most_one_person(rivals: Sequence[Seat], bots: Container[Seat]) -> bool:
    """Tell whether nobody can settle it: bots do not call out, and one person is always first."""
    return bool(rivals) and sum(seat not in bots for seat in rivals) < 2


def _chosen(match: Match, seat: Seat, player: str, chance: Random) -> Action:
    view = match.game.view(match.state, seat)
    choose = players(match.game.name)[player]
    options = choices(match.game, match.state, seat)
    return choose(match.game.settings, view, seat, options, chance)


def is_by_hand(game: Game[Any]) -> bool:
    """Tell whether people deal and draw with things of their own, and the companion keeps score."""
    return bool(getattr(game.settings, "by_hand", False))


def companion_rolls(house: HouseRules, game: Game[Any], state: Any) -> bool:
    """Tell whether in this house the companion rolls or draws what is due now."""
    asked = house.roller is Roller.COMPANION and not is_by_hand(game)
    return asked and game.asked(state) is not None


def demand_no_own_roll(match: Match, action: Action) -> None:
    """Refuse rolls from people where the companion rolls: they could choose them."""
    if not companion_rolls(match.house, match.game, match.state):
        return
    if isinstance(action, type(match.game.legal(match.state, TABLE)[0])):
        raise errors.CompanionError(
            "In this match the companion rolls and draws: let it do so. If you want to use your "
            "own dice or bag, choose that when you set up a match."
        )


def demand_bots(game: Game[Any], house: HouseRules) -> None:
    """Refuse a house in which the companion cannot play as wished, or where nobody else plays."""
    if house.bots and is_by_hand(game):
        raise errors.CompanionError("With real cards, the companion sees none and cannot play.")
    known = tuple(players(game.name))
    for bot in house.bots:
        if bot.seat not in game.seats:
            raise errors.CompanionError(
                "{seat} does not play; {seats} do.",
                seat=bot.seat,
                seats=tuple(map(text.seat_word, game.seats)),
            )
        if called(game.name, bot.player) not in known:
            raise errors.CompanionError(
                "The companion cannot play '{game}' as '{player}', only as {players}.",
                game=game.name,
                player=bot.player[:40],
                players=known or "nobody",
            )
    if len({bot.seat for bot in house.bots}) == len(game.seats):
        raise errors.CompanionError("At least one seat must be played by a person.")
