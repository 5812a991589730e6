"""What barrels mean in a match of Zapp Zerapp: placing, taking back, flipping, what fouls cost.

It must not decide what people decide, and it asks for a barrel's number only once all are flipped.
Before, a seat's button must not offer a number either: it only says that a barrel is placed.
"""

from collections.abc import Sequence
from typing import Any, Final

from companion.core import TABLE, Action, Illegal, Ruling, SeatName, write
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.summary import summary
from companion.referee import barrel_game, button_options, claims, commands, events, snapshot
from companion.referee.match import Foul, Match
from companion.sensing.events import Placed, Taken


def seat_of(colour: str) -> rules.Colour:
    """Return the seat that wears a colour.

    >>> seat_of("blue")
    <Colour.BLUE: 2>
    """
    return rules.Colour[colour.upper()]


def choosing(match: Match) -> tuple[str, ...]:
    """Return the seats of a match, while its barrels are shaken and placed."""
    if match.state.phase is not rules.Phase.PLACE:
        return ()
    return tuple(rules.Colour(seat).name.lower() for seat in match.game.seats)


def standing(match: Match) -> tuple[tuple[str, int], ...]:
    """Return which stopper stands at which seat, while barrels are placed and none is flipped."""
    state: rules.State = match.state
    if state.phase not in {rules.Phase.PLACE, rules.Phase.FLIP}:
        return ()
    return tuple(
        (seat, stopper)
        for seat, stopper in match.stood
        if stopper is not None and state.stands(seat_of(seat))
    )


def placed(match: Match, moved: Placed, certain: float) -> barrel_game.MatchEvents:
    """Return what a barrel on a seat's pad means: it is placed, whichever it is."""
    state: rules.State = match.state
    seat = seat_of(moved.seat)
    new_events: list[events.MatchEvent] = []
    if state.phase is rules.Phase.PLACE and seat in state.queue:
        new_events.append(events.ActionDone(rules.Place(seat), barrel_game.SENSORS))
    elif state.phase not in {rules.Phase.PLACE, rules.Phase.FLIP} or not state.stands(seat):
        return ()
    known = moved.stopper if moved.confidence >= certain else None
    # Everybody sees how many events there are: as many for a barrel that stood there before.
    if known != dict(match.stood).get(moved.seat) or (new_events and known is not None):
        boot, event = (-1, -1) if known is None or moved.mark is None else moved.mark
        new_events.append(events.BarrelAssigned(moved.seat, known, boot, event))
    return tuple(new_events)


def taken(match: Match, moved: Taken) -> barrel_game.MatchEvents:
    """Return what a barrel that left its pad means: while others choose, it is placed no more."""
    state: rules.State = match.state
    seat = seat_of(moved.seat)
    if state.phase is rules.Phase.PLACE and state.stands(seat):  # later one flips
        return (events.ActionDone(rules.PutBack(seat), barrel_game.SENSORS),)
    return ()


def flipped(match: Match, upside_down: barrel_game.Stoppers) -> barrel_game.MatchEvents:
    """Return the flip, once every placed barrel is known and stands on its head."""
    state: rules.State = match.state
    if state.phase is not rules.Phase.FLIP:
        return ()
    stood = dict(match.stood)
    there = [colour for colour in rules.Colour if state.stands(colour)]
    stoppers = [stood.get(colour.name.lower()) for colour in there]
    return (
        (events.ActionDone(rules.Flip(), barrel_game.SENSORS),)
        if all(stopper in upside_down for stopper in stoppers)
        else ()
    )


def unflipped(match: Match, upright: barrel_game.Stoppers) -> tuple[str, ...]:
    """Return the seats whose barrel is to be flipped and, as sensing knows, is not yet."""
    if match.state.phase is not rules.Phase.FLIP:
        return ()
    seats = [seat for seat, stopper in standing(match) if stopper in upright]
    return tuple(sorted(seats, key=seat_of))


def follows(
    match: Match, event: events.MatchEvent, number_of: barrel_game.NumberOf
) -> barrel_game.MatchEvents:
    """Return what follows: what an upheld foul costs, an empty place, or numbers that are known."""
    match event:
        case events.FoulRuled():
            foul = next(foul for foul in match.fouls if foul.raised.foul == event.foul)
            return penalty(match, foul)
        case events.ActionDone(rules.PutBack(player)) if (
            dict(match.stood).get(player.name.lower()) is not None
        ):
            return (events.BarrelAssigned(player.name.lower(), None),)
    return read_numbers(match, number_of)


def read_numbers(match: Match, number_of: barrel_game.NumberOf) -> barrel_game.MatchEvents:
    """Return the numbers that follow from which stoppers stand where, once all are flipped."""
    state: rules.State = match.state
    if state.phase is not rules.Phase.SAY:
        return ()
    stood = dict(match.stood)
    read: dict[rules.Colour, int] = {}
    for colour in rules.Colour:
        stopper = stood.get(colour.name.lower())
        number = None if stopper is None else number_of(stopper)
        if state.barrels[colour] == rules.UNREAD and number is not None:
            read[colour] = number
    numbers = [*state.barrels, *read.values()]
    return tuple(  # two that claim the same number are both read by people
        events.ActionDone(rules.Say(colour, number), barrel_game.SENSORS, follows=True)
        for colour, number in read.items()
        if numbers.count(number) == 1
    )


