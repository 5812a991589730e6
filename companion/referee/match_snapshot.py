"""Makes the public snapshot of a match, what everybody may know of it, and the public events."""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from companion.core.game import Event
from companion.referee import barrel_game, commands, events, handlers
from companion.referee.button_options import options, proposal_options
from companion.referee.match import Foul, Match
from companion.referee.replay import REMINDER
from companion.referee.snapshot import Proposal, RecentAction, SeatView, Snapshot, TableEvent, What
from companion.system.text import SeatName, Text, seat_word

NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
WITHDRAWN: Final = "withdrawn"
LATELY: Final = 16  # actions: a round of four, with every number read aloud


def without_match(
    joining: tuple[str, ...],
    begins: commands.CommandBody | None = None,
    lit: Mapping[str, int] = NOTHING,
    proposal: Proposal | None = None,
) -> Snapshot:
    """Return how the table looks before any match."""
    offers = proposal_options(proposal)
    seats = [
        SeatView(colour, False, offers, lit.get(colour))
        for colour in dict.fromkeys((*joining, *lit))
    ]
    return Snapshot(-1, seats=tuple(seats), joining=joining, begins=begins, proposal=proposal)


def for_match(
    id_: str,
    match: Match,
    lit: Mapping[str, int],
    asked: Collection[str],
    proposal: Proposal | None = None,
) -> Snapshot:
    """Return how a match looks: the game's view for everybody, and that of each person's seat."""
    game, state = match.game, match.state
    seats = [seat_word(seat) for seat in game.seats]
    people = [seat for seat in game.seats if seat not in {bot.seat for bot in match.house.bots}]
    return Snapshot(
        version=match.number,
        match=id_,
        game=game.name,
        view=game.view(state, None),
        seen=tuple((seat_word(seat), game.view(state, seat)) for seat in people),
        settings=game.settings,
        house=match.house,
        seats=tuple(_seat(match, seat, lit, asked, proposal) for seat in seats),
        proposal=proposal,
        fouls=match.fouls,
        insisted=match.insisted,
        costly=tuple(foul.raised.foul for foul in handlers.costly(match)),
        may_pay=handlers.may_pay(match),
        held=handlers.waits_for_ruling(match),
        happened=match.happened,
        lately=_lately(match) if match.house.coached else (),
        acted=match.acts[-1] if match.acts else -1,
        dropped=match.dropped,
        can_undo=match.decided_last is not None,
        undoes=_undoes(match),
        unrules=_unrules(match),
        over=match.over,
        outcome=game.outcome(state),
        summary=barrel_game.summary(match) if match.over else None,
    )


def _lately(match: Match) -> tuple[RecentAction, ...]:
    """Return what was done last, as far as it lay open then: what somebody chose is left out."""
    log, first = match.log, max(0, len(match.log.actions) - LATELY)
    views = [match.game.view(log.states[at], None) for at in range(first, len(log.states))]
    done = (log.actions[at].hidden() for at in range(first, len(log.actions)))
    return tuple(map(RecentAction, views, done, views[1:]))


def _undoes(match: Match) -> tuple[Event, ...]:
    """Return what the last decision brought about; it lay open at once, as all events do."""
    if match.decided_last is None:
        return ()
    before, _ = match.decided_last
    done, log = len(before.log.actions), match.log
    if len(log.actions) <= done:  # it was not an action
        return ()
    return match.game.explain(before.state, log.actions[done], log.states[done + 1])


def _unrules(match: Match) -> Foul | None:
    """Return the foul on which the last decision was a ruling."""
    before, ruled = match.decided_last or (match, match)
    pairs = zip(ruled.fouls, before.fouls, strict=False)  # one undone may have left fouls behind
    return next((foul for foul, open_ in pairs if foul.upheld != open_.upheld), None)


def _seat(
    match: Match,
    seat: str,
    lit: Mapping[str, int],
    asked: Collection[str],
    proposal: Proposal | None,
) -> SeatView:
    return SeatView(seat, seat in asked, options(match, seat, proposal), lit.get(seat))


def events_for(
    before: Match | None, event: events.MatchEvent, after: Match
) -> Iterator[TableEvent]:
    """Yield what happened by an event and by all that followed from it; None: no match before."""
    happened, game = [*_happened(before, event, after)], after.game
    if not happened:
        return
    view = None if before is None else before.game.view(before.state, None)
    corrects = isinstance(event, events.UndoneTo | events.ActionCorrected)
    for number, what in enumerate(happened):
        overtakes = corrects and isinstance(what, Text)
        yield TableEvent(after.number, number, what, game.name, game.settings, view, overtakes)


def _happened(before: Match | None, event: events.MatchEvent, after: Match) -> Iterator[What]:
    """Yield the same bare; only what lies open, as all of it is told to everybody."""
    if before is None:
        seats = tuple(map(SeatName, after.game.seats))
        yield Text("{seats:and} {seats:#plays|play}.", seats=seats)
        yield from after.happened
        return
    if isinstance(event, events.UndoneTo | events.ActionCorrected):
        yield from _put_right(before, after)
    anew = isinstance(event, events.ActionDone | events.UndoneTo | events.ActionCorrected)
    yield from after.happened[0 if anew else len(before.happened) :]
    known = {foul.raised.foul: _ending(foul) for foul in before.fouls}
    for foul in after.fouls:
        ending = _ending(foul)
        is_new = foul.raised.foul not in known
        if is_new or (ending is not None and known[foul.raised.foul] != ending):
            yield foul
    outcome = after.game.outcome(after.state)
    if outcome is not None and before.game.outcome(before.state) is None:
        yield outcome


def _put_right(before: Match, after: Match) -> Iterator[Text]:
    """Yield what people have taken back, or corrected."""
    game, ruled_on = after.game, _unrules(before)
    seen, seen_before = game.view(after.state, None), game.view(before.state, None)
    same_count = len(after.acts) == len(before.acts)
    if after.dropped > before.dropped or (same_count and seen != seen_before):
        yield Text("An earlier entry was corrected.")
    elif len(after.acts) < len(before.acts):
        for event in _undoes(before)[:1]:
            yield Text("Taken back: {what}", what=Text(event.template, **event.values))
    elif ruled_on is not None and all(
        foul.upheld is None for foul in after.fouls if foul.raised.foul == ruled_on.raised.foul
    ):
        yield Text("A ruling is taken back.")
    elif before.over and not after.over:
        yield Text("The match goes on.")


def _ending(foul: Foul) -> object:
    """Return how a foul ended; None: it did not yet."""
    if foul.upheld is None and foul.raised.weight == REMINDER:
        return REMINDER
    return WITHDRAWN if foul.raised.weight == WITHDRAWN else foul.upheld
