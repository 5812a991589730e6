"""Command handlers: which events a command makes in a match, and what follows from these; pure.

An impossible command raises the reason.
"""

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Final

from companion.core import TABLE, Action, pack, unpack
from companion.core.notation import Parsed, find, parse, usage
from companion.core.plugin import GAMES, PLUGINS
from companion.referee import automation, claims, commands, events
from companion.referee.barrel_game import BarrelGame, Costs, NumberOf, RefereePorts, barrel_game
from companion.referee.barrel_state import BarrelTracker
from companion.referee.match import Foul, Match, apply, started_event
from companion.referee.replay import FOUL
from companion.sensing.events import FoulCode
from companion.system.errors import CompanionError, RulesError, Unreadable
from companion.system.format_names import format_name_of
from companion.system.text import SEATS, seat_word


def costly(match: Match) -> tuple[Foul, ...]:
    """Return the fouls on which the table has not ruled, and which may cost somebody something."""
    return tuple(foul for foul in _open(match) if _costs(match, foul))


def may_pay(match: Match) -> tuple[str, ...]:
    """Return the seats that these may hit."""
    hit = {seat for foul in _open(match) for seat, _ in _costs(match, foul)}
    return tuple(seat for seat in map(seat_word, match.game.seats) if seat in hit)


def overtakes_ruling(match: Match, new_events: Iterable[events.MatchEvent]) -> bool:
    """Tell whether something would be done that an open ruling would then come too late for."""
    before = {foul.raised.foul: set(_costs(match, foul)) for foul in _open(match)}
    if not any(before.values()):
        return False
    played_with, after = barrel_game(match), match
    for event in new_events:
        if played_with is None or not isinstance(event, events.ActionDone):
            return False
        if type(event.action) not in played_with.waits:
            return False
        after = apply(after, event)
    left = {foul.raised.foul: set(_costs(after, foul)) for foul in _open(after)}
    return any(costs - left.get(number, set()) for number, costs in before.items())


def waits_for_ruling(match: Match) -> bool:
    """Tell whether all that can be done next has to wait until the table has ruled."""
    if match.over or not costly(match):
        return False
    return any(_seat_overtakes(match, seat) for seat in match.game.turns(match.state))


def demand_rulings_first(match: Match, new_events: Iterable[events.MatchEvent]) -> None:
    """Refuse what would overtake an open ruling."""
    if overtakes_ruling(match, new_events):
        raise CompanionError("A foul is still open: decide on it first, then play goes on.")


def _seat_overtakes(match: Match, seat: int) -> bool:
    legal = match.game.legal(match.state, seat)
    return overtakes_ruling(match, [events.ActionDone(action, "") for action in legal[:1]])


def _open(match: Match) -> Iterable[Foul]:
    return (foul for foul in match.fouls if foul.upheld is None and foul.raised.weight == FOUL)


def _costs(match: Match, foul: Foul) -> Costs:
    played_with = barrel_game(match)
    return () if played_with is None or match.over else played_with.costs(match, foul)


CALLED: Final = tuple(foul.value for foul in FoulCode)


def events_for(
    match: Match,
    wish: commands.CommandBody,
    by: str,
    luck: automation.Randomness,
    means: Parsed | None = None,
) -> tuple[events.MatchEvent, ...]:
    """Return the events that a wish means in a match that is being played.

    `means` is what its text says, from whoever has read it already.
    """
    match wish:
        case commands.DoAction(text) | commands.ConfirmDisputed(text):
            action = read_action(match, text, by, means)
            automation.demand_no_own_roll(match, action)
            demand_rulings_first(match, (done := events.ActionDone(action, by),))
            return (done,)
        case commands.RollForUs():
            return (events.ActionDone(_roll(match, luck), by, drawn=True),)
        case commands.Undo():
            to = match.undo_to()
            if to is None:
                raise CompanionError("There is nothing to take back.")
            return (events.UndoneTo(to, by),)
        case commands.CorrectAction(entry, text):
            action = _read_in_full(match, text, by, means)
            _demand_entered(match, entry)
            return (events.ActionCorrected(entry, action, by),)
        case commands.Rule(foul, upheld, seat):
            if seat is not None:
                _demand_seat(match, seat)
            return (events.FoulRuled(foul, upheld, by, seat),)
        case commands.Call(code, seat):
            return (_foul_called(match, code, seat),)
        case commands.AssignBarrel(seat, stopper):
            if barrel_game(match) is None:
                raise CompanionError("This game is played without barrels.")
            _demand_seat(match, seat)
            return (events.BarrelAssigned(seat, stopper),)
        case commands.GiveUp():
            return (events.MatchAbandoned(by),)
    raise CompanionError(
        "'{wish}' cannot be asked for in a match.", wish=format_name_of(type(wish))
    )


