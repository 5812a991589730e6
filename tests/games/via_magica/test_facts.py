"""Every numbered fact, one after another, at small tables."""

import random

import pytest

from companion.core import SeatName
from companion.core.game import TABLE
from companion.core.notation import read, write
from companion.games.via_magica.rules import (
    PORTALS,
    Animus,
    Hue,
    Phase,
    Player,
    Reward,
    Settings,
    State,
    ViaMagica,
)
from companion.games.via_magica.rules.portals import BAG
from companion.games.via_magica.rules.scoring import claimable, points_of
from companion.system.errors import RulesError
from tests.games.via_magica import games
from tests.games.via_magica.games import GREEN, RED, YELLOW, before_catch, lacking, player, zone

TRIO = ViaMagica(Settings((RED, GREEN, games.BLUE)))
PAIR = ViaMagica(Settings((RED, GREEN)))


def play(game: ViaMagica, state: State, *texts: str) -> State:
    """Do what the texts say; a display is filled from the stack by itself."""
    for text in texts:
        state = game.apply(state, read(game, state, text))
        while state.phase in {Phase.DRAW, Phase.TURN}:
            state = game.apply(state, game.legal(state, TABLE)[0])
    return state


def may(game: ViaMagica, state: State) -> set[str]:
    """Return all that may be said now."""
    return {write(one) for seat in game.turns(state) for one in game.legal(state, seat)}


def dealt(game: ViaMagica, seed: int = 1) -> State:
    """Return the moment when all choose what to keep."""
    for state, _ in games.random_game(random.Random(seed), game):
        if state.phase is Phase.KEEP:
            return state
    raise AssertionError


def with_first(state: State, first: Player) -> State:
    """Return the state with another first player."""
    return state._replace(players=(first, *state.players[1:]))


def test_vm_1_two_to_six_play_with_seven_crystals_each() -> None:
    for count in range(2, 7):
        state = ViaMagica(Settings(tuple(SeatName)[:count])).start()
        assert [one.supply for one in state.players] == [7] * count + [0] * (6 - count)
    for wrong in ((RED,), (), (GREEN, RED)):
        with pytest.raises(RulesError):
            Settings(wrong)


def test_vm_1_the_bag_holds_twenty_three_animi() -> None:
    assert BAG == (6, 5, 4, 3, 2, 1, 2)
    state = before_catch(PAIR, player("33"), player("33"))
    assert list(PAIR.odds(state)) == list(BAG)
    emptier = state._replace(bag=(5, 5, 4, 3, 2, 0, 2))
    assert list(PAIR.odds(emptier)) == [5, 5, 4, 3, 2, 2]
    assert "catch shadow" not in may(PAIR, emptier)


def test_vm_1_six_are_dealt_of_two_of_forty_kinds_and_five_lie_open() -> None:
    game = ViaMagica(Settings(tuple(SeatName)))
    assert game.start().stack == (2,) * 40
    assert list(game.odds(game.start())) == [2] * 40
    state = dealt(game)
    assert [len(one.hand) for one in state.players] == [6] * 6
    assert len(state.display) == 5
    assert sum(state.stack) == 80 - 6 * 6 - 5
    assert game.turns(state) == tuple(SeatName)


def test_vm_1_three_are_kept_and_the_others_discarded() -> None:
    state = dealt(PAIR)
    state = with_first(state, state.players[0]._replace(hand=(3, 3, 5, 5, 7, 9)))
    assert len(PAIR.legal(state, RED)) == 4  # of four kinds, three different ones (VM-3)
    state = play(PAIR, state, "keep red portals 3,5,9")
    assert state.players[0].building == zone("3", "5", "9")
    assert state.phase is Phase.KEEP
    state = play(PAIR, PAIR.apply(state, PAIR.legal(state, GREEN)[0]), "unveil")
    assert sum(state.discards) == 6
    assert [state.discards[number - 1] for number in (3, 5, 7)] == [1, 1, 1]
    assert (state.round, state.phase, state.catcher) == (1, Phase.CATCH, RED)
    assert not state.players[0].hand


