"""What each viewer may know of a state: a whitelist of what lies open, and the own hand.

It must not know the rules.
"""

from __future__ import annotations

from companion.rules.game import Action, Seat
from companion.rules.via_magica import scoring
from companion.rules.via_magica.events import View, Zone
from companion.rules.via_magica.state import Mage, Phase, Player, Settings, State


def view(
    settings: Settings,
    state: State,
    viewer: Seat | None,
    turns: tuple[Seat, ...],
    choices: tuple[Action, ...],
) -> View:
    """Return what this viewer may know."""
    own = state.players[viewer] if viewer in settings.seats and viewer is not None else Player()
    over = state.phase is Phase.OVER
    winners = scoring.outcome(settings, state).winners if over else ()
    return View(
        round=state.round,
        phase=state.phase,
        turns=turns,
        catcher=state.catcher,
        animus=state.animus,
        caught=state.caught,
        queue=state.queue,
        opening=state.opening,
        left=state.left,
        display=state.display,
        drawn=len(state.drawn),
        stack=sum(state.stack),
        discards=sum(state.discards),
        zones=tuple(_zone(state, seat) for seat in settings.seats),
        hand=own.hand,
        kept=() if state.round else tuple(building.portal for building in own.building),
        choices=choices,
        winners=tuple(Mage(seat) for seat in winners),
    )


def _zone(state: State, seat: Mage) -> Zone:
    player = state.players[seat]
    building = player.building if state.round else ()  # hidden until all are unveiled
    points = scoring.points(player)
    return Zone(seat, player.supply, building, player.opened, player.rewards, points)
