"""Every sentence of a refusal, where it is due: refusals.txt says at which of these moments."""

from companion.core.game import TABLE
from companion.games.via_magica.rules import Animus, Field, Phase, Settings, State, ViaMagica
from tests.games.golden import check_refusals
from tests.games.via_magica.games import GREEN, RED, before_catch, lacking, player
from tests.games.via_magica.test_facts import PAIR, TRIO, dealt, opened_by, play

BY_HAND = ViaMagica(Settings((RED, GREEN), by_hand=True))
START, CATCHING = PAIR.start(), before_catch(PAIR, player(), player())


def caught(word: str, **first: int) -> State:
    """Return the moment after an animus was caught."""
    state = before_catch(PAIR, player("33:A", "9", supply=first.get("supply", 6)), player("33"))
    return play(PAIR, state, f"catch {word}")


def taking() -> State:
    """Return the moment when one of two has opened a portal."""
    state = before_catch(PAIR, player(lacking(33, "A"), supply=6, opened=(24,)), player("39"))
    return play(PAIR, state, "catch air", "crystallize red 33:air", "open red")


def both() -> State:
    """Return the moment when two of three can open a portal."""
    state = before_catch(TRIO, *[player(lacking(33, "A"), supply=5)] * 2, player("39"))
    return play(TRIO, state, "catch air", "crystallize red 33:air", "crystallize green 33:air")


def keeping_by_hand() -> State:
    state = BY_HAND.start()
    while state.phase is not Phase.KEEP:
        state = BY_HAND.apply(state, BY_HAND.legal(state, TABLE)[0])
    return state


MOMENTS = {
    "start": START,
    "keeping": dealt(PAIR),
    "air is caught": caught("air"),
    "water is caught": caught("water"),
    "water is caught and the supply empty": caught("water", supply=0),
    "a joker is caught": play(PAIR, caught("joker"), "crystallize green 33:air"),
    "one can open a portal": before_catch(PAIR, player("33:AW", opened=(24,)))._replace(
        phase=Phase.OPEN, queue=(RED,)
    ),
    "two can open a portal": both(),
    "a portal is taken": taking(),
    "a reward is due": play(PAIR, taking(), "take red 26"),
    "portal 12 opens another": opened_by(PAIR, 12, "S", "24"),
    "portal 11 places life": opened_by(PAIR, 11, "E", "24", "5"),
    "portal 11 finds no field": opened_by(PAIR, 11, "E", "36"),
    "portal 23 rearranges": opened_by(PAIR, 23, "F", "33:A"),
    "no shadow is left": CATCHING._replace(bag=(6, 5, 4, 3, 2, 0, 2)),
    "keeping by hand": keeping_by_hand(),
} | {f"phase {one.value}": CATCHING._replace(phase=one, queue=(RED,)) for one in Phase}


def moment(heading: str) -> tuple[ViaMagica, State]:
    games = {"two can open a portal": TRIO, "keeping by hand": BY_HAND}
    return games.get(heading, PAIR), MOMENTS.get(heading, START)


def test_each_refusal_says_why_and_what_is_right(rewrite_golden: bool) -> None:
    check_refusals(__file__, moment, rewrite=rewrite_golden)


def test_there_are_no_rulings_and_a_field_is_written_as_in_an_action() -> None:
    assert PAIR.rulings == ()
    assert PAIR.legal(START, GREEN) == ()
    assert str(Field(9, Animus.WATER)) == "9:water"
