"""The core's settings, actions and states, said as the reference says them."""

from companion.core.game import TABLE, Action, Seat
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import EMPTY, UNREAD, Colour, Flip, Move, Pawn, Say, Settings
from tests.games.zapp_zerapp import reference
from tests.games.zapp_zerapp.reference import Reference

Facts = tuple[object, ...]


def name(seat: Seat) -> str:
    """Name a seat, or the table."""
    return reference.TABLE if seat == TABLE else Colour(seat).name.lower()


def set_table(settings: Settings) -> Reference:
    """Set the reference's table as the core's settings say."""
    entries = {name(colour): settings.board.entries[colour] for colour in Colour}
    return Reference(
        [name(seat) for seat in settings.seats],
        settings.board.ring,
        entries,
        profi=settings.profi,
        overlook=settings.overlook,
    )


def translate(action: Action) -> reference.Action:
    """Say one of the core's actions to the reference."""
    match action:
        case rules.Roll():
            return ("roll", action.magic)
        case rules.Place():
            return ("place", name(action.seat), action.barrel)
        case Flip():
            return ("flip",)
        case Say():
            return ("say", name(action.player), action.number)
        case Move():
            banish = None if action.banish is None else _pawns(action.banish)
            return ("move", name(action.seat), action.step, _pawns(action.take), banish)
    raise AssertionError(action)


def _pawns(pawns: tuple[Pawn, ...]) -> tuple[reference.Pawn, ...]:
    return tuple(sorted((name(pawn.colour), pawn.step) for pawn in pawns))


def core_facts(settings: Settings, state: rules.State) -> Facts:
    """Return all that the core says of a state, in the reference's words."""
    barrels = {
        name(seat): None if state.barrels[seat] == UNREAD else state.barrels[seat]
        for seat in settings.seats
        if state.barrels[seat] != EMPTY
    }
    winners = [name(seat) for seat in settings.seats if state.pawns[seat] == (25, 25, 25)]
    moving = state.phase is rules.Phase.MOVE
    return (
        state.phase.value,
        state.round,
        state.magic,
        barrels,
        [name(seat) for seat in state.queue] if moving else [],
        {name(seat): list(state.pawns[seat]) for seat in settings.seats},
        winners[0] if winners else None,
    )


def reference_facts(table: Reference) -> Facts:
    """Return all that the reference says of a state."""
    return (
        table.phase,
        table.round,
        table.magic,
        table.barrels,
        table.order if table.phase == "move" else [],
        table.pawns,
        table.winner,
    )
