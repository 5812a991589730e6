"""The rules of Via Magica broken on purpose. Data only, as in mutants.py."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutants import Mutant

FACTS: Final = ("../via_magica/test_facts.py",)
SECRETS: Final = ("../via_magica/test_secrecy.py",)
BY_HAND: Final = ("../via_magica/test_by_hand.py",)
SAID: Final = ("../via_magica/test_illegal.py",)


def _broken(  # noqa: PLR0917 - read as a table
    name: str, file: str, old: str, new: str, fact: str, killers: tuple[str, ...] = FACTS
) -> Mutant:
    return Mutant(f"Via Magica: {name}", f"via_magica/{file}.py", old, new, fact, killers)


VIA_MAGICA: Final = (
    _broken("an eighth crystal", "game", "CRYSTALS: Final = 7", "CRYSTALS: Final = 8", "VM-1"),
    _broken("seven are dealt", "setting_up", "DEALT, KEPT = 6, 3", "DEALT, KEPT = 7, 3", "VM-1"),
    _broken("two are kept", "setting_up", "DEALT, KEPT = 6, 3", "DEALT, KEPT = 6, 2", "VM-1"),
    _broken("two of a kind are kept", "setting_up", "sorted(set(hand))", "sorted(hand)", "VM-3"),
    _broken("four lie on the table", "opening", "DISPLAY = 5", "DISPLAY = 4", "VM-1"),
    _broken("a third joker", "portals", "3, 2, 1, 2)  # of", "3, 2, 1, 3)  # of", "VM-1"),
    _broken("one of each kind", "portals", "COPIES: Final = 2", "COPIES: Final = 1", "VM-1"),
    _broken(
        *("a joker matches nothing", "buildings"),
        *("(*free, tuple(chain(*free)))", "(*free, ())", "VM-2"),
    ),
    _broken(
        *("a placed crystal stays", "zones"),
        *("sources += building.bearing", "sources += building.bearing * (not sources)", "VM-2"),
    ),
    _broken(
        *("any animus goes anywhere", "rounds"),
        *("good_for(player, animus) is not JOKER", "()", "VM-2"),
    ),
    _broken(
        *("what is not full is opened", "opening"),
        *("if number in full(player.building)", "if number in NUMBERS", "VM-3"),
        SAID,
    ),
    _broken(
        *("a power places anywhere", "opening"),
        *("in {field.animus, Animus.JOKER}", "in Animus", "VM-7"),
        SAID,
    ),
    _broken(
        *("rearranging brings crystals", "opening"),
        *("not in {field, None}", "not in {field}", "VM-7"),
        SAID,
    ),
    _broken(
        *("an empty supply gives", "zones"),
        *("SUPPLY if player.supply else ()", "SUPPLY", "VM-2"),
    ),
    _broken(
        *("animi stay out", "rounds", "but(bag=BAG, catcher", "but(catcher", "VM-2"),
    ),
    _broken(
        *(
            "the bag goes to the right",
            "rounds",
            "hand_over_early:\n        catcher = settings.clockwise(catcher)[1]",
            "hand_over_early:\n        catcher = settings.clockwise(catcher)[-1]",
        ),
        "VM-2",
    ),
    _broken(
        *("any animus ends a catcher", "rounds"),
        *("state.animus is JOKER and not", "state.animus is not None and not", "VM-2"),
    ),
    _broken(
        *("crystals are lost", "zones", "(hand, supply + crystals, zone", "(hand, supply, zone"),
        "VM-3",
    ),
    _broken(
        *(
            "a kind is taken twice",
            "zones",
            "difference(player.opened, state.opening, own)",
            "difference(())",
            "VM-3",
        ),
    ),
    _broken(
        *("who called first does not matter", "rounds"),
        *("state.catcher if action.first is None else action.first", "state.catcher", "VM-3"),
    ),
    _broken(
        *(
            "the catcher is last",
            "rounds",
            "clockwise(state.catcher if",
            "clockwise(state.queue[-1] if",
        ),
        "VM-3",
    ),
    _broken(
        *(
            "the display keeps its gap",
            "opening",
            "if any(state.stack) and",
            "if False and",
            "VM-3",
        ),
    ),
    _broken(
        *("blue serves everybody", "zones", "SERVING[animus] in player.opened", "player", "VM-7"),
    ),
    _broken(
        *("blue lets nobody place", "zones", "or (blue in opened", "or (() and opened", "VM-7"),
    ),
    _broken(
        *("blue never serves", "zones", "SERVING[animus] in player.opened", "not player", "VM-4"),
    ),
    _broken(
        *("no crystal is gained", "opening", "player.supply + portal.count", "player.supply"),
        "VM-7",
    ),
    _broken(
        *(
            "a power works once",
            "opening",
            "return player, portal.count",
            "return player, 1",
            "VM-7",
        ),
    ),
    _broken(
        *(
            "all is moved twice",
            "opening",
            "sum([sum(building.covered) for building in player.building])",
            "99",
            "VM-7",
        ),
    ),
    _broken(
        *("rearranging takes from the supply", "opening"),
        *(
            "return shifts(seat, player.building)",
            "return Ways(seat, player, Animus.JOKER)",
            "VM-7",
        ),
    ),
    _broken(
        *("green counts once", "scoring", "portal.points * _count(portal.per, opened)"),
        *("portal.points", "VM-7"),
    ),
    _broken(
        *("green fields do not count themselves", "scoring"),
        *("for one in opened)\n", "for one in opened if one != number)\n", "VM-7"),
    ),
    _broken(
        *("portal 24 is worth less", "portals", '"AAWFFS", 16', '"AAWFFS", 15', "VM-7"),
    ),
    _broken("blue pays nine", "portals", "Reward.BLUE: 10,", "Reward.BLUE: 9,", "VM-5"),
    _broken("two make a colour", "scoring", "if count >= 3]", "if count >= 2]", "VM-5"),
    _broken(
        *(
            "a reward is paid again",
            "scoring",
            "for player in players for reward in player.rewards if",
            "for reward in own if",
            "VM-5",
        ),
    ),
    _broken(
        *("every colour is paid again", "scoring"),
        *("(*TRIPLES, Reward.EVERY)  # in", "(*TRIPLES,)  # in", "VM-5"),
    ),
    _broken(
        *("numbers are paid again", "scoring"),
        *("len(NUMBERED.intersection(own)) >=", "len(NUMBERED.intersection(())) >=", "VM-5"),
    ),
    _broken(
        *("one number alone is ever paid", "scoring"),
        *("if settings.numbers and", "if", "VM-5"),
    ),
    _broken("a reward is claimed again", "scoring", "        gone += own\n", "", "VM-5"),
    _broken(
        *("a number is the first one's only", "scoring"),
        *("(*TRIPLES, Reward.EVERY)  # in", "(*Reward,)  # in", "VM-5"),
    ),
    _broken("six are enough", "opening", "SEVEN = 7", "SEVEN = 6", "VM-6"),
    _broken(
        *(
            "the game ends at once",
            "opening",
            "    if queue:\n        return",
            "    if queue[9:]:\n        return",
        ),
        "VM-6",
    ),
    _broken(
        *(
            "equals share",
            "scoring",
            "(score, len(state.players[seat].opened))",
            "(score, 0)",
            "VM-6",
        ),
    ),
    _broken(
        *("portals before points", "scoring"),
        *("(score, len(state.players[seat].opened))", "(len(state.players[seat].opened), score)"),
        "VM-6",
    ),
    _broken(
        *("always reshuffled", "opening", "if settings.reshuffle and not", "if not", "VM-8"),
    ),
    _broken(
        *(
            "what is filled waits",
            "opening",
            "if settings.chain and full(",
            "if () and full(",
            "VM-8",
        ),
    ),
    _broken(
        *("no power is interrupted", "opening", "settings.chain and settings.interrupts and"),
        *("False and", "VM-8"),
    ),
    _broken(
        *("every power is interrupted", "opening", "settings.chain and settings.interrupts and"),
        *("settings.chain and", "VM-8"),
    ),
    _broken(
        *("what waits for a call interrupts", "opening"),
        *("settings.chain and settings.interrupts and", "settings.interrupts and", "VM-8"),
    ),
    _broken(
        *("what was full before interrupts", "opening", "field.portal in full(after.building)"),
        *("full(after.building)", "VM-8"),
    ),
    _broken(
        *("an interrupted power is used up", "opening", "state.but(left=state.halted[-1],"),
        *("state.but(left=0,", "VM-8"),
    ),
    _broken("limits are nothing", "scoring", "if settings.triples and", "if False and", "VM-8"),
    _broken(
        *("all see all hands", "viewing", "hand=own.hand,"),
        *("hand=own.hand or state.players[0].hand,", "VM-1", SECRETS),
    ),
    _broken(
        *(
            "zones are open at once",
            "viewing",
            "state.round > 0 or settings.by_hand  # hidden",
            "True  # hidden",
            "VM-1",
        ),
        SECRETS,
    ),
    _broken(
        *("a drawn portal is seen", "state", 'Sealed(("portal",), opened_by=Turn)'),
        *("Sealed((), opened_by=Turn)", "VM-3", SECRETS),
    ),
    _broken(
        *("a dealt portal is in the log", "state", 'Sealed(("portal",), opened_by=None)'),
        *("Sealed((), opened_by=None)", "VM-1", SECRETS),
    ),
    _broken(
        *("a portal is told twice", "setting_up"),
        *("if n not in own])", "])", "by hand"),
        BY_HAND,
    ),
    _broken(
        *("what is drawn stays face down", "opening"),
        *("DISPLAY and not (drawn and settings.by_hand)", "DISPLAY", "by hand"),
        BY_HAND,
    ),
    _broken(
        *("what was kept stays in the stack", "setting_up"),
        *("stack = _without(stack, portal) or stack", "pass", "by hand"),
        BY_HAND,
    ),
    _broken(
        *("what nobody can draw is awaited", "opening"),
        *("and not _used_up(settings, state.stack)", "", "by hand"),
        BY_HAND,
    ),
    _broken(
        *("who is next does not matter", "refusals", "if player != (due", "if player == (due"),
        *("Illegal", SAID),
    ),
)
