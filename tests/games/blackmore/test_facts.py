"""Each fact of the rulebook, in a test that bears its number."""

from collections import Counter
from random import Random

import pytest

from companion.core import SeatName
from companion.core.game import TABLE
from companion.games.blackmore import rules
from companion.games.blackmore.rules import DECK, Blackmore, Phase, Settings, Side, Suit, ranking
from companion.system.errors import Illegal, RulesError
from tests.games.blackmore.tables import (
    BLUE,
    GREEN,
    RED,
    VIOLET,
    WHITE,
    YELLOW,
    card,
    cards,
    deal,
    do,
    game,
    last_refill,
    random_game,
    refill,
)

# WB-1


def test_wb_1_there_are_54_cards_in_six_suits_of_nine_values() -> None:
    assert len(DECK) == len(set(DECK)) == 54
    assert Counter(one.suit for one in DECK) == dict.fromkeys(Suit, 9)
    assert {one.value for one in DECK} == {*range(1, 10)}
    assert rules.points(DECK) == 270


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_wb_1_each_gets_six_cards_and_the_next_is_turned_up(players: int) -> None:
    table = game(players)
    state = table.start()
    given: list[int] = []
    while table.turns(state) == (TABLE,) and state.phase is Phase.DEAL:
        first = table.legal(state, TABLE)[0]
        assert isinstance(first, rules.Deal)
        given.append(first.player)
        state = table.apply(state, first)
    assert given == [*table.seats] * 6
    assert [len(hand) for hand in state.hands] == [6] * players
    assert (state.phase, table.turns(state)) == (Phase.TURN, (TABLE,))
    assert state.pile == 54 - 6 * players
    assert len(table.legal(state, TABLE)) == len(table.odds(state)) == state.pile
    state = table.apply(state, rules.Turn(card("white:9")))
    assert (state.trump, state.wheel, state.trumps) == (Suit.WHITE, 9, cards("white:9"))
    assert state.pile == 54 - 6 * players - 1
    assert (state.phase, table.turns(state)) == (Phase.PLAY, (RED,))


def test_wb_1_two_to_six_play() -> None:
    for seats in ((), (RED,), (*SeatName, WHITE)):
        with pytest.raises(RulesError):
            Settings(seats)
    for seats in ((GREEN, BLUE), tuple(SeatName)):
        assert Blackmore(Settings(seats)).seats == seats
    assert Settings().seats == (RED, GREEN, BLUE, YELLOW)


def test_wb_1_any_chairs_may_stay_empty() -> None:
    table = Blackmore(Settings((GREEN, YELLOW, WHITE)))
    state = deal(table, "red:5", "blue:1", "blue:2", "blue:3")
    assert state.queue == (GREEN, YELLOW, WHITE)
    state = do(table, state, "play green blue:1", "play yellow blue:2", "play white blue:3")
    view = table.view(state, None)
    assert (view.turns, view.held, view.won) == ((WHITE,), (5, 5, 5), (0, 0, 0))
    state = refill(table, do(table, state, "keep white"))
    view = table.view(state, YELLOW)
    assert (view.held, view.won, len(view.hand)) == ((6, 6, 6), (0, 0, 3), 6)
    assert state.queue == (WHITE, GREEN, YELLOW)


@pytest.mark.parametrize("seats", [(GREEN, RED), (RED, RED), (0, 1)])
def test_wb_1_seats_are_named_once_and_clockwise(seats: tuple[SeatName, ...]) -> None:
    with pytest.raises(RulesError):
        Settings(seats)


def test_wb_1_the_first_of_the_seats_starts_if_nobody_was_chosen() -> None:
    assert Blackmore(Settings((BLUE, WHITE))).start().queue[:3] == (BLUE, WHITE, BLUE)


def test_wb_1_whoever_was_chosen_starts() -> None:
    table = game(3, starter=BLUE)
    state = deal(table, "red:5")
    assert state.queue == (BLUE, RED, GREEN)
    with pytest.raises(RulesError):
        Settings((RED, GREEN, BLUE), YELLOW)