def test_vm_2_everybody_places_one_crystal_on_a_matching_field_at_once() -> None:
    state = before_catch(TRIO, player("33", "27:A"), player("39"), player("34"))
    state = play(TRIO, state, "catch air")
    assert TRIO.turns(state) == (RED, games.BLUE)  # green has no field of air
    assert may(TRIO, state) == {
        *("crystallize red 33:air", "crystallize red 33:air 27:air"),
        *("crystallize blue 34:air",),
    }
    state = play(TRIO, state, "crystallize blue 34:air", "crystallize red 33:air 27:air")
    assert state.players[0] == player("33:A", "27")
    assert state.players[2] == player("34:A", supply=6)
    assert (state.phase, state.round, state.catcher) == (Phase.CATCH, 2, RED)


def test_vm_2_whoever_has_no_crystal_left_moves_one() -> None:
    state = before_catch(PAIR, player("33", "24:AAWFFS", "27:A", supply=0), player("39"))
    state = play(PAIR, state, "catch life")
    assert may(PAIR, state) == {
        f"crystallize red 27:life {source}"
        for source in ("24:air", "24:water", "24:fire", "24:shadow", "27:air")
    }


def test_vm_2_a_crystal_may_go_from_one_field_to_its_equal() -> None:
    state = play(PAIR, before_catch(PAIR, player("34:A", supply=0), player("39")), "catch air")
    assert may(PAIR, state) == {"crystallize red 34:air 34:air"}
    assert play(PAIR, state, "crystallize red 34:air 34:air").players[0] == state.players[0]


def test_vm_2_if_nobody_can_place_the_round_is_over() -> None:
    state = play(PAIR, before_catch(PAIR, player("33"), player("33")), "catch shadow")
    assert (state.phase, state.round) == (Phase.CATCH, 2)


def test_vm_2_a_joker_matches_any_field_and_empties_the_hand_of_the_catcher() -> None:
    state = before_catch(PAIR, player("8"), player("33"), catcher=GREEN)
    state = state._replace(bag=(5, 4, 4, 3, 2, 1, 2))
    state = play(PAIR, state, "catch joker")
    assert may(PAIR, state) == {
        *(f"crystallize red 8:{animus}" for animus in ("water", "earth", "life", "fire")),
        *(f"crystallize green 33:{animus}" for animus in ("air", "water")),
    }
    assert PAIR.view(state, None).caught == (Animus.AIR, Animus.WATER, Animus.JOKER)
    state = play(PAIR, state, "crystallize red 8:fire", "crystallize green 33:air")
    assert state.bag == BAG
    assert list(PAIR.odds(state)) == list(BAG)
    assert state.catcher is RED  # to the left of the last seat sits the first
    assert PAIR.asked(state) is RED
    assert PAIR.asked(play(PAIR, state, "catch life")) is None


def test_vm_2_the_new_catcher_comes_after_step_three() -> None:
    full = [player(lacking(33, "A"), supply=5) for _ in range(3)]
    for early, first in ((False, RED), (True, GREEN)):
        game = ViaMagica(Settings((RED, GREEN, games.BLUE), hand_over_early=early))
        state = play(game, before_catch(game, *full), "catch joker")
        for name in ("red", "green", "blue"):
            state = play(game, state, f"crystallize {name} 33:air")
        assert state.bag == BAG
        state = play(game, state, "call")
        assert state.queue[0] is first
        for seat in state.queue:
            name = seat.name.lower()
            state = play(game, state, f"open {name}", f"take {name} {24 + seat}")
        assert state.catcher is GREEN


def test_vm_3_the_steps_of_an_opened_portal_in_order() -> None:
    state = before_catch(PAIR, player(lacking(31, "A"), "9:W", supply=2), player("39"))
    state = play(PAIR, state, "catch air", "crystallize red 31:air")
    assert (state.phase, may(PAIR, state)) == (Phase.OPEN, {"open red 31"})
    state = play(PAIR, state, "open red")
    assert state.players[0] == player("9:W", supply=6, opened=(31,))
    assert may(PAIR, state) == {f"take red {number}" for number in (24, 25, 26, 27, 28)}
    state = PAIR.apply(state, read(PAIR, state, "take red 26"))
    assert state.players[0] == player("9:W", "26", supply=6, opened=(31,))
    assert (state.phase, state.display) == (Phase.DRAW, (24, 25, 27, 28))
    state = PAIR.apply(state, read(PAIR, state, "draw 40"))
    assert state.phase is Phase.TURN
    state = PAIR.apply(state, read(PAIR, state, "turn"))
    assert state.display == (24, 25, 27, 28, 40)
    assert (state.phase, state.round, state.catcher) == (Phase.CATCH, 2, RED)


