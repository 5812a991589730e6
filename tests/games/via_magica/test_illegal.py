"""Every sentence of a refusal, where it is due."""

import pytest

from companion.core.game import TABLE, Ruling
from companion.core.notation import parse
from companion.games.via_magica.rules import (
    Animus,
    Call,
    Catch,
    Field,
    Phase,
    Settings,
    State,
    ViaMagica,
)
from companion.games.via_magica.rules.refusals import NOW
from companion.i18n.translate import say
from companion.system.errors import Illegal
from tests.games.via_magica.games import GREEN, RED, before_catch, lacking, player
from tests.games.via_magica.test_facts import PAIR, TRIO, dealt, opened_by, play


def refused(state: State, text: str) -> Illegal:
    """Return why an action is not possible."""
    kind, given = parse(PAIR, text)
    with pytest.raises(Illegal) as why:
        PAIR.apply(state, kind(**given))
    return why.value


def caught(word: str, **first: int) -> State:
    """Return the moment after an animus was caught."""
    state = before_catch(PAIR, player("33:A", "9", supply=first.get("supply", 6)), player("33"))
    return play(PAIR, state, f"catch {word}")


def ready() -> State:
    """Return the moment when one of two can open a portal."""
    state = before_catch(PAIR, player(lacking(33, "A"), supply=6, opened=(24,)), player("39"))
    return play(PAIR, state, "catch air", "crystallize red 33:air")


BY_HAND = ViaMagica(Settings((RED, GREEN), by_hand=True))
START = PAIR.start()
KEEPING = dealt(PAIR)
TAKING = play(PAIR, ready(), "open red")
REWARDING = play(PAIR, TAKING, "take red 26")
BOTH = play(
    TRIO,
    before_catch(TRIO, *[player(lacking(33, "A"), supply=5)] * 2, player("39")),
    *("catch air", "crystallize red 33:air", "crystallize green 33:air"),
)


@pytest.mark.parametrize(
    ("state", "text", "why"),
    [
        (START, "deal green 3", "The next portal is for red, not for green."),
        (START, "deal red 41", "Portal 41 is not in the stack; check its number again."),
        (START, "turn", "'turn' is not possible now; portals have to be dealt: 'deal'."),
        (
            *(KEEPING, "keep red portals 1,1,2"),
            "Keep three of your six portals, all different; name them in ascending order.",
        ),
        (
            *(caught("air"), "crystallize blue 33:air"),
            "It is not blue's turn but that of green; a crystal has to be placed: 'crystallize'.",
        ),
        (
            *(play(PAIR, caught("joker"), "crystallize green 33:air"), "crystallize red 39:earth"),
            "Portal 39 is not in red's building zone, which holds 33, 9.",
        ),
        (
            *(caught("water"), "crystallize red 9:earth"),
            "A crystal cannot go on earth now; place it on water.",
        ),
        (
            *(caught("joker"), "crystallize red 33:air"),
            "Portal 33 has no free field of air; choose another field.",
        ),
        (
            *(caught("water", supply=0), "crystallize red 9:water"),
            "Red has no crystal left in its supply; move one from a field.",
        ),
        (
            *(caught("water"), "crystallize red 9:water 9:earth"),
            "No crystal lies on 9:earth; name the field that the crystal comes from.",
        ),
        (
            *(caught("water"), "crystallize red 9:water 9:joker"),
            "No crystal lies on 9:joker; name the field that the crystal comes from.",
        ),
        (*(BOTH, "call blue"), "Blue has no portal to open; name one of red and green."),
        (ready(), "open red 24", "Portal 24 is not full; open one of 33."),
        (*(TAKING, "take red 9"), "Portal 9 is not on the table; take one of 25, 26, 27, 28."),
        (
            *(TAKING, "take red 24"),
            "Nobody takes a portal of the same kind as 24 twice; take one of 25, 26, 27, 28.",
        ),
        (
            *(REWARDING, "claim red blue"),
            "The reward blue cannot be claimed now; claim one of two.",
        ),
        (
            *(opened_by(PAIR, 12, "S", "24"), "crystallize red 24:air"),
            (
                "The power of portal 12 does not allow that; use it in another way, or give it up "
                "with 'waive'."
            ),
        ),
        (
            *(opened_by(PAIR, 12, "S", "24"), "take red 25"),
            (
                "The power of portal 12 does not allow that; use it in another way, or give it up "
                "with 'waive'."
            ),
        ),
        (
            *(opened_by(PAIR, 11, "E", "24", "5"), "crystallize red 24:air"),
            "A crystal cannot go on air now; place it on life.",
        ),
        (
            *(opened_by(PAIR, 11, "E", "36"), "open red 36"),
            (
                "The power of portal 11 does not allow that; use it in another way, or give it up "
                "with 'waive'."
            ),
        ),
        (
            *(opened_by(PAIR, 23, "F", "33:A"), "crystallize red 33:water"),
            "Only crystals already placed can be rearranged, each to another field.",
        ),
        (
            *(before_catch(PAIR, player())._replace(bag=(6, 5, 4, 3, 2, 0, 2)), "catch shadow"),
            "No shadow is left in the bag; check again what was caught.",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_is_right(state: State, text: str, why: str) -> None:
    error = refused(state, text) if len(state.queue) < 2 or state is not BOTH else _trio(text)
    assert str(error) == why
    assert say(error) != say(error, "de")


def _trio(text: str) -> Illegal:
    kind, given = parse(TRIO, text)
    with pytest.raises(Illegal) as why:
        TRIO.apply(BOTH, kind(**given))
    return why.value


@pytest.mark.parametrize("phase", NOW, ids=lambda phase: phase.value)
def test_every_phase_says_what_is_to_be_done(phase: Phase) -> None:
    assert set(NOW) == set(Phase)
    state = before_catch(PAIR, player(), player())._replace(phase=phase, queue=(RED,))
    wrong = Call(RED) if phase is not Phase.CALL else Catch(Animus.AIR)
    with pytest.raises(Illegal) as why:
        PAIR.apply(state, wrong)
    what, _ = NOW[phase]
    assert str(why.value).endswith(f"is not possible now; {what}.")
    assert say(what, "de") != say(what)
    assert say(what, "de") in say(why.value, "de")


def test_by_hand_portals_are_named_one_after_another() -> None:
    state = BY_HAND.start()
    while state.phase is not Phase.KEEP:
        state = BY_HAND.apply(state, BY_HAND.legal(state, TABLE)[0])
    kind, given = parse(BY_HAND, "keep red portals 1")
    with pytest.raises(Illegal) as why:
        BY_HAND.apply(state, kind(**given))
    assert str(why.value).startswith(
        "Name the portals one after another, each once, and none whose two copies both lie "
        "elsewhere; 3, 4, 5,"
    )
    assert say(why.value) != say(why.value, "de")


def test_there_are_no_rulings_and_no_strange_actions() -> None:
    assert PAIR.rulings == ()
    with pytest.raises(Illegal, match="is not an action of this game"):
        PAIR.rule(START, Ruling())
    with pytest.raises(Illegal, match="is not an action of this game"):
        PAIR.apply(START, Ruling())
    assert PAIR.legal(START, GREEN) == ()
    assert str(Field(9, Animus.WATER)) == "9:water"
