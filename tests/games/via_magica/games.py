"""Random tables and random games, and games that are steered to what a test needs."""

import random
from collections.abc import Iterator

from companion.core import SeatName
from companion.core.game import TABLE, Action, choices
from companion.games.via_magica import rules
from companion.games.via_magica.players import experienced
from companion.games.via_magica.rules import PORTALS, Building, Player, Settings, State, ViaMagica

RED, GREEN, BLUE, YELLOW, VIOLET, WHITE = SeatName


def random_settings(rng: random.Random) -> Settings:
    """Return any table."""
    seats = tuple(sorted(rng.sample(list(SeatName), rng.randint(2, 6))))
    reshuffle, chain, interrupts, early = (rng.random() < 2 / 3 for _ in range(4))
    return Settings(
        seats,
        triples=rng.choice((0, 0, 1)),
        numbers=rng.choice((0, 1, 1, 2)),
        reshuffle=reshuffle,
        chain=chain,
        interrupts=interrupts,
        hand_over_early=early,
    )


def random_game(
    rng: random.Random, game: ViaMagica, skill: float = 0.8
) -> Iterator[tuple[State, Action]]:
    """Play a whole game; often with a sensible player, for those see more portals opened."""
    state = game.start()
    while turns := game.turns(state):
        seat = rng.choice(turns)
        options = game.legal(state, seat)
        if seat == TABLE:
            action = rng.choices(options, game.odds(state))[0]
        elif rng.random() < skill:
            options = choices(game, state, seat)
            action = experienced(game.settings, game.view(state, seat), seat, options, rng)
        else:
            action = rng.choice(options)
        yield state, action
        state = game.apply(state, action)


def zone(*portals: str) -> tuple[Building, ...]:
    """Return a building zone: each portal's number, and the letters that bear a crystal.

    >>> zone("33:A", "9")[0]
    Building(portal=33, covered=(1, 0, 0, 0, 0, 0))
    """
    found = []
    for portal in portals:
        number, _, letters = portal.partition(":")
        air, water, earth, life, fire, shadow = map(letters.count, "AWELFS")
        found.append(Building(int(number), (air, water, earth, life, fire, shadow)))
    return tuple(found)


def player(*portals: str, supply: int = 7, opened: tuple[int, ...] = ()) -> Player:
    """Return a player in mid-game."""
    return Player((), supply, zone(*portals), opened)


def before_catch(
    game: ViaMagica,
    *players: Player,
    display: tuple[int, ...] = (24, 25, 26, 27, 28),
    catcher: SeatName = RED,
) -> State:
    """Return the moment before an animus is caught; the players sit from the first seat on."""
    state = game.start()
    everybody = (*players, *state.players[len(players) :])
    return state._replace(
        round=1, phase=rules.Phase.CATCH, display=display, catcher=catcher, players=everybody
    )


def lacking(number: int, letter: str) -> str:
    """Return a portal that lacks nothing but one field of this letter."""
    fields = PORTALS[number].fields
    letters = "".join(le * count for le, count in zip("AWELFS", fields, strict=True))
    return f"{number}:{letters.replace(letter, '', 1)}"


def letter(animus: rules.Animus) -> str:
    """Return the letter of an animus."""
    return "AWELFS"[animus]