def test_vm_3_no_kind_is_taken_twice() -> None:
    """Neither one that is opened, nor one in the building zone, nor the one just opened."""
    first = player(lacking(33, "A"), "25", supply=5, opened=(24,))
    state = before_catch(PAIR, first, player("39"), display=(24, 25, 33, 26, 26))
    state = play(PAIR, state, "catch air", "crystallize red 33:air", "open red")
    assert may(PAIR, state) == {"take red 26"}
    state = play(PAIR, state, "take red")
    assert state.display[:4] == (24, 25, 33, 26)
    nothing = before_catch(PAIR, first, player("39"), display=(24, 25, 33, 24, 25))
    state = play(PAIR, nothing, "catch air", "crystallize red 33:air", "open red")
    assert (state.phase, state.display) == (Phase.REWARD, nothing.display)


@pytest.mark.parametrize(
    ("call", "order"),
    [
        ("call", (YELLOW, games.WHITE, GREEN)),  # the catcher is blue, who does not call
        ("call green", (GREEN, YELLOW, games.WHITE)),
        ("call white", (games.WHITE, GREEN, YELLOW)),
    ],
)
def test_vm_3_the_caller_opens_first_then_clockwise(call: str, order: tuple[SeatName, ...]) -> None:
    game = ViaMagica(Settings(tuple(SeatName)))
    ready, idle = player(lacking(33, "A"), supply=5), player("39")
    state = before_catch(game, idle, ready, idle, ready, idle, ready, catcher=games.BLUE)
    state = play(game, state, "catch air")
    for name in ("white", "green", "yellow"):
        state = play(game, state, f"crystallize {name} 33:air")
    assert may(game, state) == {"call", "call green", "call yellow", "call white"}
    assert game.turns(state) == (TABLE,)
    state = play(game, state, call)
    assert state.queue == order


def test_vm_3_of_those_who_call_at_once_the_catcher_is_first() -> None:
    ready = player(lacking(33, "A"), supply=5)
    state = play(TRIO, before_catch(TRIO, ready, ready, ready, catcher=GREEN), "catch air")
    for seat in ("red", "green", "blue"):
        state = play(TRIO, state, f"crystallize {seat} 33:air")
    assert play(TRIO, state, "call").queue == (GREEN, games.BLUE, RED)


def opened_by(game: ViaMagica, number: int, letter: str, *others: str, supply: int = 1) -> State:
    """Return the moment after the first player has opened a portal by its last field."""
    state = before_catch(game, player(lacking(number, letter), *others, supply=supply), player())
    animus = Animus("AWELFS".index(letter))
    word = animus.name.lower()
    return play(game, state, f"catch {word}", f"crystallize red {number}:{word}", "open red")


@pytest.mark.parametrize(
    ("number", "letter", "where", "count"),
    [
        (11, "L", "life", 2),
        (15, "A", "shadow", 2),
        (16, "L", "earth", 2),
        (17, "L", "water", 2),
        (19, "L", "air", 2),
        (20, "A", "fire", 2),
        (13, "A", "", 1),
        (18, "A", "", 2),
    ],
)
def test_vm_7_yellow_portals_set_crystals(number: int, letter: str, where: str, count: int) -> None:
    """VM-4: yellow works at once, before the portal goes to the success zone."""
    state = opened_by(PAIR, number, letter, "36", "24", "30", "39")
    assert (state.phase, state.left) == (Phase.POWER, count)
    assert state.players[0].opened == ()
    found = {text.split()[2].split(":")[1] for text in may(PAIR, state) - {"waive red"}}
    assert found == ({where} if where else {"air", "water", "earth", "life", "fire", "shadow"})
    before = state.players[0].supply
    for done in range(count):
        assert state.left == count - done
        state = PAIR.apply(state, PAIR.legal(state, RED)[0])  # from the supply
    assert (state.players[0].supply, state.phase) == (before - count, Phase.TAKE)
    assert state.players[0].opened == (number,)


