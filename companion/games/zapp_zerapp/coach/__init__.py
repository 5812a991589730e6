"""The coach's evaluator for Zapp Zerapp: luck of dice and barrels, and decisions of moves."""

import re
from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from companion.coach.evaluator import Coach, Evaluator, ListeningChoice, LuckSource, WinChances
from companion.core.game import Action, Event, Game
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.picture import Drawn, Mark, board_svg
from companion.games.zapp_zerapp.rules.model import ALL_AT_START
from companion.games.zapp_zerapp.rules.rounds import ROLL_ODDS, SUMS
from companion.games.zapp_zerapp.solution import worth
from companion.system.text import Text

DICE: Final = "dice"
BARRELS: Final = "barrels"


class Judging(Evaluator):
    """Knows what a match is worth by the settings of its game."""

    def __init__(self, game: rules.ZappZerapp) -> None:
        self._seats = game.seats
        self._worth = worth(game.settings)
        self._told: dict[Any, WinChances] = {}
        self.why = self._worth.why

    def worths(self, state: rules.State) -> WinChances:
        """Return what a moment is worth; what cannot change it is not asked twice."""
        key = _open_part(state)
        if key not in self._told:
            self._told[key] = self._worth.of(state)
        return self._told[key]

    def source(self, action: Action) -> str | None:
        """Return what an action belongs to; a move is decided in the open."""
        if isinstance(action, rules.Roll):
            return DICE
        return None if isinstance(action, rules.Move) else BARRELS

    def options(self, state: rules.State) -> Mapping[Action, float]:
        """Return what each move is worth to whoever moves."""
        if state.phase is not rules.Phase.MOVE:
            return {}
        at = self._seats.index(state.queue[0])
        moves = self._worth.moves(state.pawns, state.barrels, state.queue)
        return {move: values[at] for move, values in moves.items()}

    def heard(self, before: rules.State, action: Action) -> tuple[ListeningChoice, ...]:
        """Return how near each number came to the best that nobody else had in front of them."""
        numbers = uncovered(before, action)
        if len(numbers) < len(self._seats):  # what a number is worth counts on all to play
            return ()
        return tuple(
            _heard(
                seat,
                numbers[seat],
                self._worth.curve(before.pawns, before.magic, seat),
                {*numbers.values()} - {numbers[seat]},
            )
            for seat in self._seats
        )

    def tips(self, state: rules.State, seat: int) -> tuple[Text, ...]:
        """Return what the dice can bring a seat, and then which numbers are worth most to it."""
        colour = rules.Colour(seat)
        if state.phase is rules.Phase.ROLL:
            return (self._of_dice(state, colour),)
        if state.phase is rules.Phase.PLACE and state.barrels[colour] == rules.EMPTY:
            return (self._of_numbers(state, colour),)
        return ()

    def _of_dice(self, state: rules.State, seat: rules.Colour) -> Text:
        at = self._seats.index(seat)
        worths = {magic: self._worth.rolled(state.pawns, magic)[at] for magic in SUMS}
        best = max(worths, key=lambda magic: worths[magic])
        if _points(worths[best]) == _points(min(worths.values())):
            return Text(
                "Whatever the dice show, {seat:@{seat} has|you have} {most} points.",
                seat=seat,
                most=_points(worths[best]),
            )
        return Text(
            "Depending on the dice, {seat:@{seat} has|you have} {least} to {most} points; {best} "
            "would be best, and comes up in {times} of {all} rolls.",
            seat=seat,
            least=_points(min(worths.values())),
            most=_points(worths[best]),
            best=best,
            times=ROLL_ODDS[SUMS.index(best)],
            all=sum(ROLL_ODDS),
        )

    def _of_numbers(self, state: rules.State, seat: rules.Colour) -> Text:
        out = [seat for seat in self._seats if state.barrels[seat] == rules.OUT]
        curve = self._worth.curve(state.pawns, state.magic, seat, out)
        best, second = sorted(range(rules.BARRELS), key=lambda place: -curve[place])[:2]
        return Text(
            "Listen for {best}: with it {seat:@{seat} has|you have} {most} points, with {second} "
            "{more}, and with any barrel {blind} on average.",
            seat=seat,
            best=best + 1,
            most=_points(curve[best]),
            second=second + 1,
            more=_points(curve[second]),
            blind=_points(sum(curve) / rules.BARRELS),
        )


