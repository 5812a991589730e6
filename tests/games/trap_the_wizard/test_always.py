"""Nothing is hidden, every game ends, and at every moment each wizard is somewhere."""

import random
from collections import Counter
from dataclasses import fields, replace

import pytest

from companion.core.game import TABLE, Event, choices
from companion.core.log import Log
from companion.games.trap_the_wizard.rules import (
    PLAYERS,
    START,
    Phase,
    Robe,
    State,
    TrapTheWizard,
)
from companion.games.trap_the_wizard.rules import events as kinds_of_events
from tests.games.trap_the_wizard.games import random_game, random_settings

VIEWERS: tuple[int | None, ...] = (*Robe, TABLE, None)
GAMES, IN_FULL = 16, 200
MOST = 40_000  # actions of a random game of one or two rounds


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_hidden_and_only_choices_differ(seed: int) -> None:
    """Non-interference: all see the same, and it is the whole state; no action has a seal."""
    rng = random.Random(seed)
    game = TrapTheWizard(random_settings(rng))
    assert all(kind.sealed is None for kind in game.actions)
    log = Log.begin(game, [action for _, action, _ in random_game(rng, game, 60)])
    for state in log.states[::7]:
        views = [game.view(state, viewer) for viewer in VIEWERS]
        assert len({replace(view, choices=()) for view in views}) == 1
        for viewer, view in zip(VIEWERS, views, strict=True):
            own = tuple(game.legal(state, viewer)) if viewer in game.turns(state) else ()
            assert view.choices == choices(game, state, viewer) == own
        seen = {part.name for part in fields(views[0])} - {"choices", "winners", "turns"}
        assert seen - {"player"} == set(State._fields) - {"turn"}, "a whitelist of all that lies"


def test_random_games_end_and_every_wizard_is_accounted_for(full: bool) -> None:
    """TW-8: at every moment a wizard is free, held or taken; every round's points fit to that."""
    told: set[type[Event]] = set()
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(seed)
        game = TrapTheWizard(
            replace(random_settings(rng), seats=rng.choice((PLAYERS[:2], PLAYERS)))
        )
        rounds, before = 0, game.start()
        for before, action, after in random_game(rng, game, MOST):
            check_wizards(game, after)
            if rng.random() < 1 / 10 or after.round > before.round or after.phase is Phase.OVER:
                told |= {type(event) for event in game.explain(before, action)}
            if after.round > before.round or after.phase is Phase.OVER:
                rounds += 1
                check_points(game, before, after)
        assert game.outcome(after) is not None, f"{seed} does not end"
        assert rounds == game.settings.rounds
    if full:
        kinds = vars(kinds_of_events).values()
        assert told == {k for k in kinds if isinstance(k, type) and issubclass(k, Event)} - {Event}


def check_wizards(game: TrapTheWizard, state: State) -> None:
    """Every player has three wizards, somewhere; the joker is at one place at most."""
    count = Counter(robe for robe in game.seats for _ in state.wizards[robe])
    count.update(r for camp in state.wizards for wizard in camp for r in wizard.load)
    count.update(robe for load in state.taken for robe in load if robe != Robe.JOKER)
    joker = count.pop(Robe.JOKER, 0) + state.joker
    assert count == dict.fromkeys(game.seats, 3)
    assert joker == 1 or (joker == 0 and not game.settings.joker_returns)
    standing = Counter(w.place for camp in state.wizards for w in camp if w.place != START)
    assert max(standing.values(), default=0) <= 2  # TW-3
    for place, number in standing.items():
        owners = {r for r in game.seats for w in state.wizards[r] if w.place == place}
        assert number == 1 or len(owners) == 1 or place in game.settings.board.special


def check_points(game: TrapTheWizard, before: State, after: State) -> None:
    """All but the wizards of one player are captured; those that count are somebody's points."""
    gained = [new - old for new, old in zip(after.scores, before.scores, strict=True)]
    assert min(gained) >= 0
    assert sum(map(bool, before.wizards)) == 2
    if not game.settings.joker_scores:
        assert sum(gained) <= 3 * len(game.seats) - 1  # the last one is free
        if game.settings.held_count:  # three of each loser; the winner's own, if others took them
            assert sum(gained) >= 3 * (len(game.seats) - 1)