@pytest.mark.parametrize(("number", "more"), [(21, 1), (22, 2)])
def test_vm_7_yellow_portals_bring_crystals(number: int, more: int) -> None:
    state = opened_by(PAIR, number, "E", supply=1)
    assert state.players[0].supply == sum(PORTALS[number].fields) + more
    assert state.phase is Phase.TAKE


def test_vm_7_portal_12_opens_another() -> None:
    """VM-8: what it opens is resolved at once, with its own power, before its own steps go on."""
    state = opened_by(PAIR, 12, "S", "21:A", "24", supply=1)
    assert may(PAIR, state) == {"open red 21", "open red 24", "waive red"}
    state = play(PAIR, state, "open red 21")
    assert state.players[0] == player("24", supply=5 + 1 + 1, opened=(21,))
    assert (state.phase, state.opening) == (Phase.TAKE, (12,))
    state = play(PAIR, state, "take red 25")
    assert state.players[0].opened == (21, 12)
    state = play(PAIR, state, "take red 26")
    assert may(PAIR, state) == {"claim red two", "waive red"}
    assert state.players[0].building == zone("24", "25", "26")


def test_vm_7_portal_14_takes_one_more() -> None:
    state = opened_by(PAIR, 14, "L", "31", "32", supply=1)
    assert len(may(PAIR, state)) == 6
    state = play(PAIR, state, "take red 24")
    assert state.players[0].opened == (14,)
    assert state.phase is Phase.TAKE
    assert "take red 24" not in may(PAIR, state)
    state = play(PAIR, state, "take red 25")
    assert state.players[0].building == zone("31", "32", "24", "25")
    assert len(state.display) == 5


def test_vm_7_portal_23_rearranges_placed_crystals_only() -> None:
    state = opened_by(PAIR, 23, "F", "33:A", "9:W", supply=1)
    assert state.left == 2
    assert may(PAIR, state) == {
        *("crystallize red 33:water 33:air", "crystallize red 33:water 9:water"),
        *("crystallize red 9:water 33:air", "crystallize red 9:earth 33:air"),
        *("crystallize red 9:earth 9:water", "waive red"),
    }
    state = play(PAIR, state, "crystallize red 33:water 9:water")
    assert "crystallize red 9:water 33:air" in may(PAIR, state)
    state = play(PAIR, state, "waive red")
    assert may(PAIR, state) == {"open red 33"}  # VM-8
    state = play(PAIR, state, "open red 33", "take red 24")
    assert state.players[0].opened == (33, 23)


def test_vm_7_a_power_is_used_freely() -> None:
    state = play(PAIR, opened_by(PAIR, 18, "S", "24"), "waive red")
    assert state.players[0].building == zone("24")
    assert state.phase is Phase.TAKE


@pytest.mark.parametrize("number", range(35, 41))
def test_vm_4_blue_portals_serve_as_jokers_for_ever(number: int) -> None:
    """VM-7: but they are no joker to anybody else, nor to the bag."""
    kind = PORTALS[number]
    assert kind.hue is Hue.BLUE
    assert kind.animus is not None
    state = before_catch(PAIR, player("33", opened=(number,)), player("33"))
    state = play(PAIR, state, f"catch {kind.animus.name.lower()}")
    assert {"crystallize red 33:air", "crystallize red 33:water"} <= may(PAIR, state)
    assert len([text for text in may(PAIR, state) if " green " in text]) <= 1
    assert sum(state.bag) == 22
    other = Animus((kind.animus + 1) % 6)
    state = before_catch(PAIR, player("24", opened=(number,)), player())
    state = play(PAIR, state, f"catch {other.name.lower()}")
    assert all(f":{other.name.lower()}" in text for text in may(PAIR, state) if " red " in text)