def consequences(
    match: Match, event: events.MatchEvent, number_of: NumberOf, luck: automation.Randomness
) -> tuple[Match, list[events.MatchEvent]]:
    """Return everything that follows from the newest event by itself, and where that leads."""
    done, pending = list[events.MatchEvent](), [*_next_events(match, event, number_of, luck)]
    while pending:
        match = apply(match, pending[0])
        done.append(pending.pop(0))
        pending = pending or [*_next_events(match, done[-1], number_of, luck, len(done))]
    return match, done


def _next_events(
    match: Match,
    event: events.MatchEvent,
    number_of: NumberOf,
    luck: automation.Randomness,
    done: int = 0,
) -> Sequence[events.MatchEvent]:
    """Return what barrels and fouls bring about, otherwise what the companion does."""
    if match.over:
        return ()
    further: Sequence[events.MatchEvent] = ()
    if (played_with := barrel_game(match)) is not None:
        sealed = played_with.choosing(match) or played_with.standing(match)
        further = played_with.follows(match, event, nobody_knows if sealed else number_of)
    return further or automation.automatic_events(match, luck, done)


def nobody_knows(_: int) -> None:
    """Tell no number: until all are flipped not even the game may ask."""


def first_event(wish: commands.NewMatch) -> events.MatchStarted:
    """Return the event that begins the match somebody wishes for."""
    if wish.game not in GAMES:
        raise CompanionError(
            "The game '{name}' is not known; known: {games}.", name=wish.game, games=tuple(GAMES)
        )
    kind = GAMES[wish.game]
    game = kind(unpack(kind.settings_type, wish.settings, "settings"))
    automation.demand_bots(game, wish.house)
    return started_event(game, wish.house)


def usual_match(colours: Iterable[str], last: Match | None = None) -> commands.NewMatch:
    """Return the wish for what is usual at this table, as those who have no phone get it.

    It is what was played last, as it was agreed on, else the first game that has barrels.
    """
    seats = {"seats": sorted(colours, key=SEATS.index)}
    if last is not None:
        house = replace(last.house, bots=(), coached=False)  # that is agreed on again
        return commands.NewMatch(last.game.name, pack(last.game.settings) | seats, house)
    name = next(
        (name for name, plugin in PLUGINS.items() if plugin.part(BarrelGame)), next(iter(PLUGINS))
    )
    return commands.NewMatch(name, pack(GAMES[name].settings_type()) | seats, events.USUAL_HOUSE)


def _parsed(match: Match, text: str, means: Parsed | None) -> Parsed:
    """Return what a text says in the game that is played, whatever game it was read for."""
    if means is not None and means[0] in (*match.game.actions, *match.game.rulings):
        return means
    return parse(match.game, text)


def read_action(match: Match, text: str, by: str, means: Parsed | None) -> Action:
    """Return the action that a text means; those who may not see a hand get no hint of it."""
    parsed = _parsed(match, text, means)
    _demand_own_hand(match, *parsed, by)
    return find(match.game, match.state, text, parsed, match.seat(by))


def _demand_entered(match: Match, entry: int) -> None:
    """Refuse to correct what the companion did itself: it was not entered wrongly."""
    actions = zip(match.acts, match.log.states, match.log.actions, strict=False)
    state, done = next(((was, action) for n, was, action in actions if n == entry), (None, None))
    if done is None:
        return
    played = done.seat in {bot.seat for bot in match.house.bots}
    rolled = done.seat == TABLE and automation.companion_rolls(match.house, match.game, state)
    if played or rolled or type(done) in match.game.unasked:
        raise CompanionError("The companion did that itself; there is nothing to correct.")


def _demand_own_hand(match: Match, kind: type[Action], given: dict[str, Any], by: str) -> None:
    seat = given.get("seat")
    if kind in match.game.from_hand and (seat is None or seat_word(seat) != by):
        raise CompanionError("What is in a hand is chosen on the phone of that seat alone.")


