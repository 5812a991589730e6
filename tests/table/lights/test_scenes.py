"""Every scene of the spec, with exactly the lights that it has."""

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Settings, ZappZerapp
from companion.journal import JournalState
from companion.present.lights.patterns import Tone
from companion.present.lights.scenes import FAULT_US, WARNED_US, scene
from companion.referee.commands import Call, DoAction, GiveUp, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.system.status import Condition
from tests.referee.tables import Round
from tests.table.lights import looking
from tests.table.lights.looking import BLUE, LATER, RED, SECOND, WHITE, at, city, glow, ring, start

PAWNS = "correct pawns red:2,red:start,red:start,blue:18,blue:start,blue:start"
DIM = 0.4


def seated(*, profi: bool = False, overlook: bool = False) -> Round:
    table = Round()
    settings = Settings((RED, BLUE), profi=profi, overlook=overlook)
    table.wish(NewMatch(ZappZerapp.name, pack(settings), HouseRules()))
    return table


def moving(pawns: str = PAWNS, *, profi: bool = False, overlook: bool = False) -> Round:
    """Red moves by 8, then blue by 4."""
    table = seated(profi=profi, overlook=overlook)
    for text in (pawns, "roll 9", "place red", "place blue", "flip", "say red 8", "say blue 4"):
        assert table.wish(DoAction(text)).refused is None
    return table


def light(table: Round, colour: str, text: str) -> None:
    """Press a button until it has brought something up."""
    offers = next(seat.offers for seat in table.now.seats if seat.colour == colour)
    place = next(n for n, offer in enumerate(offers) if offer.wish == DoAction(text))
    for _ in range(place + 1):
        table.press(colour)


def shaking() -> Round:
    table = Round("red", "blue")
    table.wish(DoAction("roll 9"))
    return table


def test_set_up_lights_who_has_joined_and_offers_the_others() -> None:
    table = Round()
    table.press("red")
    assert at(table.now, 0) == {
        start(RED): (255, 20, 10),
        **{start(seat): glow(seat, 0.45) for seat in (looking.GREEN, BLUE, looking.YELLOW)},
    }
    assert scene(table.now, 0).seats["red"] == 1.0
    table.press("blue")
    assert at(table.now, SECOND)[city(RED)] == glow(RED, 0.2)  # enough may begin
    assert at(table.now, SECOND)[city(BLUE)] == glow(BLUE, 0.2)


def test_waiting_for_the_roll_lets_the_rollers_start_and_seat_breathe() -> None:
    now = Round("red", "blue").now
    assert at(now, LATER) == {start(RED): (255, 20, 10), start(BLUE): glow(BLUE, DIM)}
    assert at(now, LATER + SECOND)[start(RED)] == glow(RED, 0.2)
    assert scene(now, LATER).seats == {"red": 1.0, "blue": 0.0}


def test_the_record_shows_each_pawn_so_that_a_wrong_position_is_seen() -> None:
    table = seated()
    table.wish(DoAction("correct pawns red:2,red:7,red:city,blue:18,blue:19,blue:start"))
    shown = at(table.now, LATER)
    assert ring(shown) == {
        1: glow(RED, DIM),
        5: glow(BLUE, DIM),
        6: glow(RED, DIM),  # shared: each colour for a second
    }
    assert ring(at(table.now, LATER + SECOND)) == ring(shown) | {6: glow(BLUE, DIM)}
    assert shown[city(RED)] == glow(RED, DIM)
    assert shown[start(BLUE)] == glow(BLUE, DIM)