def test_vm_7_green_portals_count_the_owners_opened_portals_itself_included() -> None:
    """VM-4: at the end."""
    everything = tuple(range(1, 41))
    per = {1: 3 * 10, 2: 4 * 6, 3: 4 * 10, 4: 2 * 13, 5: 2 * 29, 6: 2 * 29, 7: 3 * 11}
    per |= {8: 3 * 18, 9: 1 * 52, 10: 1 * 33}
    counted = [sum(PORTALS[n].fields[animus] for n in everything) for animus in range(6)]
    per |= {3: 4 * counted[5], 5: 2 * counted[2], 6: 2 * counted[3], 8: 3 * counted[4]}
    per |= {9: counted[0], 10: counted[1]}
    fixed = sum(PORTALS[n].points for n in everything if PORTALS[n].hue is not Hue.GREEN)
    assert points_of(player(opened=everything)) == fixed + sum(per.values())
    assert points_of(player(opened=(3,))) == 4  # its own field of shadow
    assert points_of(player(opened=(3, 24, 26))) == 4 * 4 + 16 + 14
    assert points_of(player(opened=(1, 5, 6))) == 3 * 3 + 2 * 2 + 2 * 4
    assert points_of(player("24", opened=(2,))) == 0


def test_vm_4_violet_portals_bring_points_and_nothing_else() -> None:
    for number in range(24, 35):
        kind = PORTALS[number]
        assert (kind.hue, kind.power, kind.animus, kind.per) == (Hue.VIOLET, None, None, None)
        assert points_of(player(opened=(number,))) == kind.points > 0


def claims(
    *opened: int, rewards: tuple[Reward, ...] = (), gone: tuple[Reward, ...] = ()
) -> set[str]:
    """Return what somebody may claim."""
    players = (player(opened=opened)._replace(rewards=rewards), Player(rewards=gone))
    return {reward.name for reward in claimable(Settings(), players, 0)}


@pytest.mark.parametrize(
    ("opened", "reward", "worth"),
    [
        ((11, 12, 13), Reward.YELLOW, 2),
        ((24, 25, 26), Reward.VIOLET, 4),
        ((1, 2, 3), Reward.GREEN, 6),
        ((35, 36, 37), Reward.BLUE, 10),
        ((1, 11, 24, 35), Reward.EVERY, 8),
    ],
)
def test_vm_5_rewards_for_colours_once(opened: tuple[int, ...], reward: Reward, worth: int) -> None:
    assert reward.name in claims(*opened)
    assert reward.name not in claims(*opened[1:])
    assert reward.name not in claims(*opened, gone=(reward,))
    assert reward.name in claims(*opened, 33, 34, 32, 31)  # later too, while nobody has it
    assert points_of(Player(rewards=(reward,))) == worth


def test_vm_5_rewards_for_a_number_of_portals_at_that_number_only() -> None:
    words = {2: "TWO", 3: "THREE", 4: "FOUR", 5: "FIVE", 6: "SIX"}
    portals = (33, 11, 34, 12, 31, 13, 30)  # never three of a colour before the fifth
    for count in range(1, 8):
        due = claims(*portals[:count]) - {"VIOLET", "YELLOW"}
        assert due == ({words[count]} if count in words else set())
        assert points_of(Player(rewards=(Reward[words.get(count, "TWO")],))) == (
            2 * (count - 1) if count in words else 2
        )
    assert claims(33, 11, rewards=(Reward.TWO,)) == set()
    assert claims(33, 11, 34, rewards=(Reward.TWO,)) == set()
    assert claims(33, 11, gone=(Reward.TWO,)) == {"TWO"}  # each player has its own


def test_vm_5_by_agreement_a_player_has_several_rewards_for_numbers() -> None:
    """The rulebook does not say that there is only one of them for each player."""

    def due(numbers: int, *own: Reward) -> set[str]:
        players = (player(opened=(33, 11, 34))._replace(rewards=own), Player())
        found = claimable(Settings((RED, GREEN), numbers=numbers), players, 0)
        return {reward.name for reward in found}

    assert due(1, Reward.EVERY) == due(2, Reward.TWO) == due(0, Reward.TWO) == {"THREE"}
    assert due(1, Reward.TWO) == due(2, Reward.TWO, Reward.FOUR) == set()
    assert due(0, Reward.TWO, Reward.FOUR) == {"THREE"}
    assert due(0, Reward.THREE) == due(2, Reward.THREE) == set(), "each of them once"


