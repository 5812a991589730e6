"""What people decide beside the rules changes just what they say, at any time it makes sense."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import after
from companion.core.log import Log, load
from companion.core.notation import read, write
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import OUT, Colour, Pawn, Phase, PutBack, SatOut, SitOut
from companion.system.errors import Illegal

RED, GREEN, BLUE, YELLOW = Colour
GAME = rules.ZappZerapp(rules.Settings(seats=(RED, GREEN, BLUE)))
ALL_PLACED = ("roll 9", "place red", "place green 5", "place blue 4")
MOVING = (*ALL_PLACED, "flip", "say red 7")


def played(*texts: str) -> Log[rules.State]:
    """Play what is written."""
    log = Log.begin(GAME)
    for text in texts:
        log = log.play(read(GAME, log.state, text))
    return log


def test_whoever_sits_out_need_not_place() -> None:
    state = played("roll 9", "place red", "sitout green").state
    assert (state.phase, state.queue, state.barrels[GREEN]) == (Phase.PLACE, (BLUE,), OUT)
    assert GAME.turns(state) == (BLUE,)
    assert not GAME.legal(state, GREEN)


def test_the_last_who_should_place_sits_out_and_all_others_flip() -> None:
    state = played("roll 9", "place red 7", "place green 5", "sitout blue").state
    assert state.phase is Phase.FLIP
    flipped = played("roll 9", "place red 7", "place green 5", "sitout blue", "flip").state
    assert flipped.queue == (RED, GREEN)


def test_when_all_sit_out_the_next_round_begins() -> None:
    log = played("roll 9", "sitout red", "sitout green", "place blue 3")
    assert GAME.explain(log.state, SitOut(BLUE)) == (SatOut(BLUE), rules.RoundOver(1, True, GREEN))
    assert log.play(SitOut(BLUE)).state == GAME.start()._replace(round=2)


def test_whoever_sits_out_after_the_flip_is_not_asked_for_a_number() -> None:
    log = played(*ALL_PLACED, "flip")
    assert log.state.phase is Phase.SAY
    assert GAME.explain(log.state, SitOut(RED)) == (SatOut(RED), rules.Order((GREEN, BLUE)))
    assert log.play(SitOut(RED)).state.queue == (GREEN, BLUE)


def test_whoever_sits_out_does_not_move() -> None:
    assert played(*MOVING).state.queue == (RED, GREEN, BLUE)
    assert played(*MOVING, "sitout red").state.queue == (GREEN, BLUE)
    over = played(*MOVING, "sitout red", "sitout green", "sitout blue").state
    assert (over.round, over.phase) == (2, Phase.ROLL)


def test_a_barrel_that_goes_back_is_chosen_again() -> None:
    log = played(*ALL_PLACED)
    assert GAME.explain(log.state, PutBack(GREEN)) == (rules.WentBack(GREEN, (GREEN,)),)
    back = log.play(PutBack(GREEN)).state
    assert (back.phase, back.queue, back.barrels) == (
        Phase.PLACE,
        (GREEN,),
        (rules.UNREAD, 0, 4, 0),
    )
    twice = played(*ALL_PLACED, "putback blue", "putback red").state
    assert twice.queue == (RED, BLUE)


def test_pawns_stand_where_people_say() -> None:
    log = played(*MOVING)
    right = rules.Correct((Pawn(RED, 4), Pawn(RED, 0), Pawn(RED, 25)))
    assert GAME.explain(log.state, right) == (rules.Corrected(RED, (0, 0, 0), (0, 4, 25)),)
    state = log.play(right).state
    assert state == log.state._replace(pawns=((0, 4, 25), *log.state.pawns[1:]))
    assert write(right) == "correct pawns red:4,red:start,red:city"
    assert read(GAME, log.state, write(right)) == right


@given(st.data())
def test_rulings_never_break_a_game(data: st.DataObject) -> None:
    log = Log.begin(GAME)
    for _ in range(data.draw(st.integers(1, 40), "length")):
        kinds = [SitOut, PutBack]
        if data.draw(st.booleans(), "ruling"):
            ruling = data.draw(st.sampled_from(kinds))(data.draw(st.sampled_from(Colour)))
            try:
                state = after(GAME, log.state, ruling)
            except Illegal:
                continue
            assert GAME.explain(log.state, ruling)
            assert not set(GAME.turns(state)) & {
                seat for seat in Colour if state.barrels[seat] == OUT
            }
            log = log.play(ruling)
        elif turns := GAME.turns(log.state):
            seat = data.draw(st.sampled_from(turns))
            log = log.play(data.draw(st.sampled_from(GAME.legal(log.state, seat))))
        assert GAME.turns(log.state) or GAME.outcome(log.state)
        for seat in GAME.turns(log.state):
            assert GAME.legal(log.state, seat)
        assert GAME.view(log.state, None).phase is log.state.phase
    assert load(log.dump(), {"zapp-zerapp": rules.ZappZerapp}) == (log, None)