def _read_in_full(match: Match, text: str, by: str, means: Parsed | None) -> Action:
    """Return the action that a text says in full: where it once stood, nothing can be guessed."""
    kind, given = _parsed(match, text, means)
    _demand_own_hand(match, kind, given, by)
    missing = [
        part.name for part in fields(kind) if part.default is MISSING and part.name not in given
    ]
    if missing:
        raise Unreadable(
            "'{text}' lacks {parts}; the pattern is '{usage}'.",
            text=text[:40],
            parts=tuple(missing),
            usage=usage(kind),
        )
    return kind(**given)


def _roll(match: Match, luck: automation.Randomness) -> Action:
    if TABLE not in match.game.turns(match.state):
        raise CompanionError("There is nothing to roll now.")
    if automation.is_by_hand(match.game):
        raise CompanionError("You deal and draw with your own pieces here; enter what it was.")
    return luck.draw(match)


def _foul_called(match: Match, code: str, seat: str | None) -> events.FoulRaised:
    if code not in CALLED:
        raise CompanionError(
            "There is no foul '{code}'; there are {codes}.", code=code, codes=CALLED
        )
    if seat is not None:
        _demand_seat(match, seat)
    return events.FoulRaised(match.next_foul, code, "foul", seat, 0, 100, called=True)


def _demand_seat(match: Match, seat: str) -> None:
    playing = tuple(map(seat_word, match.game.seats))
    if seat not in playing:
        raise CompanionError("{seat} does not play; {seats} do.", seat=seat, seats=playing)


class Claims:
    """Claims that sensors contradict: people are asked once more before they count."""

    def __init__(self, knows: RefereePorts, barrels: BarrelTracker) -> None:
        self._knows, self._barrels = knows, barrels
        self._asked: dict[str, claims.Claim] = {}

    @property
    def open(self) -> tuple[claims.Claim, ...]:
        return tuple(self._asked.values())

    def is_open(self, text: str) -> bool:
        """Return whether that is already being asked back."""
        return text in self._asked

    def withdraw(self, text: str) -> None:
        """Note that it is not so."""
        self._asked.pop(text, None)

    def unless_disputed(
        self,
        match: Match,
        wish: commands.DoAction | commands.ConfirmDisputed,
        by: str,
        new_events: Sequence[events.MatchEvent],
    ) -> Sequence[events.MatchEvent]:
        """Return the events of a claim; none, if it is asked back first."""
        asked = self._asked.get(wish.text) if isinstance(wish, commands.ConfirmDisputed) else None
        objection = asked.objection if asked else self._objection(match, new_events)
        if objection is None:
            return new_events
        if isinstance(wish, commands.DoAction):
            self._asked[wish.text] = claims.Claim(wish.text, by, _whose(new_events), objection)
            return ()
        against = objection.value
        return [
            replace(event, against=against) if isinstance(event, events.ActionDone) else event
            for event in new_events
        ]

    def review(self, match: Match | None) -> None:
        """Stop asking about what is no longer possible, or what the sensors see by now."""
        for text, claim in tuple(self._asked.items()):
            if match is None or match.over or not self._stands(match, claim):
                del self._asked[text]

    def _stands(self, match: Match, claim: claims.Claim) -> bool:
        try:
            action = read_action(match, claim.text, claim.by, None)
        except (CompanionError, RulesError):
            return False
        done = events.ActionDone(action, claim.by)
        return self._objection(match, [done]) is claim.objection

    def _objection(
        self, match: Match, new_events: Iterable[events.MatchEvent]
    ) -> claims.Objection | None:
        senses, played_with = self._barrels.senses(), barrel_game(match)
        if senses is None or played_with is None:
            return None
        sealed = played_with.choosing(match) or played_with.standing(match)
        number_of = nobody_knows if sealed else self._knows.number_of
        objections = (
            played_with.objection(match, event.action, senses, number_of)
            for event in new_events
            if isinstance(event, events.ActionDone)
        )
        return next((objection for objection in objections if objection is not None), None)


def _whose(new_events: Iterable[events.MatchEvent]) -> str | None:
    return next(
        (
            claims.seat_of(event.action)
            for event in new_events
            if isinstance(event, events.ActionDone)
        ),
        None,
    )