def penalty(match: Match, foul: Foul) -> barrel_game.MatchEvents:
    """Return what an upheld foul costs in this house, if it can still be had."""
    if not foul.upheld or foul.seat is None:
        return ()
    return tuple(
        events.ActionDone(ruling, "house", follows=True) for _, ruling in costs(match, foul)
    )


def costs(match: Match, foul: Foul) -> barrel_game.Costs:
    """Return what upholding a foul may still cost: of a known seat one ruling, else of each."""
    if match.house.cost is events.FoulCost.NOTHING or foul.round != match.state.round:
        return ()  # once its round is over it is noted
    kind = rules.SitOut if match.house.cost is events.FoulCost.SIT_OUT else rules.PutBack
    seats = tuple(rules.Colour) if foul.seat is None else (seat_of(foul.seat),)
    kinds = ((seat.name.lower(), kind(seat)) for seat in seats)
    return tuple((seat, ruling) for seat, ruling in kinds if _can_be(match, ruling))


def _can_be(match: Match, ruling: Ruling) -> bool:
    try:
        match.game.rule(match.state, ruling)
    except Illegal:
        return False
    return True


def objection(
    match: Match, action: Action, senses: claims.Senses, number_of: barrel_game.NumberOf
) -> claims.Objection | None:
    """Return what the sensors surely see against something that people claim."""
    state: rules.State = match.state
    stood = {stopper for _, stopper in standing(match)}
    seats = [colour for colour in rules.Colour if state.stands(colour)]
    match action:
        case rules.Place(seat):
            pad = senses.pads.get(seat.name.lower())
            unseen = pad is None and bool(senses.stoppers) and senses.touched <= stood
            return claims.Objection.NO_BARREL if pad is False or unseen else None
        case rules.Flip():
            upright = senses.standing & stood
            few = len(senses.stoppers - senses.upright) < len(seats)
            return claims.Objection.UPRIGHT if upright or (senses.stoppers and few) else None
        case rules.Say(number=number):
            meant = {stopper for stopper in senses.stoppers if number_of(stopper) == number}
            noticed = len(senses.turned) >= len(seats)
            elsewhere = senses.upright - (senses.turned if noticed else senses.touched)
            return claims.Objection.ELSEWHERE if meant & elsewhere else None
    return None


def offered(match: Match, colour: str) -> Sequence[snapshot.ButtonOption] | None:
    """Return what the button of a seat offers; None: all that is allowed."""
    game, state, seat = match.game, match.state, seat_of(colour)
    match state.phase:
        case rules.Phase.ROLL:
            return None
        case rules.Phase.PLACE if seat in state.queue:
            return [snapshot.ButtonOption(commands.DoAction(write(rules.Place(seat))))]
        case rules.Phase.PLACE if state.stands(seat):
            return [button_options.with_preview(match, rules.PutBack(seat))]
        case rules.Phase.FLIP:
            return [snapshot.ButtonOption(commands.DoAction(write(rules.Flip())))]
        case rules.Phase.SAY:
            says = [action for action in game.legal(state, TABLE) if isinstance(action, rules.Say)]
            return [button_options.with_preview(match, say) for say in says if say.player == seat]
        case rules.Phase.MOVE if seat == state.queue[0]:
            moves = [action for action in game.legal(state, seat) if isinstance(action, rules.Move)]
            named = _named(moves) if game.settings.overlook else moves
            return [button_options.with_preview(match, action) for action in named]
    return ()


def _named(moves: Sequence[rules.Move]) -> list[rules.Move]:
    """Return each move twice: banishing nobody, then all. So no count betrays whom one overlooks.

    Whoever wants to banish some and spare others says so on a phone (ZZ-20).
    """
    both: dict[tuple[Any, ...], list[rules.Move]] = {}
    for move in moves:
        both.setdefault((move.step, move.take), []).append(move)
    return [
        choose(same, key=lambda move: len(move.banish or ()))
        for same in both.values()
        for choose in (min, max)
    ]


def round_of(view: rules.View, settings: rules.Settings) -> barrel_game.BarrelRound:
    return barrel_game.BarrelRound(
        barrel_game.RoundPhase(view.phase.value),
        view.round,
        view.magic,
        SeatName(view.roller),
        tuple(map(SeatName, view.placed)),
        tuple(map(SeatName, view.out)),
        tuple(barrel_game.ShownNumber(SeatName(seat), number) for seat, number in view.numbers),
        tuple(map(SeatName, view.order)),
        tuple(
            barrel_game.PawnAt(
                SeatName(colour),
                step,
                settings.board.field(colour, step) if rules.START < step <= rules.FIELDS else None,
            )
            for colour, camp in view.pawns
            for step in camp
        ),
        None if view.winner is None else SeatName(view.winner),
    )


BARREL_GAME: Final = barrel_game.BarrelGame(
    choosing,
    standing,
    placed,
    taken,
    flipped,
    unflipped,
    follows,
    round_of,
    summary,
    costs,
    objection,
    waits=(rules.Flip, rules.Move),
    offers=offered,
    boards=rules.PRESETS,
    read_board=rules.read_board,
)
