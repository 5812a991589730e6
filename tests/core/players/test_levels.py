"""Players of all games have the same levels, each known by a word and a line; old names count."""

from collections.abc import Sequence
from random import Random

import pytest

from companion.cli.main import main
from companion.core.players.levels import NAMES, chosen_level, level_names, levels_of
from companion.core.plugin import GAMES, called, how_played, players, usual
from companion.i18n.translate import say
from companion.present.study_game import study_game_of
from companion.referee.commands import NewMatch
from companion.referee.events import Bot, HouseRules
from companion.system.errors import CompanionError
from companion.system.text import SeatName
from rappelwacht_research.study.match import names, play
from tests.web.room import FakeRoom, client

SEATED = [game for game in GAMES if players(game)]
SHORT = {"trap-the-wizard": {"rounds": 1}}
RUNGS = ("expert", "good", "casual", "child", "random")  # the best first


@pytest.mark.parametrize("game", GAMES)
def test_levels_are_called_alike_everywhere_and_each_says_how_it_plays(game: str) -> None:
    known = level_names(game)
    assert known == tuple(one for one in RUNGS if one in known)
    assert {"casual", "child", "random"} <= {*known}
    assert names(game, study_game_of(game)) == known
    assert [*players(game)] in ([], [*known])
    for one in levels_of(game):
        assert one.title == NAMES[one.name]
        assert one.how is not None
        assert say(one.how, "de") != say(one.how, "en")


@pytest.mark.parametrize("game", GAMES)
def test_whoever_does_not_choose_gets_the_usual_one_and_nobody_gets_one_who_is_unknown(
    game: str,
) -> None:
    assert usual(level_names(game)) == chosen_level(game, None) == "casual"
    assert chosen_level(game, "child") == "child"
    with pytest.raises(CompanionError) as refused:
        chosen_level(game, "grandmaster")
    assert "grandmaster" in refused.value.values.values()


def test_a_game_that_is_not_installed_has_no_levels() -> None:
    assert (called("chess", "greedy"), how_played("chess"), players("chess")) == ("greedy", {}, {})


@pytest.mark.parametrize("game", SEATED)
def test_a_match_set_up_by_an_earlier_version_proposes_the_player_by_the_name_of_today(
    game: str,
) -> None:
    room = FakeRoom()
    house = HouseRules(bots=(Bot(SeatName.GREEN, "greedy"),))
    assert room.wish(NewMatch(game, {"seats": ["red", "green"]}, house)).refused is None
    page = client(room, "red").get(f"/setup?game={game}").text
    assert '<option value="casual" selected>bot, casual</option>' in page
    assert page.count("selected>bot") == 1


def wins(game: str, pair: Sequence[str], matches: int) -> float:
    """Return how often the first of a pair wins in equal company, in one with the other."""
    subject, kind = study_game_of(game), GAMES[game]
    agreed = kind.settings_type(**SHORT.get(game, {}))
    seats = kind().seats
    won = 0.0
    for number in range(matches):
        order = [pair[(seat + number) % 2] for seat in range(len(seats))]
        end = play(subject, kind(agreed), order, str(number // 2)).outcome
        assert end is not None
        who = dict(zip(seats, order, strict=True))
        won += sum(who[seat] == pair[0] for seat in end.winners) / len(end.winners)
    return won / matches


@pytest.mark.parametrize("game", GAMES)
def test_somebody_casual_beats_a_child_and_a_child_beats_chance(game: str) -> None:
    assert wins(game, ("casual", "child"), 8) > 0.5
    assert wins(game, ("child", "random"), 8) > 0.5


@pytest.mark.parametrize("game", GAMES)
def test_one_chooses_how_well_others_play(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for level in ("casual", "child"):
        words = ["--game", game, "--seed", "3", "--no-board", "--level", level]
        assert main(["--language", "en", "play", *words]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] != told[1]
    assert main(["--language", "en", "play", "--game", game, "--level", "greedy,"]) == 2
    assert "no player 'greedy,'" in capsys.readouterr().err


def test_a_casual_player_overlooks_some_choices_and_a_child_often_does_anything() -> None:
    game, chance = GAMES["blackmore"](), Random(1)
    alike, asked = {"casual": 0, "child": 0}, 0
    for _ in range(4):
        state = game.start()
        while game.turns(state):
            seat = game.turns(state)[0]
            options = game.legal(state, seat)
            if seat >= 0 and len(options) > 2:
                asked += 1
                best, *chosen = (
                    players("blackmore")[level](
                        game.settings, game.view(state, seat), seat, options, chance
                    )
                    for level in ("good", *alike)
                )
                for level, choice in zip(alike, chosen, strict=True):
                    alike[level] += choice == best
            state = game.apply(state, chance.choice(options))
    assert 0.7 < alike["casual"] / asked < 0.95
    assert 0.4 < alike["child"] / asked < 0.7