# WB-2


def test_wb_2_clockwise_everybody_may_play_any_card() -> None:
    table = game(3, starter=GREEN)
    state = deal(table, "red:5", "red:1", "green:1", "blue:1")
    for seat in (GREEN, BLUE, RED):
        assert table.turns(state) == (seat,)
        assert table.legal(state, seat) == [rules.Play(seat, one) for one in state.hands[seat]]
        assert len(state.hands[seat]) == 6
        for other in {RED, GREEN, BLUE, TABLE} - {seat}:
            assert list(table.legal(state, other)) == []
        state = table.apply(state, table.legal(state, seat)[0])
    assert [throw.seat for throw in state.trick] == [GREEN, BLUE, RED]


def test_wb_2_a_card_is_played_once_and_from_the_own_hand() -> None:
    table = game(2)
    state = deal(table, "red:5", "blue:1", "blue:2")
    after = do(table, state, "play red blue:1")
    assert card("blue:1") not in after.hands[RED]
    assert after.hands[GREEN] == state.hands[GREEN]
    of_others = ("blue:1", "red:1", "red:5", "white:9")  # played, held, turned up, in the pile
    for impossible in (
        rules.Play(RED, card("blue:2")),
        *(rules.Play(GREEN, card(one)) for one in of_others),
    ):
        with pytest.raises(Illegal):
            table.apply(after, impossible)


# WB-3


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("red:5 red:6 red:4", "blue", 2),  # 4 ranks highest of these, with the wheel at 4
        ("red:5 green:4 white:4", "blue", 0),  # neither led nor trump
        ("red:4 blue:5 red:3", "blue", 1),  # the lowest trump beats every other
        ("red:4 blue:5 blue:6 blue:4", "blue", 3),
        ("blue:6 red:4 blue:3", "blue", 2),  # trump is led
        ("red:6 red:9 green:4", None, 1),  # no trump: as if it were not there
    ],
)
def test_wb_3_the_highest_trump_wins_or_else_the_highest_of_the_led_suit(
    trick: str, trump: str | None, winner: int
) -> None:
    ranks = ranking(Side.DESCENDING, 4)  # 4 3 2 1 9 8 7 6 5
    suit = Suit[trump.upper()] if trump else None
    assert rules.winning(cards(trick), suit, ranks) == winner


def test_wb_3_the_winner_takes_the_cards_and_starts_the_next_trick() -> None:
    table = game(3)
    state = deal(table, "blue:4", "red:5", "red:6", "blue:5")
    state = do(table, state, "play red red:5", "play green red:6", "play blue blue:5")
    assert (state.phase, table.turns(state), state.leader) == (Phase.CHANGE, (BLUE,), BLUE)
    state = refill(table, do(table, state, "keep blue"))
    assert state.won == ((), (), cards("red:5 red:6 blue:5"))
    assert (state.queue, state.trick) == ((BLUE, RED, GREEN), ())


def test_wb_3_what_was_won_lies_face_down() -> None:
    table = game(2)
    state = deal(table, "blue:4", "red:5", "red:6")
    state = refill(table, do(table, state, "play red red:5", "play green red:6", "keep"))
    for viewer in (RED, GREEN, None):
        view = table.view(state, viewer)
        assert view.won == (0, 2)
        assert view.scores == ()
        assert "red:6" not in str(view)


# WB-4


def test_wb_4_ranks_go_round_the_wheel() -> None:
    """The descending side at 7, as the rulebook has it, and the other side."""
    assert ranking(Side.DESCENDING, 7) == (7, 6, 5, 4, 3, 2, 1, 9, 8)
    assert ranking(Side.DESCENDING, 1) == (1, 9, 8, 7, 6, 5, 4, 3, 2)
    assert ranking(Side.ASCENDING, 7) == (7, 8, 9, 1, 2, 3, 4, 5, 6)
    assert ranking(Side.ASCENDING, 1) == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    for side in Side:
        for wheel in range(1, 10):
            order = ranking(side, wheel)
            assert order[0] == wheel
            assert sorted(order) == [*range(1, 10)]