def _points(worth: float) -> float:
    return round(worth * 100, 1)


def visible_state(view: rules.View, after: rules.View) -> rules.State:
    """Return a moment as all know it who see it, and what lies open after it: no hidden number."""
    barrels = [rules.EMPTY] * len(rules.Colour)
    for seat in view.placed:
        barrels[seat] = rules.UNREAD
    for seat, number in (*view.numbers, *after.numbers):
        barrels[seat] = number
    for seat in view.out:
        barrels[seat] = rules.OUT
    pawns = dict(view.pawns)
    red, green, blue, yellow = (pawns.get(colour, ALL_AT_START) for colour in rules.Colour)
    first, second, third, fourth = barrels
    return rules.State(
        view.round,
        view.phase,
        view.magic,
        (first, second, third, fourth),
        view.order,
        (red, green, blue, yellow),
    )


def judge(game: Game[Any]) -> Evaluator:
    assert isinstance(game, rules.ZappZerapp)
    return Judging(game)


def uncovered(before: rules.State, action: Action) -> Mapping[rules.Colour, int]:
    """Return the numbers of a round, once the last of them is known; none before and after."""
    barrels = list(before.barrels)
    match action:
        case rules.Say(player, number):
            barrels[player] = number
        case rules.SitOut(player) if before.phase is rules.Phase.SAY:
            barrels[player] = rules.OUT
        case rules.Flip():
            pass
        case _:
            return {}
    if rules.UNREAD in barrels:
        return {}
    return {
        rules.Colour(seat): number for seat, number in enumerate(barrels) if number > rules.EMPTY
    }


def _heard(seat: rules.Colour, number: int, curve: WinChances, taken: set[int]) -> ListeningChoice:
    free = [number for number in range(1, rules.BARRELS + 1) if number not in taken]
    best = max(free, key=lambda barrel: (curve[barrel - 1], barrel == number))
    blind = sum(curve[number - 1] for number in free) / len(free)
    return ListeningChoice(seat, curve[number - 1], curve[best - 1], blind, f"{number}", f"{best}")


def _open_part(state: rules.State) -> Any:
    """Return what a moment's worth depends on."""
    match state.phase:
        case rules.Phase.ROLL | rules.Phase.OVER:
            return state.phase, state.pawns
        case rules.Phase.MOVE:
            return state.barrels, state.queue, state.pawns
    out = tuple(barrel == rules.OUT for barrel in state.barrels)
    return state.magic, out, state.pawns


BETTER: Final = "better"
NAMED: Final = re.compile(r' id="[^"]*"')  # one page shows several boards


def picture(
    view: rules.View, settings: Any, done: tuple[Event, ...], better: tuple[Event, ...], reader: Any
) -> str:
    """Return the board as it stood, the way that was gone dotted and the better one whole."""
    mover = next(
        (rules.Colour(event.seat) for event in done if isinstance(event, rules.Moved)), None
    )
    drawn = Drawn(
        camps=view.pawns,
        happened=tuple(event for event in done if isinstance(event, rules.Moved)),
        marks=(Mark(BETTER, better, shown=True),),
        magic=view.magic,
        counts=mover,
    )
    return Markup(NAMED.sub("", board_svg(settings.board, drawn, reader)))  # noqa: S704 - our own


COACH: Final = Coach(
    sources=(
        LuckSource(DICE, Text("Dice"), Text("It was mostly the dice: luck.")),
        LuckSource(
            BARRELS, Text("Barrels"), Text("It was mostly the barrels: a good ear, and luck.")
        ),
    ),
    judge=judge,
    counts=Text(
        "A position is valued as if barrels were drawn blindly and pawns moved as well as "
        "possible. So dice are pure luck; barrels are luck and a good ear, by how much they were "
        "better or worse than a blind draw. What nobody could see before the flip counts against "
        "nobody."
    ),
    ear=Text("The ear"),
    seen=visible_state,
    picture=picture,
)