def test_vm_5_a_declined_reward_is_gone() -> None:
    ready = player(lacking(33, "A"), lacking(34, "A"), supply=2, opened=(31,))
    state = play(PAIR, before_catch(PAIR, ready, player()), "catch air")
    state = play(PAIR, state, "crystallize red 33:air", "open red", "take red 24")
    assert may(PAIR, state) == {"claim red two", "waive red"}
    state = play(PAIR, state, "waive red", "catch air", "crystallize red 34:air 34:air")
    assert state.phase is Phase.CATCH
    state = play(PAIR, state, "catch air", "crystallize red 34:air", "open red", "take red 25")
    assert may(PAIR, state) == {"claim red violet", "claim red three", "waive red"}
    state = play(PAIR, state, "claim red violet")
    assert may(PAIR, state) == {"claim red three", "waive red"}
    state = play(PAIR, state, "claim red three")
    assert state.phase is Phase.CATCH
    assert state.players[0].rewards == (Reward.VIOLET, Reward.THREE)


def seventh(first: Player, second: Player) -> State:
    """Return the moment after the first player's seventh portal, the second's still to come."""
    state = before_catch(PAIR, first, second)
    state = play(PAIR, state, "catch air", "crystallize red 33:air", "crystallize green 33:air")
    return play(PAIR, state, "call red", "open red", "take red 24")


def test_vm_6_after_the_seventh_portal_the_round_is_finished() -> None:
    six = (1, 4, 11, 21, 34, 39)
    state = seventh(
        player(lacking(33, "A"), supply=5, opened=six),
        player(lacking(33, "A"), supply=5, opened=six),
    )
    assert (state.phase, state.queue) == (Phase.REWARD, (RED, GREEN))
    state = play(PAIR, state, "claim red every")
    assert (state.phase, state.queue) == (Phase.OPEN, (GREEN,))
    assert PAIR.outcome(state) is None
    state = play(PAIR, state, "open green", "take green 25")
    assert (state.phase, PAIR.turns(state)) == (Phase.OVER, ())
    ended = PAIR.outcome(state)
    assert ended
    base = 3 * 2 + 2 * 2 + 7 + 3 + 6 + 4 + 3
    assert (ended.winners, ended.scores) == ((RED,), ((RED, base + 8), (GREEN, base)))


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ((31,), (30,), GREEN),
        ((30,), (31,), RED),
        ((31,), (33, 34), GREEN),  # nine points each, but two portals
        ((33, 34), (31,), RED),
        ((33, 34), (30,), GREEN),  # points count more than portals
    ],
)
def test_vm_6_most_points_win_then_most_portals(
    first: tuple[int, ...], second: tuple[int, ...], winner: SeatName
) -> None:
    state = before_catch(PAIR, player(opened=first), player(opened=second))
    ended = PAIR.outcome(state._replace(phase=Phase.OVER))
    assert ended
    assert ended.winners == (winner,)


def test_vm_6_equal_points_and_portals_win_together() -> None:
    state = before_catch(TRIO, player(), player(opened=(31,)), player(opened=(31,)))
    ended = TRIO.outcome(state._replace(phase=Phase.OVER))
    assert ended
    assert ended.winners == (GREEN, games.BLUE)


def test_vm_8_the_discarded_are_reshuffled_when_the_stack_runs_out() -> None:
    none, some = (0,) * 40, (0,) * 16 + (2,) + (0,) * 23
    for reshuffle, stack in ((True, some), (False, none)):
        game = ViaMagica(Settings((RED, GREEN), reshuffle=reshuffle))
        state = before_catch(game, player(lacking(33, "A"), supply=5), player())
        state = state._replace(stack=none, discards=some)
        state = play(game, state, "catch air", "crystallize red 33:air", "open red")
        state = game.apply(state, read(game, state, "take red 24"))
        assert state.stack == stack
        if reshuffle:
            assert may(game, state) == {"draw 17"}
            assert not any(state.discards)
        else:
            assert (state.phase, state.display) == (Phase.CATCH, (25, 26, 27, 28))


def test_vm_8_a_portal_filled_by_a_power_is_opened_at_once_or_with_the_next_call() -> None:
    for chain, opened in ((True, (33, 13)), (False, (13, 33))):
        game = ViaMagica(Settings((RED, GREEN), chain=chain))
        state = opened_by(game, 13, "F", lacking(33, "A"), supply=1)
        state = play(game, state, "crystallize red 33:air")
        if not chain:
            assert state.players[0].opened == (13,)
            state = play(game, state, "take red 24", "catch life")
        state = play(game, state, "open red 33")
        if chain:
            state = play(game, state, "take red 25")
        assert state.players[0].opened == opened