def test_the_magic_number_is_that_many_fields_and_the_rest_swirls_calmly() -> None:
    now = shaking().now
    assert ring(at(now, LATER)) == {
        **dict.fromkeys(range(9), WHITE),
        **{9 + (LATER // 150_000 - tail) % 15: level for tail, level in enumerate(SWIRL)},
    }
    assert scene(now, LATER).seats == {"red": 0.173, "blue": 0.173}  # both still choose


SWIRL = ((20, 13, 44), (3, 2, 8), (1, 0, 1))  # violet, darker and darker


def test_whoever_has_placed_is_steady_and_who_is_asked_blinks() -> None:
    table = shaking()
    table.place("red", 8)
    assert at(table.now, LATER)[start(RED)] == (255, 20, 10)
    assert start(BLUE) not in at(table.now, LATER)
    table.place("red", 8, confidence=0.6)
    assert at(table.now, LATER)[start(RED)] == (255, 20, 10)
    assert start(RED) not in at(table.now, LATER + 200_000)
    assert scene(table.now, LATER + 200_000).seats["red"] == 0.0


def test_a_warning_swells_gently_at_no_one_in_particular() -> None:
    table, calm = shaking(), shaking()
    warned = FoulFinding(1, FoulCode.PEEK, Weight.WARNING, 0, 400_000, (7,), "blue", 0.9)
    table.tell(warned)
    now = table.now
    assert ring(at(now, 0)) == dict.fromkeys(range(9), WHITE)
    amber = dict.fromkeys(range(9, 24), (55, 24, 4))
    assert ring(at(now, WARNED_US // 2)) == dict.fromkeys(range(9), WHITE) | amber
    assert at(now, WARNED_US) == at(calm.now, WARNED_US)
    assert scene(now, WARNED_US // 2).seats == scene(calm.now, WARNED_US // 2).seats
    assert scene(now, 0).tone is None


def test_a_choice_of_placing_runs_from_the_start_to_the_city_until_it_is_confirmed() -> None:
    table = shaking()
    table.press("blue")
    first = at(table.now, LATER - LATER % 1_800_000)
    then = at(table.now, LATER - LATER % 1_800_000 + 300_000)
    assert (first[start(BLUE)], first.get(city(BLUE))) == (glow(BLUE, 1.0), None)
    assert (then[start(BLUE)], then[city(BLUE)]) == (glow(BLUE, 0.45), glow(BLUE, 1.0))
    table.press("blue", long=True)
    assert at(table.now, LATER)[start(BLUE)] == glow(BLUE, 1.0)


def test_putting_a_barrel_back_runs_backwards() -> None:
    table = shaking()
    table.place("blue", 4)
    light(table, "blue", "putback blue")
    first = at(table.now, LATER - LATER % 1_800_000)
    assert (first.get(start(BLUE)), first[city(BLUE)]) == (None, glow(BLUE, 1.0))


def test_flip_now_lets_the_number_all_starts_and_all_seats_breathe_as_one() -> None:
    table = shaking()
    table.place("red", 8)
    table.place("blue", 4)
    assert at(table.now, LATER) == {
        **dict.fromkeys(range(9), WHITE),
        start(RED): glow(RED, 1.0),
        start(BLUE): glow(BLUE, 1.0),
    }
    assert ring(at(table.now, LATER + SECOND)) == dict.fromkeys(range(9), (4, 4, 4))
    assert scene(table.now, 0).tone == Tone(880, 120_000)
    assert scene(table.now, 120_000).tone is None


def test_a_number_that_has_to_be_read_is_asked_for() -> None:
    table = seated()
    for text in ("roll 9", "place red", "place blue", "flip", "say blue 4"):
        table.wish(DoAction(text))
    dark = at(table.now, LATER + 200_000)
    assert dark == {**dict.fromkeys(range(9), looking.FAINT_WHITE), start(BLUE): glow(BLUE, 1.0)}
    assert at(table.now, LATER) == dark | {start(RED): glow(RED, 1.0)}


def test_a_lit_number_is_that_many_fields_and_a_comet_says_that_it_is_not_confirmed() -> None:
    table = seated()
    light(table, "red", "roll 5")
    shown = ring(at(table.now, 0))
    assert shown == {0: WHITE, **dict.fromkeys(range(1, 5), looking.FAINT_WHITE)}
    assert ring(at(table.now, 400_000))[4] == WHITE


def test_the_dice_in_the_companions_hand_sparkle_all_over_the_ring() -> None:
    table = seated()
    table.press("red")
    frames = [frozenset(ring(at(table.now, step * 50_000))) for step in range(8)]
    assert len(set(frames)) == 8
    assert frozenset().union(*frames) == frozenset(range(24))
    assert all(6 <= len(frame) <= 18 for frame in frames)


def test_whose_turn_it_is_and_where_each_pawn_may_end() -> None:
    now = moving().now
    shown = at(now, LATER)
    assert shown == {
        start(RED): glow(RED, 1.0),
        start(BLUE): glow(BLUE, DIM),
        1: glow(RED, DIM),
        5: glow(BLUE, DIM),
        7: glow(RED, 0.45),  # from the start
        9: glow(RED, 0.45),  # from field 2
    }
    assert at(now, LATER + SECOND)[9] == glow(RED, 0.45 * 0.2)
    assert scene(now, LATER).seats == {"red": 1.0, "blue": 0.0}


def test_the_chosen_pawn_its_way_and_whom_it_would_banish_the_other_end_dimmer() -> None:
    table = moving()
    light(table, "red", "move red 2")
    on, off = at(table.now, 400_000), at(table.now, 600_000)
    assert on[1] == glow(RED, 1.0)  # the pawn
    assert on[9] == glow(RED, 0.72361)  # its end breathes …
    assert on[7] == glow(RED, 0.45 * 0.72361)  # … the other, too, dimmer
    assert 2 not in on  # the comet has left it
    assert [on[field] for field in (3, 4, 6)] == [glow(RED, part) for part in (0.08, 0.2, 1.0)]
    assert (on[5], on[start(BLUE)]) == (glow(BLUE, 1.0), glow(BLUE, 1.0))
    assert (off[5], off[start(BLUE)]) == (glow(RED, 0.08), glow(BLUE, DIM))


def test_a_move_that_may_be_overlooked_points_at_nobody_until_it_is_confirmed() -> None:
    plain, named = moving(overlook=True), moving(overlook=True)
    light(plain, "red", "move red 2 banish none")
    light(named, "red", "move red 2 banish blue:18")
    assert all(scene(plain.now, t) == scene(named.now, t) for t in range(0, 4_000_000, 50_000))
    assert at(named.now, 400_000)[start(BLUE)] == glow(BLUE, DIM)
    named.press("red", long=True)
    assert at(named.now, 0)[start(BLUE)] == glow(BLUE, 1.0)
    assert at(named.now, 0)[5] == glow(BLUE, 1.0)


def test_whoever_would_be_taken_along_flashes_twice_and_who_could_be_dimmer() -> None:
    pawns = "correct pawns red:4,red:start,red:start,blue:22,blue:start,blue:start"
    table = moving(pawns, profi=True)  # blue waits in a castle
    light(table, "red", "move red 4 take blue:22")
    now = table.now
    blue = [at(now, 50_000 * step).get(9) == glow(BLUE, 1.0) for step in range(24)]
    assert blue == [*TWICE, *[False] * 15]
    assert [at(now, 50_000 * step)[11] == glow(BLUE, 1.0) for step in range(9)] == TWICE
    table.press("red", long=False)
    while table.now.seats[0].offers[table.now.seats[0].lit or 0].wish != DoAction("move red 4"):
        table.press("red")
    assert at(table.now, 0)[9] == glow(BLUE, 0.45)


TWICE = [True] * 3 + [False] * 3 + [True] * 3


def test_what_was_confirmed_is_shown_for_a_while_so_that_people_move_the_pawns() -> None:
    table = moving()
    table.wish(DoAction("move red 2"))
    on, off = at(table.now, 0), at(table.now, 200_000)
    assert on[9] == glow(RED, 1.0)
    assert (on[5], on[start(BLUE)]) == (glow(BLUE, 1.0), glow(BLUE, 1.0))
    assert 5 not in off
    assert 5 not in at(table.now, LATER)
    assert at(table.now, LATER)[9] == glow(RED, DIM)


def test_taking_back_runs_backwards_around_the_ring() -> None:
    table = shaking()
    table.press("red")
    table.press("red")
    lit_wish = table.now.seats[0].offers[table.now.seats[0].lit or 0].wish
    assert lit_wish == Undo()
    heads = [at(table.now, step * 100_000).get(23 - step) for step in range(24)]
    assert heads == [WHITE] * 24


def test_a_ruling_shows_a_closed_ring_to_uphold_and_an_open_one_to_dismiss() -> None:
    table = shaking()
    table.wish(Call("peek", "blue"))
    table.press("red")
    table.press("red")
    dismiss = ring(at(table.now, 0))
    table.press("red")
    uphold = ring(at(table.now, 0))
    faint = (44, 19, 3)
    assert dismiss == {0: (255, 110, 20), **dict.fromkeys(range(3, 24, 3), faint)}
    assert uphold == {0: (255, 110, 20), **dict.fromkeys(range(1, 24), faint)}


def test_victory_has_two_comets_a_steady_city_and_three_notes() -> None:
    table = moving("correct pawns red:20,red:city,red:city")
    table.wish(DoAction("move red 20"))
    shown = at(table.now, LATER)
    head = LATER // 150_000 % 24
    assert shown[head] == shown[(head + 12) % 24] == glow(RED, 1.0)
    assert len(ring(shown)) == 8
    assert shown[city(RED)] == glow(RED, 1.0)
    tones = [scene(table.now, at_us).tone for at_us in (0, 180_000, 360_000, 780_000)]
    assert tones == [Tone(523, 180_000), Tone(659, 360_000), Tone(784, 780_000), None]


def test_a_fault_flashes_at_the_cities_now_and_then_over_whatever_is_shown() -> None:
    table = shaking()
    calm = table.now
    table.referee.handle_conditions((Condition(JournalState.FULL, 0),), 0)
    cities = {24 + 4 + place: WHITE for place in range(4)}
    assert at(table.now, 7 * FAULT_US) == at(calm, 7 * FAULT_US) | cities
    assert at(table.now, 150_000) == at(calm, 150_000)
    assert at(table.now, FAULT_US // 2) == at(calm, FAULT_US // 2)


def test_a_match_that_was_given_up_keeps_its_record_and_offers_another() -> None:
    table = seated()
    table.wish(DoAction(PAWNS))
    table.wish(GiveUp())
    assert ring(at(table.now, LATER)) == {1: glow(RED, DIM), 5: glow(BLUE, DIM)}
    assert scene(table.now, LATER).seats == {"red": 1.0, "blue": 1.0}
    table.press("blue")
    assert start(BLUE) in looking.lit(scene(table.now, LATER))


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_whoever_has_something_lit_sees_it_at_its_own_seat(colour: str) -> None:
    table = shaking()
    table.press(colour)
    assert {name for name, level in scene(table.now, SECOND).seats.items() if level == 1.0} == {
        colour
    }