@pytest.mark.parametrize(("side", "winner"), [(Side.DESCENDING, RED), (Side.ASCENDING, GREEN)])
def test_wb_4_the_side_decides_who_wins(side: Side, winner: int) -> None:
    table = game(2, side=side)
    state = deal(table, "blue:4", "red:3", "red:5")
    assert do(table, state, "play red red:3", "play green red:5").leader == winner
    assert table.view(state, None).ranking == ranking(side, 4)


def test_wb_4_the_descending_side_lies_up_at_first() -> None:
    assert Settings().side is Side.DESCENDING


# WB-5


def test_wb_5_the_winner_may_lay_a_card_of_the_trick_on_the_trump_pile() -> None:
    table = game(3)
    state = deal(table, "blue:4", "red:4", "red:6", "white:8")
    state = do(table, state, "play red red:4", "play green red:6", "play blue white:8")
    assert set(table.legal(state, RED)) == {
        rules.Keep(RED),
        *(rules.Change(RED, one) for one in cards("red:4 red:6 white:8")),
    }
    for seat in (GREEN, BLUE, TABLE):
        assert list(table.legal(state, seat)) == []
    with pytest.raises(Illegal):
        do(table, state, "change red blue:9")
    events = table.explain(state, rules.Change(RED, card("white:8")))
    assert events == (rules.TrumpLaid(RED, card("white:8")), rules.WheelTurned(card("white:8")))
    state = do(table, state, "change red white:8")
    assert (state.trump, state.wheel, state.trumps) == (Suit.WHITE, 8, cards("blue:4 white:8"))
    assert state.won[RED] == cards("red:4 red:6"), "it does not count for the winner any more"


def test_wb_5_trump_stays_if_the_winner_likes() -> None:
    table = game(2)
    state = deal(table, "blue:4", "red:4", "red:6")
    state = do(table, state, "play red red:4", "play green red:6", "keep red")
    assert (state.trump, state.wheel, state.trumps) == (Suit.BLUE, 4, cards("blue:4"))


def test_wb_5_the_change_comes_after_the_trick_and_rules_the_next() -> None:
    table = game(2)
    state = deal(table, "blue:4", "red:4 green:1", "red:6 red:7")
    state = do(table, state, "play red red:4", "play green red:6", "change red red:6")
    state = do(table, refill(table, state), "play red green:1", "play green red:7")
    assert state.leader == GREEN


# WB-6


def test_wb_6_then_all_refill_to_six_the_winner_first() -> None:
    table = game(4)
    assert table.explain(table.start(), rules.Deal(RED, card("red:1"))) == ()
    state = deal(table, "blue:4", "red:5", "red:6", "blue:5", "red:7")
    state = do(
        table,
        state,
        *("play red red:5", "play green red:6", "play blue blue:5", "play yellow red:7"),
    )
    state = do(table, state, "keep blue")
    assert (state.phase, state.queue, state.pile) == (Phase.DEAL, (BLUE, YELLOW, RED, GREEN), 29)
    for _ in range(3):
        state = table.apply(state, table.legal(state, TABLE)[0])
    assert table.explain(state, table.legal(state, TABLE)[0]) == (rules.HandsFilled(25),)
    state = refill(table, state)
    assert [len(hand) for hand in state.hands] == [6, 6, 6, 6]
    assert (state.phase, state.pile) == (Phase.PLAY, 25)


def test_wb_6_for_whom_the_pile_is_empty_the_trump_pile_is_there() -> None:
    table = game(4)
    state = last_refill(table, "red:1 red:2 red:3 blue:9 green:8", "white:5 white:6")
    state = do(table, state, "deal red white:6")
    assert (state.phase, state.queue) == (Phase.DEAL, (GREEN, BLUE, YELLOW))
    assert table.explain(state, rules.Deal(GREEN, card("white:5"))) == (
        rules.PileEmptied(),
        rules.TrumpDrawn(BLUE, card("green:8")),
        rules.TrumpDrawn(YELLOW, card("blue:9")),
        rules.WheelTurned(card("red:3")),
    )
    after = do(table, state, "deal green white:5")
    assert set(after.hands[BLUE]) == {*state.hands[BLUE], card("green:8")}
    assert set(after.hands[YELLOW]) == {*state.hands[YELLOW], card("blue:9")}
    assert (after.trumps, after.trump, after.wheel) == (cards("red:1 red:2 red:3"), Suit.RED, 3)
    assert (after.phase, after.queue) == (Phase.PLAY, (RED, GREEN, BLUE, YELLOW))


