"""How people listen, remember and choose; and that they never know more than they may."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.game import Action
from companion.games.zapp_zerapp.listening_ai.people import (
    PLACES,
    Ear,
    Gambler,
    Hands,
    Listener,
    Memory,
    Person,
    Plateau,
)
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import Colour, Move, Phase, Settings, View, ZappZerapp

DUEL = (Colour.RED, Colour.BLUE)
Maker = Callable[[Settings, Random], Person]


def played(
    settings: Settings, seed: int, *makers: Maker, ear: Any = None
) -> tuple[Table, list[Action]]:
    """Play a game to its end."""
    rng = Random(seed)
    game = ZappZerapp(settings)
    people = {seat: make(settings, rng) for seat, make in zip(game.seats, makers, strict=True)}
    table = Table(game, people, rng, ear=ear)
    return table, [action for _, action, _ in table.play()]


def listener(settings: Settings, rng: Random) -> Person:
    """Make somebody who plays well."""
    return Listener(settings, rng)


def gambler(settings: Settings, rng: Random) -> Person:
    """Make somebody who plays at random."""
    del settings
    return Gambler(rng)


def spells(makers: tuple[Maker, ...], settings: Settings, seeds: range) -> list[list[float]]:
    """Return for each player how many fields the barrels of each round were good for."""
    good: list[list[float]] = [[] for _ in makers]
    for seed in seeds:
        rng = Random(seed)
        game = ZappZerapp(settings)
        people = {seat: make(settings, rng) for seat, make in zip(game.seats, makers, strict=True)}
        for before, _, _ in Table(game, people, rng).play():
            if before.phase is Phase.FLIP:
                for seat, mine in zip(game.seats, good, strict=True):
                    number = before.barrels[seat]
                    mine.append(number / before.magic if number <= before.magic else 0)
    return good


def mean(values: list[float]) -> float:
    """Return the mean."""
    return sum(values) / len(values)


@pytest.mark.parametrize("profi", [False, True])
@pytest.mark.parametrize("overlook", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_every_kind_of_game_comes_to_its_end(profi: bool, overlook: bool, shuffle: bool) -> None:
    settings = Settings(profi=profi, overlook=overlook, shuffle=shuffle)
    table, actions = played(settings, 3, listener, gambler, listener, gambler)
    assert table.game.outcome(table.state)
    assert len(actions) > 50


def test_one_seed_is_one_game() -> None:
    assert played(Settings(), 11, *[listener] * 4)[1] == played(Settings(), 11, *[listener] * 4)[1]
    assert played(Settings(), 11, *[listener] * 4)[1] != played(Settings(), 12, *[listener] * 4)[1]


def test_listening_beats_chance() -> None:
    heard, random = spells((listener, gambler), Settings(seats=DUEL), range(15))
    assert mean([value > 0 for value in heard]) > mean([value > 0 for value in random]) + 0.15
    assert mean(heard) > mean(random) * 1.5


def test_thinking_beats_chance() -> None:
    wins = 0
    for seed in range(30):
        table, _ = played(Settings(seats=DUEL), seed, listener, gambler)
        outcome = table.game.outcome(table.state)
        assert outcome
        wins += outcome.winners == (Colour.RED,)
    assert wins >= 25


def test_remembering_helps_where_nothing_is_shuffled() -> None:
    def forgetful(settings: Settings, rng: Random) -> Person:
        person = Listener(settings, rng)
        person.memory = Memory(rng, notices=0)
        return person

    settings = Settings(seats=DUEL, shuffle=False)
    remembered, forgot = spells((listener, forgetful), settings, range(40))
    assert mean(remembered) > mean(forgot) + 0.04


def test_an_ear_is_surer_of_few_stones() -> None:
    rng, ear = Random(1), Ear()
    few = [abs(ear.hear(2, rng) - 2) for _ in range(400)]
    many = [abs(ear.hear(12, rng) - 12) for _ in range(400)]
    assert mean(few) * 2 < mean(many)
    odds = ear.chances(4.2)
    assert abs(sum(odds) - 1) < 1e-9
    assert max(odds) == odds[3]


def test_memory_fades() -> None:
    memory = Memory(Random(1), notices=1)
    memory.see("C", 7)
    fresh = memory.odds("C")[6]
    memory.see("D", 7)  # it cannot stand on both
    assert memory.odds("C")[6] < fresh == memory.odds("D")[6]
    memory.fade()
    assert memory.odds("D")[6] < fresh
    for _ in range(30):
        memory.fade()
    assert memory.odds("D")[6] == pytest.approx(1 / 13)


def test_whoever_may_overlook_something_does_now_and_then() -> None:
    settings = Settings(overlook=True)
    full = overlooked = 0
    for seed in range(8):
        rng = Random(seed)
        game = ZappZerapp(settings)
        people: dict[Colour, Person] = {seat: Listener(settings, rng) for seat in game.seats}
        for before, action, _ in Table(game, people, rng).play():
            if isinstance(action, Move):
                number = before.barrels[action.seat]
                could = game.moves.banishable(before.pawns, action.seat, action.step, number)
                full += len(could)
                overlooked += len(could) - len(action.banish or ())
    assert 0.05 < overlooked / full < 0.3


class Script(Ear):
    """An ear that hears what it is told, whatever the barrel bears."""

    rng: Random

    def __init__(self) -> None:
        vars(self)["rng"] = Random(99)  # an ear never changes otherwise

    def hear(self, number: int, rng: Random) -> float:
        """Return the next sound."""
        del number, rng
        return 1 + 12 * self.rng.random()


class Spy:
    """Notes what a listener does with barrels."""

    def __init__(self, person: Person, seen: list[tuple[object, ...]]) -> None:
        self.person = person
        self.seen = seen

    def shake(self, hands: Hands, view: View) -> None:
        """Let the listener act, and note it."""
        self.person.shake(hands, view)
        self.seen.append((view, hands.held, hands.free))


def test_before_the_flip_people_act_on_what_they_hear_alone() -> None:
    """Two tables that differ only in which barrel bears which number see the same hands."""

    def seen(shuffles: int) -> list[tuple[object, ...]]:
        rng, noted = Random(5), list[tuple[object, ...]]()
        plateau = Plateau()
        for _ in range(shuffles):
            plateau.shuffle(Random(shuffles))
        ear = Script()
        game = ZappZerapp(Settings(shuffle=False))
        state = game.apply(game.start(), game.legal(game.start(), -1)[6])
        for seat in game.seats:
            kept: list[object] = []
            hands = Hands(plateau, ear, rng, kept.append)
            spy = Spy(Listener(game.settings, rng), noted)
            while not kept:
                spy.shake(hands, game.view(state, seat))
        return noted

    assert seen(0) == seen(1) == seen(2)
    assert len(seen(0)) > len(PLACES) // 2
