"""Whole games of each kind as one can read them; that all events happen in them, i18n's tests say.

What everybody sees stands before the first action of each of a game's moments, as told below, and
at the end; at Trap the Wizard after the first actions, and after each that changes who holds whom.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Action
from companion.core.notation import read, write
from companion.games.blackmore import rules as blackmore
from companion.games.trap_the_wizard import rules as trap_the_wizard
from companion.games.via_magica import rules as via_magica
from companion.games.via_magica.rules.portals import ANIMI
from companion.games.zapp_zerapp import rules as zapp_zerapp
from tests.cases import check, script
from tests.games import golden

FILES = sorted(Path(__file__).parent.glob("*/golden/*.txt"))
VIEWED_ROUNDS, FIRST = 2, 4  # so many rounds, or actions, are shown moment by moment
TELLING = (
    *(trap_the_wizard.WizardCaptured, trap_the_wizard.JokerCaptured, trap_the_wizard.TrapShut),
    *(trap_the_wizard.CaptivesBroughtHome, trap_the_wizard.PointsLeftOver),
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_the_game_answers_as_recorded(file: Path, rewrite_golden: bool) -> None:
    answer = {
        "blackmore": of_blackmore,
        "trap_the_wizard": of_trap_the_wizard,
        "via_magica": of_via_magica,
        "zapp_zerapp": of_zapp_zerapp,
    }[file.parts[-3]]
    check(file, answer, rewrite=rewrite_golden)


# Each yields the lines of a file, with the answers of the game under each action.


def of_blackmore(text: str) -> Iterator[str]:
    def moment(state: blackmore.State) -> object:
        return state.phase, state.pile == 0, bool(state.trick)

    def own(value: Any) -> str | None:
        return str(value) if isinstance(value, blackmore.Card | blackmore.Throw) else None

    game = blackmore.Blackmore(golden.settings(text, blackmore.Settings))
    return golden.answers(text, game, own, moment)


def of_trap_the_wizard(text: str) -> Iterator[str]:
    def own(value: Any) -> str | None:
        wizard = isinstance(value, trap_the_wizard.Wizard)
        return str(value).replace(" load ", ":") if wizard else None

    game = trap_the_wizard.TrapTheWizard(golden.settings(text, trap_the_wizard.Settings))
    state, done = game.start(), 0
    for line in script(text):
        if line.startswith(("#", "{")):
            yield line
            continue
        action = read(game, state, line)
        events = game.explain(state, action)
        yield write(action)
        yield from (f"    {golden.told(event, own, '')}" for event in events)
        state, done = game.apply(state, action), done + 1
        if done <= FIRST or any(isinstance(event, TELLING) for event in events):
            yield from golden.seen(game, state, own)


def of_via_magica(text: str) -> Iterator[str]:
    def moment(state: via_magica.State) -> object:
        return (state.round, state.phase) if state.round <= VIEWED_ROUNDS else None

    def own(value: Any) -> str | None:
        match value:
            case via_magica.Building(portal, covered):
                letters = zip("AWELFS", ANIMI, strict=True)
                crystals = "".join(letter * covered[animus] for letter, animus in letters)
                return f"{portal}:{crystals}" if crystals else f"{portal}"
        record = is_dataclass(value) and not isinstance(value, Action)
        return golden.told(value, own, "") if record else None

    game = via_magica.ViaMagica(golden.settings(text, via_magica.Settings))
    return golden.answers(text, game, own, moment, nothing="")


def of_zapp_zerapp(text: str) -> Iterator[str]:
    def moment(state: zapp_zerapp.State) -> object:
        placing = state.phase is zapp_zerapp.Phase.PLACE
        standing = placing and any(barrel != zapp_zerapp.EMPTY for barrel in state.barrels)
        return (state.round, state.phase, standing) if state.round <= VIEWED_ROUNDS else None

    def apart(state: zapp_zerapp.State) -> bool:
        return state.phase in (zapp_zerapp.Phase.ROLL, zapp_zerapp.Phase.OVER)

    def own(value: Any) -> str | None:
        return str(value) if isinstance(value, zapp_zerapp.Pawn) else None

    game = zapp_zerapp.ZappZerapp(golden.settings(text, zapp_zerapp.Settings))
    return golden.answers(text, game, own, moment, apart=apart)