def test_wb_6_nobody_draws_from_the_trump_pile_if_the_pile_suffices() -> None:
    table = game(2)
    state = last_refill(table, "red:1 red:2", "white:5 white:6")
    state = do(table, state, "deal red white:6", "deal green white:5")
    assert (state.trumps, state.trump, state.wheel) == (cards("red:1 red:2"), Suit.RED, 2)


def test_wb_6_then_nobody_draws_and_the_hands_are_played_out() -> None:
    table = game(2)
    state = do(table, last_refill(table, "red:1 red:2", "white:5"), "deal red white:5")
    for left in (5, 4, 3, 2, 1, 0):
        for _ in range(2):
            seat = table.turns(state)[0]
            state = table.apply(state, table.legal(state, seat)[0])
        if left:
            state = table.apply(state, table.legal(state, state.leader)[0])
        assert [len(hand) for hand in state.hands] == [left, left]
    assert state.phase is Phase.OVER
    assert table.turns(state) == ()


@pytest.mark.parametrize(("players", "from_trumps"), [(2, 1), (3, 1), (4, 3), (5, 2), (6, 1)])
def test_wb_6_how_many_draw_trumps_depends_on_the_players(players: int, from_trumps: int) -> None:
    table = game(players)
    told = [
        event
        for state, action in random_game(Random(players), table)
        for event in table.explain(state, action)
    ]
    assert sum(isinstance(one, rules.TrumpDrawn | rules.WentWithout) for one in told) == from_trumps
    assert told.count(rules.PileEmptied()) == 1


# WB-7


def short(**settings: bool) -> tuple[rules.State, rules.State]:
    """Let four draw one card from the pile and one from the trump pile; before it and after."""
    table = game(4, **settings)
    state = last_refill(table, "blue:7", "white:5")
    return state, do(table, state, "deal red white:5")


def test_wb_7_an_emptied_trump_pile_means_no_trump_and_the_wheel_stays() -> None:
    before, after = short()
    assert (after.trumps, after.trump, after.wheel) == ((), None, 7)
    assert game(4).view(after, RED).top is None
    assert game(4).view(after, RED).ranking[0] == 7
    assert game(4).explain(before, rules.Deal(RED, card("white:5"))) == (
        rules.PileEmptied(),
        rules.TrumpDrawn(GREEN, card("blue:7")),
        rules.WentWithout(BLUE),
        rules.WentWithout(YELLOW),
        rules.TrumpGone(7),
    )


def test_wb_7_without_trump_only_the_led_suit_wins() -> None:
    _, state = short()
    hands = (cards("white:5"), cards("blue:7"), cards("blue:6"), cards("white:4"))
    state = state._replace(hands=hands, pile=0)
    lines = ("play red white:5", "play green blue:7", "play blue blue:6", "play yellow white:4")
    assert do(game(4), state, *lines).leader == RED  # 7 6 5 4 …: 5 before 4


@pytest.mark.parametrize(("fades", "trump"), [(True, None), (False, Suit.GREEN)])
def test_wb_7_the_last_card_of_the_trump_pile_turns_wheels(fades: bool, trump: Suit | None) -> None:
    """Two draw from a pile of two: after the first of them green 2 lies on top, then nothing."""
    table = game(4, trump_fades=fades)
    state = last_refill(table, "green:2 blue:7", "white:5")
    after = do(table, state, "deal red white:5")
    assert (after.trumps, after.trump, after.wheel) == ((), trump, 2)


