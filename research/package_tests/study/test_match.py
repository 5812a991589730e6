"""Matches are played by what each seat sees, and counted as they happened."""

import pytest

from companion.core.game import Outcome
from companion.core.plugin import GAMES
from companion.games.blackmore.rules import DECK, points
from companion.present.study_game import study_game_of
from rappelwacht_research.study import match
from rappelwacht_research.study.match import PlayedMatch, play


def played(name: str, players: str = "", seed: str = "1") -> PlayedMatch:
    game, subject = GAMES[name](), study_game_of(name)
    chosen = players.split(",") if players else ["good"] * len(game.seats)
    return play(subject, game, chosen, seed)


def ended(match: PlayedMatch) -> Outcome:
    assert match.outcome is not None
    return match.outcome


def deeds(name: str, match: PlayedMatch) -> dict[str, tuple[int, ...]]:
    return dict(
        zip((event.code for event in study_game_of(name).counted), match.counted, strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_plays_the_same_match_and_another_one_another(name: str) -> None:
    assert played(name) == played(name) != played(name, seed="2")


@pytest.mark.slow
def test_every_trick_of_blackmore_is_won_by_somebody() -> None:
    match = played("blackmore")
    assert sum(deeds("blackmore", match)["tricks"]) == match.span == 14
    total = sum(own for _, own in ended(match).scores)
    assert 0 < total <= points(DECK)


def test_what_one_wizard_captures_another_has_lost() -> None:
    match = played("trap-the-wizard")
    done = deeds("trap-the-wizard", match)
    assert sum(done["captured"]) >= sum(done["lost"]) > 0
    assert match.span > 100
    assert sum(done["came_home"]) > 0


def test_portals_are_counted_in_all_and_by_their_colours() -> None:
    match = played("via-magica")
    done = deeds("via-magica", match)
    hues = [done[f"opened_{hue}"] for hue in ("yellow", "violet", "blue", "green")]
    assert done["opened"] == tuple(map(sum, zip(*hues, strict=True)))
    assert max(done["opened"]) >= 7


def test_the_winner_of_zapp_zerapp_has_three_home_and_every_banishment_hits_somebody() -> None:
    match = played("zapp-zerapp", "casual,random,casual,random")
    done = deeds("zapp-zerapp", match)
    assert max(points for _, points in ended(match).scores) == 3
    assert sum(done["banished"]) == sum(done["sent_back"]) > 0
    assert match.players == ("casual", "random", "casual", "random")


def test_the_better_players_win() -> None:
    wins = 0
    for seed in range(20):
        end = ended(played("blackmore", "random,casual,random,random", str(seed)))
        wins += 1 in end.winners
    assert wins > 8  # five, if it were as good as the others


def test_a_match_without_an_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "LONGEST", 30)
    found = played("blackmore")
    assert (found.actions, found.outcome) == (30, None)
