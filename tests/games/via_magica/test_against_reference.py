"""The fast rules and the slow story allow the same, and come to the same, in random games."""

import random

from companion.core.game import TABLE, Action
from companion.core.notation import write
from companion.games.via_magica.rules import PORTALS, Phase, State, ViaMagica
from tests.games.via_magica.games import random_game, random_settings
from tests.games.via_magica.reference import ANIMI, KIND, Agreed, Story

GAMES, IN_FULL = 12, 600


def test_both_play_every_game_alike(full: bool) -> None:
    """VM-1 to VM-8, every setting: what may be said, and everything that lies on the table."""
    phases = set()
    for seed in range(IN_FULL if full else GAMES):
        rng = random.Random(seed)
        game = ViaMagica(random_settings(rng))
        names = [seat.name.lower() for seat in game.seats]
        rules = game.settings
        numbers, chain = (rules.triples, rules.numbers), (rules.chain, rules.interrupts)
        agreed = Agreed(*numbers, rules.reshuffle, *chain, rules.hand_over_early)
        story = Story(names, agreed)
        for state, action in random_game(rng, game):
            assert options(game, state) == story.options
            assert lies(game, state) == told(story)
            phases.add(state.phase)
            story.do(write(action))
            last: tuple[State, Action] = state, action
        end = game.apply(*last)
        assert (end.phase, story.options) == (Phase.OVER, {})
        outcome = game.outcome(end)
        assert outcome
        assert [score for _, score in outcome.scores] == [one.points() for one in story.people]
    assert phases == set(Phase) - {Phase.OVER}


def options(game: ViaMagica, state: State) -> dict[str, set[str]]:
    """Return who may say what."""
    found = {}
    for seat in game.turns(state):
        legal = game.legal(state, seat)
        assert len(set(legal)) == len(legal) > 0
        name = "table" if seat == TABLE else game.seats[game.seats.index(seat)].name.lower()
        found[name] = {write(action) for action in legal}
    return found


def lies(game: ViaMagica, state: State) -> object:
    """Return what lies on the table, as the companion has it."""
    view = game.view(state, None)
    hands = (state.players[seat] for seat in game.seats)
    return (
        state.catcher.name.lower(),
        sorted(state.display),
        sum(state.stack),
        sum(state.discards) * (state.round > 0),
        sum(state.bag),
        [
            (
                hand.supply,
                sorted((one.portal, one.covered) for one in hand.building),
                list(hand.opened),
                [reward.name.lower() for reward in hand.rewards],
                zone.points,
            )
            for hand, zone in zip(hands, view.zones, strict=True)
        ],
    )


def told(story: Story) -> object:
    """Return the same as the story tells it."""
    return (
        story.people[story.catcher].name,
        sorted(story.display),
        len(story.stack),
        len(story.discards),
        len(story.bag),
        [
            (
                one.supply,
                sorted(
                    (
                        tile.number,
                        tuple(
                            sum(
                                there
                                for le, there in zip(tile.kind.letters, tile.crystals, strict=True)
                                if le == letter
                            )
                            for letter in ANIMI
                        ),
                    )
                    for tile in one.zone
                ),
                one.success,
                one.rewards,
                one.points(),
            )
            for one in story.people
        ],
    )


def test_vm_7_both_know_the_same_forty_kinds() -> None:
    assert sorted(KIND) == sorted(PORTALS) == list(range(1, 41))
    for number, kind in KIND.items():
        portal = PORTALS[number]
        assert portal.hue.name.lower() == kind.hue
        assert portal.fields == tuple(map(kind.letters.count, ANIMI))
        assert portal.points == int(kind.price)
        assert (portal.per.name.lower() if portal.per is not None else "") == kind.per
