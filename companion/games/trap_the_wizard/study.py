"""How studies count a game of Trap the Wizard, its awards, and its coach."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, Final

from companion.coach import evaluator
from companion.core import Action, Event, Game, Seat, Text
from companion.games.trap_the_wizard import rules
from companion.games.trap_the_wizard.players import (
    HUNT_WORTH,
    board_facts,
    position_worth,
    promises,
)
from companion.games.trap_the_wizard.rules.model import SIDES
from companion.present.awards import Award, Awards, most
from companion.present.study_game import StudiedAction, StudyGame, done_by

SUBJECT: Final = StudyGame(
    code="rolls",
    unit=Text("rolls of the die"),
    span=rules.DieCast,
    points=Text("points"),
    counted=(
        StudiedAction("captured", Text("captured wizards"), done_by(rules.WizardCaptured)),
        StudiedAction("lost", Text("lost wizards"), done_by(rules.WizardCaptured, "victim")),
        StudiedAction(
            "came_home", Text("came home with captives"), done_by(rules.CaptivesBroughtHome)
        ),
        StudiedAction("jokers", Text("took the joker"), done_by(rules.JokerCaptured)),
    ),
)


def earned_awards(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    trapped, home, walked, sixes, freed, jokers = (Counter[int]() for _ in range(6))
    for event in happened:
        match event:
            case rules.WizardCaptured(seat):
                trapped[seat] += 1
            case rules.CaptivesBroughtHome(seat, captives):
                home[seat] += len(captives)
            case rules.WizardSetOut(seat, _, path) | rules.WizardWalked(seat, _, _, path):
                walked[seat] += len(path)
            case rules.WizardReturned(seat, _, path):
                walked[seat] += len(path) + 1
            case rules.DieCast(seat, number):
                sixes[seat] += number == SIDES
            case rules.CaptivesFreed(seat, wizards):
                freed[seat] += wizards
            case rules.JokerCaptured(seat):
                jokers[seat] += 1
            case _:
                pass
    yield most(Text("Best catcher"), Text("trapped {count} {count:#wizard|wizards}"), trapped)
    yield most(Text("Safely home"), Text("brought {count} {count:#captive|captives} home"), home)
    yield most(Text("Luck with the die"), Text("{count} {count:#six|sixes}"), sixes)
    yield most(Text("Longest march"), Text("{count} {count:#field|fields} on foot"), walked)
    yield most(
        Text("Great liberator"), Text("freed {count} {count:#wizard|wizards} of their own"), freed
    )
    yield most(Text("Friend of the joker"), Text("caught it {count} {count:#time|times}"), jokers)


AWARDS: Final = Awards(earned_awards)


TAKEN, PLACED = 1.4, 0.096  # points that one brought home counts, and a better position
LATER, SOON = 4.0, 3.0  # how much can still happen: in each round to come, and in this one
OFF: Final = 7  # points, beside matches played to their end


class Standing:
    """Knows how everything lies."""

    def __init__(self, game: rules.TrapTheWizard) -> None:
        self._game, self._rules = game, board_facts(game.settings)

    def lead(self, state: rules.State) -> tuple[float, ...]:
        """Return points, captives and places, beside how much can still happen."""
        left = self._game.settings.rounds - state.round
        spread = sqrt(SOON + LATER * left)
        return tuple([self._points(state, seat) / spread for seat in self._game.seats])

    def _points(self, state: rules.State, seat: rules.Robe) -> float:
        placed = position_worth(self._rules, state.wizards, seat)
        return state.scores[seat] + TAKEN * len(state.taken[seat]) + PLACED * placed

    def choice(self, state: rules.State, seat: Seat) -> Action:
        options = self._game.legal(state, seat)
        if len(options) == 1:
            return options[0]
        return max(
            promised := promises(self._rules, state, rules.Robe(seat), options, HUNT_WORTH),
            key=promised.__getitem__,
        )


def judge(game: Game[Any]) -> evaluator.Evaluator:
    assert isinstance(game, rules.TrapTheWizard)
    return evaluator.Estimate(game, Standing(game), evaluator.estimate_note(OFF))


COACH: Final = evaluator.Coach(
    sources=(
        evaluator.LuckSource(evaluator.LUCK, Text("Dice"), Text("It was mostly the dice: luck.")),
        evaluator.TOO_ROUGH,
    ),
    judge=judge,
    counts=evaluator.COUNTS,
)