def test_wb_7_by_agreement_the_last_trump_stays_in_force() -> None:
    _, after = short(trump_fades=False)
    assert (after.trumps, after.trump, after.wheel) == ((), Suit.BLUE, 7)


def test_wb_7_whoever_got_no_card_sits_out_the_last_trick() -> None:
    _, state = short()
    table = game(4)
    assert [len(hand) for hand in state.hands] == [6, 6, 5, 5]
    playing = []
    while table.turns(state):
        if state.phase is Phase.PLAY and not state.trick:
            playing.append({*state.queue})
        state = table.apply(state, table.legal(state, table.turns(state)[0])[0])
    assert playing == [{RED, GREEN, BLUE, YELLOW}] * 5 + [{RED, GREEN}]


def test_wb_7_if_the_winner_has_no_card_for_the_last_trick_the_next_one_starts_it() -> None:
    _, state = short()
    hands = (cards("red:1 red:2"), cards("red:3 red:4"), cards("red:7"), cards("red:8"))
    state = state._replace(hands=hands)
    table = game(4)
    state = do(
        table,
        state,
        *("play red red:1", "play green red:3", "play blue red:7", "play yellow red:8"),
    )
    assert state.leader == BLUE
    assert do(table, state, "keep blue").queue == (RED, GREEN)


def test_wb_7_by_agreement_who_got_no_card_sits_out_the_next_trick() -> None:
    _, state = short(short_sit_last=False)
    table = game(4, short_sit_last=False)
    playing = []
    while table.turns(state):
        if state.phase is Phase.PLAY and not state.trick:
            playing.append({*state.queue})
        state = table.apply(state, table.legal(state, table.turns(state)[0])[0])
    assert playing == [{RED, GREEN}] + [{RED, GREEN, BLUE, YELLOW}] * 5


@pytest.mark.parametrize("late", [True, False])
def test_wb_7_in_the_end_phase_trump_may_be_changed_unless_agreed_otherwise(late: bool) -> None:
    table = game(2, late_change=late)
    state = do(table, last_refill(table, "red:1 red:2", "white:5"), "deal red white:5")
    state = do(
        table, state, f"play red {state.hands[RED][0]}", f"play green {state.hands[GREEN][0]}"
    )
    assert (state.phase is Phase.CHANGE) == late
    if late:
        laid = state.trick[0].card
        state = table.apply(state, rules.Change(state.leader, laid))
        assert state.trumps[-1] == laid
    assert state.phase is Phase.PLAY
    assert len(state.won[RED]) + len(state.won[GREEN]) == 54 - 1 - 10 - late


def test_wb_7_before_the_end_phase_trump_may_always_be_changed() -> None:
    table = game(2, late_change=False)
    state = deal(table, "blue:4", "red:4", "red:6")
    assert do(table, state, "play red red:4", "play green red:6").phase is Phase.CHANGE


def before_last_trick(table: Blackmore) -> rules.State:
    """Return the moment when two players hold their last cards."""
    return table.start()._replace(
        phase=Phase.PLAY,
        queue=(RED, GREEN),
        pile=0,
        hands=(cards("red:5"), cards("red:6")),
        trumps=cards("blue:5"),
        trump=Suit.BLUE,
        wheel=5,
    )


def last_trick(table: Blackmore) -> rules.State:
    """Return the moment after both were played; Red has won them."""
    return do(table, before_last_trick(table), "play red red:5", "play green red:6")


def test_wb_7_after_the_very_last_card_there_is_nothing_to_change() -> None:
    """The rulebook ends the game with the last card."""
    table = game(2)
    state = do(table, before_last_trick(table), "play red red:5")
    assert table.explain(state, rules.Play(GREEN, card("red:6")))[1:] == (
        rules.TrickWon(
            RED,
            card("red:5"),
            11,
            (rules.Throw(RED, card("red:5")), rules.Throw(GREEN, card("red:6"))),
        ),
        rules.WheelControlled((RED,), 11),
    )
    state = do(table, state, "play green red:6")
    assert (state.phase, state.won) == (Phase.OVER, (cards("red:5 red:6"), ()))


