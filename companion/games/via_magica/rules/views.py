"""What each viewer may know of a state: a whitelist of what lies open, and the own hand."""

from __future__ import annotations

from companion.core.game import Action, Seat
from companion.games.via_magica.rules import scoring
from companion.games.via_magica.rules.events import View, Zone
from companion.games.via_magica.rules.portals import BAG, Animus
from companion.games.via_magica.rules.state import Mage, Phase, Player, Settings, State
from companion.games.via_magica.rules.zones import portals


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
        caught=_caught(state.bag),
        queue=state.queue,
        opening=state.opening,
        left=state.left,
        display=state.display,
        drawn=len(state.drawn),
        stack=sum(state.stack),
        discards=sum(state.discards),
        zones=tuple(_zone(settings, state, seat) for seat in settings.seats),
        hand=own.hand,
        kept=() if state.round else portals(own.building),
        choices=choices,
        winners=tuple(Mage(seat) for seat in winners),
    )


def _caught(bag: tuple[int, ...]) -> tuple[Animus, ...]:
    gone = (full - left for full, left in zip(BAG, bag, strict=True))
    return tuple(animus for animus, count in zip(Animus, gone, strict=True) for _ in range(count))


def _zone(settings: Settings, state: State, seat: Mage) -> Zone:
    player = state.players[seat]
    is_open = state.round > 0 or settings.by_hand  # hidden until all are unveiled
    zone = player.building if is_open else ()
    points = scoring.points(player)
    return Zone(seat, player.supply, zone, player.opened, player.rewards, points)
