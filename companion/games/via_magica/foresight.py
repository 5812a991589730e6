"""What could be in a game of Via Magica, what people would do then, and how some rounds end.

What lies face down is nowhere to be seen, and may be anywhere: in the stack, or discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from companion.chance import mixed
from companion.coach.estimate import chances
from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.via_magica.coach import Standing
from companion.games.via_magica.experience import Prospects, best, promise
from companion.games.via_magica.rules import (
    BAG,
    Animus,
    Mage,
    Phase,
    Player,
    State,
    ViaMagica,
    View,
    Zone,
)
from companion.games.via_magica.rules.portals import COPIES, NUMBERS

WORTHY: Final = 3  # choices that are worth a search
INNER: Final = {Phase.POWER, Phase.OPEN}  # where the portal that is being opened is still counted


class Foresight:
    """What a search has to know."""

    def world(self, game: ViaMagica, view: View, seat: Seat, chance: Random) -> State:  # noqa: ARG002 - the contract
        """Return a state that could be: stack and discards as they may lie."""
        hidden = mixed(chance, _unseen(view))
        drawn, rest = hidden[: view.drawn], hidden[view.drawn :]
        stack, discards = rest[: view.stack], rest[view.stack :]
        return State(
            stack=tuple([stack.count(number) for number in NUMBERS]),
            discards=tuple([discards.count(number) for number in NUMBERS]),
            drawn=tuple(drawn),
            display=view.display,
            opening=view.opening,
            left=view.left,
            halted=(),
            took=False,
            bag=tuple([BAG[animus] - view.caught.count(animus) for animus in Animus]),
            catcher=view.catcher,
            round=view.round,
            phase=view.phase,
            animus=view.animus,
            queue=view.queue,
            players=_players(view),
        )

    def candidates(self, game: ViaMagica, view: View, seat: Seat, options: Options) -> Options:
        """Return what promises most; which portals to keep at first is not searched.

        Nor is what is done while a portal is opened within another one: the view does not tell how
        often the power around it may still be used.
        """
        own = next(zone for zone in view.zones if zone.seat == seat)
        prospects, one_number = Prospects(view.zones, own), game.settings.numbers == 1
        nested = len(view.opening) > (view.phase in INNER)
        most = sorted(options, key=lambda one: -promise(prospects, own, one, one_number=one_number))
        return most[: 1 if nested or view.phase is Phase.KEEP else WORTHY]

    def policy(
        self,
        game: ViaMagica,
        state: State,
        options: Sequence[Action],
        chance: Random,  # noqa: ARG002 - the contract
    ) -> Action:
        """Return what somebody of experience would do."""
        own = state.players[options[0].seat]
        one_number = game.settings.numbers == 1
        return best(Prospects(state.players, own), own, options, one_number=one_number)

    def rests(self, state: State, seat: Seat) -> bool:  # noqa: ARG002 - the contract
        """Tell whether a round is over."""
        return state.phase is Phase.CATCH

    def worth(self, game: ViaMagica, state: State, seat: Seat) -> float:
        """Return how probably a seat wins."""
        at, end = game.seats.index(Mage(seat)), game.outcome(state)
        if end is None:
            return chances(Standing(game).lead(state))[at]
        return (seat in end.winners) / len(end.winners)


FORESIGHT: Final = Foresight()


def _unseen(view: View) -> list[int]:
    """Return every portal that lies face down, whoever has it."""
    seen = [*view.display, *view.opening]
    for zone in view.zones:
        seen += [*(building.portal for building in zone.building), *zone.opened]
    return [number for number in NUMBERS for _ in range(COPIES - seen.count(number))]


def _players(view: View) -> tuple[Player, ...]:
    zones = {zone.seat: zone for zone in view.zones}
    return tuple([_player(zones[mage]) if mage in zones else Player() for mage in Mage])


def _player(zone: Zone) -> Player:
    return Player((), zone.supply, zone.building, zone.opened, zone.rewards)
