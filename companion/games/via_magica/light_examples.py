"""An example of every scene of Via Magica."""

from __future__ import annotations

from functools import partial
from typing import Final

from companion.games.via_magica import light_meanings as meanings
from companion.games.via_magica.rules import ViaMagica
from companion.present.lights.example import JUST_NOW, Example, LightExamples, played, steps
from companion.text import Text

conjuring = partial(played, ViaMagica())
DEALT: Final = {
    "red": (9, 21, 33, 1, 2, 3),
    "green": (34, 35, 37, 4, 5, 6),
    "blue": (10, 22, 33, 7, 8, 11),
    "yellow": (32, 36, 38, 12, 13, 14),
}
KEEP: Final = (
    *(f"deal {seat} {portal}" for seat, portals in DEALT.items() for portal in portals),
    *steps("draw 16; draw 17; draw 18; draw 19; draw 20; turn"),
    *steps("keep green portals 34,35,37; keep yellow portals 32,36,38"),
)
CATCH: Final = (*KEEP, *steps("keep red portals 9,21,33; keep blue portals 10,22,33; unveil"))
WATER: Final = (
    *(*CATCH, "catch water"),
    *steps("crystallize green 34:water; crystallize yellow 32:water"),
)
CALL: Final = (
    *(*WATER, *steps("crystallize red 33:water; crystallize blue 33:water; catch air")),
    *steps("crystallize red 33:air; crystallize green 34:air; crystallize yellow 32:air"),
    "crystallize blue 33:air",
)
OPENED: Final = (*CALL, *steps("call blue; open blue 33"))
PORTALS: Final = (
    *(*OPENED, *steps("take blue 16; draw 23; turn; open red 33; take red 17; draw 24; turn")),
    *steps("catch earth; crystallize red 21:earth; crystallize blue 10:earth"),
    *steps("crystallize yellow 38:earth; catch air; crystallize red 21:air"),
    *steps("crystallize green 34:air; crystallize blue 22:air; crystallize yellow 32:air"),
    *steps("catch air; crystallize red 21:air; crystallize green 34:air"),
    *steps("crystallize blue 22:air; call red; open red 21; take red 18; draw 25; turn"),
    *steps("waive red; open green 34; take green 19; draw 26; turn"),
)
EXAMPLES: Final = (
    Example(
        "keep",
        meanings.KEEP,
        Text("Via Magica: red and blue still have to choose; green and yellow have chosen."),
        lambda: conjuring(*KEEP),
    ),
    Example(
        "portals",
        meanings.PORTALS,
        Text("Via Magica: red is the catcher. It has opened two portals, green and blue one each."),
        lambda: conjuring(*PORTALS),
    ),
    Example(
        "animus",
        meanings.ANIMUS,
        Text("Via Magica: water is caught. Red and blue still have to place a crystal."),
        lambda: conjuring(*WATER),
    ),
    Example(
        "joker",
        meanings.JOKER,
        Text("Via Magica: the joker is caught, so each may place a crystal anywhere."),
        lambda: conjuring(*CATCH, "catch joker"),
    ),
    Example(
        "incantatum",
        meanings.INCANTATUM,
        Text("Via Magica: red and blue can open a portal. Say who called first."),
        lambda: conjuring(*CALL),
    ),
    Example(
        "opened",
        meanings.OPENED,
        Text("Via Magica: blue opens a violet portal. This stays for a few seconds."),
        lambda: conjuring(*OPENED),
        acted_us=JUST_NOW,
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
