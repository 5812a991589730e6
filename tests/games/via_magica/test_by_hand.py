"""Real portals and a real bag: the companion keeps score, and people tell it what they see."""

import random

import pytest

from companion.core.game import TABLE
from companion.core.log import Log, load
from companion.core.notation import read
from companion.games.via_magica import rules
from companion.games.via_magica.rules import Deal, Draw, Keep, Phase, Settings, Turn, ViaMagica
from companion.system.errors import Illegal
from tests.games.via_magica.games import BLUE, GREEN, RED, random_game, zone
from tests.games.via_magica.test_facts import may
from tests.referee.twins import seen_by

GAME = ViaMagica(Settings((RED, GREEN), by_hand=True))


def told(*texts: str) -> rules.State:
    """Return the state after people have told so much; what needs no telling follows."""
    state = GAME.start()
    for text in texts:
        state = GAME.apply(state, read(GAME, state, text))
        while state.phase in {Phase.TURN, Phase.UNVEIL}:
            state = GAME.apply(state, GAME.legal(state, TABLE)[0])
    return state


FIVE = tuple(f"draw {number}" for number in (24, 25, 24, 26, 27))
REDS = tuple(f"keep red portals {number}" for number in (33, 12, 5))
GREENS = tuple(f"keep green portals {number}" for number in (33, 25, 1))


def test_people_tell_what_lies_on_the_table_and_then_what_each_has_kept() -> None:
    assert GAME.start().phase is Phase.DRAW
    state = told(*FIVE)
    assert (state.phase, state.display) == (Phase.KEEP, (24, 25, 24, 26, 27))
    assert GAME.turns(state) == (RED, GREEN)
    assert "keep red portals 24" not in may(GAME, state)  # both lie on the table
    state = told(*FIVE, *REDS[:2])
    assert GAME.view(state, None).zones[0].building == zone("33", "12")  # nothing is hidden
    assert "keep red portals 33" not in may(GAME, state)
    assert "keep green portals 33" in may(GAME, state)
    assert GAME.turns(state) == (RED, GREEN)
    state = told(*FIVE, "keep red portals 25")
    assert "keep green portals 25" not in may(GAME, state)  # one lies on the table, red has one
    state = told(*FIVE, *REDS, *GREENS)
    assert (state.phase, state.round, state.catcher) == (Phase.CATCH, 1, RED)
    assert state.players[GREEN].building == zone("33", "25", "1")
    assert "draw 33" not in may(GAME, state)


def test_only_the_third_portal_completes_what_is_told_to_all() -> None:
    state = told(*FIVE)
    for text in REDS[:2]:
        assert GAME.explain(state, read(GAME, state, text)) == ()
        state = GAME.apply(state, read(GAME, state, text))
    assert GAME.explain(state, read(GAME, state, REDS[2])) == (rules.PortalsKept(RED),)


def test_the_companion_deals_nothing_and_nothing_is_chosen_from_a_hand() -> None:
    dealt = ViaMagica(Settings((RED, GREEN)))
    assert (dealt.unasked, dealt.from_hand) == ((Deal, Draw, Turn, rules.Unveil), (Keep,))
    assert (GAME.unasked, GAME.from_hand) == ((Turn, rules.Unveil), ())


def test_whoever_takes_a_portal_tells_which_one_replaces_it() -> None:
    state = told(*FIVE, *REDS, *GREENS)
    game, crystals = GAME, ("air", "water")
    for animus in crystals:
        state = game.apply(state, read(game, state, f"catch {animus}"))
        state = game.apply(state, read(game, state, f"crystallize red 33:{animus}"))
        if GREEN in game.turns(state):
            state = game.apply(state, game.legal(state, GREEN)[-1])
    state = game.apply(state, read(game, state, "open red 33"))
    state = game.apply(state, read(game, state, "take red 26"))
    assert state.phase is Phase.DRAW
    for text in ("draw 24", "draw 40"):
        if text == "draw 24":
            with pytest.raises(Illegal):
                game.apply(state, Draw(24))
        else:
            state = game.apply(game.apply(state, read(game, state, text)), Turn())
    assert state.display == (24, 25, 24, 27, 40)


def test_a_portal_that_nobody_can_have_is_refused() -> None:
    for state, wrong in ((told(*FIVE), 24), (told(*FIVE, REDS[0]), 33), (told(*FIVE), 41)):
        with pytest.raises(Illegal):
            GAME.apply(state, Keep(RED, (wrong,)))
    with pytest.raises(Illegal):
        GAME.apply(told(*FIVE), Keep(RED, (1, 2, 3)))


@pytest.mark.parametrize(("reshuffle", "unseen"), [(True, 0), (False, 3 * 2)])
def test_without_reshuffling_what_was_discarded_never_comes(reshuffle: bool, unseen: int) -> None:
    """VM-8: nobody tells which these were, so they are only counted."""
    game = ViaMagica(Settings((RED, GREEN), reshuffle=reshuffle, by_hand=True))
    for left in (unseen + 1, unseen):
        state = game.start()._replace(round=1, phase=Phase.DRAW, took=True, queue=(RED,))
        stack = (1,) * (left + 1) + (0,) * (len(rules.PORTALS) - left - 1)
        state = game.apply(state._replace(stack=stack, display=(40, 39, 38)), Draw(1))
        state = game.apply(state, Turn())
        assert (state.phase is Phase.DRAW) == (left > unseen)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_by_hand_goes_on_like_any_other_and_is_kept(seed: int) -> None:
    game = ViaMagica(Settings((RED, GREEN, BLUE), by_hand=True))
    steps = list(random_game(random.Random(f"by hand {seed}"), game))
    assert not any(isinstance(action, Deal) for _, action in steps)
    assert sum(isinstance(action, Keep) for _, action in steps) == 9
    assert any(isinstance(action, rules.Catch) for _, action in steps)
    log = Log.begin(game, [action for _, action in steps])
    assert log.state.phase is Phase.OVER
    assert load(log.dump(), {game.name: ViaMagica}) == (log, None)
    assert seen_by(log, None) == log.actions  # once all is unveiled
