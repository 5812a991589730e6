"""The pictures of the games without barrels: nothing is missing, nothing is too wide."""

import io
import re
from dataclasses import replace
from random import Random

import pytest

from companion.core.game import seats_by_word
from companion.core.plugin import GAMES, PLUGINS
from companion.games.trap_the_wizard import terminal as trap_the_wizard
from companion.games.trap_the_wizard.rules import (
    SPOKED,
    START,
    Board,
    Robe,
    Settings,
    TrapTheWizard,
    Wizard,
)
from companion.games.via_magica import terminal as via_magica
from companion.games.via_magica.rules import PORTALS, ViaMagica
from companion.i18n.translate import LANGUAGES
from companion.present.terminal import WIDTH, TerminalScreen
from companion.present.terminal_game import TerminalGame, look_of
from companion.present.viewer import Viewer
from tests.games.trap_the_wizard.tables import Table, opening, position
from tests.web.games.trapping import snapshot

RED, GREEN, BLUE, YELLOW, JOKER = Robe
SCREEN = TerminalScreen(io.StringIO())


def test_each_game_has_a_look() -> None:
    assert all(PLUGINS[game].part(TerminalGame) for game in GAMES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted({*GAMES} - {"zapp-zerapp"}))
@pytest.mark.parametrize("seed", range(3))
def test_no_picture_nor_hand_is_too_wide(name: str, language: str, seed: int) -> None:
    usual = GAMES[name]()
    most = tuple(seats_by_word(GAMES[name]).values())
    game, chance, look = GAMES[name](usual.settings_type(seats=most)), Random(seed), look_of(name)
    state, screen = game.start(), TerminalScreen(io.StringIO(), language)
    for count in range(1500):
        if not (seats := game.turns(state)):
            break
        seat = chance.choice(seats)
        state = game.apply(state, chance.choice(game.legal(state, seat)))
        if count % 50 == 0:
            eyes = most[count // 50 % len(most)]
            reader = Viewer(language, eyes.name.lower())
            lines = [*look.drawn(screen, game, state, eyes), *look.drawn(screen, game, state, None)]
            lines += look.hand(reader, game.view(state, eyes))
            assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_portal_fits_on_a_line_and_tells_its_fields(language: str) -> None:
    game = ViaMagica()
    view = replace(game.view(game.start(), None), hand=tuple(PORTALS))
    title, *lines = via_magica.hand(Viewer(language), view)
    assert title.endswith(":")
    assert [int(line.split()[0]) for line in lines] == list(PORTALS)
    assert max(map(len, lines)) <= WIDTH
    assert "Wa  Wa  Wa  L" in lines[16]


def drawn(game: TrapTheWizard, *wizards: tuple[Wizard, ...], joker: bool = True) -> list[str]:
    """Return the picture of a board on which the wizards of each player stand so."""
    state = game.start()._replace(wizards=wizards or game.start().wizards, joker=joker)
    return list(look_of(game.name).drawn(SCREEN, game, state, None))


def test_the_board_shows_every_field_once() -> None:
    picture = drawn(TrapTheWizard(Settings(seats=(RED, GREEN))))
    numbers = []
    for row, line in enumerate(picture):
        fields = line
        if 0 < row < 7:  # where something else is written between them
            fields = line[: trap_the_wizard.LEFT] + line[35:40] + line[70:]
        numbers += [int(number) for number in re.findall(r"\d+", fields)]
    assert sorted(numbers) == list(range(77))
    assert "J76" in picture[7]
    assert picture[0].split()[3] == "[2]"


def test_wizards_stand_on_their_fields_with_whom_they_hold() -> None:
    camps = (
        (Wizard(START), Wizard(7, (GREEN, JOKER))),
        (Wizard(START), Wizard(START)),
        (Wizard(2), Wizard(50, (RED, GREEN, RED, YELLOW))),
        (Wizard(2), Wizard(76, (RED,))),
    )
    text = "\n".join(drawn(TrapTheWizard(), *camps, joker=False))
    assert " Rgj7 " in text
    assert " BY2 " in text
    assert "B450" in text
    assert "Yr76" in text
    assert re.search(r"R Red +R +1 +· +·", text)
    assert re.search(r"G Green +GG +· +· +·", text)
    assert re.search(r"B Blue +· +4 +· +·", text)


def test_a_board_that_fits_into_no_cells_is_not_drawn() -> None:
    crowded = Board((*SPOKED.paths, (0, *range(77, 130), 26)), SPOKED.homes, SPOKED.special, 76)
    game = TrapTheWizard(Settings(board=crowded))
    assert drawn(game) == []


@pytest.mark.parametrize(
    "table",
    [
        position({RED: ((32, (JOKER,)), START), GREEN: (34, 20)}, 2, joker_spares=True),
        position({RED: ((6, (GREEN,)), 30), GREEN: (20,)}, 5).do("move red 6 start load green"),
        opening(RED, GREEN, six_passes=True).do("roll 6", "move red start 10"),
    ],
    ids=lambda table: table.state.phase.value,
)
def test_all_that_a_wizards_player_may_do_is_offered_by_names_that_differ(table: Table) -> None:
    now = snapshot(table, seen=(("red", table.game.view(table.state, RED)),))
    offered = [*trap_the_wizard.offers(now, Viewer("de", "red"))]
    assert sorted(offer.text for offer in offered) == sorted(table.may())
    assert len({offer.said for offer in offered}) == len(offered)