def test_wb_5_by_agreement_trump_may_be_changed_even_after_the_very_last_trick() -> None:
    """The rulebook lets the winner of a trick change it, and does not except the last."""
    table = game(2, last_change=True)
    state = last_trick(table)
    assert set(table.legal(state, RED)) == {
        rules.Keep(RED),
        *(rules.Change(RED, one) for one in cards("red:5 red:6")),
    }
    assert table.explain(state, rules.Change(RED, card("red:6"))) == (
        rules.TrumpLaid(RED, card("red:6")),
        rules.WheelTurned(card("red:6")),
        rules.WheelControlled((RED,), 5),
    )
    changed, kept = do(table, state, "change red red:6"), do(table, state, "keep red")
    assert (changed.phase, changed.won) == (Phase.OVER, (cards("red:5"), ()))
    assert (changed.trumps, changed.trump, changed.wheel) == (cards("blue:5 red:6"), Suit.RED, 6)
    assert (kept.phase, kept.won) == (Phase.OVER, (cards("red:5 red:6"), ()))
    strict = game(2, last_change=True, late_change=False)
    assert last_trick(strict).phase is Phase.OVER, "in the end phase it never changes"


# WB-8


def over(first: str, second: str, third: str = "", **settings: bool) -> rules.State:
    """Return the end of a game in which three have won these cards."""
    won = (cards(first), cards(second), cards(third))
    return game(3, **settings).start()._replace(phase=Phase.OVER, queue=(), won=won)


def test_wb_8_the_most_points_win() -> None:
    outcome = game(3).outcome(over("red:9 red:8", "white:1 white:2 white:3 white:4", "blue:9"))
    assert outcome is not None
    assert outcome.winners == (RED,)
    assert outcome.scores == ((RED, 17), (GREEN, 10), (BLUE, 9))
    view = game(3).view(over("red:9 red:8", "white:1", "blue:9"), None)
    assert (view.scores, view.winners) == ((17, 1, 9), (RED,))


def test_wb_8_a_tie_is_a_shared_win_unless_agreed_otherwise() -> None:
    tie = ("red:9 red:1", "white:3 white:7", "blue:2 blue:3 blue:5")
    shared, alone = game(3).outcome(over(*tie)), game(3, shared_win=False).outcome(over(*tie))
    assert shared is not None
    assert shared.winners == (RED, GREEN, BLUE)
    assert alone is not None
    assert alone.winners == (BLUE,)


def test_wb_8_the_rest_of_the_trump_pile_counts_for_nobody() -> None:
    table = game(3)
    state = over("red:9", "red:1")._replace(trumps=cards("white:9 white:8"))
    outcome = table.outcome(state)
    assert outcome is not None
    assert sum(score for _, score in outcome.scores) == 10


def test_wb_8_nobody_has_won_before_the_last_card() -> None:
    table = game(3)
    assert table.outcome(deal(table, "red:1")) is None
    assert table.view(deal(table, "red:1"), RED).winners == ()


# WB-9


@pytest.mark.parametrize(("trump", "winner"), [("blue:7", YELLOW), ("green:7", GREEN)])
def test_wb_9_the_example_with_both_trumps(trump: str, winner: SeatName) -> None:
    """Led yellow 2; blue 4 beats blue 9, and red 7 cannot win; under green it is the yellow 5."""
    table = game(5)
    state = deal(table, trump, "yellow:2", "yellow:5", "red:7", "blue:4", "blue:9")
    assert table.view(state, None).ranking == (7, 6, 5, 4, 3, 2, 1, 9, 8)
    lines = ("play red yellow:2", "play green yellow:5", "play blue red:7", "play yellow blue:4")
    state = do(table, state, *lines)
    told = table.explain(state, rules.Play(VIOLET, card("blue:9")))
    after = do(table, state, "play violet blue:9")
    won = rules.TrickWon(winner, after.trick[winner].card, 2 + 5 + 7 + 4 + 9, after.trick)
    assert told[1:] == (won,)
    assert after.leader == winner
    assert table.turns(after) == (winner,)