def test_vm_8_by_agreement_it_is_opened_before_the_rest_of_the_power_is_used() -> None:
    """Portal 18 places two crystals; the first fills portal 33, which gives two back."""
    for interrupts in (False, True):
        game = ViaMagica(Settings((RED, GREEN), interrupts=interrupts))
        state = opened_by(game, 18, "A", lacking(33, "A"), "9", supply=1)
        state = play(game, state, "crystallize red 33:air")
        assert ("open red 33" in may(game, state)) == interrupts
        if not interrupts:
            assert state.phase is Phase.POWER
            state = play(game, state, "crystallize red 9:water")
        assert may(game, state) == {"open red 33"}
        state = play(game, state, "open red 33", "take red 24")
        assert state.players[0].opened == ((33,) if interrupts else (33, 18))
        if interrupts:
            assert (state.phase, state.left, state.opening) == (Phase.POWER, 1, (18,))
            state = play(game, state, "crystallize red 24:shadow")
            assert (state.phase, state.players[0].opened) == (Phase.TAKE, (33, 18))


def test_vm_8_what_no_power_filled_does_not_interrupt_one() -> None:
    """Portal 34 was full before the power of portal 18, and portal 9 is not filled by it."""
    game = ViaMagica(Settings((RED, GREEN), interrupts=True))
    ready = player(lacking(18, "A"), "34:AAAW", "9", supply=1)
    state = play(game, before_catch(game, ready, player()), "catch air")
    state = play(game, state, "crystallize red 18:air", "open red 18", "crystallize red 9:water")
    assert (state.phase, state.left) == (Phase.POWER, 1)
    state = play(game, state, "waive red")
    assert may(game, state) == {"open red 34"}


def test_vm_8_where_it_waits_for_the_next_call_it_does_not_interrupt_the_power_either() -> None:
    game = ViaMagica(Settings((RED, GREEN), chain=False, interrupts=True))
    state = opened_by(game, 18, "A", lacking(33, "A"), "9", supply=1)
    state = play(game, state, "crystallize red 33:air")
    assert (state.phase, state.left) == (Phase.POWER, 1)


def test_vm_8_rewards_for_colours_may_be_limited() -> None:
    players = (player(opened=(1, 2, 3, 24, 25, 26, 30))._replace(rewards=(Reward.GREEN,)), Player())
    assert claimable(Settings(), players, 0) == (Reward.VIOLET,)
    assert claimable(Settings(triples=1), players, 0) == ()
    assert claimable(Settings(triples=2), players, 0) == (Reward.VIOLET,)


def test_whoever_does_not_play_has_no_place_in_the_outcome() -> None:
    ended = PAIR.outcome(before_catch(PAIR, player(), player())._replace(phase=Phase.OVER))
    assert ended
    assert dict(ended.scores) == {RED: 0, GREEN: 0}


@pytest.mark.parametrize("number", [11, 15, 16, 17, 19, 20])
def test_vm_4_a_yellow_portal_that_caught_an_animus_serves_as_no_joker(number: int) -> None:
    kind = PORTALS[number]
    assert kind.hue is Hue.YELLOW
    assert kind.animus is not None
    caught = kind.animus.name.lower()
    state = before_catch(PAIR, player("33", "24", opened=(number,)), player())
    state = play(PAIR, state, f"catch {caught}")
    assert all(f":{caught}" in text for text in may(PAIR, state) if "crystallize" in text)


def test_vm_6_six_portals_end_nothing() -> None:
    five = (1, 4, 11, 21, 34)
    state = before_catch(PAIR, player(lacking(33, "A"), supply=5, opened=five), player())
    state = play(PAIR, state, "catch air", "crystallize red 33:air", "open red")
    state = play(PAIR, state, "take red 24")
    while state.phase is Phase.REWARD:
        state = play(PAIR, state, "waive red")
    assert len(state.players[0].opened) == 6
    assert (state.phase, PAIR.outcome(state)) == (Phase.CATCH, None)
